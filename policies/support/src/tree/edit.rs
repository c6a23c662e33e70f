//! Insertion and removal: nodes are split when full and freed when empty.

use super::node::{Inner, Leaf, WIDTH, two};
use super::{Summary, Tree};

impl<K: Copy + Ord + Default, S: Summary> Tree<K, S> {
    /// Inserts below a node; returns the new right neighbour if the node was split.
    pub(super) fn insert_below(&mut self, at: u32, height: u32, key: K, entry: &S::Entry) -> Option<u32> {
        if height == 0 {
            return self.insert_in_leaf(at, key, entry);
        }
        let node = &self.inners[at as usize];
        let index = node.child_of(key).unwrap_or(0);
        let (kid, before) = (node.kids[index], self.len);
        let split = self.insert_below(kid, height - 1, key, entry);
        if self.len == before {
            return None;
        }
        let Some(right) = split else {
            let node = &mut self.inners[at as usize];
            node.keys[index] = node.keys[index].min(key);
            node.sums[index].add(entry);
            return None;
        };
        let (kid_key, kid_sum) = (self.first_key(kid, height - 1), self.sum(kid, height - 1));
        let (right_key, right_sum) = (self.first_key(right, height - 1), self.sum(right, height - 1));
        let node = &mut self.inners[at as usize];
        node.keys[index] = kid_key;
        node.sums[index] = kid_sum;
        if node.len < WIDTH {
            node.put(index + 1, right_key, right_sum, right);
            return None;
        }
        let next = self.inner();
        let (left_node, right_node) = two(&mut self.inners, at, next);
        left_node.split_into(right_node, index + 1);
        let moved = left_node.len;
        if index + 1 > moved || moved == WIDTH {
            right_node.put(index + 1 - moved, right_key, right_sum, right);
        } else {
            left_node.put(index + 1, right_key, right_sum, right);
        }
        Some(next)
    }

    fn insert_in_leaf(&mut self, at: u32, key: K, entry: &S::Entry) -> Option<u32> {
        let leaf = &mut self.leaves[at as usize];
        let index = leaf.at_or_after(key);
        if index < leaf.len && leaf.keys[index] == key {
            return None;
        }
        self.len += 1;
        if leaf.len < WIDTH {
            leaf.put(index, key, *entry);
            return None;
        }
        let next = self.leaf();
        let (left, right) = two(&mut self.leaves, at, next);
        left.split_into(right, index);
        let moved = left.len;
        if index > moved || moved == WIDTH {
            right.put(index - moved, key, *entry);
        } else {
            left.put(index, key, *entry);
        }
        Some(next)
    }

    /// Removes below a node; returns the entry, and whether the node is empty now.
    pub(super) fn remove_below(&mut self, at: u32, height: u32, key: K) -> Option<(S::Entry, bool)> {
        if height == 0 {
            let leaf = &mut self.leaves[at as usize];
            let index = leaf.at_or_after(key);
            if index == leaf.len || leaf.keys[index] != key {
                return None;
            }
            let entry = leaf.entries[index];
            leaf.take(index);
            return Some((entry, leaf.len == 0));
        }
        let node = &self.inners[at as usize];
        let index = node.child_of(key)?;
        let kid = node.kids[index];
        let (entry, empty) = self.remove_below(kid, height - 1, key)?;
        if empty {
            if height == 1 {
                self.spare_leaves.push(kid);
            } else {
                self.spare_inners.push(kid);
            }
            let node = &mut self.inners[at as usize];
            node.take(index);
            return Some((entry, node.len == 0));
        }
        let kid_key = self.first_key(kid, height - 1);
        let node = &mut self.inners[at as usize];
        node.keys[index] = kid_key;
        if !node.sums[index].remove(&entry) {
            let sum = self.sum(kid, height - 1);
            self.inners[at as usize].sums[index] = sum;
        }
        Some((entry, false))
    }

    pub(super) fn first_key(&self, at: u32, height: u32) -> K {
        if height == 0 { self.leaves[at as usize].keys[0] } else { self.inners[at as usize].keys[0] }
    }

    pub(super) fn sum(&self, at: u32, height: u32) -> S {
        let mut sum = S::EMPTY;
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            leaf.entries[..leaf.len].iter().for_each(|entry| sum.add(entry));
        } else {
            let node = &self.inners[at as usize];
            node.sums[..node.len].iter().for_each(|part| sum.join(part));
        }
        sum
    }

    pub(super) fn leaf(&mut self) -> u32 {
        if let Some(at) = self.spare_leaves.pop() {
            self.leaves[at as usize].len = 0;
            return at;
        }
        self.leaves.push(Leaf::default());
        self.leaves.len() as u32 - 1
    }

    pub(super) fn inner(&mut self) -> u32 {
        if let Some(at) = self.spare_inners.pop() {
            self.inners[at as usize].len = 0;
            return at;
        }
        self.inners.push(Inner::default());
        self.inners.len() as u32 - 1
    }
}
