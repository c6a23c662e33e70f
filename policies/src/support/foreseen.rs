//! What is known to go out of service on a pool, and what that leaves of the machine while nothing runs.

use batchlab_traces::Time;
use batchlab_traces::capacity::Closure;

use super::amounts::{minus, most, plus};
use super::profile::Rest;
use super::releases::Releases;
use crate::turn::Turn;
use crate::view::padded;

/// An instant, and what of the known closures is out of service from then on.
pub type Step<const K: usize> = (Time, [i64; K]);

/// The changes of the capacity of a pool that a policy knows of. They are worked out when changes become known, and not at
/// each decision.
#[derive(Clone, Debug, Default)]
pub struct Foreseen<const K: usize> {
    /// Announcements so far, once there is a list.
    announced: Option<u64>,
    steps: Vec<Step<K>>,
    /// What is in service while no closure is, and what is then free over time if nothing runs.
    rest: Option<([i64; K], Rest<K>)>,
}

impl<const K: usize> Foreseen<K> {
    /// Brings the list up to date. O(c log c) for c closures if one was announced, or capacity came or went that was not
    /// foreseen; else O(log c).
    pub fn renew(&mut self, turn: &Turn<'_>, running: &Releases<K>) {
        if self.announced != Some(turn.announced()) {
            self.announced = Some(turn.announced());
            self.steps = steps(turn.foreseen());
            self.rest = None;
        }
        let free = plus(padded(&turn.balance(0)), running.freed(turn.now(), Time::MAX));
        let all = plus(free, self.out(turn.now()));
        if self.rest.as_ref().is_none_or(|rest| rest.0 != all) {
            let left = self.steps.iter().map(|&(at, out)| (at, most(minus(all, out), [0; K])));
            self.rest = Some((all, Rest::new(left)));
        }
    }

    /// Returns what of the known closures is out of service at an instant. O(log c).
    pub fn out(&self, at: Time) -> [i64; K] {
        let next = self.steps.partition_point(|step| step.0 <= at);
        next.checked_sub(1).map_or([0; K], |last| self.steps[last].1)
    }

    /// Returns the changes after an instant, in order. O(log c).
    pub fn after(&self, at: Time) -> &[Step<K>] {
        &self.steps[self.steps.partition_point(|step| step.0 <= at)..]
    }

    /// Returns what is free over time if nothing runs.
    pub fn rest(&self) -> Option<&Rest<K>> {
        self.rest.as_ref().map(|rest| &rest.1)
    }
}

fn steps<const K: usize>(closures: &[Closure]) -> Vec<Step<K>> {
    let mut changes: Vec<Step<K>> = Vec::with_capacity(2 * closures.len());
    for closure in closures {
        let amounts = padded(&closure.amounts);
        changes.push((closure.from, amounts));
        if closure.to < Time::MAX {
            changes.push((closure.to, minus([0; K], amounts)));
        }
    }
    changes.sort_unstable_by_key(|change| change.0);
    let mut out = [0; K];
    for change in &mut changes {
        out = plus(out, change.1);
        change.1 = out;
    }
    // Of several changes at one instant, the last has all of them.
    changes.reverse();
    changes.dedup_by_key(|change| change.0);
    changes.reverse();
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::capacity::{EventTime, Evicted};

    #[test]
    fn closures_that_overlap_add_up() {
        let secs = Time::from_secs;
        let closure = |from: i64, to: Time, amount: i64| Closure {
            from: secs(from),
            to,
            node: 0,
            amounts: vec![amount],
            evicted: Evicted::Requeued,
            known: Time::ZERO,
            kept_for: None,
            event: EventTime::default(),
        };
        let closures = [closure(10, secs(20), 4), closure(15, Time::MAX, 2), closure(20, secs(30), 1)];
        let foreseen = Foreseen { steps: steps::<1>(&closures), ..Foreseen::default() };
        let told: Vec<(f64, i64)> = foreseen.steps.iter().map(|&(at, out)| (at.secs(), out[0])).collect();
        assert_eq!(told, [(10.0, 4), (15.0, 6), (20.0, 3), (30.0, 2)]);
        assert_eq!([5, 10, 19, 20, 99].map(|at| foreseen.out(secs(at))[0]), [0, 4, 6, 3, 2]);
        assert_eq!(foreseen.after(secs(15)).len(), 2);
    }
}
