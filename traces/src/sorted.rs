//! Maps and sets in the order of their keys, for the many kinds that a program has: compiled, each is a fifth of a B-tree of the
//! library. Pairs lie in sorted runs of bounded length, one after the other.
//!
//! A search compares O(log n) keys of n. What is inserted or removed moves the rest of its run, at most 64 pairs, and once
//! in 32 times the list of runs, n / 32 pointers at most. Methods are those of the library's `BTreeMap` and `BTreeSet`, by name.

#![allow(missing_docs)]

mod entry;
mod iter;
mod set;
#[cfg(test)]
mod tests;
mod traits;

use std::borrow::Borrow;
use std::ops::{Bound, RangeBounds};

pub use self::entry::{Entry, Occupied, Vacant};
pub use self::iter::{IntoIter, Iter, IterMut};
pub use self::set::SortedSet;

/// The most pairs of a run.
const RUN: usize = 64;

/// A map in the order of its keys.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    /// None is empty.
    runs: Vec<Vec<(K, V)>>,
    len: usize,
}

/// A place in a map: the run, and the pair in it. Past the last pair: the number of runs, 0.
type Place = (usize, usize);

impl<K, V> SortedMap<K, V> {
    pub const fn new() -> SortedMap<K, V> {
        SortedMap { runs: Vec::new(), len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn clear(&mut self) {
        self.runs.clear();
        self.len = 0;
    }

    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter::new(&self.runs, (0, 0), (self.runs.len(), 0))
    }

    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        self.runs.iter_mut().flatten().map(|(key, value)| (&*key, value))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.runs.iter_mut().flatten().map(|(_, value)| value)
    }

    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> {
        self.into_iter().map(|(key, _)| key)
    }

    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }

    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.at((0, 0))
    }

    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        let (key, value) = self.runs.last()?.last()?;
        Some((key, value))
    }

    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (self.len > 0).then(|| self.remove_at((0, 0)))
    }

    pub fn first_entry(&mut self) -> Option<Occupied<'_, K, V>> {
        (self.len > 0).then_some(Occupied { map: self, place: (0, 0) })
    }

    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        for run in &mut self.runs {
            run.retain_mut(|(key, value)| is_kept(key, value));
        }
        self.runs.retain(|run| !run.is_empty());
        self.len = self.runs.iter().map(Vec::len).sum();
    }

    fn at(&self, (run, at): Place) -> Option<(&K, &V)> {
        let (key, value) = self.runs.get(run)?.get(at)?;
        Some((key, value))
    }

    /// Returns the place of the first key that is not before what is searched for.
    fn place(&self, is_before: impl Fn(&K) -> bool) -> Place {
        let run = self.runs.partition_point(|run| run.last().is_some_and(|(key, _)| is_before(key)));
        (run, self.runs.get(run).map_or(0, |run| run.partition_point(|(key, _)| is_before(key))))
    }

    fn remove_at(&mut self, (run, at): Place) -> (K, V) {
        let pair = self.runs[run].remove(at);
        if self.runs[run].is_empty() {
            self.runs.remove(run);
        }
        self.len -= 1;
        pair
    }

    /// Inserts a pair at its place, and returns where it is then.
    fn insert_at(&mut self, (mut run, mut at): Place, pair: (K, V)) -> Place {
        self.len += 1;
        if run == self.runs.len() {
            // It is the last: it follows the last run, as long as there is room.
            match self.runs.last() {
                Some(last) if last.len() < RUN => (run, at) = (run - 1, last.len()),
                _ => {
                    self.runs.push(vec![pair]);
                    return (run, 0);
                }
            }
        }
        if self.runs[run].len() == RUN {
            let later = self.runs[run].split_off(RUN / 2);
            self.runs.insert(run + 1, later);
            if at > RUN / 2 {
                (run, at) = (run + 1, at - RUN / 2);
            }
        }
        self.runs[run].insert(at, pair);
        (run, at)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Returns the place of a key, or else where it would be.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        let place = self.place(|other| other.borrow() < key);
        match self.at(place) {
            Some((other, _)) if other.borrow() == key => Ok(place),
            _ => Err(place),
        }
    }

    #[inline]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        // Asked for each job, and empty in most replays.
        if self.is_empty() {
            return None;
        }
        self.find(key).ok().map(|(run, at)| &self.runs[run][at].1)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|(run, at)| &mut self.runs[run][at].1)
    }

    #[inline]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        !self.is_empty() && self.find(key).is_ok()
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok((run, at)) => Some(std::mem::replace(&mut self.runs[run][at].1, value)),
            Err(place) => {
                self.insert_at(place, (key, value));
                None
            }
        }
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|place| self.remove_at(place).1)
    }

    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        match self.find(&key) {
            Ok(place) => Entry::Occupied(Occupied { map: self, place }),
            Err(place) => Entry::Vacant(Vacant { map: self, place, key }),
        }
    }

    #[must_use]
    pub fn split_off<Q: Ord + ?Sized>(&mut self, key: &Q) -> SortedMap<K, V>
    where
        K: Borrow<Q>,
    {
        let (run, at) = self.place(|other| other.borrow() < key);
        let mut runs = self.runs.split_off(run);
        if at > 0 {
            let later = runs[0].split_off(at);
            self.runs.push(std::mem::replace(&mut runs[0], later));
        }
        let len = runs.iter().map(Vec::len).sum();
        self.len -= len;
        SortedMap { runs, len }
    }

    /// Unlike the library's, returns nothing if the bounds cross.
    pub fn range<Q: Ord + ?Sized>(&self, bounds: impl RangeBounds<Q>) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let (from, to) = self.between(bounds);
        Iter::new(&self.runs, from, to)
    }

    /// Unlike the library's, returns nothing if the bounds cross.
    pub fn range_mut<Q: Ord + ?Sized>(
        &mut self,
        bounds: impl RangeBounds<Q>,
    ) -> impl Iterator<Item = (&K, &mut V)>
    where
        K: Borrow<Q>,
    {
        let (from, to) = self.between(bounds);
        let from = from.min(to);
        let runs = self.runs.iter_mut().enumerate().skip(from.0).take(to.0 + 1 - from.0);
        let within = runs.flat_map(move |(run, pairs)| {
            let begin = if run == from.0 { from.1 } else { 0 };
            let end = if run == to.0 { to.1 } else { pairs.len() };
            &mut pairs[begin..end]
        });
        within.map(|(key, value)| (&*key, value))
    }

    /// Returns the places between which the keys within bounds are.
    fn between<Q: Ord + ?Sized>(&self, bounds: impl RangeBounds<Q>) -> (Place, Place)
    where
        K: Borrow<Q>,
    {
        let from = match bounds.start_bound() {
            Bound::Included(key) => self.place(|other| other.borrow() < key),
            Bound::Excluded(key) => self.place(|other| other.borrow() <= key),
            Bound::Unbounded => (0, 0),
        };
        let to = match bounds.end_bound() {
            Bound::Included(key) => self.place(|other| other.borrow() <= key),
            Bound::Excluded(key) => self.place(|other| other.borrow() < key),
            Bound::Unbounded => (self.runs.len(), 0),
        };
        (from, to)
    }
}
