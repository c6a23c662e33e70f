//! Lower bounds on earliest starts in a plan to which reservations are only added.
//!
//! A job that needs at least as many processors as another, for at least as long, starts no earlier than that one could when it
//! was planned. Unless they are equal, needs and stays are compared in classes, so that the best bound is found in a table: a
//! Fenwick tree of maxima in two dimensions. On nodes, jobs of the same shape are compared by their stays.

use batchlab_traces::Time;
use batchlab_traces::sorted::SortedMap;
use rustc_hash::FxHashMap;

use super::plan::{Reservation, ReservationPlan};
use super::shapes::Shape;
use crate::policy::PolicyError;
use crate::turn::Turn;
use crate::view::JobView;

/// The number of searches from which bounds pay.
const MANY: u32 = 32;

/// Classes of processors and of stays, counted from 1.
const NEEDS: usize = 32;
const STAYS: usize = 96;

#[derive(Clone, Debug)]
pub struct Bounds<const K: usize> {
    /// The number of searches since all bounds were forgotten.
    searches: u32,
    /// On nodes: by stay, for each shape; longer stays have later bounds.
    shapes: FxHashMap<Shape<K>, SortedMap<Time, Time>>,
    /// By processors and stay.
    equal: FxHashMap<(i64, Time), Time>,
    /// By class of processors and class of stays.
    classes: Vec<Time>,
}

impl<const K: usize> Default for Bounds<K> {
    fn default() -> Bounds<K> {
        Bounds {
            searches: 0,
            shapes: FxHashMap::default(),
            equal: FxHashMap::default(),
            classes: vec![Time::ZERO; (NEEDS + 1) * (STAYS + 1)],
        }
    }
}

impl<const K: usize> Bounds<K> {
    pub fn clear(&mut self) {
        if !self.equal.is_empty() {
            self.equal.clear();
            self.classes.fill(Time::ZERO);
        }
        self.shapes.clear();
        self.searches = 0;
    }

    /// Returns a job's earliest reservation in a plan, as [`ReservationPlan::earliest`]. Bounds are used if
    /// the plan is one of nodes, or of a pool with processors only.
    ///
    /// # Errors
    /// When the job can never fit; the reading of jobs rules this out.
    pub fn earliest(
        &mut self,
        plan: &ReservationPlan<K>,
        turn: &Turn<'_>,
        job: JobView<'_>,
        stay: Time,
    ) -> Result<Reservation<K>, PolicyError> {
        if matches!(plan, ReservationPlan::Nodes(..)) {
            return self.earliest_on_nodes(plan, turn, job, stay);
        }
        self.searches += 1;
        if K > 1 || self.searches <= MANY {
            return plan.earliest(turn, job, stay);
        }
        let known = self.of(job.procs(), stay);
        let reservation = plan.earliest_from(turn, job, stay, known)?;
        // The smaller job that gave the bound gives it to larger ones, too.
        if reservation.slot.from > known {
            self.add(job.procs(), stay, reservation.slot.from);
        }
        Ok(reservation)
    }

    fn earliest_on_nodes(
        &mut self,
        plan: &ReservationPlan<K>,
        turn: &Turn<'_>,
        job: JobView<'_>,
        stay: Time,
    ) -> Result<Reservation<K>, PolicyError> {
        let known = self.shapes.entry(Shape::of(turn.machine(), job)).or_default();
        let before = known.range(..=stay).next_back().map_or(Time::ZERO, |(_, &before)| before);
        let reservation = plan.earliest_from(turn, job, stay, before)?;
        let from = reservation.slot.from;
        if from > before {
            while let Some((&longer, _)) = known.range(stay..).next().filter(|(_, before)| **before <= from) {
                known.remove(&longer);
            }
            known.insert(stay, from);
        }
        Ok(reservation)
    }

    /// Notes that a job with this need and stay cannot start before an instant, neither now nor later.
    pub fn add(&mut self, procs: i64, stay: Time, before: Time) {
        self.equal.insert((procs, stay), before);
        let mut need = class(procs, 1, true);
        while need <= NEEDS {
            let mut long = class((stay.ticks() + (1 << 20) - 1) >> 20, 2, true) + 1;
            while long <= STAYS {
                let bound = &mut self.classes[need * (STAYS + 1) + long];
                *bound = before.max(*bound);
                long += long & long.wrapping_neg();
            }
            need += need & need.wrapping_neg();
        }
    }

    /// Returns an instant before which a job with this need and stay cannot start.
    pub fn of(&self, procs: i64, stay: Time) -> Time {
        let mut before = self.equal.get(&(procs, stay)).copied().unwrap_or(Time::ZERO);
        let mut need = class(procs, 1, false).min(NEEDS);
        while need > 0 {
            let mut long = (class(stay.ticks() >> 20, 2, false) + 1).min(STAYS);
            while long > 0 {
                before = before.max(self.classes[need * (STAYS + 1) + long]);
                long &= long - 1;
            }
            need &= need - 1;
        }
        before
    }
}

/// Returns the class of a number: numbers below 2^(bits+1) have their own, beyond that each power of two has
/// 2^bits classes. Rounds down to the class that begins by the number, or up to the next.
#[inline]
fn class(number: i64, bits: u32, up: bool) -> usize {
    let number = number.max(0) as u64;
    let shift = (u64::BITS - number.leading_zeros()).saturating_sub(bits + 1);
    let class = ((u64::from(shift) << bits) + (number >> shift)) as usize;
    class + usize::from(up && (number >> shift) << shift != number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_bound_is_that_of_a_smaller_job_and_nearly_the_best(
            known in prop::collection::vec((1i64..200, 1i64..100_000, 0i64..1000), 0..30),
            procs in 1i64..200,
            stay in 1i64..100_000,
        ) {
            let mut bounds = Bounds::<1>::default();
            for &(procs, stay, before) in &known {
                bounds.add(procs, Time::from_secs(stay), Time::from_secs(before));
            }
            let best = |less: fn(i64) -> i64| {
                let smaller = known.iter().filter(|one| one.0 <= less(procs) && one.1 <= less(stay));
                smaller.map(|one| Time::from_secs(one.2)).max().unwrap_or(Time::ZERO)
            };
            let found = bounds.of(procs, Time::from_secs(stay));
            prop_assert!(found <= best(|most| most), "{:?}", found);
            prop_assert!(found >= best(|most| most / 2 - 2), "{:?}", found);
        }
    }
}
