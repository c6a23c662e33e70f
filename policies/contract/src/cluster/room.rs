//! What is free on the nodes.

use std::cell::OnceCell;

use batchlab_traces::Machine;

use crate::placement::Rate;

pub(super) const WHOLE: i128 = Rate::WHOLE as i128;

/// The number of states of nodes that each node is compared with.
const MOST_STATES: usize = 16;

/// The free amounts in whole units, node by node: one per resource, then one per device.
#[derive(Debug)]
pub(super) struct Room {
    free: Vec<i64>,
    /// The free parts (amount × [`Rate::WHOLE`]) in the same order, so that sums of shared time are whole numbers; empty on the
    /// plain path.
    parts: Vec<i128>,
    /// Amounts of a node.
    width: usize,
    /// Resources of a node.
    kinds: usize,
    /// The nodes by what is free on them, once asked for.
    alike: OnceCell<Vec<(u32, u32)>>,
    /// The nodes with most room, once asked for.
    roomiest: OnceCell<Vec<u32>>,
    /// How often room was given back.
    gifts: u64,
}

impl Room {
    pub(super) fn new(machine: &Machine, plain: bool) -> Room {
        let free: Vec<i64> = (0..machine.nodes()).flat_map(|node| machine.amounts(node)).collect();
        let parts = free.iter().filter(|_| !plain).map(|&amount| i128::from(amount) * WHOLE).collect();
        let (width, kinds) = (machine.width(), machine.kinds());
        Room { free, parts, width, kinds, alike: OnceCell::new(), roomiest: OnceCell::new(), gifts: 0 }
    }

    #[inline]
    pub(super) fn of(&self, node: usize) -> &[i64] {
        &self.free[node * self.width..(node + 1) * self.width]
    }

    /// Returns the free amounts of a node, without devices.
    #[inline]
    pub(super) fn without_devices(&self, node: usize) -> &[i64] {
        &self.of(node)[..self.kinds]
    }

    pub(super) fn len(&self) -> usize {
        self.free.len()
    }

    pub(super) fn at(&self, at: usize) -> i64 {
        self.free[at]
    }

    #[inline]
    pub(super) fn gifts(&self) -> u64 {
        self.gifts
    }

    /// Returns nodes, each with the number of nodes for which it stands: the same is free on all of them. Nodes in too many
    /// different states stand for themselves. O(nodes) after a change, O(1) until the next.
    pub(super) fn alike(&self) -> &[(u32, u32)] {
        self.alike.get_or_init(|| {
            let mut alike: Vec<(u32, u32)> = Vec::new();
            let mut last = 0;
            for (node, free) in self.free.chunks_exact(self.width).enumerate() {
                let is_like = |at: &usize| {
                    alike.get(*at).is_some_and(|&(other, _)| self.of(other as usize).iter().eq(free))
                };
                // Neighbours are often alike.
                match Some(last).filter(is_like).or_else(|| (0..alike.len().min(MOST_STATES)).find(is_like)) {
                    Some(at) => {
                        alike[at].1 += 1;
                        last = at;
                    }
                    None => alike.push((node as u32, 1)),
                }
            }
            alike
        })
    }

    /// Returns the nodes with most room. O(nodes · nodes returned) after a change, O(1) until the next.
    pub(super) fn roomiest(&self) -> &[u32] {
        self.roomiest.get_or_init(|| {
            let within = |one: u32, other: u32| {
                let of = |node: u32| self.without_devices(node as usize);
                of(one).iter().zip(of(other)).all(|(one, other)| one <= other)
            };
            let mut roomiest: Vec<u32> = Vec::new();
            for &(node, _) in self.alike() {
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

    #[inline]
    pub(super) fn give(&mut self, amounts: &[i64]) {
        self.gifts += 1;
        for (free, amount) in self.free.iter_mut().zip(amounts) {
            *free += amount;
        }
    }

    /// Takes parts at some places; the first place at which too little is free, and the parts needed there, if any, and nothing is
    /// taken then.
    pub(super) fn take_parts(&mut self, takes: &[(usize, i128)]) -> Result<(), (usize, i128)> {
        for (done, &(at, parts)) in takes.iter().enumerate() {
            if parts > self.parts[at] {
                for &(at, parts) in &takes[..done] {
                    self.parts[at] += parts;
                }
                return Err((at, parts));
            }
            self.parts[at] -= parts;
        }
        self.round(takes);
        Ok(())
    }

    pub(super) fn give_parts(&mut self, gives: &[(usize, i128)]) {
        for &(at, parts) in gives {
            self.parts[at] += parts;
        }
        self.gifts += 1;
        self.round(gives);
    }

    /// Adds to the free amount at a place.
    pub(super) fn more(&mut self, at: usize, amount: i64) {
        self.forget();
        self.gifts += 1;
        self.free[at] += amount;
        if let Some(parts) = self.parts.get_mut(at) {
            *parts += i128::from(amount) * WHOLE;
        }
    }

    fn forget(&mut self) {
        self.alike.take();
        self.roomiest.take();
    }

    /// Computes the free amounts from the parts that changed.
    fn round(&mut self, changed: &[(usize, i128)]) {
        self.forget();
        for &(at, _) in changed {
            self.free[at] = self.parts[at].div_euclid(WHOLE) as i64;
        }
    }
}
