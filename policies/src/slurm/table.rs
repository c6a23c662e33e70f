//! The table of reservations of a backfill cycle: slots of time with the nodes that no reservation holds.

use batchlab_traces::Time;

use super::node_set::NodeSet;

/// A slot of time.
#[derive(Clone, Debug)]
struct Slot {
    begin: Time,
    end: Time,
    free: NodeSet,
}

/// The slots, one after the other, from the beginning of a cycle to the end of its window.
#[derive(Clone, Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
}

/// The nodes of a stretch of time, and when it is worth looking again.
pub(super) struct Stretch {
    /// The nodes that no reservation holds in it.
    pub(super) free: NodeSet,
    /// The end of the first slot in it that is followed by one with further nodes.
    pub(super) later: Option<Time>,
}

impl Table {
    pub(super) fn new(nodes: usize, begin: Time, end: Time) -> Table {
        Table { slots: vec![Slot { begin, end, free: NodeSet::of(nodes, |_| true) }] }
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns what is free of some nodes from `from` to `to`, both included: a reservation that begins as the stretch ends
    /// is in its way, as in `_attempt_backfill`.
    pub(super) fn stretch(&self, nodes: &NodeSet, from: Time, to: Time) -> Stretch {
        let mut free = nodes.clone();
        let first = self.slots.partition_point(|slot| slot.end <= from);
        let later = self.later(nodes, first, to);
        for slot in self.slots[first..].iter().take_while(|slot| slot.begin <= to) {
            free.keep(&slot.free);
        }
        Stretch { free, later }
    }

    /// Returns when more of some nodes may be free than in a stretch that begins with a slot: the end of the first of its slots,
    /// or of the one behind them, that is followed by one with nodes which are not free in all slots up to there.
    fn later(&self, nodes: &NodeSet, first: usize, to: Time) -> Option<Time> {
        let slots = self.slots.get(first..)?;
        let behind = slots.partition_point(|slot| slot.begin <= to);
        let end = slots.len().min(behind + 2);
        let mut next = end;
        for word in 0..nodes.words() {
            let all = nodes.word(word);
            let mut free = all;
            for at in 1..next {
                free &= slots[at - 1].free.word(word);
                if all & slots[at].free.word(word) & !free != 0 {
                    next = at;
                    break;
                }
            }
        }
        (next < end).then(|| slots[next - 1].end)
    }

    /// Returns the first beginning, not before `from`, of a stretch of this length whose free nodes among some may be enough,
    /// with that stretch; `enough` tells it of nodes and the instant when further ones may be free, and says so of more nodes
    /// and of later instants, too. `suffixes` is scratch. O(slots).
    pub(super) fn candidate(
        &self,
        nodes: &NodeSet,
        mut from: Time,
        length: Time,
        suffixes: &mut Vec<NodeSet>,
        mut enough: impl FnMut(&NodeSet, Time) -> bool,
    ) -> (Time, Stretch) {
        loop {
            let first = self.slots.partition_point(|slot| slot.end <= from);
            let count = self.slots[first..].partition_point(|slot| slot.begin <= from + length);
            let slots = &self.slots[first..first + count];
            // The nodes that are free from each of these slots on: no beginning there has more. The last slot comes first.
            if suffixes.len() < count {
                suffixes.resize(count, NodeSet::default());
            }
            for (at, slot) in slots.iter().rev().enumerate() {
                let (behind, here) = suffixes.split_at_mut(at);
                here[0].set_to_both(behind.last().unwrap_or(nodes), &slot.free);
            }
            let later = |at: usize| self.later(nodes, first + at, slots[at].begin.max(from) + length);
            let mut lacks =
                |at: usize| later(at).is_some_and(|later| !enough(&suffixes[count - 1 - at], later));
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
            if count == 0 {
                return (from, Stretch { free: nodes.clone(), later: None });
            }
            if next == 0 {
                return (from, Stretch { free: suffixes[count - 1].clone(), later: later(0) });
            }
            from = slots[next - 1].end;
        }
    }

    /// Whether a reservation holds one of these nodes between two instants.
    pub(super) fn overlaps(&self, nodes: &NodeSet, from: Time, to: Time) -> bool {
        let first = self.slots.partition_point(|slot| slot.end <= from);
        let between = self.slots[first..].iter().take_while(|slot| slot.begin < to);
        let all = nodes.len();
        between.into_iter().any(|slot| {
            let mut free = nodes.clone();
            free.keep(&slot.free);
            free.len() < all
        })
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
        for slot in self.slots.iter_mut().filter(|slot| slot.begin >= from && slot.end <= to) {
            slot.free.subtract(nodes);
        }
        // Neighbours that have become alike are one slot again.
        self.slots.dedup_by(|next, before| {
            let alike = before.free == next.free;
            if alike {
                before.end = next.end;
            }
            alike
        });
    }

    fn split(&mut self, at: Time) {
        let here = self.slots.partition_point(|slot| slot.end <= at);
        let Some(slot) = self.slots.get_mut(here).filter(|slot| slot.begin < at) else { return };
        let before = Slot { end: at, ..slot.clone() };
        slot.begin = at;
        self.slots.insert(here, before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Time {
        Time::from_secs(seconds)
    }

    fn set(nodes: &[usize]) -> NodeSet {
        NodeSet::of(4, |node| nodes.contains(&node))
    }

    #[test]
    fn reservations_split_slots_and_join_equal_ones() {
        let mut table = Table::new(4, at(0), at(100));
        table.reserve(&set(&[1]), at(20), at(60));
        table.reserve(&set(&[2]), at(50), at(200));
        assert_eq!(table.len(), 4);
        let free =
            |from, to| table.stretch(&set(&[0, 1, 2]), at(from), at(to)).free.iter().collect::<Vec<_>>();
        assert_eq!((free(0, 19), free(0, 20)), (vec![0, 1, 2], vec![0, 2]));
        assert_eq!((free(20, 50), free(60, 90)), (vec![0], vec![0, 1]));
        assert_eq!(
            (free(100, 300), free(99, 300)),
            (vec![0, 1, 2], vec![0, 1]),
            "nothing is reserved beyond the window"
        );
        let later = |from| table.stretch(&set(&[0, 1, 2]), at(from), at(from)).later;
        assert_eq!(
            [0, 20, 50, 60].map(later),
            [None, Some(at(60)), Some(at(60)), None],
            "node 1 comes back at 60 s"
        );
        assert!(table.overlaps(&set(&[1]), at(0), at(21)) && !table.overlaps(&set(&[1]), at(0), at(20)));
    }

    #[test]
    fn the_first_stretch_that_may_be_enough_is_found() {
        let mut table = Table::new(4, at(0), at(100));
        for (node, from, to) in [(0, 10, 20), (1, 20, 40), (2, 30, 50), (3, 0, 60)] {
            table.reserve(&set(&[node]), at(from), at(to));
        }
        let found = |count: usize, from, length| {
            let enough = |nodes: &NodeSet, by: Time| by > at(15) && nodes.len() >= count;
            let (begin, stretch) =
                table.candidate(&set(&[0, 1, 2, 3]), at(from), at(length), &mut Vec::new(), enough);
            (begin, stretch.free.iter().collect::<Vec<_>>(), stretch.later)
        };
        assert_eq!(found(1, 0, 25), (at(0), vec![2], Some(at(20))), "node 0 comes back at 20 s");
        assert_eq!(found(2, 0, 25), (at(40), vec![0, 1], Some(at(50))));
        assert_eq!(found(3, 0, 9), (at(0), vec![0, 1, 2], Some(at(20))));
        assert_eq!(found(4, 0, 9), (at(60), vec![0, 1, 2, 3], None));
        assert_eq!(found(5, 0, 9).0, at(60), "the last slot is not ruled out");
    }
}
