//! The table of reservations of a backfill cycle: slots of time with the nodes that no reservation holds.

mod blocks;

use batchlab_traces::Time;

use super::node_set::NodeSet;
pub(super) use blocks::SlotCursor;
use blocks::SlotSets;

#[derive(Clone, Copy, Debug)]
struct Slot {
    begin: Time,
    end: Time,
    /// The first word with nodes that are free in it and were not in the slot before, and these nodes.
    rises: Option<(u32, u64)>,
}

/// The slots, one after the other, from the beginning of a cycle to the end of its window.
#[derive(Clone, Debug)]
pub(super) struct NodeSpaceMap {
    slots: Vec<Slot>,
    sets: SlotSets,
    /// Whether it is worth looking again behind the next slot after a stretch, though no further nodes are free (since 24.11).
    goes_on: bool,
}

/// How long a job is to have its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct StayLength {
    /// Its limit.
    pub(super) full: Time,
    /// How long reservations last at least, as both ends are rounded down.
    pub(super) sure: Time,
}

pub(super) enum Search {
    /// The first stretch that may do, and its beginning.
    At(Time, Stretch),
    /// No stretch does by the end of the table; whatever else holds, none that begins before an instant.
    Never { before: Time },
}

/// The nodes of a stretch of time, and when it is worth looking again.
pub(super) struct Stretch {
    /// The nodes that no reservation holds in it.
    pub(super) free: NodeSet,
    /// The end of the first slot in it that is followed by one with further nodes.
    pub(super) later: Option<Time>,
}

impl NodeSpaceMap {
    pub(super) fn new(nodes: usize, begin: Time, end: Time, goes_on: bool) -> NodeSpaceMap {
        let slots = vec![Slot { begin, end, rises: None }];
        NodeSpaceMap { slots, sets: SlotSets::of_one(NodeSet::of(nodes, |_| true)), goes_on }
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns what is free of some nodes from `from` to `to`, both included: a reservation that begins as the stretch ends
    /// is in its way, as in `_attempt_backfill`.
    pub(super) fn free(&self, nodes: &NodeSet, from: Time, to: Time) -> NodeSet {
        let mut free = nodes.clone();
        let behind = self.slots.partition_point(|slot| slot.begin <= to);
        self.sets.keep(self.first(from)..behind, &mut free);
        free
    }

    /// Returns the place of the first slot that ends after an instant.
    fn first(&self, from: Time) -> usize {
        self.slots.partition_point(|slot| slot.end <= from)
    }

    /// Returns when more of some nodes may be free than in a stretch from `from` to `to`.
    pub(super) fn later(&self, nodes: &NodeSet, from: Time, to: Time) -> Option<Time> {
        self.later_than(nodes, self.first(from), to)
    }

    /// Returns when more of some nodes may be free than in a stretch that begins with a slot: the end of the first of its slots,
    /// or of the one behind them, that is followed by one with further nodes.
    fn later_than(&self, nodes: &NodeSet, first: usize, to: Time) -> Option<Time> {
        let mut within = (first + 1..self.slots.len()).take_while(|&at| self.reaches(at, to));
        let rise = within.find(|&at| self.rises_at(at, nodes)).map(|next| self.slots[next - 1].end);
        let behind = || self.slots.partition_point(|slot| slot.begin <= to) + 1;
        rise.or_else(|| {
            Some(behind())
                .filter(|&at| self.goes_on && at + 1 < self.slots.len())
                .map(|at| self.slots[at].end)
        })
    }

    /// Whether a slot is worth a look for further nodes in a stretch that ends at an instant: it is not farther than the second one
    /// behind the stretch.
    #[inline]
    fn reaches(&self, at: usize, to: Time) -> bool {
        at < 2 || self.slots[at - 2].begin <= to
    }

    /// Whether some nodes are free in a slot that are not in the one before.
    fn rises_at(&self, at: usize, nodes: &NodeSet) -> bool {
        self.slots[at].rises.is_some_and(|(word, rising)| {
            nodes.words()[word as usize] & rising != 0
                || self.sets.free(at).exceeds(self.sets.free(at - 1), nodes)
        })
    }

    /// Searches for the first beginning, not before `from`, of a stretch of a job's length whose free nodes among some may be
    /// enough. `enough` says whether nodes may be enough by the instant at which further nodes may be free; if it accepts some,
    /// it accepts more nodes and later instants, too. `sweep` is that of the job's search so far, of no later `from`. O(slots ·
    /// nodes / 64) for all beginnings of a search in the length of the job, and O(log slots) questions for each that is left out.
    pub(super) fn candidate(
        &self,
        nodes: &NodeSet,
        mut from: Time,
        length: StayLength,
        sweep: &mut SlotCursor,
        mut enough: impl FnMut(&NodeSet, Time) -> bool,
    ) -> Search {
        loop {
            let sure = |slot: &Slot| slot.begin <= from + length.sure;
            let (first, end) = if let Some((here, end)) = sweep.reached() {
                // A search goes on a few slots ahead.
                let first = (here..self.slots.len()).find(|&at| self.slots[at].end > from);
                let end = (end..self.slots.len()).find(|&at| !sure(&self.slots[at]));
                (first.unwrap_or(self.slots.len()), end.unwrap_or(self.slots.len()))
            } else {
                (self.first(from), self.slots.partition_point(sure))
            };
            let count = end.saturating_sub(first);
            let slots = &self.slots[first..first + count];
            sweep.reach(&self.sets, nodes, first, first + count);
            let later =
                |at: usize| self.later_than(nodes, first + at, slots[at].begin.max(from) + length.full);
            // No beginning in a slot has more than the nodes that are free from there on.
            let mut last_later = None;
            let mut lacks = |at: usize| {
                last_later = later(at);
                last_later.is_some_and(|later| !enough(sweep.since(&self.sets, first + at), later))
            };
            // Farther and farther, then between the last two.
            let (mut next, mut until) = (0, 0);
            while until < count && lacks(until) {
                next = until + 1;
                until = 2 * until + 1;
            }
            until = until.min(count);
            while next < until {
                let middle = usize::midpoint(next, until);
                if lacks(middle) { next = middle + 1 } else { until = middle }
            }
            if count > 0 && next > 0 {
                from = slots[next - 1].end;
                continue;
            }
            let (mut free, later) = if count == 0 {
                (nodes.clone(), None)
            } else {
                // The first slot is the only one that was asked about.
                (sweep.since(&self.sets, first).clone(), last_later)
            };
            if later.is_none()
                && let Some(last) = self.slots.last()
                && !enough(&free, last.end)
            {
                let rise = (first + 1..self.slots.len()).find(|&at| self.rises_at(at, nodes));
                return Search::Never { before: rise.map_or(Time::FARTHEST, |at| self.slots[at].begin) };
            }
            let until = from + length.full;
            (first + count..self.slots.len())
                .take_while(|&at| self.slots[at].begin <= until)
                .for_each(|at| free.keep(self.sets.free(at)));
            return Search::At(from, Stretch { free, later });
        }
    }

    /// Returns from when a search may go on if no stretch can begin before `bound`: the last instant up to there at which nodes
    /// come back, or `from` if the search could have ended on the way. O(slots).
    pub(super) fn skip(&self, nodes: &NodeSet, from: Time, length: Time, bound: Time) -> Time {
        let mut at = from;
        for next in self.first(from) + 1..self.slots.len() {
            if !self.reaches(next, at + length) {
                return from;
            }
            if self.rises_at(next, nodes) {
                let later = self.slots[next - 1].end;
                if later >= bound {
                    return at;
                }
                at = later;
            }
        }
        from
    }

    /// Returns those of some nodes that no reservation holds from `from` to `to` in the slots that begin after an instant; `None` if
    /// there are no such slots.
    pub(super) fn still_free(&self, nodes: &NodeSet, after: Time, from: Time, to: Time) -> Option<NodeSet> {
        let first = self.slots.partition_point(|slot| slot.begin <= after || slot.end <= from);
        let behind = self.slots.partition_point(|slot| slot.begin < to);
        (first < behind).then(|| {
            let mut free = nodes.clone();
            self.sets.keep(first..behind, &mut free);
            free
        })
    }

    /// Whether a reservation holds one of these nodes between two instants.
    pub(super) fn overlaps(&self, nodes: &NodeSet, from: Time, to: Time) -> bool {
        let first = self.slots.partition_point(|slot| slot.end <= from);
        let mut between = (first..self.slots.len()).take_while(|&at| self.slots[at].begin < to);
        between.any(|at| nodes.exceeds(self.sets.free(at), nodes))
    }

    /// Reserves nodes between two instants; what lies outside of the table is left out.
    pub(super) fn reserve(&mut self, nodes: &NodeSet, from: Time, to: Time) {
        let (Some(first), Some(last)) = (self.slots.first(), self.slots.last()) else { return };
        let (from, to) = (from.max(first.begin), to.min(last.end));
        if from >= to {
            return;
        }
        self.split(from);
        self.split(to);
        let (first, behind) = (self.first(from), self.first(to));
        self.sets.subtract(nodes, first..behind);
        for at in first..behind {
            // Neighbours without these nodes rise where they rose before, if at all.
            self.slots[at].rises = self.slots[at].rises.and_then(|(word, _)| self.rises_from(at, word));
        }
        if behind < self.slots.len() {
            self.slots[behind].rises = self.rises_from(behind, 0);
        }
        // Neighbours that have become alike are one slot again.
        for at in (first.max(1)..self.slots.len().min(behind + 1)).rev() {
            if self.slots[at].rises.is_none() && self.sets.free(at) == self.sets.free(at - 1) {
                self.slots[at - 1].end = self.slots.remove(at).end;
                self.sets.join(at);
            }
        }
    }

    /// Returns the first word of a slot, not before one, with nodes that were not free in the slot before, and these nodes.
    fn rises_from(&self, at: usize, word: u32) -> Option<(u32, u64)> {
        let before = at.checked_sub(1)?;
        self.sets.free(at).first_beyond(self.sets.free(before), word)
    }

    fn split(&mut self, at: Time) {
        let here = self.first(at);
        let Some(slot) = self.slots.get_mut(here).filter(|slot| slot.begin < at) else { return };
        let before = Slot { end: at, ..*slot };
        (slot.begin, slot.rises) = (at, None);
        self.slots.insert(here, before);
        self.sets.split(here);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: i64) -> Time {
        Time::from_secs(seconds)
    }

    fn set(nodes: &[usize]) -> NodeSet {
        NodeSet::of(4, |node| nodes.contains(&node))
    }

    #[test]
    fn reservations_split_slots_and_join_equal_ones() {
        let mut table = NodeSpaceMap::new(4, at(0), at(100), false);
        table.reserve(&set(&[1]), at(20), at(60));
        table.reserve(&set(&[2]), at(50), at(200));
        assert_eq!(table.len(), 4);
        let free = |from, to| table.free(&set(&[0, 1, 2]), at(from), at(to)).iter().collect::<Vec<_>>();
        assert_eq!((free(0, 19), free(0, 20)), (vec![0, 1, 2], vec![0, 2]));
        assert_eq!((free(20, 50), free(60, 90)), (vec![0], vec![0, 1]));
        assert_eq!(
            (free(100, 300), free(99, 300)),
            (vec![0, 1, 2], vec![0, 1]),
            "nothing is reserved beyond the window"
        );
        let later = |from| table.later(&set(&[0, 1, 2]), at(from), at(from));
        assert_eq!(
            [0, 20, 50, 60].map(later),
            [None, Some(at(60)), Some(at(60)), None],
            "node 1 comes back at 60 s"
        );
        assert!(table.overlaps(&set(&[1]), at(0), at(21)) && !table.overlaps(&set(&[1]), at(0), at(20)));
    }

    #[test]
    fn the_first_stretch_that_may_be_enough_is_found() {
        let mut table = NodeSpaceMap::new(4, at(0), at(100), false);
        for (node, from, to) in [(0, 10, 20), (1, 20, 40), (2, 30, 50), (3, 0, 60)] {
            table.reserve(&set(&[node]), at(from), at(to));
        }
        let found = |count: usize, from, length| {
            let enough = |nodes: &NodeSet, by: Time| by > at(15) && nodes.len() >= count;
            let length = StayLength { full: at(length), sure: at(length) };
            match table.candidate(&set(&[0, 1, 2, 3]), at(from), length, &mut SlotCursor::default(), enough) {
                Search::At(begin, Stretch { free, later }) => Ok((begin, free.iter().collect(), later)),
                Search::Never { before } => Err(before),
            }
        };
        assert_eq!(found(1, 0, 25), Ok((at(0), vec![2], Some(at(20)))), "node 0 comes back at 20 s");
        assert_eq!(found(2, 0, 25), Ok((at(40), vec![0, 1], Some(at(50)))));
        assert_eq!(found(3, 0, 9), Ok((at(0), vec![0, 1, 2], Some(at(20)))));
        assert_eq!(found(4, 0, 9), Ok((at(60), vec![0, 1, 2, 3], None)));
        assert_eq!(found(5, 0, 9), Err(Time::FARTHEST), "there are four nodes");
    }

    #[test]
    fn what_stays_free_is_asked_only_of_slots_behind_a_stretch() {
        let mut table = NodeSpaceMap::new(4, at(0), at(100), false);
        for (node, from, to) in [(0, 30, 40), (1, 40, 60), (2, 60, 80)] {
            table.reserve(&set(&[node]), at(from), at(to));
        }
        let still = |after, from, to| {
            let free = table.still_free(&set(&[0, 1, 2]), at(after), at(from), at(to));
            free.map(|free| free.iter().collect::<Vec<_>>())
        };
        assert_eq!(still(30, 20, 40), None, "node 0 is reserved in the stretch");
        assert_eq!(still(30, 20, 70), Some(vec![0]));
        assert_eq!(still(30, 60, 70), Some(vec![0, 1]), "not before the start");
    }

    #[test]
    fn a_search_goes_on_from_the_last_instant_at_which_nodes_come_back() {
        let mut table = NodeSpaceMap::new(4, at(0), at(100), false);
        for (node, from, to) in [(0, 0, 20), (1, 10, 40), (2, 0, 60)] {
            table.reserve(&set(&[node]), at(from), at(to));
        }
        let skip = |bound| table.skip(&set(&[0, 1, 2, 3]), at(0), at(30), at(bound));
        assert_eq!(
            [10, 20, 21, 41, 61].map(skip),
            [0, 0, 20, 40, 0].map(at),
            "nothing comes back after 60 s"
        );
    }

    proptest! {
        /// A search that goes on finds what a new search from there finds.
        #[test]
        fn a_search_goes_on_as_if_it_began_there(
            held in proptest::collection::vec((0_usize..4, 0_i64..90, 1_i64..60), 0..24),
            count in 1_usize..4,
            length in (1_i64..60, 0_i64..8),
            from in 0_i64..50,
        ) {
            let mut table = NodeSpaceMap::new(4, at(0), at(100), false);
            for (node, from, length) in held {
                table.reserve(&set(&[node]), at(from), at(from + length));
            }
            let enough = |nodes: &NodeSet, by: Time| by > at(10) && nodes.len() >= count;
            let length = StayLength { full: at(length.0 + length.1), sure: at(length.0) };
            let search = |from: Time, sweep: &mut SlotCursor| {
                match table.candidate(&set(&[0, 1, 2, 3]), from, length, sweep, enough) {
                    Search::At(begin, Stretch { free, later }) => Ok((begin, free, later)),
                    Search::Never { before } => Err(before),
                }
            };
            let (mut sweep, mut next) = (SlotCursor::default(), Some(at(from)));
            while let Some(from) = next {
                let found = search(from, &mut sweep);
                prop_assert_eq!(&found, &search(from, &mut SlotCursor::default()));
                next = found.ok().and_then(|(_, _, later)| later);
            }
        }

        /// Slots rise where nodes come back, however reservations lie.
        #[test]
        fn rises_are_kept_as_slots_split_and_join(held in proptest::collection::vec((0_usize..4, 0_i64..90, 1_i64..60), 0..12)) {
            let mut table = NodeSpaceMap::new(4, at(0), at(100), false);
            for (node, from, length) in held {
                table.reserve(&set(&[node]), at(from), at(from + length));
                for (at, pair) in table.slots.windows(2).enumerate() {
                    let (before, here) = (table.sets.free(at), table.sets.free(at + 1));
                    prop_assert_eq!(pair[0].end, pair[1].begin);
                    prop_assert_ne!(before, here);
                    let comes_back = (0..4).any(|node| here.has(node) && !before.has(node));
                    prop_assert_eq!(pair[1].rises.is_some(), comes_back);
                }
                let all = NodeSet::of(4, |_| true);
                for first in 0..table.slots.len() {
                    for behind in first + 1..=table.slots.len() {
                        let (mut one, mut many) = (all.clone(), all.clone());
                        (first..behind).for_each(|at| one.keep(table.sets.free(at)));
                        table.sets.keep(first..behind, &mut many);
                        prop_assert_eq!(one, many, "blocks know what is free in slots {} to {}", first, behind);
                    }
                }
            }
        }
    }
}
