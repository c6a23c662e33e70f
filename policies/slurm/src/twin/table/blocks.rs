//! What is free in each slot of a table of reservations, and in blocks of slots: what is free in many slots follows from few sets.

use std::ops::Range;

use pulp::NullaryFnOnce;

use crate::twin::node_set::{NodeSet, natively};

/// The most slots of a block.
const MOST: usize = 16;

/// Consecutive slots, and the nodes that are free in all of them.
#[derive(Clone, Debug)]
struct Block {
    slots: usize,
    free: NodeSet,
}

#[derive(Clone, Debug)]
pub struct SlotSets {
    slots: Vec<NodeSet>,
    blocks: Vec<Block>,
}

impl SlotSets {
    pub fn of_one(free: NodeSet) -> SlotSets {
        SlotSets { blocks: vec![Block { slots: 1, free: free.clone() }], slots: vec![free] }
    }

    #[inline]
    pub fn free(&self, slot: usize) -> &NodeSet {
        &self.slots[slot]
    }

    /// Returns the first slots of the blocks, each with its block.
    fn starts(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.blocks.iter().scan(0, |next, block| {
            let first = *next;
            *next += block.slots;
            Some((first, block))
        })
    }

    fn block_of(&self, slot: usize) -> (usize, usize) {
        let behind = self.starts().enumerate().find(|(_, (first, block))| first + block.slots > slot);
        behind.map_or((0, 0), |(at, (first, _))| (at, first))
    }

    /// Makes two slots with the same free nodes of a slot.
    pub fn split(&mut self, slot: usize) {
        self.slots.insert(slot, self.slots[slot].clone());
        let (at, first) = self.block_of(slot);
        self.blocks[at].slots += 1;
        let count = self.blocks[at].slots;
        if count > MOST {
            let half = count / 2;
            let block =
                |from: usize, slots: usize| Block { slots, free: free_in(&self.slots[from..from + slots]) };
            let (one, other) = (block(first, half), block(first + half, count - half));
            self.blocks[at] = one;
            self.blocks.insert(at + 1, other);
        }
    }

    /// Takes out a slot that has the same free nodes as the slot before.
    pub fn join(&mut self, slot: usize) {
        self.slots.remove(slot);
        let (at, first) = self.block_of(slot);
        self.blocks[at].slots -= 1;
        let count = self.blocks[at].slots;
        if count == 0 {
            self.blocks.remove(at);
        } else if first == slot {
            // The slot before is in another block.
            self.blocks[at].free = free_in(&self.slots[first..first + count]);
        }
    }

    pub fn subtract(&mut self, nodes: &NodeSet, slots: Range<usize>) {
        let mut first = 0;
        for block in &mut self.blocks {
            if first < slots.end && first + block.slots > slots.start {
                block.free.subtract(nodes);
            }
            first += block.slots;
        }
        natively(Take { slots: &mut self.slots[slots], nodes });
    }

    pub fn keep(&self, slots: Range<usize>, free: &mut NodeSet) {
        for (first, block) in self.starts() {
            let behind = first + block.slots;
            if behind <= slots.start || first >= slots.end {
                continue;
            }
            if slots.start <= first && behind <= slots.end {
                free.keep(&block.free);
            } else {
                natively(Keep { slots: &self.slots[first.max(slots.start)..behind.min(slots.end)], free });
            }
        }
    }
}

fn free_in(slots: &[NodeSet]) -> NodeSet {
    let mut free = slots.first().cloned().unwrap_or_default();
    natively(Keep { slots: slots.get(1..).unwrap_or_default(), free: &mut free });
    free
}

struct Keep<'a> {
    slots: &'a [NodeSet],
    free: &'a mut NodeSet,
}

impl NullaryFnOnce for Keep<'_> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn call(self) {
        for slot in self.slots {
            self.free.keep(slot);
        }
    }
}

struct Take<'a> {
    slots: &'a mut [NodeSet],
    nodes: &'a NodeSet,
}

impl NullaryFnOnce for Take<'_> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn call(self) {
        for slot in self.slots {
            slot.subtract(self.nodes);
        }
    }
}

/// The nodes that are free from slot to slot in the search for a job, which goes forward in a table that stays as it is.
#[derive(Clone, Debug, Default)]
pub struct SlotCursor {
    /// The first slots of the blocks between `first` and the pivot.
    starts: Vec<usize>,
    /// The nodes that are free from each of them up to the pivot.
    suffixes: Vec<NodeSet>,
    first: usize,
    pivot: usize,
    /// The first slot of the last beginning.
    here: usize,
    /// The nodes that are free from the pivot up to the end of what is swept.
    behind: NodeSet,
    end: usize,
    both: NodeSet,
    /// The slot whose nodes `both` has.
    known: Option<usize>,
    /// The nodes that the job may use.
    nodes: NodeSet,
}

impl SlotCursor {
    /// Forgets everything, for the next job.
    pub fn begin(&mut self) {
        (self.first, self.pivot, self.end, self.here) = (0, 0, 0, 0);
        self.known = None;
    }

    /// Returns the first slot of the last beginning, and the slot behind what is swept; `None` if nothing is swept yet.
    pub fn reached(&self) -> Option<(usize, usize)> {
        (self.end > 0).then_some((self.here, self.end))
    }

    /// Begins at the slot `first`, and sweeps from there up to `end`. O(nodes / 64) for each block, and for each further slot.
    pub fn reach(&mut self, sets: &SlotSets, nodes: &NodeSet, first: usize, end: usize) {
        self.here = first;
        if first >= self.pivot || first < self.first {
            (self.first, self.pivot, self.end) = (first, end, end);
            self.behind.clone_from(nodes);
            self.nodes.clone_from(nodes);
            self.sweep(sets);
            self.known = None;
        }
        if end > self.end {
            let slots = sets.slots.get(self.end..end).unwrap_or_default();
            natively(Keep { slots, free: &mut self.behind });
            (self.end, self.known) = (end, None);
        }
    }

    fn sweep(&mut self, sets: &SlotSets) {
        let within: Vec<(usize, &Block)> =
            sets.starts().filter(|&(start, _)| start > self.first && start < self.pivot).collect();
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
                natively(Keep { slots: &sets.slots[start..self.pivot], free: &mut here[0] });
            }
        }
    }

    /// Returns the nodes that are free from a slot up to the end. O(nodes / 64) for each slot of its block, unless they were
    /// asked for last.
    pub fn since(&mut self, sets: &SlotSets, slot: usize) -> &NodeSet {
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
        natively(Keep { slots: &sets.slots[slot..until], free: &mut self.both });
        &self.both
    }
}
