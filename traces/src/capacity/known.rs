//! The changes of the capacity that a policy knows of.

use std::ops::Deref;

use super::Closure;
use crate::Time;

/// The closures that are known and not over, by beginning.
///
/// Closures that are over stay at the front until they are more than half of the list, so that the end of one closure does
/// not move all later ones.
#[derive(Clone, Debug, Default)]
pub struct KnownClosures {
    closures: Vec<Closure>,
    over: usize,
}

impl KnownClosures {
    /// Adds a closure behind the closures that begin no later. O(c) for c closures, O(1) if no closure begins later.
    pub fn add(&mut self, closure: Closure) {
        let at = self.over + self.partition_point(|known| known.from <= closure.from);
        self.closures.insert(at, closure);
    }

    /// Drops the closures that are over. O(b) for b closures that have begun, amortized.
    pub fn drop_over(&mut self, now: Time) {
        let begun = self.over + self.partition_point(|known| known.from <= now);
        let mut left = begun;
        for at in (self.over..begun).rev() {
            if self.closures[at].to > now {
                left -= 1;
                self.closures.swap(at, left);
            }
        }
        self.over = left;
        if 2 * self.over > self.closures.len() {
            self.closures.drain(..self.over);
            self.over = 0;
        }
    }
}

impl Deref for KnownClosures {
    type Target = [Closure];

    fn deref(&self) -> &[Closure] {
        &self.closures[self.over..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacity::{EventTime, Evicted};

    #[test]
    fn what_is_over_is_dropped_and_the_rest_keeps_its_order() {
        let closure = |(from, to): (i64, i64)| Closure {
            from: Time::from_secs(from),
            to: Time::from_secs(to),
            node: 0,
            amounts: vec![1],
            evicted: Evicted::Requeued,
            known: Time::ZERO,
            kept_for: None,
            event: EventTime::default(),
        };
        let mut known = KnownClosures::default();
        for from_to in [(0, 9), (1, 3), (2, 4), (5, 6), (2, 8)] {
            known.add(closure(from_to));
        }
        let mut left = |now: i64| -> Vec<(f64, f64)> {
            known.drop_over(Time::from_secs(now));
            known.iter().map(|closure| (closure.from.secs(), closure.to.secs())).collect()
        };
        assert_eq!(left(3), [(0.0, 9.0), (2.0, 4.0), (2.0, 8.0), (5.0, 6.0)]);
        assert_eq!(left(4), [(0.0, 9.0), (2.0, 8.0), (5.0, 6.0)]);
        assert_eq!(left(8), [(0.0, 9.0)]);
        assert_eq!(left(9), []);
    }
}
