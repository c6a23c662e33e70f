//! What a rule selects: the first candidate that fits, or the best by score.

use crate::front::Room;
use crate::queue::{Queue, Rank};
use crate::tally;
use crate::turn::Turn;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
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

#[inline]
pub(super) fn first_fit<const K: usize>(
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
pub(super) struct Best<S> {
    leader: Option<(S, Rank)>,
    tied: bool,
    rivals: bool,
}

impl<S: Ord> Best<S> {
    pub fn none() -> Best<S> {
        Best { leader: None, tied: false, rivals: false }
    }

    /// Examines a candidate; a candidate worse than the best is not checked for admission.
    pub fn offer(&mut self, score: S, rank: Rank, admits: &mut impl FnMut(Rank) -> bool) {
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

    pub fn is_at(&self, score: &S) -> bool {
        self.leader.as_ref().is_some_and(|(best, _)| best == score)
    }

    /// Returns the best candidate; `by_score` states whether the rule chose it by score.
    pub fn pick(self, by_score: bool) -> Option<Pick> {
        let chosen = by_score && self.rivals;
        self.leader.map(|(_, rank)| Pick { rank, chosen, tied: chosen && self.tied })
    }
}
