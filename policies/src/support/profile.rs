//! The availability profile of conservative backfilling: the amounts expected to be free over time.

mod step_run;

use std::ops::ControlFlow;
use std::sync::Arc;

use batchlab_traces::Time;

use super::amounts::{least, minus, most, plus, within};
use super::front::Room;
use step_run::{MOST, ProfileStep, StepRun};

/// Free amounts as a step function of time; the last step has no end.
///
/// Steps are kept in runs of up to 32, each with the least and the most that is free in it. A change
/// or a search looks at single steps only in the runs at its borders, or where a need is free in some steps
/// and not in others: O(s/32 + 32) for s steps. Amounts may fall below zero if promises turn out wrong
/// (overdue jobs, short predictions).
///
/// The steps of a far future may be those of a [`Rest`], which several profiles share: they become the profile's own when a
/// change or the present reaches them.
#[derive(Clone, Debug)]
pub struct Profile<const K: usize> {
    /// Never empty, and no run is.
    runs: Vec<StepRun<K>>,
    /// The rest, and the first of its runs that follows.
    rest: Option<(Rest<K>, usize)>,
}

/// Free amounts as a step function of time up to a far future.
#[derive(Clone, Debug)]
pub struct Rest<const K: usize>(Arc<[StepRun<K>]>);

impl<const K: usize> Rest<K> {
    /// Returns the function of these steps, given in order.
    pub fn new(steps: impl Iterator<Item = (Time, [i64; K])>) -> Rest<K> {
        let steps: Vec<ProfileStep<K>> = steps.map(|(from, free)| ProfileStep { from, free }).collect();
        Rest(steps.chunks(MOST).map(|steps| StepRun::new(steps.to_vec(), [0; K])).collect())
    }

    /// Returns the first instant after another from which a profile can continue with the rest; [`Time::MAX`] if none is
    /// left. O(log s).
    pub fn begin_after(&self, at: Time) -> Time {
        let next = self.0.partition_point(|run| run.begin <= at);
        self.0.get(next).map_or(Time::MAX, |run| run.begin)
    }
}

/// The place of a step: its run, and its index in it.
type Place = (usize, usize);

/// An interval of a profile with an amount in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<const K: usize> {
    /// From this instant.
    pub from: Time,
    /// Up to, but not including, this instant.
    pub to: Time,
    /// Amount of each resource.
    pub amount: [i64; K],
}

impl<const K: usize> Profile<K> {
    /// Returns a profile with constant free amounts.
    pub fn new(now: Time, free: [i64; K]) -> Profile<K> {
        Profile { runs: vec![StepRun::new(vec![ProfileStep { from: now, free }], [0; K])], rest: None }
    }

    /// Resets the profile to constant free amounts; its memory is reused.
    pub fn reset(&mut self, now: Time, free: [i64; K]) {
        self.rest = None;
        self.runs.truncate(1);
        let run = &mut self.runs[0];
        run.steps.clear();
        run.steps.push(ProfileStep { from: now, free });
        (run.begin, run.plus, run.least, run.most) = (now, [0; K], free, free);
    }

    /// From an instant after the last step on, which [`Rest::begin_after`] has returned, the rest is free.
    pub fn follow(&mut self, rest: &Rest<K>, begin: Time) {
        let first = rest.0.partition_point(|run| run.begin < begin);
        self.rest = Some((rest.clone(), first)).filter(|_| first < rest.0.len());
    }

    /// Returns the runs of the rest.
    #[inline]
    fn later(&self) -> &[StepRun<K>] {
        self.rest.as_ref().map_or(&[], |(rest, first)| &rest.0[*first..])
    }

    /// Returns all runs from one on.
    #[inline]
    fn runs_from(&self, first: usize) -> impl Iterator<Item = &StepRun<K>> {
        let own = self.runs.len();
        self.runs[first.min(own)..].iter().chain(&self.later()[first.saturating_sub(own)..])
    }

    #[inline]
    fn run(&self, index: usize) -> Option<&StepRun<K>> {
        let run = self.runs.get(index);
        run.or_else(|| self.later().get(index - self.runs.len()))
    }

    /// Makes the steps of the rest that begin by an instant the profile's own.
    #[inline]
    fn reach(&mut self, at: Time) {
        if let Some((rest, first)) = &mut self.rest {
            while let Some(run) = rest.0.get(*first).filter(|run| run.begin <= at) {
                self.runs.push(run.clone());
                *first += 1;
            }
        }
    }

    /// Adds amounts, which may be negative, from an instant on, which must not lie before the last step; nothing follows.
    pub fn release(&mut self, at: Time, amount: [i64; K]) {
        let Some(run) = self.runs.last_mut() else { return };
        let last = run.steps.len() - 1;
        let free = plus(run.free(last), amount);
        if run.steps[last].from < at && run.steps.len() == MOST {
            return self.runs.push(StepRun::new(vec![ProfileStep { from: at, free }], [0; K]));
        }
        let step = ProfileStep { from: at, free: minus(free, run.plus) };
        if run.steps[last].from == at {
            run.steps[last] = step;
        } else {
            run.steps.push(step);
        }
        (run.least, run.most) = (least(run.least, free), most(run.most, free));
    }

    /// Drops what lies before an instant.
    pub fn advance(&mut self, now: Time) {
        self.reach(now);
        let (run, step) = self.holding(now);
        self.runs.drain(..run);
        let run = &mut self.runs[0];
        if step > 0 {
            run.steps.drain(..step);
            run.sum_up();
        }
        run.steps[0].from = now;
        run.begin = now;
    }

    /// Subtracts an amount over an interval; returns, per resource, a lower bound on what is free at any instant of it then.
    pub fn take(&mut self, slot: Slot<K>) -> [i64; K] {
        self.change(slot.from, slot.to, minus([0; K], slot.amount)).0
    }

    /// Adds an amount over an interval; returns, per resource, an upper bound on what is free at any instant of it then.
    pub fn give(&mut self, slot: Slot<K>) -> [i64; K] {
        self.change(slot.from, slot.to, slot.amount).1
    }

    /// Raises amounts below zero to zero: what is out of service and still held is not needed by jobs that want none of
    /// it.
    pub fn raise_to_zero(&mut self) {
        for run in &mut self.runs {
            if run.least.iter().all(|&amount| amount >= 0) {
                continue;
            }
            for step in &mut run.steps {
                step.free = minus(most(plus(step.free, run.plus), [0; K]), run.plus);
            }
            run.sum_up();
        }
    }

    /// Returns the earliest instant, not before `from` or the profile's beginning, from which a need is free
    /// for a duration; `None` if the need is never free for that duration.
    pub fn earliest(&self, from: Time, need: [i64; K], duration: Time) -> Option<Time> {
        self.search(from, Time::MAX, need, duration).ok()
    }

    /// Searches for the earliest instant from `from` to `last` from which a need is free for a duration.
    ///
    /// # Errors
    /// If no such instant exists: an instant before which the need is not free, whatever `last` is.
    pub fn search(&self, from: Time, last: Time, need: [i64; K], duration: Time) -> Result<Time, Time> {
        let (first, mut step) = self.holding(from);
        let mut start: Option<Time> = None;
        for (index, run) in self.runs_from(first).enumerate() {
            let rest = &run.steps[std::mem::take(&mut step)..];
            let end = self.run(first + index + 1).map_or(Time::MAX, |run| run.begin);
            // A run in which the need is never free, or always, counts as one step.
            let steps =
                if within(&need, &run.least) || !within(&need, &run.most) { &rest[..1] } else { rest };
            for (at, step) in steps.iter().enumerate() {
                if start.is_none() && step.from > last {
                    return Err(step.from);
                }
                if !within(&need, &plus(step.free, run.plus)) {
                    start = None;
                    continue;
                }
                let begin = *start.get_or_insert(step.from.max(from));
                if begin > last {
                    return Err(begin);
                }
                let until = steps.get(at + 1).map_or(end, |next| next.from);
                if until == Time::MAX || until >= begin.saturating_add(duration) {
                    return Ok(begin);
                }
            }
        }
        Err(Time::MAX)
    }

    /// Returns the instant since which a need has been free without a break up to `at`, not before `floor`;
    /// `at` itself if the need is not free just before it.
    pub fn free_since(&self, at: Time, floor: Time, need: [i64; K]) -> Time {
        let (last, step) = self.holding(at - Time::from_ticks(1));
        let mut since = at;
        for (index, run) in (0..=last).rev().filter_map(|index| Some((index, self.run(index)?))) {
            let upto = if index == last { step + 1 } else { run.steps.len() };
            if within(&need, &run.least) {
                since = since.min(run.begin);
            } else {
                for step in run.steps[..upto].iter().rev() {
                    if !within(&need, &plus(step.free, run.plus)) {
                        return since.max(floor).min(at);
                    }
                    since = since.min(step.from);
                }
            }
            if since <= floor {
                break;
            }
        }
        since.max(floor).min(at)
    }

    /// Returns the holes that begin with the profile, the shortest first: what is free from then on without a
    /// break, and until when. O(s) for s steps.
    pub fn holes(&self) -> Vec<Room<K>> {
        let begin = self.begin();
        let mut holes = Vec::new();
        let mut free = self.free_at(begin);
        for run in self.runs_from(0) {
            if within(&free, &run.least) {
                continue;
            }
            for (at, step) in run.iter() {
                if within(&free, &step) {
                    continue;
                }
                holes.push(Room { free, window: at - begin, extra: [-1; K] });
                free = least(free, step);
                if free[0] <= 0 {
                    return holes;
                }
            }
        }
        holes.push(Room { free, window: Time::MAX, extra: [-1; K] });
        holes
    }

    /// Returns, per resource, an upper bound on what is free at any instant before `upto`.
    pub fn most_free(&self, upto: Time) -> [i64; K] {
        let runs = self.runs_from(0).take_while(|run| run.begin < upto);
        runs.fold([i64::MIN; K], |highest, run| most(highest, run.most))
    }

    /// Returns the profile's beginning: the present instant.
    pub fn begin(&self) -> Time {
        self.runs[0].begin
    }

    /// Returns the free amounts at an instant.
    pub fn free_at(&self, at: Time) -> [i64; K] {
        if at == self.begin() {
            return self.runs[0].free(0);
        }
        let (run, step) = self.holding(at);
        self.run(run).map_or([0; K], |run| run.free(step))
    }

    /// Returns, per resource, the least that is free at any instant of an interval.
    pub fn least(&self, from: Time, to: Time) -> [i64; K] {
        self.span(from, to).1
    }

    /// Returns what is free at the first instant of an interval, and the least that is free at any.
    pub fn span(&self, from: Time, to: Time) -> ([i64; K], [i64; K]) {
        let (first, mut step) = self.holding(from);
        let free = self.run(first).map_or([0; K], |run| run.free(step));
        let mut lowest = free;
        for run in self.runs_from(first) {
            for (at, here) in run.iter().skip(std::mem::take(&mut step)) {
                if at >= to {
                    return (free, lowest);
                }
                lowest = least(lowest, here);
            }
        }
        (free, lowest)
    }

    /// Calls a function with the steps of an interval in order: where each begins, where it ends, and what is free. Runs of
    /// steps are left out for which `skips` holds, which gets where the run begins and ends, and no more than is free in any
    /// of its steps.
    pub fn walk<B>(
        &self,
        (from, until): (Time, Time),
        skips: impl Fn(Time, Time, [i64; K]) -> bool,
        mut visit: impl FnMut(Time, Time, [i64; K]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (first, mut step) = self.holding(from);
        let mut runs = self.runs_from(first).take_while(|run| run.begin < until).peekable();
        while let Some(run) = runs.next() {
            let end = runs.peek().map_or(until, |next| next.begin);
            let first = std::mem::take(&mut step);
            if skips(run.begin.max(from), end, run.least) {
                continue;
            }
            let mut steps = run.iter().skip(first).take_while(|step| step.0 < until).peekable();
            while let Some((begin, free)) = steps.next() {
                visit(begin.max(from), steps.peek().map_or(end, |next| next.0), free)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the steps from the one that contains an instant: the beginning of each, and the free amounts.
    pub fn since(&self, from: Time) -> impl Iterator<Item = (Time, [i64; K])> + '_ {
        let (run, step) = self.holding(from);
        self.runs_from(run).flat_map(StepRun::iter).skip(step)
    }

    /// Whether the same is free at every instant. O(s), without the steps that both have of the same rest.
    pub fn is_like(&self, other: &Profile<K>) -> bool {
        let shared = match (&self.rest, &other.rest) {
            (Some((one, _)), Some((other, _))) => Arc::ptr_eq(&one.0, &other.0),
            _ => false,
        };
        if !shared {
            return self.levels().eq(other.levels());
        }
        let begins = |profile: &Profile<K>| profile.later().first().map_or(Time::MAX, |run| run.begin);
        let upto = begins(self).max(begins(other));
        let before = |level: &(Time, [i64; K])| level.0 < upto;
        self.levels().take_while(before).eq(other.levels().take_while(before))
    }

    /// Returns the instants at which what is free changes, and what is free from each on.
    fn levels(&self) -> impl Iterator<Item = (Time, [i64; K])> + '_ {
        let mut last = None;
        self.runs_from(0).flat_map(StepRun::iter).filter(move |&(_, free)| last.replace(free) != Some(free))
    }

    /// Whether an amount is free throughout a slot.
    pub fn has_room(&self, slot: Slot<K>) -> bool {
        let (first, mut step) = self.holding(slot.from);
        for run in self.runs_from(first) {
            let rest = &run.steps[std::mem::take(&mut step)..];
            if rest[0].from >= slot.to {
                break;
            }
            if within(&slot.amount, &run.least) {
                continue;
            }
            let mut steps = rest.iter().take_while(|step| step.from < slot.to);
            if !steps.all(|step| within(&slot.amount, &plus(step.free, run.plus))) {
                return false;
            }
        }
        true
    }

    /// Returns the place of the step that holds an instant, the first if it lies before the profile.
    #[inline]
    fn holding(&self, at: Time) -> Place {
        let later = self.later();
        if later.first().is_some_and(|run| run.begin <= at) {
            let run = later.partition_point(|run| run.begin <= at) - 1;
            return (self.runs.len() + run, later[run].holding(at));
        }
        if self.runs.len() == 1 {
            return (0, self.runs[0].holding(at));
        }
        let run = self.runs.partition_point(|run| run.begin <= at).saturating_sub(1);
        (run, self.runs[run].holding(at))
    }

    fn change(&mut self, from: Time, to: Time, by: [i64; K]) -> ([i64; K], [i64; K]) {
        let from = from.max(self.begin());
        let (mut lowest, mut highest) = ([i64::MAX; K], [i64::MIN; K]);
        if to <= from {
            return (lowest, highest);
        }
        self.reach(to);
        let first = self.split(from);
        let last = if to == Time::MAX { (self.runs.len(), 0) } else { self.split(to) };
        for index in first.0..=last.0.min(self.runs.len() - 1) {
            let run = &mut self.runs[index];
            let begin = if index == first.0 { first.1 } else { 0 };
            let end = if index == last.0 { last.1 } else { run.steps.len() };
            if begin < end {
                let changed = run.change(begin..end, by);
                (lowest, highest) = (least(lowest, changed.0), most(highest, changed.1));
            }
        }
        // Only the steps at the borders can have become equal to their neighbours.
        self.join(last);
        if last.0 != first.0 {
            self.fit(last.0);
        }
        self.join(first);
        self.fit(first.0);
        (lowest, highest)
    }

    /// Splits the profile so that a step begins at an instant, and returns the place of that step.
    fn split(&mut self, at: Time) -> Place {
        let (run, step) = self.holding(at);
        let steps = &mut self.runs[run].steps;
        if steps[step].from == at {
            return (run, step);
        }
        steps.insert(step + 1, ProfileStep { from: at, ..steps[step] });
        (run, step + 1)
    }

    /// Joins a step with the one before it if they are equal.
    fn join(&mut self, (index, step): Place) {
        let Some(run) = self.runs.get(index) else { return };
        let before = match step {
            0 => index.checked_sub(1).map(|before| self.runs[before].free(self.runs[before].steps.len() - 1)),
            _ => Some(run.free(step - 1)),
        };
        if before != Some(run.free(step)) {
            return;
        }
        let run = &mut self.runs[index];
        run.steps.remove(step);
        if run.steps.is_empty() {
            self.runs.remove(index);
        } else if step == 0 {
            run.begin = run.steps[0].from;
            run.sum_up();
        }
    }

    /// Divides a run that has grown too long.
    fn fit(&mut self, index: usize) {
        let Some(run) = self.runs.get_mut(index).filter(|run| run.steps.len() > MOST) else { return };
        let half = run.steps.split_off(MOST / 2);
        run.sum_up();
        let half = StepRun::new(half, run.plus);
        self.runs.insert(index + 1, half);
    }
}

#[cfg(test)]
mod tests;
