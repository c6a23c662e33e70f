//! Walks over a map.

use std::iter::{Flatten, FusedIterator, Map as Mapped};

use super::{Place, SortedMap};

/// The pairs of a map between two places.
pub struct Iter<'m, K, V> {
    runs: &'m [Vec<(K, V)>],
    from: Place,
    to: Place,
}

/// The pairs of a map, whose values may be changed.
pub type IterMut<'m, K, V> =
    Mapped<Flatten<std::slice::IterMut<'m, Vec<(K, V)>>>, fn(&'m mut (K, V)) -> (&'m K, &'m mut V)>;

/// The pairs that a map had.
pub type IntoIter<K, V> = Flatten<std::vec::IntoIter<Vec<(K, V)>>>;

impl<'m, K, V> Iter<'m, K, V> {
    pub(super) fn new(runs: &'m [Vec<(K, V)>], from: Place, to: Place) -> Iter<'m, K, V> {
        Iter { runs, from: from.min(to), to }
    }
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Iter { ..*self }
    }
}

impl<'m, K, V> Iterator for Iter<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        if self.from == self.to {
            return None;
        }
        let (run, at) = self.from;
        let (key, value) = &self.runs[run][at];
        self.from = if at + 1 < self.runs[run].len() { (run, at + 1) } else { (run + 1, 0) };
        Some((key, value))
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.from == self.to {
            return None;
        }
        self.to = match self.to {
            (run, 0) => (run - 1, self.runs[run - 1].len() - 1),
            (run, at) => (run, at - 1),
        };
        let (key, value) = &self.runs[self.to.0][self.to.1];
        Some((key, value))
    }
}

impl<K, V> FusedIterator for Iter<'_, K, V> {}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        self.runs.into_iter().flatten()
    }
}

impl<'m, K, V> IntoIterator for &'m SortedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;

    fn into_iter(self) -> Iter<'m, K, V> {
        self.iter()
    }
}

impl<'m, K, V> IntoIterator for &'m mut SortedMap<K, V> {
    type Item = (&'m K, &'m mut V);
    type IntoIter = IterMut<'m, K, V>;

    fn into_iter(self) -> IterMut<'m, K, V> {
        self.iter_mut()
    }
}
