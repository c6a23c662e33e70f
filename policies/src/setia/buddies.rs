//! The controllers of distributed hierarchical control: a forest of buddy trees over the processors.

use std::fmt;
use std::ops::Range;

/// A controller: it maps jobs onto an aligned block of 2^level processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Controller {
    level: u32,
    index: usize,
}

impl Controller {
    pub fn level(self) -> u32 {
        self.level
    }

    pub fn block(self) -> Range<usize> {
        self.index << self.level..(self.index + 1) << self.level
    }

    /// Returns its place among the controllers of its level, from the left.
    pub fn index(self) -> usize {
        self.index
    }

    pub fn within(self) -> impl Iterator<Item = Controller> {
        (0..=self.level).flat_map(move |level| {
            let first = self.index << (self.level - level);
            (first..first + (1 << (self.level - level))).map(move |index| Controller { level, index })
        })
    }
}

/// The controllers over any number of processors, not necessarily a power of two.
///
/// Feitelson and Rudolph (Computer 23(5), 1990) have one tree of buddies over a power of two of processors.
/// Setia et al. 1999 simulate 768, 896 and 1152 processors and do not say how. Here the processors are cut,
/// from the left, into the largest aligned blocks of powers of two, each the root of a tree: 1152 = 1024 +
/// 128, 896 = 512 + 256 + 128. Since every aligned block within the machine lies in one of these, the
/// controllers of a level are its first ⌊P / 2^level⌋ aligned blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buddies {
    procs: usize,
}

impl Buddies {
    pub fn new(procs: usize) -> Buddies {
        Buddies { procs }
    }

    /// Returns the level whose blocks a job of `procs` processors is mapped to: ⌈log2 procs⌉.
    pub fn level_of(procs: usize) -> u32 {
        procs.max(1).next_power_of_two().trailing_zeros()
    }

    pub fn levels(self) -> u32 {
        self.procs.checked_ilog2().map_or(0, |level| level + 1)
    }

    pub fn width(self, level: u32) -> usize {
        self.procs.checked_shr(level).unwrap_or(0)
    }

    /// Returns the controllers of a level from the left; none if its blocks exceed the largest block.
    pub fn controllers(self, level: u32) -> impl Iterator<Item = Controller> {
        (0..self.width(level)).map(move |index| Controller { level, index })
    }

    /// Returns a controller's ancestors, from the bottom: the controllers of the larger blocks that contain its block.
    pub fn above(self, from: Controller) -> impl Iterator<Item = Controller> {
        let within = move |controller: &Controller| controller.index < self.width(controller.level);
        (from.level + 1..self.levels())
            .map(move |level| Controller { level, index: from.index >> (level - from.level) })
            .take_while(within)
    }

    pub fn trees(self) -> Vec<Range<usize>> {
        let mut from = 0;
        let sizes = (0..self.levels()).rev().map(|level| self.procs & 1 << level).filter(|&size| size > 0);
        sizes.map(|size| (from..from + size, from += size).0).collect()
    }
}

/// Writes the sizes of the trees: `1024 + 128`.
impl fmt::Display for Buddies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.trees().iter().map(|tree| tree.len().to_string()).collect();
        f.write_str(&sizes.join(" + "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line per level from the top, each block with its first and last processor.
    fn picture(procs: usize) -> String {
        let buddies = Buddies::new(procs);
        let mut lines = Vec::new();
        for level in (0..buddies.levels()).rev() {
            let block = |controller: Controller| {
                let block = controller.block();
                let last = block.end - 1;
                let name =
                    if block.len() == 1 { format!("{last}") } else { format!("{}-{last}", block.start) };
                format!("{name:^width$}", width = 2 * block.len() - 1)
            };
            let line: Vec<String> = buddies.controllers(level).map(block).collect();
            lines.push(line.join("|").trim_end().to_owned());
        }
        lines.join("\n")
    }

    #[test]
    fn processors_are_cut_into_the_largest_aligned_blocks() {
        let trees = |procs| Buddies::new(procs).to_string();
        assert_eq!(trees(1024), "1024");
        assert_eq!(trees(1152), "1024 + 128");
        assert_eq!(trees(896), "512 + 256 + 128");
        assert_eq!(trees(768), "512 + 256");
        assert_eq!(trees(1), "1");
        assert_eq!(trees(0), "");
        assert_eq!(Buddies::new(1152).levels(), 11);
        assert_eq!(Buddies::new(768).levels(), 10);
        assert_eq!(Buddies::new(0).levels(), 0);
    }

    #[test]
    fn a_forest_of_seven_has_a_tree_of_four_one_of_two_and_one_of_one() {
        let lines = ["  0-3", "0-1|2-3|4-5", "0|1|2|3|4|5|6"];
        assert_eq!(picture(7), lines.join("\n"));
    }

    #[test]
    fn a_job_belongs_to_the_smallest_blocks_that_hold_it() {
        let level = |procs| Buddies::level_of(procs);
        assert_eq!([1, 2, 3, 4, 5, 8, 9, 1024].map(level), [0, 1, 2, 2, 3, 3, 4, 10]);
        assert_eq!(Buddies::new(1152).controllers(level(600)).count(), 1);
        assert_eq!(Buddies::new(1152).controllers(level(100)).count(), 9);
        assert_eq!(Buddies::new(768).controllers(level(600)).count(), 0);
        assert_eq!(Buddies::new(768).controllers(level(200)).count(), 3);
        assert_eq!(Buddies::new(8).controllers(70).count(), 0);
    }

    #[test]
    fn a_block_lies_within_those_above_it_as_far_as_its_tree_goes() {
        let buddies = Buddies::new(7);
        let blocks = |of: &mut dyn Iterator<Item = Controller>| -> Vec<Range<usize>> {
            of.map(Controller::block).collect()
        };
        let second = buddies.controllers(0).nth(1).unwrap();
        assert_eq!(blocks(&mut buddies.above(second)), [0..2, 0..4]);
        let fifth = buddies.controllers(0).nth(4).unwrap();
        assert_eq!(blocks(&mut buddies.above(fifth)), vec![Range { start: 4, end: 6 }]);
        let right = buddies.controllers(1).nth(1).unwrap();
        assert_eq!(blocks(&mut right.within()), [2..3, 3..4, 2..4]);
    }
}
