use std::borrow::Borrow;
use std::ops::RangeBounds;

use super::SortedMap;

/// A set in the order of its values: the keys of a map.
#[derive(Clone)]
pub struct SortedSet<T> {
    pub(super) map: SortedMap<T, ()>,
}

impl<T> SortedSet<T> {
    pub const fn new() -> SortedSet<T> {
        SortedSet { map: SortedMap::new() }
    }

    pub fn len(&self) -> usize {
        self.map.len()
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pub fn clear(&mut self) {
        self.map.clear();
    }

    pub fn iter(&self) -> SetIter<'_, T> {
        self.map.iter().map(|(value, ())| value)
    }

    pub fn first(&self) -> Option<&T> {
        self.map.first_key_value().map(|(value, ())| value)
    }

    pub fn last(&self) -> Option<&T> {
        self.map.last_key_value().map(|(value, ())| value)
    }

    pub fn pop_first(&mut self) -> Option<T> {
        self.map.pop_first().map(|(value, ())| value)
    }

    pub fn retain(&mut self, mut is_kept: impl FnMut(&T) -> bool) {
        self.map.retain(|value, ()| is_kept(value));
    }
}

impl<T: Ord> SortedSet<T> {
    pub fn contains<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.map.contains_key(value)
    }

    pub fn get<Q: Ord + ?Sized>(&self, value: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        self.map.find(value).ok().and_then(|place| self.map.at(place)).map(|(value, ())| value)
    }

    #[must_use]
    pub fn split_off<Q: Ord + ?Sized>(&mut self, value: &Q) -> SortedSet<T>
    where
        T: Borrow<Q>,
    {
        SortedSet { map: self.map.split_off(value) }
    }

    pub fn insert(&mut self, value: T) -> bool {
        self.map.insert(value, ()).is_none()
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.map.remove(value).is_some()
    }

    /// Unlike the library's, returns nothing if the bounds cross.
    pub fn range<Q: Ord + ?Sized>(&self, bounds: impl RangeBounds<Q>) -> SetIter<'_, T>
    where
        T: Borrow<Q>,
    {
        self.map.range(bounds).map(|(value, ())| value)
    }

    pub fn intersection<'s>(&'s self, other: &'s SortedSet<T>) -> impl Iterator<Item = &'s T> {
        self.iter().filter(|value| other.contains(*value))
    }
}

/// The values of a set, in order.
pub type SetIter<'s, T> = std::iter::Map<super::Iter<'s, T, ()>, fn((&'s T, &'s ())) -> &'s T>;

/// The values that a set had.
pub type SetIntoIter<T> = std::iter::Map<super::IntoIter<T, ()>, fn((T, ())) -> T>;

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = SetIntoIter<T>;

    fn into_iter(self) -> SetIntoIter<T> {
        self.map.into_iter().map(|(value, ())| value)
    }
}

impl<'s, T> IntoIterator for &'s SortedSet<T> {
    type Item = &'s T;
    type IntoIter = SetIter<'s, T>;

    fn into_iter(self) -> SetIter<'s, T> {
        self.iter()
    }
}
