//! Sets of processors, as bits.

use std::fmt;
use std::ops::Range;

/// A set of columns of a matrix, that is, of processors by number.
///
/// Columns are kept in words of 64, and a set knows the range of words that it may use. Set operations are O(words in the
/// range of the smaller set). Sets that are combined must belong to machines of the same size.
#[derive(Clone, Default)]
pub struct Columns {
    words: Vec<u64>,
    /// The words outside this range are zero; words inside it may be zero, too.
    used: Range<usize>,
}

const BITS: usize = u64::BITS as usize;

impl Columns {
    /// Returns the empty set, for a machine with `width` columns.
    pub fn none(width: usize) -> Columns {
        Columns { words: vec![0; width.div_ceil(BITS)], used: 0..0 }
    }

    /// Returns all columns of a machine with `width` columns.
    pub fn all(width: usize) -> Columns {
        let mut words = vec![u64::MAX; width.div_ceil(BITS)];
        if let Some(last) = words.last_mut()
            && !width.is_multiple_of(BITS)
        {
            *last = (1 << (width % BITS)) - 1;
        }
        Columns { used: 0..words.len(), words }
    }

    /// Returns the given columns of a machine with `width` columns.
    pub fn of(width: usize, columns: impl IntoIterator<Item = usize>) -> Columns {
        let mut set = Columns::none(width);
        columns.into_iter().for_each(|column| set.insert(column));
        set
    }

    /// Adds a column.
    ///
    /// # Panics
    /// When the machine has no such column.
    pub fn insert(&mut self, column: usize) {
        let word = column / BITS;
        self.words[word] |= 1 << (column % BITS);
        self.used = either(&self.used, &(word..word + 1));
    }

    /// Removes a column.
    pub fn remove(&mut self, column: usize) {
        if let Some(word) = self.words.get_mut(column / BITS) {
            *word &= !(1 << (column % BITS));
        }
    }

    /// Removes all columns.
    pub fn clear(&mut self) {
        self.words[self.used.clone()].fill(0);
        self.used = 0..0;
    }

    /// Whether the set contains a column.
    pub fn contains(&self, column: usize) -> bool {
        self.words.get(column / BITS).is_some_and(|word| word >> (column % BITS) & 1 == 1)
    }

    /// Returns the number of columns.
    pub fn len(&self) -> usize {
        self.in_use().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.in_use().iter().all(|&word| word == 0)
    }

    /// Whether two sets have no column in common.
    pub fn is_disjoint(&self, other: &Columns) -> bool {
        let both = self.used.start.max(other.used.start)..self.used.end.min(other.used.end);
        self.within(&both).iter().zip(other.within(&both)).all(|(mine, theirs)| mine & theirs == 0)
    }

    /// Whether every column of this set is in the other.
    pub fn is_within(&self, other: &Columns) -> bool {
        self.in_use().iter().zip(other.within(&self.used)).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Adds all columns of another set.
    pub fn add(&mut self, other: &Columns) {
        self.combine(other, &other.used, |mine, theirs| mine | theirs);
        self.used = either(&self.used, &other.used);
    }

    /// Removes all columns of another set.
    pub fn take(&mut self, other: &Columns) {
        self.combine(other, &other.used, |mine, theirs| mine & !theirs);
    }

    /// Keeps only the columns that are also in another set.
    pub fn keep(&mut self, other: &Columns) {
        let own = self.used.clone();
        self.combine(other, &own, |mine, theirs| mine & theirs);
    }

    /// Returns the lowest `count` columns; `None` if there are not enough.
    pub fn lowest(&self, count: usize) -> Option<Columns> {
        let mut left = count;
        let mut lowest = Columns { words: vec![0; self.words.len()], used: 0..0 };
        for word in self.used.clone() {
            if left == 0 {
                break;
            }
            let here = (self.words[word].count_ones() as usize).min(left);
            if here > 0 {
                lowest.words[word] = lowest_bits(self.words[word], here);
                lowest.used = either(&lowest.used, &(word..word + 1));
                left -= here;
            }
        }
        (left == 0).then_some(lowest)
    }

    /// Returns the columns in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.used.clone().zip(self.in_use()).flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(index * BITS + bit)
            })
        })
    }

    /// Returns the runs of successive columns in ascending order. O(words in use + runs).
    pub fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let end = self.used.end * BITS;
        let mut from = self.used.start * BITS;
        std::iter::from_fn(move || {
            let first = self.next_like(from..end, true)?;
            let last = self.next_like(first..end, false).unwrap_or(end);
            from = last;
            Some(first..last)
        })
    }

    /// Returns the first column of a range that is in the set, or the first that is not.
    fn next_like(&self, range: Range<usize>, is_in: bool) -> Option<usize> {
        let mut column = range.start;
        while column < range.end {
            let word = self.words[column / BITS];
            let rest = (if is_in { word } else { !word }) >> (column % BITS);
            if rest != 0 {
                return Some(column + rest.trailing_zeros() as usize);
            }
            column = (column / BITS + 1) * BITS;
        }
        None
    }

    fn combine(&mut self, other: &Columns, words: &Range<usize>, by: impl Fn(u64, u64) -> u64) {
        let own = self.words.get_mut(words.clone()).unwrap_or_default();
        for (mine, theirs) in own.iter_mut().zip(other.within(words)) {
            *mine = by(*mine, *theirs);
        }
    }

    fn in_use(&self) -> &[u64] {
        self.within(&self.used)
    }

    /// Returns a range of words; none if it is empty.
    fn within(&self, words: &Range<usize>) -> &[u64] {
        self.words.get(words.clone()).unwrap_or_default()
    }
}

/// Sets are equal if they have the same columns.
impl PartialEq for Columns {
    fn eq(&self, other: &Columns) -> bool {
        let words = either(&self.used, &other.used);
        self.words.len() == other.words.len() && self.within(&words) == other.within(&words)
    }
}

impl Eq for Columns {}

/// Returns the shortest range with both.
fn either(one: &Range<usize>, two: &Range<usize>) -> Range<usize> {
    match (one.is_empty(), two.is_empty()) {
        (true, _) => two.clone(),
        (_, true) => one.clone(),
        _ => one.start.min(two.start)..one.end.max(two.end),
    }
}

/// Returns the lowest `count` set bits.
fn lowest_bits(word: u64, count: usize) -> u64 {
    if count == word.count_ones() as usize {
        return word;
    }
    let mut rest = word;
    for _ in 0..count {
        rest &= rest.wrapping_sub(1);
    }
    word & !rest
}

/// Writes runs of columns: `0-3,7`.
impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, run) in self.runs().enumerate() {
            f.write_str(if at == 0 { "" } else { "," })?;
            let (from, to) = (run.start, run.end - 1);
            if from == to { write!(f, "{from}")? } else { write!(f, "{from}-{to}")? }
        }
        Ok(())
    }
}

impl fmt::Debug for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn runs_of_columns_are_drawn_as_runs() {
        assert_eq!(Columns::of(130, [0, 1, 2, 3, 7, 64, 65, 129]).to_string(), "0-3,7,64-65,129");
        assert_eq!(Columns::none(8).to_string(), "");
        assert_eq!(Columns::all(70).to_string(), "0-69");
        assert_eq!(Columns::all(64).to_string(), "0-63");
    }

    proptest! {
        #[test]
        fn columns_are_sets_of_numbers(
            one in prop::collection::btree_set(0usize..150, 0..150),
            two in prop::collection::btree_set(0usize..150, 0..150),
            count in 0usize..160,
        ) {
            let set = |numbers: &BTreeSet<usize>| Columns::of(150, numbers.iter().copied());
            let (mine, theirs) = (set(&one), set(&two));
            let with = |by: fn(&mut Columns, &Columns)| { let mut sum = mine.clone(); by(&mut sum, &theirs); sum };
            prop_assert_eq!(with(Columns::add), set(&(&one | &two)));
            prop_assert_eq!(with(Columns::take), set(&(&one - &two)));
            prop_assert_eq!(with(Columns::keep), set(&(&one & &two)));
            prop_assert_eq!(mine.is_disjoint(&theirs), one.is_disjoint(&two));
            prop_assert_eq!(mine.is_within(&theirs), one.is_subset(&two));
            prop_assert_eq!(mine.len(), one.len());
            prop_assert_eq!(mine.is_empty(), one.is_empty());
            prop_assert!((0..150).all(|column| mine.contains(column) == one.contains(&column)));
            prop_assert_eq!(mine.iter().collect::<Vec<_>>(), one.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(mine.runs().flatten().collect::<Vec<_>>(), one.iter().copied().collect::<Vec<_>>());
            prop_assert!(mine.runs().zip(mine.runs().skip(1)).all(|(run, next)| run.end < next.start));
            let lowest = (count <= one.len()).then(|| Columns::of(150, one.iter().copied().take(count)));
            prop_assert_eq!(mine.lowest(count), lowest);
            let mut without = mine.clone();
            without.remove(count);
            prop_assert!(!without.contains(count));
        }
    }
}
