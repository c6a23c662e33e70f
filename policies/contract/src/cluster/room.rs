//! What is free on the nodes.

use std::cell::OnceCell;

use batchlab_traces::Machine;

/// The free amounts in whole units, node by node: one per resource, then one per device.
#[derive(Debug)]
pub(super) struct Room {
    free: Vec<i64>,
    /// Amounts of a node.
    width: usize,
    /// Resources of a node.
    kinds: usize,
    /// The nodes with most room, once asked for.
    roomiest: OnceCell<Vec<u32>>,
    /// How often room was given back.
    gifts: u64,
}

impl Room {
    /// Returns an empty machine.
    pub(super) fn new(machine: &Machine) -> Room {
        let free = (0..machine.nodes()).flat_map(|node| machine.amounts(node)).collect();
        Room { free, width: machine.width(), kinds: machine.kinds(), roomiest: OnceCell::new(), gifts: 0 }
    }

    /// Returns the free amounts of a node.
    #[inline]
    pub(super) fn of(&self, node: usize) -> &[i64] {
        &self.free[node * self.width..(node + 1) * self.width]
    }

    /// Returns the free amounts of a node, without devices.
    #[inline]
    pub(super) fn without_devices(&self, node: usize) -> &[i64] {
        &self.of(node)[..self.kinds]
    }

    /// Returns the number of all amounts.
    pub(super) fn len(&self) -> usize {
        self.free.len()
    }

    /// Returns a free amount, by its place among all.
    pub(super) fn at(&self, at: usize) -> i64 {
        self.free[at]
    }

    /// Returns how often room was given back.
    #[inline]
    pub(super) fn gifts(&self) -> u64 {
        self.gifts
    }

    /// Returns the nodes with most room. O(nodes · nodes returned) after a change, O(1) until the next.
    pub(super) fn roomiest(&self) -> &[u32] {
        self.roomiest.get_or_init(|| {
            let within = |one: u32, other: u32| {
                let of = |node: u32| self.without_devices(node as usize);
                of(one).iter().zip(of(other)).all(|(one, other)| one <= other)
            };
            let mut roomiest: Vec<u32> = Vec::new();
            for node in 0..(self.free.len() / self.width) as u32 {
                if !roomiest.iter().any(|&other| within(node, other)) {
                    roomiest.retain(|&other| !within(other, node));
                    roomiest.push(node);
                }
            }
            roomiest
        })
    }

    /// Takes amounts of a pool; the first resource of which too little is free, if any, and nothing is taken then.
    #[inline]
    pub(super) fn take(&mut self, amounts: &[i64]) -> Result<(), usize> {
        if let Some(kind) = amounts.iter().zip(&self.free).position(|(need, free)| need > free) {
            return Err(kind);
        }
        for (free, need) in self.free.iter_mut().zip(amounts) {
            *free -= need;
        }
        Ok(())
    }

    /// Gives amounts of a pool back.
    #[inline]
    pub(super) fn give(&mut self, amounts: &[i64]) {
        self.gifts += 1;
        for (free, amount) in self.free.iter_mut().zip(amounts) {
            *free += amount;
        }
    }

    /// Records what is free now at some places. Room `is_given` back, or taken.
    pub(super) fn set(&mut self, is_given: bool, amounts: impl Iterator<Item = (usize, i64)>) {
        self.roomiest.take();
        self.gifts += u64::from(is_given);
        for (at, amount) in amounts {
            self.free[at] = amount;
        }
    }
}
