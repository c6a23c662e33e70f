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
    /// The end of the first slot that reaches into it, if another slot follows.
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
        let later = self.slots.get(first).filter(|_| first + 1 < self.slots.len()).map(|slot| slot.end);
        for slot in self.slots[first..].iter().take_while(|slot| slot.begin <= to) {
            free.keep(&slot.free);
        }
        Stretch { free, later }
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
        let later = |from| table.stretch(&set(&[0]), at(from), at(from)).later;
        assert_eq!((later(0), later(20), later(60)), (Some(at(20)), Some(at(50)), None));
        assert!(table.overlaps(&set(&[1]), at(0), at(21)) && !table.overlaps(&set(&[1]), at(0), at(20)));
    }
}
