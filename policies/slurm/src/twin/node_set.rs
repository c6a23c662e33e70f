//! Sets of nodes, as bits.

use std::cell::RefCell;
use std::sync::LazyLock;

use pulp::{Arch, NullaryFnOnce};

use batchlab_contract::placement::Placement;

#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct NodeSet(Vec<u64>);

/// How many words are looked at together. Sets have a multiple of it.
pub(super) const PART: usize = 8;

thread_local! {
    /// The words of sets that are no longer used, for new ones: searches make and drop many sets of one size.
    static SPARE: RefCell<Vec<Vec<u64>>> = const { RefCell::new(Vec::new()) };
}

/// The most sets that are kept to be used again.
const MOST_SPARE: usize = 64;

/// Returns the words of a set that is no longer used, or none.
fn spare() -> Vec<u64> {
    SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten().unwrap_or_default()
}

impl Drop for NodeSet {
    fn drop(&mut self) {
        if self.0.capacity() == 0 {
            return;
        }
        // At the end of a thread the words are freed.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < MOST_SPARE {
                spare.push(std::mem::take(&mut self.0));
            }
        });
    }
}

impl Clone for NodeSet {
    fn clone(&self) -> NodeSet {
        let mut words = spare();
        words.clone_from(&self.0);
        NodeSet(words)
    }

    fn clone_from(&mut self, other: &NodeSet) {
        self.0.clone_from(&other.0);
    }
}

impl NodeSet {
    /// Returns the empty set of a machine with `nodes` nodes.
    pub(super) fn empty(nodes: usize) -> NodeSet {
        NodeSet::zero(words(nodes))
    }

    /// Returns the set of the nodes for which `has` is true.
    pub(super) fn of(nodes: usize, has: impl Fn(usize) -> bool) -> NodeSet {
        let mut set = NodeSet::empty(nodes);
        (0..nodes).filter(|&node| has(node)).for_each(|node| set.insert(node));
        set
    }

    /// Returns the empty set with a number of words.
    fn zero(words: usize) -> NodeSet {
        let mut zeros = spare();
        zeros.clear();
        zeros.resize(words, 0);
        NodeSet(zeros)
    }

    #[inline]
    pub(super) fn insert(&mut self, node: usize) {
        self.0[node / 64] |= 1 << (node % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, node: usize) {
        self.0[node / 64] &= !(1 << (node % 64));
    }

    /// Adds the nodes from `from` up to `to`, which is left out.
    pub(super) fn insert_all(&mut self, from: usize, to: usize) {
        for word in from / 64..to.div_ceil(64) {
            self.0[word] |= within(word, from, to);
        }
    }

    #[inline]
    pub(super) fn insert_word(&mut self, word: usize, nodes: u64) {
        self.0[word] |= nodes;
    }

    pub(super) fn with(mut self, placement: &Placement) -> NodeSet {
        placement.0.iter().for_each(|share| self.insert(share.node as usize));
        self
    }

    pub(super) fn same_size(&self) -> NodeSet {
        NodeSet::zero(self.0.len())
    }

    pub(super) fn set(&mut self, node: usize, has: bool) {
        if has { self.insert(node) } else { self.remove(node) }
    }

    #[inline]
    pub(super) fn has(&self, node: usize) -> bool {
        self.0[node / 64] >> (node % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn keep(&mut self, other: &NodeSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= other);
    }

    #[inline]
    pub(super) fn set_to_both(&mut self, one: &NodeSet, other: &NodeSet) {
        self.0.resize(one.0.len(), 0);
        self.0.iter_mut().zip(&one.0).zip(&other.0).for_each(|((own, one), other)| *own = one & other);
    }

    /// Returns the words: a bit for each of 64 nodes.
    #[inline]
    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    /// Returns the words, many at a time.
    #[inline]
    pub(super) fn parts(&self) -> &[[u64; PART]] {
        self.0.as_chunks().0
    }

    /// Whether any node of `among` is in the set and not in the other set.
    #[inline]
    pub(super) fn exceeds(&self, other: &NodeSet, among: &NodeSet) -> bool {
        let mut parts = self.parts().iter().zip(other.parts()).zip(among.parts());
        parts.any(|((own, other), among)| {
            let beyond = own.iter().zip(other).zip(among).map(|((own, other), among)| own & !other & among);
            beyond.fold(0, |all, word| all | word) != 0
        })
    }

    /// Returns the first word, not before the word `from`, with nodes that are in the set and not in the other set, and these nodes.
    pub(super) fn first_beyond(&self, other: &NodeSet, from: u32) -> Option<(u32, u64)> {
        let words = self.0.iter().zip(&other.0).skip(from as usize);
        let beyond = words.map(|(own, other)| own & !other);
        (from..).zip(beyond).find(|&(_, nodes)| nodes != 0)
    }

    pub(super) fn unite(&mut self, other: &NodeSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    #[inline]
    pub(super) fn subtract(&mut self, other: &NodeSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= !other);
    }

    #[inline]
    pub(super) fn meets(&self, other: &NodeSet) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the nodes of both sets, ascending.
    pub(super) fn both<'a>(&'a self, other: &'a NodeSet) -> impl Iterator<Item = usize> + 'a {
        self.0.iter().zip(&other.0).enumerate().flat_map(|(at, (own, other))| {
            std::iter::successors(Some(own & other), |word| Some(word & word.wrapping_sub(1)))
                .take_while(|&word| word != 0)
                .map(move |word| at * 64 + word.trailing_zeros() as usize)
        })
    }

    /// Returns the nodes, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.both(self)
    }
}

/// Returns how many words a set of a machine with `nodes` nodes has.
pub(super) fn words(nodes: usize) -> usize {
    nodes.div_ceil(64).next_multiple_of(PART)
}

/// Returns the nodes of a word that are among the nodes from `from` up to `to`, which is left out.
#[inline]
pub(super) fn within(word: usize, from: usize, to: usize) -> u64 {
    let below = |node: usize| match node.saturating_sub(word * 64) {
        bits @ 0..64 => (1 << bits) - 1,
        _ => u64::MAX,
    };
    below(to) & !below(from)
}

#[cfg(target_arch = "x86_64")]
pulp::simd_type! {
    /// A processor that counts the bits of eight words at once.
    struct Counting {
        popcnt: "popcnt",
        bmi1: "bmi1",
        bmi2: "bmi2",
        lzcnt: "lzcnt",
        avx2: "avx2",
        avx512f: "avx512f",
        avx512vl: "avx512vl",
        avx512vpopcntdq: "avx512vpopcntdq",
    }
}

/// Does work on words with the instructions that the processor has, such as those that count bits: the loops of its `call`
/// that are inlined.
#[inline]
pub(super) fn natively<W: NullaryFnOnce>(work: W) -> W::Output {
    static ARCH: LazyLock<Arch> = LazyLock::new(Arch::new);
    #[cfg(target_arch = "x86_64")]
    {
        static COUNTING: LazyLock<Option<Counting>> = LazyLock::new(Counting::try_new);
        if let Some(counting) = *COUNTING {
            return counting.vectorize(work);
        }
    }
    ARCH.dispatch(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_listed_in_order() {
        let mut set = NodeSet::of(130, |node| node % 43 == 0);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 43, 86, 129]);
        let other = NodeSet::of(130, |node| node >= 86);
        assert!(set.meets(&other) && set.has(43));
        set.subtract(&other);
        assert_eq!((set.iter().collect::<Vec<_>>(), set.len()), (vec![0, 43], 2));
        set.remove(0);
        set.insert(5);
        set.keep(&NodeSet::of(130, |node| node < 43));
        assert_eq!(set.iter().collect::<Vec<_>>(), [5]);
    }
}
