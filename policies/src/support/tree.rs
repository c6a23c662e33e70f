//! An ordered set that knows a summary of every range: the index behind queues and releases.
//!
//! A B+-tree in two arenas. Each entry is a key with a value (what a waiting job needs, what a running job
//! will free); each inner slot carries the summary of its subtree, so "the first entry that fits" and "the
//! first prefix that frees enough" are descents of O(log n). A node that becomes empty is given back and is
//! not merged before that (free-at-empty): in queues, where entries leave one by one and new ones keep
//! coming, this keeps nodes filled without rebalancing.

mod node;

use std::ops::ControlFlow;

use node::{Inner, Leaf, WIDTH, two};

/// What is known of a range of entries.
pub trait Summary: Copy {
    /// The value of one entry.
    type Entry: Copy + Default;
    /// The summary of no entries.
    const EMPTY: Self;
    /// Takes an entry in.
    fn add(&mut self, entry: &Self::Entry);
    /// Takes a neighbouring range in.
    fn join(&mut self, other: &Self);
    /// Takes an entry out; returns whether the summary could tell without looking at the others.
    fn remove(&mut self, entry: &Self::Entry) -> bool;
}

/// An ordered set of keys with values and a summary for every range.
#[derive(Clone, Debug)]
pub struct Tree<K, S: Summary> {
    leaves: Vec<Leaf<K, S::Entry>>,
    inners: Vec<Inner<K, S>>,
    spare_leaves: Vec<u32>,
    spare_inners: Vec<u32>,
    root: u32,
    /// Levels of inner nodes above the leaves.
    height: u32,
    len: usize,
}

impl<K: Copy + Ord + Default, S: Summary> Default for Tree<K, S> {
    fn default() -> Tree<K, S> {
        Tree {
            leaves: vec![Leaf::default()],
            inners: Vec::new(),
            spare_leaves: Vec::new(),
            spare_inners: Vec::new(),
            root: 0,
            height: 0,
            len: 0,
        }
    }
}

impl<K: Copy + Ord + Default, S: Summary> Tree<K, S> {
    /// Returns the number of entries. O(1).
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no entries. O(1).
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the least key. O(log n).
    pub fn first(&self) -> Option<K> {
        if self.len == 0 {
            return None;
        }
        let mut at = self.root;
        for _ in 0..self.height {
            at = self.inners[at as usize].kids[0];
        }
        Some(self.leaves[at as usize].keys[0])
    }

    /// Adds an entry; a key that is there already is left as it is. O(log n).
    pub fn insert(&mut self, key: K, entry: S::Entry) {
        let before = self.len;
        let split = self.insert_below(self.root, self.height, key, &entry);
        debug_assert!(split.is_none() || self.len > before, "only a new entry splits a node");
        let Some(right) = split else { return };
        let (left, root) = (self.root, self.inner());
        for kid in [left, right] {
            let (key, sum) = (self.first_key(kid, self.height), self.sum(kid, self.height));
            let node = &mut self.inners[root as usize];
            node.put(node.len, key, sum, kid);
        }
        self.root = root;
        self.height += 1;
    }

    /// Removes an entry; returns whether it was there. O(log n).
    pub fn remove(&mut self, key: K) -> bool {
        let Some(_) = self.remove_below(self.root, self.height, key) else { return false };
        self.len -= 1;
        while self.height > 0 {
            let node = &self.inners[self.root as usize];
            let (len, only) = (node.len, node.kids[0]);
            if len > 1 {
                break;
            }
            self.spare_inners.push(self.root);
            if len == 1 {
                self.root = only;
                self.height -= 1;
            } else {
                self.root = self.leaf();
                self.height = 0;
            }
        }
        true
    }

    /// Returns the first key whose entry passes, at or after `from` if given.
    ///
    /// `may` must hold for a range whenever `is` holds for an entry of it. O(log n) when `may` tells exactly;
    /// every range for which it errs costs the scan of one node.
    pub fn find_first(
        &self,
        from: Option<K>,
        may: impl Fn(&S) -> bool,
        is: impl Fn(&S::Entry) -> bool,
    ) -> Option<K> {
        self.find_below(self.root, self.height, from, &may, &is)
    }

    /// Returns the first key at which the summary of all entries up to it passes, and that summary.
    ///
    /// Once a prefix passes, longer ones must pass too. O(log n).
    pub fn find_prefix(&self, passes: impl Fn(&S) -> bool) -> Option<(K, S)> {
        let mut before = S::EMPTY;
        let mut at = self.root;
        for _ in 0..self.height {
            let node = &self.inners[at as usize];
            let kid = (0..node.len).find(|&index| {
                let mut through = before;
                through.join(&node.sums[index]);
                let found = passes(&through);
                if !found {
                    before = through;
                }
                found
            })?;
            at = node.kids[kid];
        }
        let leaf = &self.leaves[at as usize];
        (0..leaf.len).find_map(|index| {
            before.add(&leaf.entries[index]);
            passes(&before).then_some((leaf.keys[index], before))
        })
    }

    /// Returns the summary of all entries up to a key, that key included. O(log n).
    pub fn sum_through(&self, key: K) -> S {
        let mut sum = S::EMPTY;
        let mut at = self.root;
        for _ in 0..self.height {
            let node = &self.inners[at as usize];
            let whole = node.keys[..node.len].partition_point(|other| *other <= key).saturating_sub(1);
            for part in &node.sums[..whole] {
                sum.join(part);
            }
            at = node.kids[whole];
        }
        let leaf = &self.leaves[at as usize];
        let upto = leaf.keys[..leaf.len].partition_point(|other| *other <= key);
        for entry in &leaf.entries[..upto] {
            sum.add(entry);
        }
        sum
    }

    /// Calls a function with every key and entry in order. O(n).
    pub fn for_each(&self, mut visit: impl FnMut(K, &S::Entry)) {
        self.visit_below(self.root, self.height, &mut visit);
    }

    /// Calls a function with the keys and entries in order, leaving out ranges that `may` rules out, until it
    /// breaks off. O(n) at worst.
    pub fn visit_where(
        &self,
        may: impl Fn(&S) -> bool,
        mut visit: impl FnMut(K, &S::Entry) -> ControlFlow<()>,
    ) {
        let _ = self.visit_where_below(self.root, self.height, &may, &mut visit);
    }

    /// Removes all entries; memory is kept.
    pub fn clear(&mut self) {
        self.leaves.truncate(1);
        self.leaves[0].len = 0;
        self.inners.clear();
        self.spare_leaves.clear();
        self.spare_inners.clear();
        self.root = 0;
        self.height = 0;
        self.len = 0;
    }

    fn visit_below(&self, at: u32, height: u32, visit: &mut impl FnMut(K, &S::Entry)) {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            for index in 0..leaf.len {
                visit(leaf.keys[index], &leaf.entries[index]);
            }
            return;
        }
        let node = &self.inners[at as usize];
        for &kid in &node.kids[..node.len] {
            self.visit_below(kid, height - 1, visit);
        }
    }

    fn visit_where_below(
        &self,
        at: u32,
        height: u32,
        may: &impl Fn(&S) -> bool,
        visit: &mut impl FnMut(K, &S::Entry) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            return (0..leaf.len).try_for_each(|index| visit(leaf.keys[index], &leaf.entries[index]));
        }
        let node = &self.inners[at as usize];
        (0..node.len)
            .filter(|&index| may(&node.sums[index]))
            .try_for_each(|index| self.visit_where_below(node.kids[index], height - 1, may, visit))
    }

    fn find_below(
        &self,
        at: u32,
        height: u32,
        from: Option<K>,
        may: &impl Fn(&S) -> bool,
        is: &impl Fn(&S::Entry) -> bool,
    ) -> Option<K> {
        if height == 0 {
            let leaf = &self.leaves[at as usize];
            let start = from.map_or(0, |key| leaf.keys[..leaf.len].partition_point(|other| *other < key));
            return (start..leaf.len).find(|&index| is(&leaf.entries[index])).map(|index| leaf.keys[index]);
        }
        let node = &self.inners[at as usize];
        let holds_from = |key| node.keys[..node.len].partition_point(|other| *other <= key).saturating_sub(1);
        let start = from.map_or(0, holds_from);
        (start..node.len).filter(|&index| may(&node.sums[index])).find_map(|index| {
            // Only the child that holds `from` itself has keys before it.
            let from = from.filter(|_| index == start);
            self.find_below(node.kids[index], height - 1, from, may, is)
        })
    }

    /// Inserts below a node; returns the new right neighbour when the node had to be split.
    fn insert_below(&mut self, at: u32, height: u32, key: K, entry: &S::Entry) -> Option<u32> {
        if height == 0 {
            return self.insert_in_leaf(at, key, entry);
        }
        let node = &self.inners[at as usize];
        let index = node.keys[..node.len].partition_point(|other| *other <= key).saturating_sub(1);
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
        let index = leaf.keys[..leaf.len].partition_point(|other| *other < key);
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

    /// Removes below a node; returns the entry and whether the node is empty now.
    fn remove_below(&mut self, at: u32, height: u32, key: K) -> Option<(S::Entry, bool)> {
        if height == 0 {
            let leaf = &mut self.leaves[at as usize];
            let index = leaf.keys[..leaf.len].partition_point(|other| *other < key);
            if index == leaf.len || leaf.keys[index] != key {
                return None;
            }
            let entry = leaf.entries[index];
            leaf.take(index);
            return Some((entry, leaf.len == 0));
        }
        let node = &self.inners[at as usize];
        let index = node.keys[..node.len].partition_point(|other| *other <= key).checked_sub(1)?;
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

    fn first_key(&self, at: u32, height: u32) -> K {
        if height == 0 { self.leaves[at as usize].keys[0] } else { self.inners[at as usize].keys[0] }
    }

    fn sum(&self, at: u32, height: u32) -> S {
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

    fn leaf(&mut self) -> u32 {
        if let Some(at) = self.spare_leaves.pop() {
            self.leaves[at as usize].len = 0;
            return at;
        }
        self.leaves.push(Leaf::default());
        self.leaves.len() as u32 - 1
    }

    fn inner(&mut self) -> u32 {
        if let Some(at) = self.spare_inners.pop() {
            self.inners[at as usize].len = 0;
            return at;
        }
        self.inners.push(Inner::default());
        self.inners.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Least and sum of the entries.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Load {
        least: i64,
        sum: i64,
    }

    impl Summary for Load {
        type Entry = i64;
        const EMPTY: Load = Load { least: i64::MAX, sum: 0 };

        fn add(&mut self, entry: &i64) {
            self.join(&Load { least: *entry, sum: *entry });
        }

        fn join(&mut self, other: &Load) {
            *self = Load { least: self.least.min(other.least), sum: self.sum + other.sum };
        }

        fn remove(&mut self, entry: &i64) -> bool {
            self.sum -= entry;
            self.least < *entry
        }
    }

    proptest! {
        /// Whatever is added and removed, every question is answered as a sorted list would answer it.
        #[test]
        fn the_tree_answers_as_a_sorted_list(
            steps in prop::collection::vec((any::<bool>(), 0u64..400, 0i64..100), 0..1200),
            probe in 0u64..400,
            level in 0i64..100,
        ) {
            let mut tree: Tree<u64, Load> = Tree::default();
            let mut list: BTreeMap<u64, i64> = BTreeMap::new();
            for (add, key, amount) in steps {
                if add {
                    tree.insert(key, amount);
                    list.entry(key).or_insert(amount);
                } else {
                    prop_assert_eq!(tree.remove(key), list.remove(&key).is_some());
                }
                prop_assert_eq!(tree.len(), list.len());
                prop_assert_eq!(tree.first(), list.keys().next().copied());
            }
            let found = tree.find_first(Some(probe), |load| load.least <= level, |amount| *amount <= level);
            let expected = list.range(probe..).find(|(_, amount)| **amount <= level).map(|(key, _)| *key);
            prop_assert_eq!(found, expected);
            let upto: i64 = list.range(..=probe).map(|(_, amount)| amount).sum();
            prop_assert_eq!(tree.sum_through(probe).sum, upto);
            let mut total = 0;
            let prefix = list.iter().find(|(_, amount)| { total += **amount; total >= level * 5 });
            let found = tree.find_prefix(|load| load.sum >= level * 5).map(|(key, _)| key);
            prop_assert_eq!(found, prefix.map(|(key, _)| *key));
            let mut keys = Vec::new();
            tree.for_each(|key, _| keys.push(key));
            prop_assert!(keys.iter().eq(list.keys()));
            let mut seen = Vec::new();
            tree.visit_where(|load| load.least <= level, |key, &amount| {
                seen.extend((amount <= level).then_some(key));
                if seen.len() < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            let passing = list.iter().filter(|(_, amount)| **amount <= level).map(|(key, _)| *key);
            prop_assert!(passing.take(5).eq(seen));
        }
    }

    #[test]
    fn arrivals_in_order_fill_nodes_and_departures_from_the_front_give_them_back() {
        let mut tree: Tree<u64, Load> = Tree::default();
        for key in 0..100_000u64 {
            tree.insert(key, 1);
            if key >= 100 {
                assert!(tree.remove(key - 100));
            }
        }
        assert!(tree.leaves.len() < 20, "{} leaves for 100 entries", tree.leaves.len());
    }
}
