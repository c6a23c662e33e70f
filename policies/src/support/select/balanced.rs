//! Backfill Balanced: the candidate that leaves resources most evenly used.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::fractions::Fractions;
use super::{Best, Pick};
use crate::spec::Setting;
use crate::support::front::Room;
use crate::support::queue::{Queue, Rank};

/// Selects by balance times emptiness, the least first (see [`crate::leinberger::bb_easy`]).
#[derive(Clone, Debug)]
pub struct Balanced<const K: usize> {
    fractions: Fractions<K>,
}

impl<const K: usize> Balanced<K> {
    pub fn new(setting: &Setting<'_>) -> Balanced<K> {
        Balanced { fractions: Fractions::new(setting) }
    }

    /// Looks at every candidate for which there is room: O(n·K), less the ranges in which nobody fits.
    pub fn next(
        &self,
        candidates: &Queue<K>,
        room: &Room<K>,
        mut admits: impl FnMut(Rank) -> bool,
    ) -> Option<Pick> {
        let used = self.fractions.used(&room.free);
        let mut best = Best::none();
        candidates.for_each_fitting(room, |rank, need| {
            best.offer(self.score(&used, &need.demand), rank, &mut admits);
            ControlFlow::Continue(())
        });
        best.pick(true)
    }

    fn score(&self, used: &[i64; K], demand: &[i64; K]) -> Ratio {
        let (mut most, mut sum) = (0, 0);
        for &kind in self.fractions.kinds() {
            let after = self.fractions.part(kind, used[kind] + demand[kind]);
            most = after.max(most);
            sum += after;
        }
        if sum == 0 {
            // The balance of nothing counts as 1, and all is free.
            return Ratio { over: self.fractions.parts(), under: 1 };
        }
        let all = self.fractions.parts() * self.fractions.kinds().len() as i128;
        Ratio { over: most * (all - sum), under: sum }
    }
}

/// A score times the parts of a whole: max/mean·(1 − mean) is max·(K − Σ)/Σ.
#[derive(Clone, Copy, Debug)]
struct Ratio {
    over: i128,
    under: i128,
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        (self.over * other.under).cmp(&(other.over * self.under))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

#[cfg(test)]
mod tests {
    use super::super::fractions::tests::{LARGE, pool};
    use super::*;

    #[test]
    fn the_balance_of_nothing_is_one() {
        let balanced = Balanced::<2>::new(&Setting::new(&pool(&[4, 4])));
        // A whole machine leaves nothing: 0. Two halves score 1 * 0.5, a quarter of one resource 2 * 0.875.
        let scores = [[4, 4], [2, 2], [0, 0], [1, 0]].map(|demand| balanced.score(&[0, 0], &demand));
        assert!(
            scores.is_sorted() && scores[0] != scores[1] && scores[1] != scores[2] && scores[2] != scores[3]
        );
        assert_eq!(scores[2], Ratio { over: 4, under: 1 });
    }

    #[test]
    fn capacities_without_a_small_common_multiple_are_counted_in_fixed_parts() {
        let balanced = Balanced::<2>::new(&Setting::new(&pool(&LARGE)));
        let score = |procs: i64, other: i64| balanced.score(&[0, 0], &[LARGE[0] / procs, LARGE[1] / other]);
        // 1/2 and 1/4: 4/3 * 5/8 = 0.833; 1/4 and 1/4: 0.75; 1/2 and 1/2: 0.5.
        assert!(score(2, 2) < score(4, 4) && score(4, 4) < score(2, 4));
    }
}
