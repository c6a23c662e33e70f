//! The availability profile of conservative backfilling: the amounts expected to be free over time.

mod step_run;

use std::ops::ControlFlow;
use std::sync::Arc;

use batchlab_traces::Time;

use super::amounts::{least, minus, most, plus, within};
use super::front::Room;
use step_run::{MOST, Search, StepRun};

/// Free amounts as a step function of time; the last step has no end.
///
/// Steps are kept in runs of up to 30, each with the least and the most that is free in it. A change or a search looks at single
/// steps only in the runs at its borders, or where a need is free in some steps and not in others: O(s/30 + 30) for s steps.
/// Amounts may fall below zero if promises turn out wrong (overdue jobs, short predictions).
///
/// The steps of a far future may be those of a [`Rest`], which several profiles share: they become the profile's own when a
/// change or the present reaches them.
#[derive(Clone, Debug)]
pub struct Profile<const K: usize> {
    /// Never empty.
    own: Runs<K>,
    /// The shared steps of the far future, and the first run of them that follows.
    rest: Option<(Rest<K>, usize)>,
}

/// Successive runs; none is empty.
#[derive(Clone, Debug, Default)]
struct Runs<const K: usize> {
    begins: Vec<Time>,
    runs: Vec<StepRun<K>>,
}

impl<const K: usize> Runs<K> {
    fn push(&mut self, run: StepRun<K>) {
        self.begins.push(run.from(0));
        self.runs.push(run);
    }

    /// Returns how many runs begin by an instant.
    #[inline]
    fn begun(&self, at: Time) -> usize {
        self.begins.partition_point(|&begin| begin <= at)
    }
}

/// Free amounts as a step function of time up to a far future.
#[derive(Clone, Debug)]
pub struct Rest<const K: usize>(Arc<Runs<K>>);

impl<const K: usize> Rest<K> {
    /// Returns the function of these steps, given in order.
    pub fn new(steps: impl Iterator<Item = (Time, [i64; K])>) -> Rest<K> {
        let (steps, mut runs) = (steps.collect::<Vec<_>>(), Runs::default());
        steps.chunks(MOST).for_each(|steps| runs.push(StepRun::new(steps)));
        Rest(Arc::new(runs))
    }

    /// Returns the first beginning of a run of these steps after an instant: there a profile can continue with them;
    /// [`Time::MAX`] if none remain. O(log s).
    pub fn begin_after(&self, at: Time) -> Time {
        self.0.begins.get(self.0.begun(at)).copied().unwrap_or(Time::MAX)
    }
}

/// The place of a step: its run, and its index in it.
type Place = (usize, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<const K: usize> {
    /// From this instant.
    pub from: Time,
    /// Up to, but not including, this instant.
    pub to: Time,
    pub amount: [i64; K],
}

impl<const K: usize> Profile<K> {
    pub fn new(now: Time, free: [i64; K]) -> Profile<K> {
        Profile { own: Runs { begins: vec![now], runs: vec![StepRun::new(&[(now, free)])] }, rest: None }
    }

    /// Resets the profile to constant free amounts; its memory is reused.
    pub fn reset(&mut self, now: Time, free: [i64; K]) {
        self.rest = None;
        self.own.runs.truncate(1);
        self.own.begins.truncate(1);
        self.own.begins[0] = now;
        self.own.runs[0].reset(now, free);
    }

    /// Continues the profile with shared steps, from an instant after its last step that [`Rest::begin_after`] has returned.
    pub fn follow(&mut self, rest: &Rest<K>, begin: Time) {
        let first = rest.0.begins.partition_point(|&other| other < begin);
        self.rest = Some((rest.clone(), first)).filter(|_| first < rest.0.runs.len());
    }

    /// Returns the runs of the shared steps.
    #[inline]
    fn later(&self) -> &[StepRun<K>] {
        self.rest.as_ref().map_or(&[], |(rest, first)| &rest.0.runs[*first..])
    }

    #[inline]
    fn runs_from(&self, first: usize) -> impl Iterator<Item = &StepRun<K>> {
        let own = self.own.runs.len();
        self.own.runs[first.min(own)..].iter().chain(&self.later()[first.saturating_sub(own)..])
    }

    #[inline]
    fn run(&self, index: usize) -> Option<&StepRun<K>> {
        let run = self.own.runs.get(index);
        run.or_else(|| self.later().get(index - self.own.runs.len()))
    }

    /// Makes the shared steps that begin by an instant the profile's own.
    #[inline]
    fn reach(&mut self, at: Time) {
        if let Some((rest, first)) = &mut self.rest {
            while rest.0.begins.get(*first).is_some_and(|&begin| begin <= at) {
                self.own.push(rest.0.runs[*first].clone());
                *first += 1;
            }
        }
    }

    /// Adds amounts, which may be negative, from an instant on, which must not lie before the last step; nothing follows.
    pub fn release(&mut self, at: Time, amount: [i64; K]) {
        let Some(run) = self.own.runs.last_mut() else { return };
        if !run.release(at, amount) {
            let free = plus(run.last(), amount);
            self.own.push(StepRun::new(&[(at, free)]));
        }
    }

    /// Drops what lies before an instant.
    pub fn advance(&mut self, now: Time) {
        self.reach(now);
        let (run, step) = self.holding(now);
        self.own.runs.drain(..run);
        self.own.begins.drain(..run);
        self.own.runs[0].drop_before(step, now);
        self.own.begins[0] = now;
    }

    /// Subtracts an amount over an interval; returns lower bounds on the amounts that are then free at any of its instants.
    pub fn take(&mut self, slot: Slot<K>) -> [i64; K] {
        self.change(slot.from, slot.to, minus([0; K], slot.amount)).0
    }

    /// Adds an amount over an interval; returns upper bounds on the amounts that are then free at any of its instants.
    pub fn give(&mut self, slot: Slot<K>) -> [i64; K] {
        self.change(slot.from, slot.to, slot.amount).1
    }

    /// Raises amounts below zero to zero: jobs that do not need a resource ignore its closures, even if jobs still hold
    /// amounts that are out of service.
    pub fn raise_to_zero(&mut self) {
        for run in &mut self.own.runs {
            if run.least.iter().any(|&amount| amount < 0) {
                run.raise_to_zero();
            }
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
        let mut search = Search { from, last, need, duration, start: None };
        for run in self.runs_from(first) {
            if let ControlFlow::Break(found) = run.search(std::mem::take(&mut step), &mut search) {
                return found;
            }
        }
        // The last step has no end.
        search.start.map_or(Err(Time::MAX), |(start, _)| Ok(start))
    }

    /// Returns the instant since which a need has been free without a break up to `at`, not before `floor`;
    /// `at` itself if the need is not free just before it.
    pub fn free_since(&self, at: Time, floor: Time, need: [i64; K]) -> Time {
        let before = at - Time::TICK;
        let last = self.run_holding(before);
        let mut since = at;
        for (index, run) in (0..=last).rev().filter_map(|index| Some((index, self.run(index)?))) {
            if within(&need, &run.least) {
                since = since.min(run.from(0));
            } else if !within(&need, &run.most) {
                break;
            } else {
                let upto = if index == last { run.holding(before) + 1 } else { run.len() };
                let fits = |&step: &usize| run.fits(&need, step);
                let first = (0..upto).rev().take_while(fits).last();
                since = first.map_or(since, |first| since.min(run.from(first)));
                if first != Some(0) {
                    break;
                }
            }
            if since <= floor {
                break;
            }
        }
        since.max(floor).min(at)
    }

    /// Returns the holes that begin with the profile, the shortest first: the amounts that are free from then on without a
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
        let runs = self.runs_from(0).take_while(|run| run.from(0) < upto);
        runs.fold([i64::MIN; K], |highest, run| most(highest, run.most))
    }

    /// Returns the profile's beginning: the present instant.
    pub fn begin(&self) -> Time {
        self.own.begins[0]
    }

    pub fn free_at(&self, at: Time) -> [i64; K] {
        if at == self.begin() {
            return self.own.runs[0].free(0);
        }
        let (run, step) = self.holding(at);
        self.run(run).map_or([0; K], |run| run.free(step))
    }

    /// Returns, per resource, the least that is free at any instant of an interval.
    pub fn least(&self, from: Time, to: Time) -> [i64; K] {
        self.span(from, to).1
    }

    /// Returns the free amounts at the first instant of an interval, and the least free amounts during the interval.
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

    /// Calls a function with the steps of an interval in order: begin, end and free amounts. Runs of steps for which `skips`
    /// holds are left out; it gets the begin and the end of the run, and amounts that are no more than free in any of its steps.
    pub fn walk<B>(
        &self,
        (from, until): (Time, Time),
        skips: impl Fn(Time, Time, [i64; K]) -> bool,
        mut visit: impl FnMut(Time, Time, [i64; K]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (first, mut step) = self.holding(from);
        let mut runs = self.runs_from(first).take_while(|run| run.from(0) < until).peekable();
        while let Some(run) = runs.next() {
            let end = runs.peek().map_or(until, |next| next.from(0));
            let first = std::mem::take(&mut step);
            if skips(run.from(0).max(from), end, run.least) {
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
        let begins = |profile: &Profile<K>| profile.later().first().map_or(Time::MAX, |run| run.from(0));
        let upto = begins(self).max(begins(other));
        let before = |level: &(Time, [i64; K])| level.0 < upto;
        self.levels().take_while(before).eq(other.levels().take_while(before))
    }

    /// Returns the instants at which the free amounts change, each with the amounts that are free from then on.
    fn levels(&self) -> impl Iterator<Item = (Time, [i64; K])> + '_ {
        let mut last = None;
        self.runs_from(0).flat_map(StepRun::iter).filter(move |&(_, free)| last.replace(free) != Some(free))
    }

    pub fn has_room(&self, slot: Slot<K>) -> bool {
        let (first, mut step) = self.holding(slot.from);
        for run in self.runs_from(first) {
            let begin = std::mem::take(&mut step);
            if run.from(begin) >= slot.to {
                break;
            }
            if within(&slot.amount, &run.least) {
                continue;
            }
            let mut steps = (begin..run.len()).take_while(|&step| run.from(step) < slot.to);
            if !steps.all(|step| run.fits(&slot.amount, step)) {
                return false;
            }
        }
        true
    }

    /// Returns the place of the step that holds an instant, the first if it lies before the profile.
    #[inline]
    fn holding(&self, at: Time) -> Place {
        let run = self.run_holding(at);
        (run, self.run(run).map_or(0, |run| run.holding(at)))
    }

    #[inline]
    fn run_holding(&self, at: Time) -> usize {
        if let Some((rest, first)) = &self.rest
            && rest.0.begins.get(*first).is_some_and(|&begin| begin <= at)
        {
            return self.own.runs.len() + rest.0.begun(at) - 1 - first;
        }
        self.own.begun(at).saturating_sub(1)
    }

    fn change(&mut self, from: Time, to: Time, by: [i64; K]) -> ([i64; K], [i64; K]) {
        let from = from.max(self.begin());
        let (mut lowest, mut highest) = ([i64::MAX; K], [i64::MIN; K]);
        if to <= from {
            return (lowest, highest);
        }
        self.reach(to);
        let first = self.split(from);
        let last = if to == Time::MAX { (self.own.runs.len(), 0) } else { self.split(to) };
        for (index, run) in self.own.runs.iter_mut().enumerate().take(last.0 + 1).skip(first.0) {
            let begin = if index == first.0 { first.1 } else { 0 };
            let end = if index == last.0 { last.1 } else { run.len() };
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
        let (index, step) = self.holding(at);
        let run = &mut self.own.runs[index];
        if run.from(step) == at {
            return (index, step);
        }
        run.divide(step, at);
        (index, step + 1)
    }

    /// Joins a step with the one before it if they are equal.
    fn join(&mut self, (index, step): Place) {
        let Some(run) = self.own.runs.get(index) else { return };
        let before = match step {
            0 => index.checked_sub(1).map(|before| self.own.runs[before].last()),
            _ => Some(run.free(step - 1)),
        };
        if before != Some(run.free(step)) {
            return;
        }
        let run = &mut self.own.runs[index];
        if !run.join(step) {
            self.own.runs.remove(index);
            self.own.begins.remove(index);
        } else if step == 0 {
            self.own.begins[index] = run.from(0);
        }
    }

    /// Divides a run that has grown too long.
    fn fit(&mut self, index: usize) {
        let Some(run) = self.own.runs.get_mut(index).filter(|run| run.len() > MOST) else { return };
        let half = run.split_off();
        self.own.begins.insert(index + 1, half.from(0));
        self.own.runs.insert(index + 1, half);
    }
}

#[cfg(test)]
mod tests;
