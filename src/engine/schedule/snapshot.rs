//! The state of a schedule at one instant: running and waiting jobs, free resources, and EASY's reservation.

mod closures;
mod free;
mod kept;

use batchlab_support::releases::{ExtraRule, Releases, Shadow};
use batchlab_traces::capacity::CapacityCalendar;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::outcome::{Fate, Outcome};
pub use closures::CapacityState;
pub use free::{FitResult, Free};
pub use kept::KeptRoom;

/// The state of a schedule at an instant, after all its ends and before all its starts.
#[derive(Clone)]
pub struct Snapshot<'a> {
    pub now: Time,
    /// Jobs that started before and have not ended, in the order of submission.
    pub running: Vec<JobId>,
    /// Jobs that are submitted and have not started, in the order of submission.
    pub waiting: Vec<JobId>,
    /// The free resources outside of the calendar's reservations.
    pub free: Free<'a>,
    /// Waiting jobs that are not considered: they hold no reservation.
    pub passed_over: SortedSet<JobId>,
    stays: Vec<(JobId, Time)>,
    /// The running jobs outside of the calendar's reservations, with their starts.
    outside: Vec<(JobId, Time)>,
    /// The calendar's reservations with the jobs that run there.
    kept: Option<KeptRoom<'a>>,
    /// The closures that have begun and are not over, by position.
    closed: Vec<usize>,
    calendar: Option<&'a CapacityCalendar>,
    workload: &'a Workload,
}

impl<'a> Snapshot<'a> {
    /// Returns the state of a schedule. O(n + c) for c closures, beside what [`KeptRoom::of`] takes.
    pub fn of(
        workload: &'a Workload,
        machine: &'a Machine,
        outcome: &'a Outcome,
        capacity: Option<&'a CapacityCalendar>,
        now: Time,
    ) -> Snapshot<'a> {
        // Rejected jobs are left out, as the instant of their rejection is unknown.
        let stays = |job: &JobId| outcome.fate(*job) != Fate::Rejected;
        let arrived = workload.jobs().take_while(|&job| workload.submit(job) <= now).filter(stays);
        let (mut running, mut waiting) = (Vec::new(), Vec::new());
        for job in arrived {
            if outcome.start(job) >= now {
                waiting.push(job);
            } else if outcome.end(job) > now {
                running.push(job);
            }
        }
        let mut free = Free::new(workload, machine, outcome);
        let mut stays: Vec<(JobId, Time)> = running.iter().map(|&job| (job, outcome.start(job))).collect();
        // Jobs that lose their work later run now, and wait by their last start.
        for run in outcome.lost.iter().filter(|run| run.from < now && now < run.to) {
            stays.push((run.job, run.from));
            waiting.retain(|&job| job != run.job);
            running.push(run.job);
        }
        running.sort_unstable();
        let (kept, inside) = match capacity {
            Some(calendar) => {
                let (kept, inside) = KeptRoom::of(workload, machine, outcome, calendar, now);
                (Some(kept), inside)
            }
            None => (None, SortedSet::new()),
        };
        let outside: Vec<(JobId, Time)> =
            stays.iter().copied().filter(|stay| !inside.contains(stay)).collect();
        for &(job, started) in &outside {
            free.take(job, started);
        }
        let mut closed = Vec::new();
        let closures = capacity.map_or(&[][..], |calendar| &calendar.closures);
        for (index, closure) in closures.iter().enumerate().take_while(|(_, closure)| closure.from <= now) {
            if now < closure.to {
                free.close(closure);
                closed.push(index);
            }
        }
        let passed_over = SortedSet::new();
        Snapshot {
            now,
            running,
            waiting,
            free,
            passed_over,
            stays,
            outside,
            kept,
            closed,
            calendar: capacity,
            workload,
        }
    }

    /// Starts a waiting job now, in a reservation of the calendar if it may start there.
    pub fn start(&mut self, job: JobId) {
        self.waiting.retain(|&other| other != job);
        self.running.push(job);
        self.stays.push((job, self.now));
        if self.kept.as_mut().is_some_and(|kept| kept.enter(job, self.now, Time::MAX)) {
            return;
        }
        self.outside.push((job, self.now));
        self.free.take(job, self.now);
    }

    /// Whether a waiting job fits into a reservation that the calendar keeps for it.
    pub fn is_admitted(&self, job: JobId) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.admits(job, self.now))
    }

    /// Returns what closures of the calendar make of the free resources, if there is a calendar.
    pub fn service(&self) -> Option<CapacityState<'_>> {
        let (free, running, closed) = (&self.free, &self.outside[..], &self.closed[..]);
        Some(CapacityState { workload: self.workload, calendar: self.calendar?, free, running, closed })
    }

    pub fn stays(&self) -> &[(JobId, Time)] {
        &self.stays
    }

    /// Returns the first waiting job that is considered, in the order of submission.
    pub fn head(&self) -> Option<JobId> {
        self.waiting.iter().copied().find(|job| !self.passed_over.contains(job))
    }

    /// Returns the reservation that EASY would give a job: shadow time and extra processors, from the
    /// estimated ends of the jobs that run outside of the calendar's reservations.
    pub fn shadow(&self, head: JobId, rule: ExtraRule) -> Option<Shadow<1>> {
        let mut releases: Releases<1> = Releases::default();
        for &(job, start) in &self.outside {
            let end = start.saturating_add(self.workload.estimate(job));
            releases.add(end, start, job, [self.workload.procs(job)]);
        }
        releases.shadow(self.now, [self.free.procs()], [self.workload.procs(head)], rule)
    }
}
