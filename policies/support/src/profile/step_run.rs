use std::ops::{ControlFlow, Range};

use batchlab_traces::Time;

use crate::amounts::{least, minus, most, plus, within};

/// The most steps of a run that rests. While a profile is changed at two instants a run may have two more.
pub(super) const MOST: usize = ROOM - 2;

const ROOM: usize = 32;

/// The number of changes after which the bounds of a run are computed again.
const MOST_WORN: u32 = 8;

/// Successive steps. Their beginnings and their free amounts are separate arrays, because most searches look for an instant.
#[derive(Clone, Debug)]
pub(super) struct StepRun<const K: usize> {
    steps: Box<Steps<K>>,
    len: usize,
    /// An amount that is free in every step, in addition to the amounts of the steps.
    plus: [i64; K],
    /// Per resource, no less than this is free in any step.
    pub(super) least: [i64; K],
    /// Per resource, no more than this is free in any step.
    pub(super) most: [i64; K],
    /// The number of changes of single steps since these bounds were exact.
    worn: u32,
}

/// A search for the earliest instant from which a need is free for a duration.
pub(super) struct Search<const K: usize> {
    /// The earliest result.
    pub(super) from: Time,
    /// The latest result.
    pub(super) last: Time,
    pub(super) need: [i64; K],
    pub(super) duration: Time,
    /// The instant since which the need has been free without a break, and the instant up to which it must be free.
    pub(super) start: Option<(Time, Time)>,
}

#[derive(Clone, Debug)]
struct Steps<const K: usize> {
    /// The beginning of each step; [`Time::MAX`] behind the last.
    from: [Time; ROOM],
    free: [[i64; K]; ROOM],
}

impl<const K: usize> StepRun<K> {
    /// Returns the run of these steps; each begins at an instant and has a free amount.
    pub(super) fn new(steps: &[(Time, [i64; K])]) -> StepRun<K> {
        let room = Steps { from: [Time::MAX; ROOM], free: [[0; K]; ROOM] };
        let mut run = StepRun {
            steps: Box::new(room),
            len: steps.len(),
            plus: [0; K],
            least: [0; K],
            most: [0; K],
            worn: 0,
        };
        for (at, step) in steps.iter().enumerate() {
            (run.steps.from[at], run.steps.free[at]) = *step;
        }
        run.sum_up();
        run
    }

    /// Makes it the run of a single step.
    pub(super) fn reset(&mut self, from: Time, free: [i64; K]) {
        self.steps.from[..self.len].fill(Time::MAX);
        (self.steps.from[0], self.steps.free[0], self.len) = (from, free, 1);
        (self.plus, self.least, self.most, self.worn) = ([0; K], free, free, 0);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn from(&self, step: usize) -> Time {
        self.steps.from[step]
    }

    #[cfg(test)]
    pub(super) fn begins(&self) -> &[Time] {
        &self.steps.from[..self.len]
    }

    #[inline]
    pub(super) fn free(&self, step: usize) -> [i64; K] {
        plus(self.steps.free[step], self.plus)
    }

    pub(super) fn last(&self) -> [i64; K] {
        self.free(self.len - 1)
    }

    #[inline]
    pub(super) fn fits(&self, need: &[i64; K], step: usize) -> bool {
        within(need, &self.free(step))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Time, [i64; K])> + '_ {
        (0..self.len).map(|step| (self.from(step), self.free(step)))
    }

    /// Returns the index of the last step that begins by an instant, 0 if none does.
    #[inline]
    pub(super) fn holding(&self, at: Time) -> usize {
        let begun = self.steps.from.partition_point(|&from| from <= at);
        begun.min(self.len).saturating_sub(1)
    }

    /// Goes on with a search from a step on: breaks with its result, or continues with the next run.
    #[inline]
    pub(super) fn search(&self, mut step: usize, search: &mut Search<K>) -> ControlFlow<Result<Time, Time>> {
        let need = search.need;
        let (always, never) = (within(&need, &self.least), !within(&need, &self.most));
        while step < self.len {
            let Some((start, until)) = search.start else {
                if self.from(step) > search.last {
                    return ControlFlow::Break(Err(self.from(step)));
                }
                if never {
                    break;
                }
                while !self.fits(&need, step) {
                    step += 1;
                    if step == self.len {
                        return ControlFlow::Continue(());
                    }
                }
                let start = self.from(step).max(search.from);
                if start > search.last {
                    return ControlFlow::Break(Err(start));
                }
                search.start = Some((start, start.saturating_add(search.duration)));
                step += 1;
                continue;
            };
            if always {
                step = self.len - 1;
            }
            while self.from(step) < until && self.fits(&need, step) {
                step += 1;
                if step == self.len {
                    return ControlFlow::Continue(());
                }
            }
            if self.from(step) >= until {
                return ControlFlow::Break(Ok(start));
            }
            search.start = None;
        }
        ControlFlow::Continue(())
    }

    /// Changes the amounts in the last step from an instant on, and returns whether there was room for a step.
    pub(super) fn release(&mut self, at: Time, amount: [i64; K]) -> bool {
        let mut last = self.len - 1;
        let free = plus(self.free(last), amount);
        if self.from(last) < at {
            if self.len == MOST {
                return false;
            }
            last = self.len;
            self.len += 1;
        }
        (self.steps.from[last], self.steps.free[last]) = (at, minus(free, self.plus));
        (self.least, self.most) = (least(self.least, free), most(self.most, free));
        true
    }

    /// Drops steps at the beginning; the next then begins at an instant.
    pub(super) fn drop_before(&mut self, step: usize, begin: Time) {
        if step > 0 {
            self.remove(0..step);
            self.sum_up();
        }
        self.steps.from[0] = begin;
    }

    /// Divides a step in two; the second begins at an instant.
    pub(super) fn divide(&mut self, step: usize, at: Time) {
        let len = self.len;
        self.steps.from.copy_within(step + 1..len, step + 2);
        self.steps.free.copy_within(step..len, step + 1);
        self.steps.from[step + 1] = at;
        self.len += 1;
    }

    /// Removes a step that is equal to the one before; returns whether steps remain.
    pub(super) fn join(&mut self, step: usize) -> bool {
        self.remove(step..step + 1);
        if step == 0 && self.len > 0 {
            self.sum_up();
        }
        self.len > 0
    }

    fn remove(&mut self, steps: Range<usize>) {
        let (len, left) = (self.len, self.len - steps.len());
        self.steps.from.copy_within(steps.end..len, steps.start);
        self.steps.free.copy_within(steps.end..len, steps.start);
        self.steps.from[left..len].fill(Time::MAX);
        self.len = left;
    }

    pub(super) fn split_off(&mut self) -> StepRun<K> {
        let half = self.len / 2;
        let steps: Vec<_> = self.iter().skip(half).collect();
        self.remove(half..self.len);
        self.sum_up();
        StepRun::new(&steps)
    }

    pub(super) fn raise_to_zero(&mut self) {
        for free in &mut self.steps.free[..self.len] {
            *free = minus(most(plus(*free, self.plus), [0; K]), self.plus);
        }
        self.sum_up();
    }

    /// Computes the least and the most that is free in any step.
    pub(super) fn sum_up(&mut self) {
        let (mut lowest, mut highest) = ([i64::MAX; K], [i64::MIN; K]);
        for &free in &self.steps.free[..self.len] {
            (lowest, highest) = (least(lowest, free), most(highest, free));
        }
        (self.least, self.most) = (plus(lowest, self.plus), plus(highest, self.plus));
        self.worn = 0;
    }

    /// Changes the free amounts of some steps; returns bounds on the least and the most that is then free in any of them.
    #[inline]
    pub(super) fn change(&mut self, steps: Range<usize>, by: [i64; K]) -> ([i64; K], [i64; K]) {
        if steps.len() == self.len {
            self.plus = plus(self.plus, by);
            (self.least, self.most) = (plus(self.least, by), plus(self.most, by));
            return (self.least, self.most);
        }
        let (mut lowest, mut highest) = ([i64::MAX; K], [i64::MIN; K]);
        for free in &mut self.steps.free[steps] {
            *free = plus(*free, by);
            (lowest, highest) = (least(lowest, *free), most(highest, *free));
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
