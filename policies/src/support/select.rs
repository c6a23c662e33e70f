//! Selectors: which of the candidates that may start is next.
//!
//! A backfilling policy says what there is room for and whom its reservations admit; the selector says who starts. It
//! is asked again after every start, when less is free and more is in use.

mod balanced;
mod fractions;
mod lowest;

use super::front::Room;
use super::queue::{Queue, Rank};
use crate::spec::{Params, Setting};
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
    /// The first that asks most of what is used least.
    Lowest(Lowest<K>),
    /// The one that leaves resources most evenly used.
    Balanced(Balanced<K>),
}

/// A selected candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The candidate.
    rank: Rank,
    /// Whether it was chosen by score among several.
    chosen: bool,
    /// Whether it shares its score with others behind it.
    tied: bool,
}

impl Pick {
    /// Returns the candidate, and counts the choice where it was one by score.
    pub fn told(self, turn: &mut Turn<'_>) -> Rank {
        if self.chosen {
            turn.tied("scores", 1, self.tied.into());
        }
        self.rank
    }
}

impl<const K: usize> Selector<K> {
    /// Returns a rule for the machine of a setting. With one resource there is nothing to balance: without a window
    /// Backfill Lowest is first fit.
    pub fn new(rule: SelectionRule, params: &Params, setting: &Setting<'_>) -> Selector<K> {
        match rule {
            SelectionRule::FirstFit => Selector::FirstFit,
            SelectionRule::Lowest => {
                Lowest::new(params, setting).map_or(Selector::FirstFit, Selector::Lowest)
            }
            SelectionRule::Balanced => Selector::Balanced(Balanced::new(params, setting)),
        }
    }

    /// Returns the next of the candidates for which there is room and which are admitted.
    ///
    /// What there is room for must have shrunk since the pick before which `from` comes next: first fit goes on from
    /// there, in O(log n) per candidate asked; the other rules begin anew, in O(n·K).
    #[inline]
    pub fn next(
        &self,
        candidates: &Queue<K>,
        room: &Room<K>,
        from: Option<Rank>,
        admits: impl FnMut(Rank) -> bool,
    ) -> Option<Pick> {
        match self {
            Selector::FirstFit => first_fit(candidates, room, from, admits),
            Selector::Lowest(lowest) => lowest.next(candidates, room, admits),
            Selector::Balanced(balanced) => balanced.next(candidates, room, admits),
        }
    }
}

#[inline]
fn first_fit<const K: usize>(
    candidates: &Queue<K>,
    room: &Room<K>,
    mut from: Option<Rank>,
    mut admits: impl FnMut(Rank) -> bool,
) -> Option<Pick> {
    loop {
        let rank = candidates.find(from, room)?;
        if admits(rank) {
            return Some(Pick { rank, chosen: false, tied: false });
        }
        from = Some(rank.next());
    }
}

/// The best of the candidates seen, ties to the first.
struct Best<S> {
    leader: Option<(S, Rank)>,
    tied: bool,
    rivals: bool,
}

impl<S: Ord> Best<S> {
    fn none() -> Best<S> {
        Best { leader: None, tied: false, rivals: false }
    }

    /// Looks at a candidate; one that is worse than the best is not asked whether it is admitted.
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

    /// Whether a candidate with this score is the best.
    fn is_at(&self, score: &S) -> bool {
        self.leader.as_ref().is_some_and(|(best, _)| best == score)
    }

    /// Returns the best; whether it was chosen by score is for the rule to say.
    fn pick(self, by_score: bool) -> Option<Pick> {
        let chosen = by_score && self.rivals;
        self.leader.map(|(_, rank)| Pick { rank, chosen, tied: chosen && self.tied })
    }
}
