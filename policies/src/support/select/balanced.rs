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
