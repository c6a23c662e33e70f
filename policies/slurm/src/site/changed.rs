//! What slurmctld's log says of jobs that were changed as they waited or ran, on the time of a log.
//!
//! Source: `_update_job`, `_hold_job_rec`, `_release_job_rec` (`job_mgr.c`) of Slurm 22.05.

use batchlab_traces::{SourcePlace, Time, kinds};

kinds! {
    CHANGE_KEPT: Note "slurm-change-undated",
        "{change|changes} of jobs in slurmctld's log that the replay does not follow at {its|their} instant",
        "what accounting keeps of them holds from the submission on",
        "followed are time limits, priorities, partitions, service classes, nice, holding and releasing";
    CHANGE_OF_NO_JOB: Note "slurm-change-of-no-job",
        "{line|lines} of slurmctld's log about changed jobs that the log does not have, or without a time that can be read",
        "left out",
        "nothing, if the log is of a shorter time than the lines";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobChange {
    /// An operator sets its priority, which no computation changes any more (`direct_set_prio`).
    Priority(u32),
    /// Its priority is lower by this much more (`Nice` under `priority/basic`).
    Nice(i64),
    /// Its time limit, in minutes.
    Limit(u32),
    Partition(usize),
    /// The service class of this index.
    Qos(usize),
    Held,
    /// It is released: its priority is computed again.
    Released,
}

/// A line of slurmctld's log about a changed job.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedChange {
    /// When, as it is written.
    pub at: String,
    /// The job, as slurmctld writes it.
    pub job: String,
    /// What becomes of it; `None` for what is not followed.
    pub change: Option<JobChange>,
    pub words: String,
    pub place: SourcePlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteChange {
    pub at: Time,
    pub row: usize,
    pub change: JobChange,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangedJob {
    pub is_held: bool,
    pub priority: Option<u32>,
    /// How much lower its priority is.
    pub nice: i64,
    /// Its time limit, if it is not that of accounting.
    pub limit: Option<Time>,
    /// Its partition, if it was another one.
    pub partition: Option<usize>,
    /// Its service class, if it was another one.
    pub qos: Option<usize>,
}

impl ChangedJob {
    pub fn change(&mut self, change: JobChange) {
        match change {
            JobChange::Priority(priority) => self.priority = Some(priority),
            JobChange::Nice(more) => self.nice = self.nice.saturating_add(more),
            JobChange::Limit(minutes) => self.limit = Some(Time::from_secs(60 * i64::from(minutes.max(1)))),
            JobChange::Partition(at) => self.partition = Some(at),
            JobChange::Qos(at) => self.qos = Some(at),
            JobChange::Held => (self.is_held, self.priority) = (true, None),
            JobChange::Released => (self.is_held, self.priority) = (false, None),
        }
    }
}
