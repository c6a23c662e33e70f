//! An ordered set with a summary of every range: the index behind queues and releases.
//!
//! A B+-tree in two arenas. Each entry is a key with a value (the needs of a waiting job, the holdings of a running job). Each
//! inner slot has the summary of its subtree, so that "the first entry that fits" and "the first prefix that frees enough" are
//! descents of O(log n). A node is freed when it becomes empty and is not merged before that (free-at-empty): in queues, where
//! entries leave one by one and new ones keep arriving, this keeps nodes filled without rebalancing.

mod edit;
mod node;
mod search;

use std::ops::ControlFlow;

use node::{Inner, Leaf, WIDTH};

pub trait Summary: Copy {
    type Entry: Copy + Default;
    /// The summary of no entries.
    const EMPTY: Self;
    fn add(&mut self, entry: &Self::Entry);
    /// Includes a neighbouring range.
    fn join(&mut self, other: &Self);
    /// Excludes an entry; returns whether the summary is still exact without a look at the other entries.
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
    pub fn len(&self) -> usize {
        self.len
    }

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

    /// Replaces all entries by others; the memory is kept. O(n log n), and O(n) if they are in the order of their keys.
    pub fn fill(&mut self, mut entries: Vec<(K, S::Entry)>) {
        entries.sort_unstable_by_key(|&(key, _)| key);
        self.clear();
        self.leaves.clear();
        for chunk in entries.chunks(WIDTH) {
            let mut leaf = Leaf::default();
            for &(key, entry) in chunk {
                leaf.put(leaf.len, key, entry);
            }
            self.leaves.push(leaf);
        }
        if entries.is_empty() {
            self.leaves.push(Leaf::default());
        }
        self.len = entries.len();
        let mut level: Vec<u32> = (0..self.leaves.len() as u32).collect();
        while level.len() > 1 {
            let above = level.chunks(WIDTH).map(|kids| {
                let mut node = Inner::default();
                for &kid in kids {
                    node.put(node.len, self.first_key(kid, self.height), self.sum(kid, self.height), kid);
                }
                self.inners.push(node);
                self.inners.len() as u32 - 1
            });
            level = above.collect();
            self.height += 1;
        }
        self.root = level[0];
    }

    /// Adds an entry; an existing key is left unchanged. O(log n).
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

    /// Returns the first key, at or after `from` if given, whose entry satisfies `is`.
    ///
    /// `may` must hold for a range if `is` holds for an entry of it. O(log n) if `may` is exact; every range
    /// for which it is not costs the scan of one node.
    pub fn find_first(
        &self,
        from: Option<K>,
        may: impl Fn(&S) -> bool,
        is: impl Fn(&S::Entry) -> bool,
    ) -> Option<K> {
        self.find_below(self.root, self.height, from, &may, &is)
    }

    /// Returns the last key whose entry satisfies `is`; `may` and cost as in [`Tree::find_first`].
    pub fn find_last(&self, may: impl Fn(&S) -> bool, is: impl Fn(&S::Entry) -> bool) -> Option<K> {
        self.find_last_below(self.root, self.height, &may, &is)
    }

    /// Returns the first key for which the summary of all entries up to it satisfies a condition, with this summary.
    ///
    /// If a prefix satisfies the condition, longer ones must satisfy it too. O(log n).
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

    /// Returns the summary of all entries up to and including a key. O(log n).
    pub fn sum_through(&self, key: K) -> S {
        let mut sum = S::EMPTY;
        let mut at = self.root;
        for _ in 0..self.height {
            let node = &self.inners[at as usize];
            let whole = node.child_of(key).unwrap_or(0);
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

    /// Calls a function with the keys and entries in order, at or after `from` if given, skipping ranges that
    /// `may` excludes, until it stops the walk. O(n) at worst.
    pub fn visit_where(
        &self,
        from: Option<K>,
        may: impl Fn(&S) -> bool,
        mut visit: impl FnMut(K, &S::Entry) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_where_below(self.root, self.height, from, &may, &mut visit)
    }

    /// Calls a function with the keys and entries of ranges whose bound is not below the least value that is still of
    /// interest, ranges of higher bounds first. The function gets this value and returns it, or a higher one. `bound` must
    /// be an upper bound on the values of the range; ranges without a bound are skipped.
    pub fn visit_best(
        &self,
        bound: impl Fn(&S) -> Option<f64>,
        mut visit: impl FnMut(K, &S::Entry, f64) -> f64,
    ) {
        self.visit_best_below(self.root, self.height, &bound, &mut visit, f64::NEG_INFINITY);
    }

    /// Removes all entries; the memory is kept.
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
}

#[cfg(test)]
mod tests;
