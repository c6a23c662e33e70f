//! What is free on each node, with a log of the changes.

use batchlab_traces::Machine;

use crate::twin::node_set::NodeSet;

#[derive(Clone, Debug)]
pub struct NodeAmounts {
    kinds: usize,
    capacity: Vec<i64>,
    free: Vec<i64>,
    open: NodeSet,
    /// Counts the changes of what is free or running.
    generation: u64,
    changed: Vec<u64>,
    log: Changes,
}

impl NodeAmounts {
    pub fn new(machine: &Machine) -> NodeAmounts {
        let capacities = (0..machine.nodes()).flat_map(|node| machine.capacity(node).to_vec());
        NodeAmounts::of(machine.kinds(), capacities.collect())
    }

    /// Returns the amounts of empty nodes with some kinds of resources.
    pub fn of(kinds: usize, capacity: Vec<i64>) -> NodeAmounts {
        let nodes = capacity.len() / kinds;
        NodeAmounts {
            kinds,
            free: capacity.clone(),
            capacity,
            open: NodeSet::of(nodes, |_| true),
            generation: 1,
            changed: vec![1; nodes],
            log: Changes::default(),
        }
    }

    #[inline]
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    pub fn nodes(&self) -> usize {
        self.changed.len()
    }

    #[inline]
    pub fn free(&self, node: usize) -> &[i64] {
        &self.free[node * self.kinds..(node + 1) * self.kinds]
    }

    pub fn all_free(&self) -> &[i64] {
        &self.free
    }

    /// Returns what a node has when it is empty.
    #[inline]
    pub fn capacity(&self, node: usize) -> &[i64] {
        &self.capacity[node * self.kinds..(node + 1) * self.kinds]
    }

    pub fn open(&self) -> &NodeSet {
        &self.open
    }

    /// Returns a number that is another one after each change of what is free or running.
    #[inline]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    #[inline]
    pub fn changed(&self, node: usize) -> u64 {
        self.changed[node]
    }

    pub fn changes(&self) -> u64 {
        self.log.end()
    }

    /// Returns the nodes that have changed since the first `seen` changes; `None` if the log no longer has all of them.
    pub fn changed_since(&self, seen: u64) -> Option<&[u32]> {
        self.log.since(seen)
    }

    pub fn set(&mut self, node: usize, free: &[i64]) {
        self.generation += 1;
        self.free[node * self.kinds..(node + 1) * self.kinds].copy_from_slice(free);
        self.note(node);
    }

    pub fn take<'a>(&mut self, held: impl Iterator<Item = (usize, &'a [i64])>) {
        self.generation += 1;
        for (node, amounts) in held {
            let free = &mut self.free[node * self.kinds..(node + 1) * self.kinds];
            free.iter_mut().zip(amounts).for_each(|(free, amount)| *free -= amount);
            self.note(node);
        }
    }

    pub fn give<'a>(&mut self, held: impl Iterator<Item = (usize, &'a [i64])>) {
        self.generation += 1;
        for (node, amounts) in held {
            let free = &mut self.free[node * self.kinds..(node + 1) * self.kinds];
            free.iter_mut().zip(amounts).for_each(|(free, amount)| *free += amount);
            self.note(node);
        }
    }

    fn note(&mut self, node: usize) {
        self.changed[node] = self.generation;
        self.log.note(node);
        self.open.set(node, self.free[node * self.kinds] > 0);
    }
}

/// The last changes of nodes, one after the other.
#[derive(Clone, Debug, Default)]
struct Changes {
    nodes: Vec<u32>,
    /// How many came before.
    before: u64,
}

const MOST_CHANGES: usize = 1 << 14;

impl Changes {
    fn note(&mut self, node: usize) {
        if self.nodes.len() == MOST_CHANGES {
            self.before += self.nodes.drain(..MOST_CHANGES / 2).len() as u64;
        }
        self.nodes.push(node as u32);
    }

    fn end(&self) -> u64 {
        self.before + self.nodes.len() as u64
    }

    fn since(&self, seen: u64) -> Option<&[u32]> {
        seen.checked_sub(self.before).map(|at| &self.nodes[at as usize..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_kept_as_far_as_they_are_the_last_ones() {
        let mut log = Changes::default();
        (0..MOST_CHANGES + 3).for_each(|node| log.note(node));
        let end = log.end();
        assert_eq!(log.since(end - 2), Some(&[MOST_CHANGES as u32 + 1, MOST_CHANGES as u32 + 2][..]));
        assert_eq!((log.since(0), log.since(end)), (None, Some(&[][..])));
    }
}
