//! A schedule at one instant: who runs, who waits, what is free, and what EASY's rule would say.

mod free;

use batchlab_policies::support::releases::{ExtraRule, Releases, Shadow};
use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::outcome::{Fate, Outcome};
pub use free::{Free, Room};

/// The state of a schedule at an instant, after all ends and before all starts of it.
#[derive(Clone)]
pub struct Snapshot<'a> {
    /// The instant.
    pub now: Time,
    /// Jobs that started before and have not ended, in the order of submission.
    pub running: Vec<JobId>,
    /// Jobs that are submitted and have not started, in the order of submission.
    pub waiting: Vec<JobId>,
    /// What is free.
    pub free: Free<'a>,
    workload: &'a Workload,
}

impl<'a> Snapshot<'a> {
    /// Returns the state of a schedule. O(n).
    pub fn of(workload: &'a Workload, machine: &'a Machine, outcome: &'a Outcome, now: Time) -> Snapshot<'a> {
        // When a job was turned away, nothing tells; it is left out.
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

    /// Lets a waiting job start now.
    pub fn start(&mut self, job: JobId) {
        self.waiting.retain(|&other| other != job);
        self.running.push(job);
        self.free.take(job);
    }

    /// Returns the first waiting job, in the order of submission.
    pub fn head(&self) -> Option<JobId> {
        self.waiting.first().copied()
    }

    /// Returns the reservation that EASY would give a job: its shadow time and the extra processors, by the
    /// estimated ends of the running jobs (started when the schedule says).
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
