//! Backfill Balanced: the candidate that leaves the resources most evenly used.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::fractions::Fractions;
use super::pick::{Best, Pick};
use crate::front::Room;
use crate::queue::{Queue, Rank};
use crate::spec::{ParamError, ParamKind, ParamSpec, Params, Setting};

pub const MODIFIER: ParamSpec = ParamSpec {
    name: "fullness",
    kind: ParamKind::Choice(&["on", "off"]),
    default: "on",
    help: "whether the balance is multiplied by the amount left free on average, so that larger jobs win as \
        the machine fills",
    ..ParamSpec::PLAIN
};

/// Selects by balance times emptiness, the lowest first (policy `bb-easy`).
#[derive(Clone, Debug)]
pub struct Balanced<const K: usize> {
    fractions: Fractions<K>,
    fullness: bool,
}

impl<const K: usize> Balanced<K> {
    pub fn new(params: &Params, setting: &Setting<'_>) -> Result<Balanced<K>, ParamError> {
        Ok(Balanced { fractions: Fractions::new(setting), fullness: params.is_on(&MODIFIER)? })
    }

    /// Examines every candidate for which there is room: O(n·K), less the ranges in which no job fits.
    pub fn next(
        &self,
        candidates: &Queue<K>,
        rooms: &[Room<K>],
        mut admits: impl FnMut(Rank) -> bool,
    ) -> Option<Pick> {
        let used = self.fractions.used(&rooms.first()?.free);
        let mut best = Best::none();
        candidates.for_each_fitting(rooms, |rank, need| {
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
        let kinds = self.fractions.kinds().len() as i128;
        // A balance of 0/0 counts as 1.
        let (most, under) = if sum == 0 { (1, kinds) } else { (most, sum) };
        let free = if self.fullness { self.fractions.parts() * kinds - sum } else { 1 };
        Ratio { over: most * free, under }
    }
}

/// A score as a ratio, without the constant factor of the number of resources: max/mean·(1 − mean) is
/// proportional to max·(K − Σ)/Σ.
#[derive(Clone, Copy, Debug)]
struct Ratio {
    over: i128,
    under: i128,
}

impl Ord for Ratio {
    #[inline]
    fn cmp(&self, other: &Ratio) -> Ordering {
        (self.over * other.under).cmp(&(other.over * self.under))
    }
}

impl PartialOrd for Ratio {
    #[inline]
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    #[inline]
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

#[cfg(test)]
mod tests {
    use super::super::fractions::{LARGE, pool};
    use super::*;

    fn scores<const N: usize>(capacity: &[i64; 2], fullness: bool, demands: [[i64; 2]; N]) -> [Ratio; N] {
        let machine = pool(capacity);
        let balanced = Balanced::<2> { fractions: Fractions::new(&Setting::new(&machine)), fullness };
        demands.map(|demand| balanced.score(&[0, 0], &demand))
    }

    #[test]
    fn the_balance_of_nothing_is_one() {
        // A job that fills the machine leaves nothing: 0. Two halves score 1 * 0.5, a quarter of one resource 2 * 0.875.
        let full = scores(&[4, 4], true, [[4, 4], [2, 2], [0, 0], [1, 0]]);
        assert!(full.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(full[2], Ratio { over: 4, under: 1 });
        let balance = scores(&[4, 4], false, [[4, 4], [2, 2], [0, 0], [1, 0]]);
        assert!(balance[0] == balance[1] && balance[1] == balance[2] && balance[2] < balance[3]);
    }

    #[test]
    fn capacities_without_a_small_common_multiple_are_counted_in_fixed_parts() {
        let parts = |procs, other| [LARGE[0] / procs, LARGE[1] / other];
        // Two halves score 0.5, two quarters 0.75, a half and a quarter 4/3 * 5/8 = 0.833.
        let scores = scores(&LARGE, true, [parts(2, 2), parts(4, 4), parts(2, 4)]);
        assert!(scores[0] < scores[1] && scores[1] < scores[2]);
    }
}
