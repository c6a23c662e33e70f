//! The intervals in which stays cannot begin even if nothing runs, as far as they were asked for.

use batchlab_traces::Time;
use batchlab_traces::sorted::SortedMap;
use rustc_hash::FxHashMap;

use crate::profile::Profile;

/// Intervals in which no stay with a need can begin, by their beginnings, with their ends: there a stay can begin. `None` for an
/// interval without an end.
type Intervals = SortedMap<Time, Option<Time>>;

/// For each need and stay that was asked for, the intervals in which it cannot begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocked<const K: usize> {
    intervals: FxHashMap<([i64; K], Time), Intervals>,
}

impl<const K: usize> Blocked<K> {
    /// Returns the earliest instant, from another on, from which a need is free for a stay. O(log i) for i intervals where
    /// one was found before, and O(s) for the s steps between them.
    pub(super) fn earliest(
        &mut self,
        profile: &Profile<K>,
        from: Time,
        need: [i64; K],
        stay: Time,
    ) -> Option<Time> {
        let intervals = self.intervals.entry((need, stay)).or_default();
        if let Some((_, &end)) = intervals.range(..=from).next_back()
            && end.is_none_or(|end| from <= end)
        {
            return end;
        }
        let next = intervals.range(from..).next().map(|(&begin, &end)| (begin, end));
        let upto = next.map_or(Time::MAX, |(begin, _)| begin);
        let found = match profile.search(from, upto, need, stay) {
            Ok(at) => Some(at),
            Err(_) => {
                intervals.remove(&upto);
                next.and_then(|(_, end)| end)
            }
        };
        if found != Some(from) {
            intervals.insert(from, found);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Slot;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_remembered_answers_as_a_search(
            taken in prop::collection::vec((0i64..100, 1i64..9, 1i64..5), 0..20),
            asked in prop::collection::vec((0i64..120, 1i64..6, 1i64..20), 1..40),
        ) {
            let secs = Time::from_secs;
            let mut profile = Profile::new(secs(0), [5]);
            for (from, length, amount) in taken {
                profile.take(Slot { from: secs(from), to: secs(from + length), amount: [amount] });
            }
            let mut blocked = Blocked::default();
            for (from, need, stay) in asked {
                let found = blocked.earliest(&profile, secs(from), [need], secs(stay));
                prop_assert_eq!(found, profile.earliest(secs(from), [need], secs(stay)));
            }
        }
    }
}
