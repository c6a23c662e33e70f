//! Places of cells in groups: a note that holds at many cells names them once.

use batchlab_traces::sorted::{SortedMap, SortedSet};

use super::Axis;
use super::layout::{CellSubject, TableLayout};
use crate::report::verdict::list;

/// The place of a cell: its position along each axis, among the values that the table shows.
pub type Place = Vec<usize>;

/// A group of places: all combinations of some positions along each axis.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block(Vec<SortedSet<usize>>);

/// The fewest neighbouring values of a parameter that are written as a range.
const RANGE: usize = 3;
/// The most groups with numbers of their own; above this, policies, metrics and parameters are joined.
const MOST_GROUPS: usize = 6;

/// Returns places as groups, joined along one axis after the other, in the given order of axes. O(n log n) for each axis.
pub fn blocks(places: impl IntoIterator<Item = Place>, order: &[usize]) -> Vec<Block> {
    let single = |place: Place| Block(place.into_iter().map(|at| SortedSet::from([at])).collect());
    let mut blocks: Vec<Block> =
        places.into_iter().map(single).collect::<SortedSet<_>>().into_iter().collect();
    for &axis in order {
        let mut joined: SortedMap<Block, SortedSet<usize>> = SortedMap::new();
        for mut block in blocks {
            let along = std::mem::take(&mut block.0[axis]);
            joined.entry(block).or_default().extend(along);
        }
        let whole = |(mut block, along): (Block, SortedSet<usize>)| {
            block.0[axis] = along;
            block
        };
        blocks = joined.into_iter().map(whole).collect();
    }
    blocks.sort();
    blocks
}

/// The least and the greatest of the numbers at a group of places.
type Numbers = [(usize, usize); 2];

impl TableLayout<'_> {
    /// The axes of places, in the order in which words name them.
    fn axes(&self) -> Vec<Axis> {
        let parameters = (0..self.spec.values.len()).map(Axis::Parameter);
        let first = [Axis::Metric, Axis::Class, Axis::Workload];
        first.into_iter().chain(parameters).chain([Axis::Policy, Axis::Baseline]).collect()
    }

    /// The order in which places are joined: what a class or a workload has in common is found first.
    fn order(&self) -> Vec<usize> {
        let parameters = 3..3 + self.spec.values.len();
        let policy = parameters.end;
        [policy, policy + 1, 0].into_iter().chain(parameters).chain([1, 2]).collect()
    }

    /// Returns the place of a cell's subject.
    pub fn place(&self, subject: &CellSubject) -> Place {
        let spec = self.spec;
        let position = |list: &[usize], wanted: usize| list.iter().position(|of| *of == wanted).unwrap_or(0);
        let class = subject.measure.map_or(super::names::ALL, |at| {
            self.names.measures[at].class.as_deref().unwrap_or(super::names::ALL)
        });
        let at = |axis: Axis| match axis {
            Axis::Metric => subject.metric,
            Axis::Class => spec.classes.iter().position(|of| of == class).unwrap_or(0),
            Axis::Workload => position(&spec.workloads, subject.design_point.workload),
            Axis::Parameter(at) => position(&spec.values[at], subject.design_point.point[at]),
            Axis::Policy => position(&spec.policies, subject.policy),
            Axis::Baseline => subject.baseline,
        };
        self.axes().into_iter().map(at).collect()
    }

    /// Returns places in words, a phrase for each group.
    pub fn places_words(&self, places: impl IntoIterator<Item = Place>) -> Vec<String> {
        blocks(places, &self.order()).iter().map(|block| self.block_words(block)).collect()
    }

    /// Returns groups of places with equal numbers in words, as "class wide, KTH: 4 of 9". Where there are many groups, a
    /// workload and class has the range of its numbers.
    pub fn counted_words(&self, counted: &SortedMap<Place, (usize, usize)>) -> Vec<String> {
        let mut by_numbers: SortedMap<(usize, usize), Vec<Place>> = SortedMap::new();
        for (place, numbers) in counted {
            by_numbers.entry(*numbers).or_default().push(place.clone());
        }
        let mut groups: Vec<(Block, Numbers)> = Vec::new();
        for (numbers, places) in by_numbers {
            groups.extend(blocks(places, &self.order()).into_iter().map(|block| (block, [numbers; 2])));
        }
        if groups.len() > MOST_GROUPS {
            groups = self.ranges(counted);
        }
        groups.sort();
        let words = |(block, [least, most]): &(Block, Numbers)| {
            let range = |least: usize, most: usize| {
                if least == most { least.to_string() } else { format!("{least} to {most}") }
            };
            let place = self.block_words(block);
            let colon = if place.is_empty() { "" } else { ": " };
            format!("{place}{colon}{} of {}", range(least.0, most.0), range(least.1, most.1))
        };
        groups.iter().map(words).collect()
    }

    /// Returns the range of the numbers of each workload and class. Places without a number count as 0.
    fn ranges(&self, counted: &SortedMap<Place, (usize, usize)>) -> Vec<(Block, Numbers)> {
        let is_kept = |axis: &Axis| matches!(axis, Axis::Class | Axis::Workload);
        let axes = self.axes();
        let mut groups: SortedMap<Place, (Block, Numbers, usize)> = SortedMap::new();
        for (place, &(number, all)) in counted {
            let key = axes.iter().zip(place).filter(|(axis, _)| is_kept(axis)).map(|(_, at)| *at).collect();
            let single = || Block(place.iter().map(|at| SortedSet::from([*at])).collect());
            let (block, [least, most], count) =
                groups.entry(key).or_insert_with(|| (single(), [(number, all); 2], 0));
            block.0.iter_mut().zip(place).for_each(|(along, at)| {
                along.insert(*at);
            });
            *least = (least.0.min(number), least.1.min(all));
            *most = (most.0.max(number), most.1.max(all));
            *count += 1;
        }
        let ended = |(block, [least, most], count): (Block, Numbers, usize)| {
            let size: usize = block.0.iter().map(SortedSet::len).product();
            let least = if count < size { (0, least.1) } else { least };
            (block, [least, most])
        };
        groups.into_values().map(ended).collect()
    }

    /// Returns a group in words: what it does not restrict is not named.
    fn block_words(&self, Block(along): &Block) -> String {
        let axes = self.axes();
        let words = |(axis, at): (&Axis, &SortedSet<usize>)| {
            let is_whole = at.len() == self.spec.count(*axis).max(1);
            (!is_whole).then(|| self.axis_words(*axis, at))
        };
        axes.iter().zip(along).filter_map(words).collect::<Vec<_>>().join(", ")
    }

    fn axis_words(&self, axis: Axis, at: &SortedSet<usize>) -> String {
        let labels: Vec<String> = at.iter().map(|&at| self.spoken(axis, at)).collect();
        match axis {
            Axis::Metric | Axis::Workload | Axis::Policy => list(&labels),
            Axis::Class if labels.len() == 1 => format!("class {}", labels[0]),
            Axis::Class => format!("classes {}", list(&labels)),
            Axis::Baseline => format!("against {}", list(&labels)),
            Axis::Parameter(_) => format!("{} {}", self.axis_name(axis), run_words(at, &labels)),
        }
    }
}

/// Returns the values of a parameter in words: "0.9 to 1.3" for neighbours.
fn run_words(at: &SortedSet<usize>, labels: &[String]) -> String {
    let is_run = at.iter().zip(at.iter().skip(1)).all(|(one, next)| one + 1 == *next);
    match labels {
        [first, .., last] if is_run && labels.len() >= RANGE => format!("{first} to {last}"),
        _ => list(labels),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(blocks: &[Block]) -> Vec<Vec<usize>> {
        blocks.iter().map(|Block(along)| along.iter().map(SortedSet::len).collect()).collect()
    }

    #[test]
    fn places_that_fill_a_rectangle_are_one_group() {
        let all = (0..3).flat_map(|a| (0..4).map(move |b| vec![a, b]));
        assert_eq!(sizes(&blocks(all.clone(), &[0, 1])), [[3, 4]]);
        let without_a_corner = all.filter(|place| place[..] != [2, 3]);
        assert_eq!(sizes(&blocks(without_a_corner, &[0, 1])), [[2, 1], [3, 3]]);
        assert!(blocks(Vec::new(), &[0]).is_empty());
    }

    #[test]
    fn neighbouring_values_are_a_range() {
        let words = |at: &[usize]| {
            let labels: Vec<String> = at.iter().map(|at| format!("0.{at}")).collect();
            run_words(&at.iter().copied().collect(), &labels)
        };
        assert_eq!(
            [words(&[2, 3, 4]), words(&[2, 3]), words(&[2, 4, 5])],
            ["0.2 to 0.4", "0.2 and 0.3", "0.2, 0.4 and 0.5"]
        );
    }
}
