//! The nodes of the tree: short arrays that shift.

use super::Summary;

/// Entries per node; small enough that a node is scanned in a few cache lines.
pub const WIDTH: usize = 16;

/// Keys and their entries.
#[derive(Clone, Debug)]
pub struct Leaf<K, E> {
    pub len: usize,
    pub keys: [K; WIDTH],
    pub entries: [E; WIDTH],
}

/// Children, the least key of each, and the summary of each.
#[derive(Clone, Debug)]
pub struct Inner<K, S> {
    pub len: usize,
    pub keys: [K; WIDTH],
    pub sums: [S; WIDTH],
    pub kids: [u32; WIDTH],
}

impl<K: Copy + Default, E: Copy + Default> Default for Leaf<K, E> {
    fn default() -> Leaf<K, E> {
        Leaf { len: 0, keys: [K::default(); WIDTH], entries: [E::default(); WIDTH] }
    }
}

impl<K: Copy + Default, S: Summary> Default for Inner<K, S> {
    fn default() -> Inner<K, S> {
        Inner { len: 0, keys: [K::default(); WIDTH], sums: [S::EMPTY; WIDTH], kids: [0; WIDTH] }
    }
}

impl<K: Copy + Ord, E: Copy> Leaf<K, E> {
    /// Returns the place of the first key at or after a key.
    pub fn at_or_after(&self, key: K) -> usize {
        self.keys[..self.len].partition_point(|other| *other < key)
    }

    pub fn put(&mut self, index: usize, key: K, entry: E) {
        self.keys.copy_within(index..self.len, index + 1);
        self.entries.copy_within(index..self.len, index + 1);
        self.keys[index] = key;
        self.entries[index] = entry;
        self.len += 1;
    }

    pub fn take(&mut self, index: usize) {
        self.keys.copy_within(index + 1..self.len, index);
        self.entries.copy_within(index + 1..self.len, index);
        self.len -= 1;
    }

    /// Makes room for an entry at `index` in a full node.
    pub fn split_into(&mut self, right: &mut Leaf<K, E>, index: usize) {
        let keep = kept(index);
        right.len = WIDTH - keep;
        right.keys[..right.len].copy_from_slice(&self.keys[keep..]);
        right.entries[..right.len].copy_from_slice(&self.entries[keep..]);
        self.len = keep;
    }
}

impl<K: Copy + Ord, S: Copy> Inner<K, S> {
    /// Returns the place of the child whose range has a key; `None` if all keys are greater.
    pub fn child_of(&self, key: K) -> Option<usize> {
        self.keys[..self.len].partition_point(|other| *other <= key).checked_sub(1)
    }

    pub fn put(&mut self, index: usize, key: K, sum: S, kid: u32) {
        self.keys.copy_within(index..self.len, index + 1);
        self.sums.copy_within(index..self.len, index + 1);
        self.kids.copy_within(index..self.len, index + 1);
        self.keys[index] = key;
        self.sums[index] = sum;
        self.kids[index] = kid;
        self.len += 1;
    }

    pub fn take(&mut self, index: usize) {
        self.keys.copy_within(index + 1..self.len, index);
        self.sums.copy_within(index + 1..self.len, index);
        self.kids.copy_within(index + 1..self.len, index);
        self.len -= 1;
    }

    /// Makes room for a child at `index` in a full node.
    pub fn split_into(&mut self, right: &mut Inner<K, S>, index: usize) {
        let keep = kept(index);
        right.len = WIDTH - keep;
        right.keys[..right.len].copy_from_slice(&self.keys[keep..]);
        right.sums[..right.len].copy_from_slice(&self.sums[keep..]);
        right.kids[..right.len].copy_from_slice(&self.kids[keep..]);
        self.len = keep;
    }
}

/// Entries that arrive in order leave full nodes behind; other full nodes are split in the middle.
fn kept(index: usize) -> usize {
    if index == WIDTH { WIDTH } else { WIDTH / 2 }
}

pub fn two<N>(nodes: &mut [N], left: u32, right: u32) -> (&mut N, &mut N) {
    let (low, high) = nodes.split_at_mut(left.max(right) as usize);
    if left < right {
        (&mut low[left as usize], &mut high[0])
    } else {
        (&mut high[0], &mut low[right as usize])
    }
}
