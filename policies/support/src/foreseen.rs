//! Known closures, and the capacity that they leave of a pool or of nodes while nothing runs.

mod blocked;

use std::cell::RefCell;

use batchlab_traces::Time;
use batchlab_traces::capacity::Closure;

use super::amounts::{minus, most, plus};
use super::profile::{Profile, Rest, Slot};
use super::releases::Releases;
use crate::turn::Turn;
use crate::view::padded;
use blocked::Blocked;

/// An instant, and the amounts that known closures take out of service from then on.
pub type CapacityStep<const K: usize> = (Time, [i64; K]);

/// The changes of the capacity of a pool that a policy knows of. They are worked out when changes become known, and not at
/// each decision.
#[derive(Clone, Debug, Default)]
pub struct Foreseen<const K: usize> {
    /// Announcements so far, once there is a list.
    announced: Option<u64>,
    steps: Vec<CapacityStep<K>>,
    idle: Option<Idle<K>>,
}

/// The free amounts over time if nothing runs.
#[derive(Clone, Debug)]
struct Idle<const K: usize> {
    /// The amounts in service while there is no closure.
    all: [i64; K],
    /// The amounts from the first change on.
    rest: Rest<K>,
    /// The amounts from the instant at which this was made.
    profile: Profile<K>,
    /// From this instant on, no amount is below zero.
    strained_until: Time,
    blocked: RefCell<Blocked<K>>,
}

impl<const K: usize> Idle<K> {
    fn new(now: Time, all: [i64; K], steps: &[CapacityStep<K>], at_least: i64) -> Idle<K> {
        let left = |out: [i64; K]| most(minus(all, out), [at_least; K]);
        let rest = Rest::new(steps.iter().map(|&(at, out)| (at, left(out))));
        let begin = rest.begin_after(now);
        let (past, ahead) = steps.split_at(steps.partition_point(|step| step.0 <= now));
        let mut out = past.last().map_or([0; K], |step| step.1);
        let mut profile = Profile::new(now, left(out));
        for &(at, later) in ahead.iter().take_while(|step| step.0 < begin) {
            profile.release(at, minus(left(later), left(out)));
            out = later;
        }
        profile.follow(&rest, begin);
        let strained_until = strained_until(profile.since(now));
        Idle { strained_until, all, rest, profile, blocked: RefCell::default() }
    }
}

/// Returns the instant from which on no step has an amount below zero.
fn strained_until<const K: usize>(steps: impl Iterator<Item = CapacityStep<K>>) -> Time {
    let mut until = Time::ZERO;
    let mut is_strained = false;
    for (begin, free) in steps {
        if is_strained {
            until = begin;
        }
        is_strained = free.iter().any(|&amount| amount < 0);
    }
    if is_strained { Time::MAX } else { until }
}

/// The effects of changes that were added to a profile.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// Before this instant, no amount is below the one at the beginning.
    pub falls: Time,
    /// From this instant on, no amount is below zero.
    pub strained_until: Time,
}

impl<const K: usize> Foreseen<K> {
    /// Brings the list of a pool up to date. O(c log c) for c closures if one was announced, or capacity came or went that
    /// was not foreseen; else O(log c).
    pub fn renew(&mut self, turn: &Turn<'_>, running: &Releases<K>) {
        if self.announced != Some(turn.announced()) {
            self.announced = Some(turn.announced());
            self.close(turn.foreseen().iter());
        }
        let now = turn.now();
        let free = plus(padded(&turn.balance(0)), running.freed(now, Time::MAX));
        // Capacity that is out of service and still held counts as zero, not as less.
        self.idles(now, plus(free, self.out(now)), 0);
    }

    fn close<'a>(&mut self, closures: impl Iterator<Item = &'a Closure>) {
        self.steps = steps(closures);
        self.idle = None;
    }

    fn idles(&mut self, now: Time, all: [i64; K], at_least: i64) {
        if self.idle.as_ref().is_none_or(|idle| idle.all != all) {
            self.idle = Some(Idle::new(now, all, &self.steps, at_least));
        }
    }

    /// Returns what of the known closures is out of service at an instant. O(log c).
    pub fn out(&self, at: Time) -> [i64; K] {
        let next = self.steps.partition_point(|step| step.0 <= at);
        next.checked_sub(1).map_or([0; K], |last| self.steps[last].1)
    }

    /// Returns the changes after an instant, in order. O(log c).
    pub fn after(&self, at: Time) -> &[CapacityStep<K>] {
        &self.steps[self.steps.partition_point(|step| step.0 <= at)..]
    }

    /// Returns the free amounts over time if nothing runs, from the first change on.
    pub fn rest(&self) -> Option<&Rest<K>> {
        self.idle.as_ref().map(|idle| &idle.rest)
    }

    /// Returns the free amounts over time if nothing runs.
    pub fn idle(&self) -> Option<&Profile<K>> {
        self.idle.as_ref().map(|idle| &idle.profile)
    }

    /// Returns the earliest instant, from another on, from which a need is free for a stay if nothing runs; `None` if it never
    /// is. Answers for the same need and stay are remembered, so that questions with later and later instants cost O(c) in all.
    pub fn earliest(&self, from: Time, need: [i64; K], stay: Time) -> Option<Time> {
        let idle = self.idle.as_ref()?;
        idle.blocked.borrow_mut().earliest(&idle.profile, from, need, stay)
    }

    /// Adds the changes to a profile of the free amounts and their releases, which all lie up to `last`. O(d · s) for d
    /// changes up to `last` and s steps, beside those of [`Foreseen::renew`].
    fn add_to(&mut self, profile: &mut Profile<K>, last: Time) -> Ahead {
        let now = profile.begin();
        let mut out = self.out(now);
        self.idles(now, plus(profile.free_at(Time::MAX), out), i64::MIN);
        let mut ahead = Ahead { falls: Time::MAX, strained_until: Time::ZERO };
        let Some(idle) = &self.idle else { return ahead };
        let begin = idle.rest.begin_after(last);
        ahead.falls = begin;
        for &(from, later) in self.after(now).iter().take_while(|step| step.0 < begin) {
            let amount = minus(out, later);
            profile.give(Slot { from, to: Time::MAX, amount });
            if amount.iter().any(|&amount| amount < 0) {
                ahead.falls = ahead.falls.min(from);
            }
            out = later;
        }
        ahead.strained_until = strained_until(profile.since(now)).min(begin).max(idle.strained_until);
        profile.follow(&idle.rest, begin);
        ahead
    }
}

/// The changes of the capacity of nodes that a policy knows of: by node, and in total.
#[derive(Clone, Debug, Default)]
pub struct ForeseenOnNodes<const K: usize> {
    announced: Option<u64>,
    nodes: Vec<Foreseen<K>>,
    total: Foreseen<K>,
}

impl<const K: usize> ForeseenOnNodes<K> {
    /// Brings the lists up to date. O(nodes + c log c) for c closures if one was announced, else O(1).
    pub fn renew(&mut self, turn: &Turn<'_>) {
        if self.announced == Some(turn.announced()) {
            return;
        }
        self.announced = Some(turn.announced());
        let mut by_node: Vec<Vec<&Closure>> = vec![Vec::new(); turn.machine().nodes()];
        for closure in turn.foreseen() {
            by_node[closure.node].push(closure);
        }
        self.nodes.resize(by_node.len(), Foreseen::default());
        for (node, closures) in self.nodes.iter_mut().zip(by_node) {
            node.close(closures.into_iter());
        }
        self.total.close(turn.foreseen().iter());
    }

    /// Adds the changes of a node to its profile, which gets all back that running jobs hold until `last`.
    pub fn add_to_node(&mut self, node: usize, profile: &mut Profile<K>, last: Time) -> Ahead {
        self.nodes[node].add_to(profile, last)
    }

    /// Adds the changes of all nodes to the profile of their sum.
    pub fn add_to_total(&mut self, profile: &mut Profile<K>, last: Time) {
        self.total.add_to(profile, last);
    }
}

fn steps<'a, const K: usize>(closures: impl Iterator<Item = &'a Closure>) -> Vec<CapacityStep<K>> {
    let mut changes: Vec<(Time, bool, &[i64])> = Vec::new();
    for closure in closures {
        changes.push((closure.from, true, &closure.amounts));
        if closure.to < Time::MAX {
            changes.push((closure.to, false, &closure.amounts));
        }
    }
    changes.sort_unstable();
    let (mut out, mut steps): (_, Vec<CapacityStep<K>>) = ([0; K], Vec::new());
    for (at, begins, amounts) in changes {
        let amounts = padded(amounts);
        out = if begins { plus(out, amounts) } else { minus(out, amounts) };
        match steps.last_mut().filter(|last| last.0 == at) {
            Some(last) => last.1 = out,
            None => steps.push((at, out)),
        }
    }
    steps
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
        let foreseen = Foreseen { steps: steps::<1>(closures.iter()), ..Foreseen::default() };
        let told: Vec<(f64, i64)> = foreseen.steps.iter().map(|&(at, out)| (at.secs(), out[0])).collect();
        assert_eq!(told, [(10.0, 4), (15.0, 6), (20.0, 3), (30.0, 2)]);
        assert_eq!([5, 10, 19, 20, 99].map(|at| foreseen.out(secs(at))[0]), [0, 4, 6, 3, 2]);
        assert_eq!(foreseen.after(secs(15)).len(), 2);
    }
}
