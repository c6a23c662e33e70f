//! The slots of a table of reservations in blocks: what is free in many slots, from few sets.

use pulp::NullaryFnOnce;

use super::node_set::{NodeSet, natively};
use super::table::TableSlot;

/// The most slots of a block.
const MOST: usize = 16;

/// Slots one behind the other, and the nodes that are free in all of them.
#[derive(Clone, Debug)]
struct Block {
    slots: usize,
    free: NodeSet,
}

/// The blocks of the slots of a table, which changes the slots and tells what it has changed.
#[derive(Clone, Debug)]
pub(super) struct SlotBlocks(Vec<Block>);

impl SlotBlocks {
    /// Returns the block of the only slot.
    pub(super) fn of_one(slot: &TableSlot) -> SlotBlocks {
        SlotBlocks(vec![Block { slots: 1, free: slot.free.clone() }])
    }

    /// Returns the first slots of the blocks, each with its block.
    fn starts(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.0.iter().scan(0, |next, block| {
            let first = *next;
            *next += block.slots;
            Some((first, block))
        })
    }

    /// Returns the place of the block of a slot, with its first slot.
    fn of(&self, slot: usize) -> (usize, usize) {
        let behind = self.starts().enumerate().find(|(_, (first, block))| first + block.slots > slot);
        behind.map_or((0, 0), |(at, (first, _))| (at, first))
    }

    /// A slot has become two with the same free nodes.
    pub(super) fn split(&mut self, slots: &[TableSlot], slot: usize) {
        let (at, first) = self.of(slot);
        self.0[at].slots += 1;
        let count = self.0[at].slots;
        if count > MOST {
            let half = count / 2;
            let of = |from: usize, slots_of: usize| Block {
                slots: slots_of,
                free: free_in(&slots[from..from + slots_of]),
            };
            self.0[at] = of(first, half);
            self.0.insert(at + 1, of(first + half, count - half));
        }
    }

    /// A slot has gone into the one before, which has the same free nodes.
    pub(super) fn join(&mut self, slots: &[TableSlot], slot: usize) {
        let (at, first) = self.of(slot);
        self.0[at].slots -= 1;
        let count = self.0[at].slots;
        if count == 0 {
            self.0.remove(at);
        } else if first == slot {
            // The one before is in another block.
            self.0[at].free = free_in(&slots[first..first + count]);
        }
    }

    /// Nodes are no longer free in the slots from one up to another, which is left out.
    pub(super) fn subtract(&mut self, nodes: &NodeSet, from: usize, to: usize) {
        let mut first = 0;
        for block in &mut self.0 {
            if first < to && first + block.slots > from {
                block.free.subtract(nodes);
            }
            first += block.slots;
        }
    }

    /// Keeps the nodes that are free in all slots from one up to another, which is left out.
    pub(super) fn keep(&self, slots: &[TableSlot], (from, to): (usize, usize), free: &mut NodeSet) {
        for (first, block) in self.starts() {
            let behind = first + block.slots;
            if behind <= from || first >= to {
                continue;
            }
            if from <= first && behind <= to {
                free.keep(&block.free);
            } else {
                natively(Keep { slots: &slots[first.max(from)..behind.min(to)], free });
            }
        }
    }
}

/// Returns the nodes that are free in all of some slots.
fn free_in(slots: &[TableSlot]) -> NodeSet {
    let mut free = slots.first().map(|slot| slot.free.clone()).unwrap_or_default();
    natively(Keep { slots: slots.get(1..).unwrap_or_default(), free: &mut free });
    free
}

/// Keeps the nodes that are free in all of some slots.
struct Keep<'a> {
    slots: &'a [TableSlot],
    free: &'a mut NodeSet,
}

impl NullaryFnOnce for Keep<'_> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn call(self) {
        for slot in self.slots {
            self.free.keep(&slot.free);
        }
    }
}

/// The nodes that are free from slot to slot in the search for a job, which goes forward in a table that stays as it is.
#[derive(Clone, Debug, Default)]
pub(super) struct SlotCursor {
    /// The first slots of the blocks between `first` and the pivot.
    starts: Vec<usize>,
    /// The nodes that are free from each of them up to the pivot.
    suffixes: Vec<NodeSet>,
    first: usize,
    pivot: usize,
    /// The first slot of the last beginning.
    pub(super) here: usize,
    /// The nodes that are free from the pivot up to the end of what is swept.
    behind: NodeSet,
    pub(super) end: usize,
    both: NodeSet,
    /// The slot of which `both` has the nodes.
    known: Option<usize>,
    /// The nodes that the job may use.
    nodes: NodeSet,
}

impl SlotCursor {
    /// Forgets everything, for the next job.
    pub(super) fn begin(&mut self) {
        (self.first, self.pivot, self.end, self.here) = (0, 0, 0, 0);
        self.known = None;
    }

    /// Sweeps the slots from `first` up to `end`. O(nodes / 64) for each block, and for each further slot.
    pub(super) fn reach(
        &mut self,
        (slots, blocks): (&[TableSlot], &SlotBlocks),
        nodes: &NodeSet,
        first: usize,
        end: usize,
    ) {
        if first >= self.pivot || first < self.first {
            (self.first, self.pivot, self.end) = (first, end, end);
            self.behind.clone_from(nodes);
            self.nodes.clone_from(nodes);
            self.sweep(slots, blocks);
            self.known = None;
        }
        if end > self.end {
            natively(Keep { slots: slots.get(self.end..end).unwrap_or_default(), free: &mut self.behind });
            (self.end, self.known) = (end, None);
        }
    }

    /// Sweeps the blocks up to the pivot, the last one first.
    fn sweep(&mut self, slots: &[TableSlot], blocks: &SlotBlocks) {
        let within: Vec<(usize, &Block)> =
            blocks.starts().filter(|&(start, _)| start > self.first && start < self.pivot).collect();
        self.starts.clear();
        self.starts.extend(within.iter().map(|&(start, _)| start));
        if self.suffixes.len() < within.len() {
            self.suffixes.resize(within.len(), NodeSet::default());
        }
        for (at, &(start, block)) in within.iter().enumerate().rev() {
            let (here, behind) = self.suffixes[at..].split_at_mut(1);
            if at + 1 < within.len() {
                here[0].set_to_both(&behind[0], &block.free);
            } else {
                here[0].clone_from(&self.nodes);
                natively(Keep { slots: &slots[start..self.pivot], free: &mut here[0] });
            }
        }
    }

    /// Returns the nodes that are free from a slot up to the end. O(nodes / 64) for each slot of its block, unless they were
    /// asked for last.
    pub(super) fn since(&mut self, slots: &[TableSlot], slot: usize) -> &NodeSet {
        if self.known.replace(slot) == Some(slot) {
            return &self.both;
        }
        let next = self.starts.partition_point(|&start| start <= slot);
        let is_behind = slot >= self.pivot;
        let until = if is_behind { self.end } else { self.starts.get(next).copied().unwrap_or(self.pivot) };
        let rest = if next < self.starts.len() { &self.suffixes[next] } else { &self.nodes };
        if !is_behind && self.end > self.pivot {
            self.both.set_to_both(rest, &self.behind);
        } else {
            self.both.clone_from(rest);
        }
        natively(Keep { slots: &slots[slot..until], free: &mut self.both });
        &self.both
    }
}
