//! Stable sorts of few values: places are sorted, by one function for all types, and the values follow. The library's own sort
//! is compiled for each type and each comparison; it is for what a replay does often or with many values.

use std::cmp::Ordering;

/// Sorts that keep the order of equal values: O(n log n) comparisons and fewer than n swaps of n values.
pub trait Arrange<T> {
    /// Sorts by a comparison.
    fn arrange_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key, which is computed twice for each comparison.
    fn arrange_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> Arrange<T> for [T] {
    fn arrange_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        for (one, other) in swaps(self.len(), &mut |a, b| compare(&self[a], &self[b])) {
            self.swap(one, other);
        }
    }

    fn arrange_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.arrange_by(|one, other| key(one).cmp(&key(other)));
    }
}

/// Returns the swaps that sort some values; `compare` gets the places of two of them.
fn swaps(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut from: Vec<usize> = (0..count).collect();
    from.sort_by(|&one, &other| compare(one, other));
    let mut swaps = Vec::new();
    for start in 0..count {
        // Values of a cycle move to the place before them, one after the other.
        let mut at = start;
        while from[at] != start {
            let next = from[at];
            swaps.push((at, next));
            from[at] = at;
            at = next;
        }
        from[at] = at;
    }
    swaps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_are_in_the_order_of_a_stable_sort(keys in prop::collection::vec(0..9_u8, 0..40)) {
            let mut values: Vec<(u8, usize)> = keys.into_iter().zip(0..).collect();
            let mut expected = values.clone();
            expected.sort_by_key(|value| value.0);
            values.arrange_by_key(|value| value.0);
            prop_assert_eq!(values, expected);
        }
    }
}
