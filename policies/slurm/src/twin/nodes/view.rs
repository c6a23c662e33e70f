//! The room on all nodes at an instant, as a bit-sliced index.
//!
//! The numbers of tasks are stored digit by digit: slice `d` has one bit for each node, the binary digit `d` of its number. The sum over
//! a set of nodes is then `Σ 2^d · popcount(slice d & set)`, a few instructions for 64 nodes, and the nodes with any room are the union
//! of the slices. To set the same number on several nodes of a word is one operation for each slice.
//!
//! Source: O'Neil, Quass, "Improved query performance with variant indexes", SIGMOD 1997 (the sum by a bit-sliced index).

use pulp::NullaryFnOnce;

use super::room::Count;
use crate::twin::node_set::{NodeSet, PART, natively, within, words};
use crate::twin::queue::Waiting;

/// The room on each node at an instant: its whole tasks as bit-sliced numbers, and whether a smaller task fits beside them.
#[derive(Debug, Default)]
pub struct View {
    /// The words of 64 nodes.
    words: usize,
    /// The lowest digit of all nodes first.
    digits: Vec<u64>,
    counts: Vec<i64>,
    /// Empty if jobs have no smaller tasks.
    beside: Vec<u64>,
}

impl View {
    /// Returns a view without room on some nodes. It stores numbers of tasks of at most `digits` binary digits, and with
    /// `has_rests`, whether a smaller task fits beside them.
    pub fn new(nodes: usize, digits: usize, has_rests: bool) -> View {
        let words = words(nodes);
        let beside = vec![0; if has_rests { words } else { 0 }];
        View { words, digits: vec![0; words * digits], counts: vec![0; digits], beside }
    }

    /// Returns the room for some tasks on each node, in numbers of `digits` binary digits.
    #[cfg(test)]
    pub fn of(tasks: &[i64], digits: usize) -> View {
        let mut view = View::new(tasks.len(), digits, false);
        tasks.iter().enumerate().for_each(|(node, &tasks)| view.set(node, (tasks, false)));
        view
    }

    pub fn copy_from(&mut self, other: &View) {
        self.words = other.words;
        self.digits.clone_from(&other.digits);
        self.counts.clone_from(&other.counts);
        self.beside.clone_from(&other.beside);
    }

    /// Returns the tasks for which a node has room, and whether a smaller one fits beside them.
    #[inline]
    pub fn tasks(&self, node: usize) -> (i64, bool) {
        let (word, bit) = (node / 64, node % 64);
        let mut whole = 0;
        for at in 0..self.counts.len() {
            whole |= (self.digits[at * self.words + word] >> bit & 1) << at;
        }
        (whole as i64, self.beside.get(word).is_some_and(|beside| beside >> bit & 1 == 1))
    }

    /// Sets the room on a node. The number of whole tasks must have no more digits than the view; `Horizon::new` makes a view with the
    /// digits that the largest node needs.
    pub fn set(&mut self, node: usize, (whole, beside): (i64, bool)) {
        let (word, nodes) = ((node / 64) as u32, 1 << (node % 64));
        self.set_all(Alike { word, nodes, whole: whole as i32, beside });
    }

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    pub fn set_all(&mut self, alike: Alike) {
        let (word, nodes) = (alike.word as usize, alike.nodes);
        for (at, count) in self.counts.iter_mut().enumerate() {
            let digit = &mut self.digits[at * self.words + word];
            if alike.whole >> at & 1 == 1 {
                *count += i64::from((nodes & !*digit).count_ones());
                *digit |= nodes;
            } else {
                *count -= i64::from((nodes & *digit).count_ones());
                *digit &= !nodes;
            }
        }
        if let Some(word) = self.beside.get_mut(word) {
            *word = if alike.beside { *word | nodes } else { *word & !nodes };
        }
    }

    /// Returns a bound on the whole tasks of a node.
    pub fn most(&self) -> i64 {
        (1 << self.counts.len()) - 1
    }

    /// Returns the room on some nodes. O(nodes / 64 · digits).
    pub fn count(&self, nodes: &NodeSet) -> Count {
        let mut count = Count { beside: common(nodes, &self.beside), ..Count::default() };
        let mut any = self.beside.clone();
        any.resize(self.words, 0);
        for (at, digit) in self.digits.chunks_exact(self.words).enumerate() {
            count.whole += common(nodes, digit) << at;
            any.iter_mut().zip(digit).for_each(|(any, digit)| *any |= digit);
        }
        count.nodes = common(nodes, &any);
        count
    }

    /// Whether a job may fit on some nodes, as [`Count::suffices`] tells. O(nodes / 64 · digits).
    pub fn suffices(&self, job: &Waiting, nodes: &NodeSet) -> bool {
        if !self.beside.is_empty() || job.asked > 0 || job.layout.rests > 0 {
            return self.count(nodes).suffices(job);
        }
        natively(HasRoom { view: self, tasks: job.layout.tasks, nodes })
    }

    /// Adds to a set the nodes of a run with room, from its first node on, until they have room for some tasks; returns the last node
    /// that is added, with the tasks that are left for it. O(nodes / 64 · digits) beside the nodes of the last word.
    pub fn take(&self, from: usize, to: usize, mut need: i64, set: &mut NodeSet) -> (usize, i64) {
        for word in from / 64..to.div_ceil(64) {
            let nodes = within(word, from, to);
            let digits = self.digits.iter().skip(word).step_by(self.words).enumerate();
            let tasks: i64 = digits.map(|(at, digit)| i64::from((digit & nodes).count_ones()) << at).sum();
            if tasks < need {
                set.insert_word(word, nodes);
                need -= tasks;
                continue;
            }
            for node in from.max(word * 64)..to {
                set.insert(node);
                let tasks = self.tasks(node).0;
                if tasks >= need {
                    return (node, need);
                }
                need -= tasks;
            }
        }
        (to - 1, need)
    }

    /// Calls a function with each run of consecutive nodes of a set that have room for a whole task: its first node, the node behind
    /// its last one, and its whole tasks.
    pub fn runs(&self, nodes: &NodeSet, each: impl FnMut(usize, usize, i64)) {
        natively(Runs { view: self, nodes, each });
    }
}

struct HasRoom<'a> {
    view: &'a View,
    tasks: i64,
    nodes: &'a NodeSet,
}

impl NullaryFnOnce for HasRoom<'_> {
    type Output = bool;

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn call(self) -> bool {
        let HasRoom { view, tasks, nodes } = self;
        // The tasks by the digits so far, and the most that the others may add.
        let (mut whole, mut more) = (0, 0);
        for count in view.counts.iter().rev() {
            more = 2 * more + count;
        }
        for (at, count) in view.counts.iter().enumerate().rev() {
            if whole + more < tasks {
                return false;
            }
            whole += common(nodes, &view.digits[at * view.words..(at + 1) * view.words]) << at;
            more -= count << at;
            if whole >= tasks {
                return true;
            }
        }
        false
    }
}

/// Calls `each` as [`View::runs`] tells.
struct Runs<'a, F> {
    view: &'a View,
    nodes: &'a NodeSet,
    each: F,
}

impl<F: FnMut(usize, usize, i64)> NullaryFnOnce for Runs<'_, F> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn call(self) {
        let Runs { view, nodes, mut each } = self;
        // The run that reaches up to here.
        let mut open: Option<(usize, i64)> = None;
        for (part, here) in nodes.parts().iter().enumerate() {
            let mut room = [0; PART];
            for digit in view.digits.chunks_exact(view.words) {
                let digit = &digit.as_chunks::<PART>().0[part];
                for at in 0..PART {
                    room[at] |= digit[at] & here[at];
                }
            }
            for (at, mut left) in room.into_iter().enumerate() {
                let word = part * PART + at;
                if left & 1 == 0
                    && let Some((from, sum)) = open.take()
                {
                    each(from, word * 64, sum);
                }
                while left != 0 {
                    let from = left.trailing_zeros() as usize;
                    let length = (!(left >> from)).trailing_zeros() as usize;
                    let mask = (u64::MAX >> (64 - length)) << from;
                    let mut sum = 0;
                    for (at, digit) in view.digits.iter().skip(word).step_by(view.words).enumerate() {
                        sum += i64::from((digit & mask).count_ones()) << at;
                    }
                    let (first, before) = open.take().unwrap_or((word * 64 + from, 0));
                    if from + length == 64 {
                        open = Some((first, before + sum));
                    } else {
                        each(first, word * 64 + from + length, before + sum);
                    }
                    left &= !mask;
                }
            }
        }
        if let Some((from, sum)) = open {
            each(from, view.words * 64, sum);
        }
    }
}

/// Nodes of a word with the same room.
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    pub word: u32,
    pub nodes: u64,
    pub whole: i32,
    pub beside: bool,
}

#[inline]
fn common(nodes: &NodeSet, bits: &[u64]) -> i64 {
    let mut sum = 0;
    for (nodes, bits) in nodes.words().iter().zip(bits) {
        sum += u64::from((nodes & bits).count_ones());
    }
    sum as i64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Counts and runs by digits are those of the nodes one by one.
        #[test]
        fn digits_count_as_nodes_do(
            tasks in proptest::collection::vec(prop_oneof![Just(0_i64), 0..8_i64, Just(7)], 150),
            gaps in proptest::collection::vec(0_usize..150, 0..20),
        ) {
            let (view, set) = (View::of(&tasks, 3), NodeSet::of(150, |node| !gaps.contains(&node)));
            let mut runs: Vec<(usize, usize, i64)> = Vec::new();
            let (mut whole, mut nodes) = (0, 0);
            for node in set.iter().filter(|&node| tasks[node] > 0) {
                prop_assert_eq!(view.tasks(node), (tasks[node], false));
                (whole, nodes) = (whole + tasks[node], nodes + 1);
                let here = tasks[node];
                match runs.last_mut().filter(|(_, end, _)| *end == node) {
                    Some((_, end, sum)) => (*end, *sum) = (node + 1, *sum + here),
                    None => runs.push((node, node + 1, here)),
                }
            }
            prop_assert_eq!(view.count(&set), Count { whole, beside: 0, nodes });
            let mut found = Vec::new();
            view.runs(&set, |from, to, sum| found.push((from, to, sum)));
            prop_assert_eq!(found, runs);
        }
    }
}
