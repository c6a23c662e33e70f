//! An ordered set that knows a summary of every range: the index behind queues and releases.
//!
//! A B+-tree in one arena. Each entry is a key with a summary (the demand of a waiting job, the processors
//! that a running job will free); each inner entry carries the summary of its subtree, so "the first entry
//! that fits" and "the first prefix that frees enough" are descents of O(log n). A node that becomes empty
//! is given back and is not merged before that (free-at-empty): in queues, where entries leave one by one
//! and new ones keep coming, this keeps nodes filled without rebalancing.

/// What is known of a range of entries.
pub trait Summary: Copy {
    /// The summary of no entries.
    const EMPTY: Self;
    /// Joins the summaries of two neighbouring ranges.
    #[must_use]
    fn join(self, other: Self) -> Self;
}

/// Entries per node; small enough that a node is scanned in a few cache lines.
const WIDTH: usize = 16;

#[derive(Clone, Debug)]
struct Node<K, S> {
    len: usize,
    keys: [K; WIDTH],
    sums: [S; WIDTH],
    /// Children; unused in leaves.
    kids: [u32; WIDTH],
}

/// An ordered set of keys with a summary for every range.
#[derive(Clone, Debug)]
pub struct Tree<K, S> {
    nodes: Vec<Node<K, S>>,
    spare: Vec<u32>,
    root: u32,
    height: u32,
    len: usize,
}

impl<K: Copy + Ord + Default, S: Summary> Default for Tree<K, S> {
    fn default() -> Tree<K, S> {
        let mut tree = Tree { nodes: Vec::new(), spare: Vec::new(), root: 0, height: 0, len: 0 };
        tree.root = tree.node();
        tree
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
            at = self.nodes[at as usize].kids[0];
        }
        Some(self.nodes[at as usize].keys[0])
    }

    /// Adds an entry; a key that is there already is left as it is. O(log n).
    pub fn insert(&mut self, key: K, sum: S) {
        let Some(right) = self.insert_below(self.root, self.height, key, sum) else { return };
        let (left, root) = (self.root, self.node());
        for kid in [left, right] {
            let entry = (self.nodes[kid as usize].keys[0], self.sum(kid));
            self.nodes[root as usize].put_last(entry.0, entry.1, kid);
        }
        self.root = root;
        self.height += 1;
    }

    /// Removes an entry; returns whether it was there. O(log n).
    pub fn remove(&mut self, key: K) -> bool {
        let found = self.remove_below(self.root, self.height, key);
        while self.height > 0 && self.nodes[self.root as usize].len <= 1 {
            let old = self.root;
            self.spare.push(old);
            if self.nodes[old as usize].len == 1 {
                self.root = self.nodes[old as usize].kids[0];
                self.height -= 1;
            } else {
                self.height = 0;
                self.root = self.node();
            }
        }
        self.len -= usize::from(found);
        found
    }

    /// Returns the first key that passes, at or after `from` if given.
    ///
    /// `may` is asked of ranges and of single entries: it must hold for a range whenever it holds for an
    /// entry of it, and for a single entry it decides. O(log n) when ranges tell exactly.
    pub fn find_first(&self, from: Option<K>, may: impl Fn(&S) -> bool) -> Option<K> {
        self.find_below(self.root, self.height, from, &may)
    }

    /// Returns the first key at which the joined summary of all entries up to it passes, and that summary.
    ///
    /// Once a prefix passes, longer ones must pass too. O(log n).
    pub fn find_prefix(&self, passes: impl Fn(&S) -> bool) -> Option<(K, S)> {
        let mut before = S::EMPTY;
        let mut at = self.root;
        for level in (0..=self.height).rev() {
            let node = &self.nodes[at as usize];
            let mut found = None;
            for index in 0..node.len {
                let through = before.join(node.sums[index]);
                if passes(&through) {
                    found = Some((index, through));
                    break;
                }
                before = through;
            }
            let (index, through) = found?;
            if level == 0 {
                return Some((node.keys[index], through));
            }
            at = node.kids[index];
        }
        None
    }

    /// Returns the joined summary of all entries up to a key, that key included. O(log n).
    pub fn sum_through(&self, key: K) -> S {
        let mut sum = S::EMPTY;
        let mut at = self.root;
        for level in (0..=self.height).rev() {
            let node = &self.nodes[at as usize];
            let upto = node.keys[..node.len].partition_point(|other| *other <= key);
            let whole = if level == 0 { upto } else { upto.saturating_sub(1) };
            for part in &node.sums[..whole] {
                sum = sum.join(*part);
            }
            if level == 0 || upto == 0 {
                break;
            }
            at = node.kids[whole];
        }
        sum
    }

    /// Returns the joined summary of all entries. O(1).
    pub fn total(&self) -> S {
        self.sum(self.root)
    }

    /// Calls a function with every key and summary in order. O(n).
    pub fn for_each(&self, mut visit: impl FnMut(K, S)) {
        self.visit_below(self.root, self.height, &mut visit);
    }

    /// Removes all entries; memory is kept. O(1).
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.spare.clear();
        self.height = 0;
        self.len = 0;
        self.root = self.node();
    }

    fn visit_below(&self, at: u32, height: u32, visit: &mut impl FnMut(K, S)) {
        let node = &self.nodes[at as usize];
        for index in 0..node.len {
            if height == 0 {
                visit(node.keys[index], node.sums[index]);
            } else {
                self.visit_below(node.kids[index], height - 1, visit);
            }
        }
    }

    fn find_below(&self, at: u32, height: u32, from: Option<K>, may: &impl Fn(&S) -> bool) -> Option<K> {
        let node = &self.nodes[at as usize];
        let start = match from {
            None => 0,
            Some(key) if height == 0 => node.keys[..node.len].partition_point(|other| *other < key),
            Some(key) => node.keys[..node.len].partition_point(|other| *other <= key).saturating_sub(1),
        };
        for index in start..node.len {
            if !may(&node.sums[index]) {
                continue;
            }
            if height == 0 {
                return Some(node.keys[index]);
            }
            // Only the child that holds `from` itself has keys before it.
            let from = from.filter(|_| index == start);
            if let Some(key) = self.find_below(node.kids[index], height - 1, from, may) {
                return Some(key);
            }
        }
        None
    }

    /// Inserts below a node; returns the new right neighbour when the node had to be split.
    fn insert_below(&mut self, at: u32, height: u32, key: K, sum: S) -> Option<u32> {
        let node = &self.nodes[at as usize];
        if height == 0 {
            let index = node.keys[..node.len].partition_point(|other| *other < key);
            if index < node.len && node.keys[index] == key {
                return None;
            }
            self.len += 1;
            return self.put(at, index, key, sum, 0);
        }
        let index = node.keys[..node.len].partition_point(|other| *other <= key).saturating_sub(1);
        let kid = node.kids[index];
        let split = self.insert_below(kid, height - 1, key, sum);
        let kid_sum = self.sum(kid);
        let kid_key = self.nodes[kid as usize].keys[0];
        let node = &mut self.nodes[at as usize];
        node.sums[index] = kid_sum;
        node.keys[index] = kid_key;
        let right = split?;
        let (right_key, right_sum) = (self.nodes[right as usize].keys[0], self.sum(right));
        self.put(at, index + 1, right_key, right_sum, right)
    }

    /// Puts an entry into a node; splits the node when it is full and returns the new right neighbour.
    fn put(&mut self, at: u32, index: usize, key: K, sum: S, kid: u32) -> Option<u32> {
        if self.nodes[at as usize].len < WIDTH {
            self.nodes[at as usize].put(index, key, sum, kid);
            return None;
        }
        let right = self.node();
        // Entries that arrive in order leave full nodes behind; others are split in the middle.
        let keep = if index == WIDTH { WIDTH } else { WIDTH / 2 };
        let (left_node, right_node) = two(&mut self.nodes, at, right);
        for moved in keep..WIDTH {
            right_node.put_last(left_node.keys[moved], left_node.sums[moved], left_node.kids[moved]);
        }
        left_node.len = keep;
        if index > keep || keep == WIDTH {
            right_node.put(index - keep, key, sum, kid);
        } else {
            left_node.put(index, key, sum, kid);
        }
        Some(right)
    }

    fn remove_below(&mut self, at: u32, height: u32, key: K) -> bool {
        let node = &mut self.nodes[at as usize];
        if height == 0 {
            let index = node.keys[..node.len].partition_point(|other| *other < key);
            let found = index < node.len && node.keys[index] == key;
            if found {
                node.take(index);
            }
            return found;
        }
        let upto = node.keys[..node.len].partition_point(|other| *other <= key);
        let Some(index) = upto.checked_sub(1) else { return false };
        let kid = node.kids[index];
        let found = self.remove_below(kid, height - 1, key);
        if !found {
            return false;
        }
        if self.nodes[kid as usize].len == 0 {
            self.spare.push(kid);
            self.nodes[at as usize].take(index);
        } else {
            let (kid_key, kid_sum) = (self.nodes[kid as usize].keys[0], self.sum(kid));
            let node = &mut self.nodes[at as usize];
            node.keys[index] = kid_key;
            node.sums[index] = kid_sum;
        }
        true
    }

    fn sum(&self, at: u32) -> S {
        let node = &self.nodes[at as usize];
        node.sums[..node.len].iter().fold(S::EMPTY, |sum, part| sum.join(*part))
    }

    fn node(&mut self) -> u32 {
        if let Some(at) = self.spare.pop() {
            self.nodes[at as usize].len = 0;
            return at;
        }
        self.nodes.push(Node {
            len: 0,
            keys: [K::default(); WIDTH],
            sums: [S::EMPTY; WIDTH],
            kids: [0; WIDTH],
        });
        self.nodes.len() as u32 - 1
    }
}

impl<K: Copy, S: Copy> Node<K, S> {
    fn put(&mut self, index: usize, key: K, sum: S, kid: u32) {
        self.keys.copy_within(index..self.len, index + 1);
        self.sums.copy_within(index..self.len, index + 1);
        self.kids.copy_within(index..self.len, index + 1);
        self.keys[index] = key;
        self.sums[index] = sum;
        self.kids[index] = kid;
        self.len += 1;
    }

    fn put_last(&mut self, key: K, sum: S, kid: u32) {
        self.put(self.len, key, sum, kid);
    }

    fn take(&mut self, index: usize) {
        self.keys.copy_within(index + 1..self.len, index);
        self.sums.copy_within(index + 1..self.len, index);
        self.kids.copy_within(index + 1..self.len, index);
        self.len -= 1;
    }
}

fn two<K, S>(nodes: &mut [Node<K, S>], left: u32, right: u32) -> (&mut Node<K, S>, &mut Node<K, S>) {
    let (low, high) = nodes.split_at_mut(left.max(right) as usize);
    if left < right {
        (&mut low[left as usize], &mut high[0])
    } else {
        (&mut high[0], &mut low[right as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Load {
        least: i64,
        sum: i64,
    }

    impl Summary for Load {
        const EMPTY: Load = Load { least: i64::MAX, sum: 0 };
        fn join(self, other: Load) -> Load {
            Load { least: self.least.min(other.least), sum: self.sum + other.sum }
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
                    tree.insert(key, Load { least: amount, sum: amount });
                    list.entry(key).or_insert(amount);
                } else {
                    prop_assert_eq!(tree.remove(key), list.remove(&key).is_some());
                }
                prop_assert_eq!(tree.len(), list.len());
                prop_assert_eq!(tree.first(), list.keys().next().copied());
            }
            let found = tree.find_first(Some(probe), |load| load.least <= level);
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
        }
    }

    #[test]
    fn arrivals_in_order_fill_nodes_and_departures_from_the_front_give_them_back() {
        let mut tree: Tree<u64, Load> = Tree::default();
        for key in 0..100_000u64 {
            tree.insert(key, Load { least: 1, sum: 1 });
            if key >= 100 {
                assert!(tree.remove(key - 100));
            }
        }
        assert!(tree.nodes.len() < 30, "{} nodes for 100 entries", tree.nodes.len());
    }
}
