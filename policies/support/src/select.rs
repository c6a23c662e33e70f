//! Selectors: which of the candidates that may start is next.
//!
//! A backfilling policy defines the room and the candidates that its reservations admit; the selector picks
//! the one that starts. It is called again after every start, when less is free and more is in use.

mod balanced;
mod fractions;
mod lowest;

use super::front::Room;
use super::queue::{Queue, Rank};
use crate::spec::{ParamError, Params, Setting};
use crate::tally;
use crate::turn::Turn;
use balanced::Balanced;
pub use balanced::MODIFIER;
use lowest::Lowest;
pub use lowest::{FULLNESS, LARGEST_TIED, LEAST_TIED, MATCH, MISS, W};

/// The rules of selection.
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

/// A selected candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The candidate.
    rank: Rank,
    /// Whether it was chosen by score among several candidates.
    chosen: bool,
    /// Whether candidates behind it have the same score.
    tied: bool,
}

impl Pick {
    /// Returns the candidate, and counts the choice if it was made by score.
    #[inline]
    pub fn told(self, turn: &mut Turn<'_>) -> Rank {
        if self.chosen {
            turn.tied(tally::SCORES, 1, self.tied.into());
        }
        self.rank
    }
}

impl<const K: usize> Selector<K> {
    /// Returns a rule for the machine of a setting. With one resource there is nothing to balance: Backfill
    /// Lowest has no window and is first fit.
    ///
    /// # Errors
    /// When a parameter has a word of another.
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

#[inline]
fn first_fit<const K: usize>(
    candidates: &Queue<K>,
    rooms: &[Room<K>],
    mut from: Option<Rank>,
    mut admits: impl FnMut(Rank) -> bool,
) -> Option<Pick> {
    loop {
        let rank = candidates.find_in(from, rooms)?;
        if admits(rank) {
            return Some(Pick { rank, chosen: false, tied: false });
        }
        from = Some(rank.next());
    }
}

/// The best candidate so far, ties to the first.
struct Best<S> {
    leader: Option<(S, Rank)>,
    tied: bool,
    rivals: bool,
}

impl<S: Ord> Best<S> {
    fn none() -> Best<S> {
        Best { leader: None, tied: false, rivals: false }
    }

    /// Examines a candidate; a candidate worse than the best is not checked for admission.
    fn offer(&mut self, score: S, rank: Rank, admits: &mut impl FnMut(Rank) -> bool) {
        let Some((best, _)) = &self.leader else {
            self.leader = admits(rank).then_some((score, rank));
            return;
        };
        let order = score.cmp(best);
        if order.is_gt() {
            self.rivals = true;
        } else if admits(rank) {
            self.rivals = true;
            self.tied = order.is_eq();
            if order.is_lt() {
                self.leader = Some((score, rank));
            }
        }
    }

    /// Whether the best candidate has this score.
    fn is_at(&self, score: &S) -> bool {
        self.leader.as_ref().is_some_and(|(best, _)| best == score)
    }

    /// Returns the best candidate; `by_score` states whether the rule chose it by score.
    fn pick(self, by_score: bool) -> Option<Pick> {
        let chosen = by_score && self.rivals;
        self.leader.map(|(_, rank)| Pick { rank, chosen, tied: chosen && self.tied })
    }
}
