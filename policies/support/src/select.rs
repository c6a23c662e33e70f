//! Selectors: which of the candidates that may start is next.
//!
//! A backfilling policy defines the room and the candidates that its reservations admit; the selector picks
//! the one that starts. It is called again after every start, when less is free and more is in use.

mod balanced;
mod fractions;
mod lowest;
mod pick;

use super::front::Room;
use super::queue::{Queue, Rank};
use crate::spec::{ParamError, Params, Setting};
use balanced::Balanced;
pub use balanced::MODIFIER;
use lowest::Lowest;
pub use lowest::{FULLNESS, LARGEST_TIED, LEAST_TIED, MATCH, MISS, W};
pub use pick::Pick;
use pick::first_fit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionRule {
    /// The first in the candidate order.
    FirstFit,
    /// Backfill Lowest of Leinberger et al., by the parameters [`W`], [`MATCH`], [`MISS`], [`FULLNESS`],
    /// [`LEAST_TIED`] and [`LARGEST_TIED`].
    Lowest,
    /// Backfill Balanced of Leinberger et al., by the parameter [`MODIFIER`].
    Balanced,
}

/// A rule of selection on a machine.
#[derive(Clone, Debug)]
pub enum Selector<const K: usize> {
    /// The first in the candidate order.
    FirstFit,
    /// The first candidate that requires most of the least used resources.
    Lowest(Lowest<K>),
    /// The candidate that leaves the resources most evenly used.
    Balanced(Balanced<K>),
}

impl<const K: usize> Selector<K> {
    /// Returns a rule for the machine of a setting. With one resource there is nothing to balance: Backfill
    /// Lowest has no window and is first fit.
    pub fn new(
        rule: SelectionRule,
        params: &Params,
        setting: &Setting<'_>,
    ) -> Result<Selector<K>, ParamError> {
        Ok(match rule {
            SelectionRule::FirstFit => Selector::FirstFit,
            SelectionRule::Lowest => {
                Lowest::new(params, setting)?.map_or(Selector::FirstFit, Selector::Lowest)
            }
            SelectionRule::Balanced => Selector::Balanced(Balanced::new(params, setting)?),
        })
    }

    /// Returns the next admitted candidate that has room in one of several places; the first place has all free resources.
    ///
    /// The rooms must have shrunk since the pick that `from` follows: first fit continues from there, in
    /// O(log n) per candidate examined; the other rules restart, in O(n·K).
    #[inline]
    pub fn next(
        &self,
        candidates: &Queue<K>,
        rooms: &[Room<K>],
        from: Option<Rank>,
        admits: impl FnMut(Rank) -> bool,
    ) -> Option<Pick> {
        match self {
            Selector::FirstFit => first_fit(candidates, rooms, from, admits),
            Selector::Lowest(lowest) => lowest.next(candidates, rooms, admits),
            Selector::Balanced(balanced) => balanced.next(candidates, rooms, admits),
        }
    }
}
