//! Sets of processors, as bits.

use std::fmt;

/// A set of columns of a matrix, that is, of processors by number. Set operations are O(columns / 64).
///
/// Sets that are combined must belong to machines of the same size.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Columns {
    words: Vec<u64>,
}

const BITS: usize = u64::BITS as usize;

impl Columns {
    /// Returns the empty set, for a machine with `width` columns.
    pub fn none(width: usize) -> Columns {
        Columns { words: vec![0; width.div_ceil(BITS)] }
    }

    /// Returns all columns of a machine with `width` columns.
    pub fn all(width: usize) -> Columns {
        let mut all = Columns { words: vec![u64::MAX; width.div_ceil(BITS)] };
        if let Some(last) = all.words.last_mut()
            && !width.is_multiple_of(BITS)
        {
            *last = (1 << (width % BITS)) - 1;
        }
        all
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
        self.words[column / BITS] |= 1 << (column % BITS);
    }

    /// Removes a column.
    pub fn remove(&mut self, column: usize) {
        if let Some(word) = self.words.get_mut(column / BITS) {
            *word &= !(1 << (column % BITS));
        }
    }

    /// Removes all columns.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Whether the set contains a column.
    pub fn contains(&self, column: usize) -> bool {
        self.words.get(column / BITS).is_some_and(|word| word >> (column % BITS) & 1 == 1)
    }

    /// Returns the number of columns.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Whether two sets have no column in common.
    pub fn is_disjoint(&self, other: &Columns) -> bool {
        self.words.iter().zip(&other.words).all(|(mine, theirs)| mine & theirs == 0)
    }

    /// Whether every column of this set is in the other.
    pub fn is_within(&self, other: &Columns) -> bool {
        self.words.iter().zip(&other.words).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Adds all columns of another set.
    pub fn add(&mut self, other: &Columns) {
        self.combine(other, |mine, theirs| mine | theirs);
    }

    /// Removes all columns of another set.
    pub fn take(&mut self, other: &Columns) {
        self.combine(other, |mine, theirs| mine & !theirs);
    }

    /// Keeps only the columns that are also in another set.
    pub fn keep(&mut self, other: &Columns) {
        self.combine(other, |mine, theirs| mine & theirs);
    }

    /// Returns the lowest `count` columns; `None` if there are not enough.
    pub fn lowest(&self, count: usize) -> Option<Columns> {
        let mut left = count;
        let mut lowest = Columns { words: vec![0; self.words.len()] };
        for (to, &from) in lowest.words.iter_mut().zip(&self.words) {
            let here = from.count_ones() as usize;
            if here <= left {
                *to = from;
                left -= here;
            } else {
                *to = lowest_bits(from, left);
                left = 0;
            }
            if left == 0 {
                return Some(lowest);
            }
        }
        (left == 0).then_some(lowest)
    }

    /// Returns the columns in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(index * BITS + bit)
            })
        })
    }

    fn combine(&mut self, other: &Columns, by: impl Fn(u64, u64) -> u64) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine = by(*mine, *theirs);
        }
    }
}

/// Returns the lowest `count` set bits.
fn lowest_bits(word: u64, count: usize) -> u64 {
    let mut rest = word;
    for _ in 0..count {
        rest &= rest.wrapping_sub(1);
    }
    word & !rest
}

/// Writes runs of columns: `0-3,7`.
impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut columns = self.iter().peekable();
        let mut first = true;
        while let Some(from) = columns.next() {
            let mut to = from;
            while columns.next_if_eq(&(to + 1)).is_some() {
                to += 1;
            }
            f.write_str(if first { "" } else { "," })?;
            first = false;
            if to == from { write!(f, "{from}")? } else { write!(f, "{from}-{to}")? }
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
        /// Every operation gives the same result as on sets of numbers.
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
            let lowest = (count <= one.len()).then(|| Columns::of(150, one.iter().copied().take(count)));
            prop_assert_eq!(mine.lowest(count), lowest);
            let mut without = mine.clone();
            without.remove(count);
            prop_assert!(!without.contains(count));
        }
    }
}
