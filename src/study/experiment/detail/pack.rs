//! Assigns processors for drawing to jobs of which only the number of processors is known.

use batchlab_traces::sorted::SortedMap;

/// A range of processors: the first, and the number of processors.
pub(super) type ProcRange = (i64, i64);

/// Free processors, as ranges sorted by their first processor.
#[derive(Clone, Debug, Default)]
pub(super) struct Free {
    ranges: SortedMap<i64, i64>,
}

impl Free {
    /// Makes `count` free processors, numbered from `first`.
    pub fn new(first: i64, count: i64) -> Free {
        Free { ranges: [(first, count)].into_iter().filter(|range| range.1 > 0).collect() }
    }

    /// Takes processors: the first range that is long enough; otherwise the first ranges that together are. `None` if too few
    /// are free. O(ranges).
    pub fn take(&mut self, count: i64) -> Option<Vec<ProcRange>> {
        if count <= 0 {
            return Some(Vec::new());
        }
        if let Some((&first, &free)) = self.ranges.iter().find(|(_, free)| **free >= count) {
            self.cut(first, free, count);
            return Some(vec![(first, count)]);
        }
        if self.ranges.values().sum::<i64>() < count {
            return None;
        }
        let (mut taken, mut wanted) = (Vec::new(), count);
        while let Some((&first, &free)) = self.ranges.first_key_value().filter(|_| wanted > 0) {
            let part = free.min(wanted);
            self.cut(first, free, part);
            taken.push((first, part));
            wanted -= part;
        }
        Some(taken)
    }

    pub fn total(&self) -> i64 {
        self.ranges.values().sum()
    }

    /// Returns ranges to the free processors. O(log ranges) for each.
    pub fn give(&mut self, ranges: &[ProcRange]) {
        for &(first, count) in ranges {
            let (mut first, mut count) = (first, count);
            if let Some((&before, &length)) = self.ranges.range(..first).next_back()
                && before + length == first
            {
                (first, count) = (before, length + count);
            }
            if let Some(after) = self.ranges.remove(&(first + count)) {
                count += after;
            }
            self.ranges.insert(first, count);
        }
    }

    fn cut(&mut self, first: i64, free: i64, count: i64) {
        self.ranges.remove(&first);
        if free > count {
            self.ranges.insert(first + count, free - count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_whole_where_they_can_be() {
        let mut free = Free::new(0, 8);
        let (first, second) = (free.take(3).unwrap(), free.take(3).unwrap());
        assert_eq!((&first[..], &second[..]), (&[(0, 3)][..], &[(3, 3)][..]));
        free.give(&first);
        // Free are two processors at the end and three at the beginning.
        assert_eq!(free.take(4).unwrap(), [(0, 3), (6, 1)]);
        assert_eq!((free.take(2), free.take(0)), (None, Some(Vec::new())));
        free.give(&[(0, 3), (6, 1)]);
        free.give(&second);
        assert_eq!(free.take(8).unwrap(), [(0, 8)]);
        // Free ranges on both sides of what is returned become one with it.
        free.give(&[(0, 2), (5, 3), (2, 3)]);
        assert_eq!(free.take(8).unwrap(), [(0, 8)]);
    }
}
