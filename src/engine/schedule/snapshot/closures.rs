//! What closures of a calendar mean for a job that waits.

use batchlab_traces::capacity::{CapacityCalendar, Closure};
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time, Workload};

use super::Free;
use crate::schedule::occurrence::Occurrence;

/// The state at an instant: what is free, and why not more.
pub struct CapacityState<'a> {
    pub workload: &'a Workload,
    pub calendar: &'a CapacityCalendar,
    pub free: &'a Free<'a>,
    pub running: &'a [(JobId, Time)],
    /// The closures that have begun and are not over, by position.
    pub closed: &'a [usize],
}

impl CapacityState<'_> {
    fn closures(&self) -> impl Iterator<Item = &Closure> {
        self.closed.iter().map(|&index| &self.calendar.closures[index])
    }

    /// Returns the first event without whose closures a job would fit; all events that have begun, if the job would fit
    /// only without all of them; `None` if it fits, or would not fit even then.
    pub fn without_which(&self, job: JobId) -> Option<Vec<Occurrence>> {
        let fits_without = |is_left_out: &dyn Fn(&Closure) -> bool| {
            let mut free = self.free.clone();
            self.closures().filter(|closure| is_left_out(closure)).for_each(|closure| free.open(closure));
            free.fits(job)
        };
        if self.closed.is_empty() || self.free.fits(job) || !fits_without(&|_| true) {
            return None;
        }
        Some(self.first_or_all(self.closures(), |one| {
            fits_without(&|closure| Occurrence::of(self.calendar, closure) == *one)
        }))
    }

    /// As [`CapacityState::without_which`], if nothing ran.
    pub fn without_which_when_empty(&self, job: JobId) -> Option<Vec<Occurrence>> {
        let mut empty = self.free.clone();
        self.running.iter().for_each(|&(other, started)| empty.give(other, started));
        CapacityState { free: &empty, running: &[], ..*self }.without_which(job)
    }

    /// Returns the known event that a job which fits now would run into by its estimate: the first one at whose beginning the
    /// jobs that still run then, by their estimates, leave too little; all known events within the job's estimate, if only
    /// together they leave too little.
    pub fn known_closure(&self, job: JobId, now: Time) -> Option<Vec<Occurrence>> {
        let end = now.saturating_add(self.workload.estimate(job).max(Time::SECOND));
        let closures = &self.calendar.closures;
        let first = closures.partition_point(|closure| closure.from <= now);
        let within = closures[first..].iter().take_while(|closure| closure.from < end);
        let known: Vec<&Closure> =
            within.filter(|closure| self.calendar.foreseen_from(closure) <= now).collect();
        let crosses = |counts: &dyn Fn(&Closure) -> bool| {
            let mut throughout = self.free.clone();
            for closure in known.iter().filter(|closure| counts(closure)) {
                throughout.throughout(&self.free_at(closure.from, &known, counts));
            }
            !throughout.fits(job)
        };
        if known.is_empty() || !crosses(&|_| true) {
            return None;
        }
        Some(self.first_or_all(known.iter().copied(), |one| {
            crosses(&|closure| Occurrence::of(self.calendar, closure) == *one)
        }))
    }

    /// Returns what will be free at a later instant by the estimates of the jobs that run, with some of the known closures
    /// and those that have begun, unless they are over by then.
    fn free_at(&self, at: Time, known: &[&Closure], counts: &dyn Fn(&Closure) -> bool) -> Free<'_> {
        let mut free = self.free.clone();
        for &(job, started) in self.running {
            if started.saturating_add(self.workload.estimate(job).max(Time::SECOND)) <= at {
                free.give(job, started);
            }
        }
        self.closures().filter(|closure| closure.to <= at).for_each(|closure| free.open(closure));
        let then = known.iter().filter(|closure| counts(closure) && closure.from <= at && at < closure.to);
        then.for_each(|closure| free.close(closure));
        free
    }

    /// Returns the first occurrence among closures that `is_enough` alone; if none is, all of them.
    fn first_or_all<'c>(
        &self,
        closures: impl Iterator<Item = &'c Closure>,
        is_enough: impl Fn(&Occurrence) -> bool,
    ) -> Vec<Occurrence> {
        let all: SortedSet<Occurrence> =
            closures.map(|closure| Occurrence::of(self.calendar, closure)).collect();
        match all.iter().find(|one| is_enough(one)) {
            Some(one) => vec![one.clone()],
            None => all.into_iter().collect(),
        }
    }
}
