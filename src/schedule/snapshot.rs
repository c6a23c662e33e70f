//! The state of a schedule at one instant: running and waiting jobs, free resources, and EASY's reservation.

mod free;

use batchlab_policies::support::releases::{ExtraRule, Releases, Shadow};
use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::outcome::{Fate, Outcome};
pub use free::{Free, Room};

/// The state of a schedule at an instant, after all its ends and before all its starts.
#[derive(Clone)]
pub struct Snapshot<'a> {
    /// The instant.
    pub now: Time,
    /// Jobs that started before and have not ended, in the order of submission.
    pub running: Vec<JobId>,
    /// Jobs that are submitted and have not started, in the order of submission.
    pub waiting: Vec<JobId>,
    /// The free resources.
    pub free: Free<'a>,
    workload: &'a Workload,
}

impl<'a> Snapshot<'a> {
    /// Returns the state of a schedule. O(n).
    pub fn of(workload: &'a Workload, machine: &'a Machine, outcome: &'a Outcome, now: Time) -> Snapshot<'a> {
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
        for &job in &running {
            free.take(job);
        }
        Snapshot { now, running, waiting, free, workload }
    }

    /// Starts a waiting job now.
    pub fn start(&mut self, job: JobId) {
        self.waiting.retain(|&other| other != job);
        self.running.push(job);
        self.free.take(job);
    }

    /// Returns the first waiting job, in the order of submission.
    pub fn head(&self) -> Option<JobId> {
        self.waiting.first().copied()
    }

    /// Returns the reservation that EASY would give a job: shadow time and extra processors, from the
    /// estimated ends of the running jobs (with their starts in the schedule).
    pub fn shadow(&self, outcome: &Outcome, head: JobId, rule: ExtraRule) -> Option<Shadow<1>> {
        let mut releases: Releases<1> = Releases::default();
        for &job in &self.running {
            let start = outcome.start(job).min(self.now);
            let end = start.saturating_add(self.workload.estimate(job));
            releases.add(end, start, job, [self.workload.procs(job)]);
        }
        releases.shadow(self.now, [self.free.procs()], [self.workload.procs(head)], rule)
    }
}
