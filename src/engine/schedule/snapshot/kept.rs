//! The runs of a schedule that lie in reservations of a calendar: they hold what is out of service for all other jobs.

use batchlab_traces::capacity::{CapacityCalendar, Closure};
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::Free;
use crate::outcome::Outcome;

#[derive(Clone)]
struct Run {
    job: JobId,
    from: Time,
    to: Time,
    reservation: usize,
}

/// The open reservations while the jobs that they are for start and end.
#[derive(Clone)]
pub struct KeptRoom<'a> {
    workload: &'a Workload,
    calendar: &'a CapacityCalendar,
    /// The empty machine less all of it: what the closures of a reservation add is its room.
    nothing: Free<'a>,
    closures: Vec<Vec<&'a Closure>>,
    runs: Vec<Run>,
}

impl<'a> KeptRoom<'a> {
    /// Returns the reservations of a calendar at an instant, before the starts of that instant, and all earlier runs that lay in
    /// reservations, as job and start.
    ///
    /// O(n + c + r log r + r · (m + nodes)) for n jobs, c closures and r earlier runs of jobs that reservations are for, of
    /// which at most m run at a time.
    pub fn of(
        workload: &'a Workload,
        machine: &'a Machine,
        outcome: &'a Outcome,
        calendar: &'a CapacityCalendar,
        now: Time,
    ) -> (KeptRoom<'a>, SortedSet<(JobId, Time)>) {
        let mut closures = vec![Vec::new(); calendar.reservations.len()];
        for closure in &calendar.closures {
            if let Some(kept) = closure.kept_for {
                closures[kept.reservation].push(closure);
            }
        }
        let nothing = Free::nothing(workload, machine, outcome);
        let mut kept = KeptRoom { workload, calendar, nothing, closures, runs: Vec::new() };
        let is_for_some =
            |job| calendar.reservations.iter().any(|reservation| reservation.is_for(workload, job));
        let served = workload.jobs().filter_map(|job| Some((outcome.started(job)?, job, outcome.end(job))));
        let lost = outcome.lost.iter().map(|run| (run.from, run.job, run.to));
        let mut runs: Vec<(Time, JobId, Time)> = served
            .chain(lost)
            .filter(|&(from, job, to)| from < to && from < now && is_for_some(job))
            .collect();
        runs.sort_unstable();
        runs.retain(|&(from, job, to)| kept.enter(job, from, to));
        kept.runs.retain(|run| run.to > now);
        (kept, runs.into_iter().map(|(from, job, _)| (job, from)).collect())
    }

    /// Starts a job in the first reservation that has room for it on the nodes given by the schedule: a job that may start in
    /// a reservation does so before the policy sees it. Returns whether there is one.
    pub fn enter(&mut self, job: JobId, from: Time, to: Time) -> bool {
        self.runs.retain(|run| run.to > from);
        let holds = |room: &Free<'_>| {
            let mut rest = room.clone();
            rest.take(job, from);
            !rest.is_overdrawn()
        };
        let Some(reservation) = self.reservation(job, from, holds) else { return false };
        self.runs.push(Run { job, from, to, reservation });
        true
    }

    /// Whether a waiting job fits into a reservation at an instant, if the job starts after all others there.
    pub fn admits(&self, job: JobId, at: Time) -> bool {
        self.reservation(job, at, |room| room.fits(job)).is_some()
    }

    /// Returns the first reservation that is for a job, has such room, and is open until the job's expected end.
    fn reservation(&self, job: JobId, at: Time, has_room: impl Fn(&Free<'_>) -> bool) -> Option<usize> {
        let end = at.saturating_add(self.workload.estimate(job).max(Time::SECOND));
        let is_open = |&reservation: &usize| {
            let is_in_time = |closure: &Closure| closure.kept_for.is_some_and(|kept| end <= kept.until);
            self.calendar.reservations[reservation].is_for(self.workload, job)
                && self.open(reservation, at).next().is_some_and(is_in_time)
        };
        let room = |reservation: usize| {
            let mut room = self.nothing.clone();
            self.open(reservation, at).for_each(|closure| room.open(closure));
            let runs = self.runs.iter().filter(|run| run.reservation == reservation && run.to > at);
            runs.for_each(|run| room.take(run.job, run.from));
            room
        };
        (0..self.closures.len()).filter(is_open).find(|&reservation| has_room(&room(reservation)))
    }

    /// Returns the closures of a reservation at an instant. Its events do not overlap.
    fn open(&self, reservation: usize, at: Time) -> impl Iterator<Item = &'a Closure> {
        let begun = &self.closures[reservation];
        let begun = &begun[..begun.partition_point(|closure| closure.from <= at)];
        let latest = begun.last().map(|closure| closure.event);
        let of_event = begun.iter().rev().take_while(move |closure| Some(closure.event) == latest);
        of_event.filter(move |closure| at < closure.to).copied()
    }
}
