//! Successive steps of a profile, with the least and the most that is free in any of them.

use std::ops::Range;

use batchlab_traces::Time;

use crate::support::amounts::{least, most, plus};

/// The most steps in a run.
pub(super) const MOST: usize = 32;

/// The number of changes after which the bounds of a run are computed again.
const MOST_WORN: u32 = 8;

/// Successive steps.
#[derive(Clone, Debug)]
pub(super) struct StepRun<const K: usize> {
    /// Where the first step begins.
    pub(super) begin: Time,
    pub(super) steps: Vec<ProfileStep<K>>,
    /// What is free in every step, beside the amounts of the steps.
    pub(super) plus: [i64; K],
    /// Per resource, no less than this is free in any step.
    pub(super) least: [i64; K],
    /// Per resource, no more than this is free in any step.
    pub(super) most: [i64; K],
    /// How often single steps have changed since these bounds were exact.
    worn: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ProfileStep<const K: usize> {
    pub(super) from: Time,
    pub(super) free: [i64; K],
}

impl<const K: usize> StepRun<K> {
    pub(super) fn new(steps: Vec<ProfileStep<K>>, plus: [i64; K]) -> StepRun<K> {
        let mut run = StepRun { begin: steps[0].from, steps, plus, least: [0; K], most: [0; K], worn: 0 };
        run.sum_up();
        run
    }

    #[inline]
    pub(super) fn free(&self, step: usize) -> [i64; K] {
        plus(self.steps[step].free, self.plus)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Time, [i64; K])> + '_ {
        self.steps.iter().map(|step| (step.from, plus(step.free, self.plus)))
    }

    /// Returns the index of the last step that begins by an instant, 0 if none does.
    #[inline]
    pub(super) fn holding(&self, at: Time) -> usize {
        self.steps.partition_point(|step| step.from <= at).saturating_sub(1)
    }

    /// Computes what is free in any step.
    pub(super) fn sum_up(&mut self) {
        let (mut lowest, mut highest) = ([i64::MAX; K], [i64::MIN; K]);
        for step in &self.steps {
            (lowest, highest) = (least(lowest, step.free), most(highest, step.free));
        }
        (self.least, self.most) = (plus(lowest, self.plus), plus(highest, self.plus));
        self.worn = 0;
    }

    /// Changes what is free in some steps; returns bounds on the least and the most that is free in any of them then.
    pub(super) fn change(&mut self, steps: Range<usize>, by: [i64; K]) -> ([i64; K], [i64; K]) {
        if steps.len() == self.steps.len() {
            self.plus = plus(self.plus, by);
            (self.least, self.most) = (plus(self.least, by), plus(self.most, by));
            return (self.least, self.most);
        }
        let (mut lowest, mut highest) = ([i64::MAX; K], [i64::MIN; K]);
        for step in &mut self.steps[steps] {
            step.free = plus(step.free, by);
            (lowest, highest) = (least(lowest, step.free), most(highest, step.free));
        }
        let (lowest, highest) = (plus(lowest, self.plus), plus(highest, self.plus));
        self.worn += 1;
        if self.worn < MOST_WORN {
            (self.least, self.most) = (least(self.least, lowest), most(self.most, highest));
        } else {
            self.sum_up();
        }
        (lowest, highest)
    }
}
