//! What a replay produced: when every job started and ended, where it was, and what became of it.

mod places;
mod shares;
mod slices;
mod stop;
mod stopped;

use std::collections::BTreeMap;

pub use batchlab_policies::cluster::record::{Epoch, Service};
use batchlab_traces::{JobId, Time};
pub use places::Places;
pub use shares::Got;
pub use stop::{Stop, StopError, StopRule, StopRuleError};

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Ran for its whole run time.
    Finished,
    /// Was killed by the policy.
    Killed,
    /// Was turned away by the policy while it waited: it has neither start nor end ([`Time::MAX`]).
    Rejected,
    /// Had not ended when the replay was stopped: its end is the stop, and so is its start if it had none. One that
    /// would have been submitted later has neither ([`Time::MAX`]).
    Unfinished,
}

impl Fate {
    /// Whether the job came to an end of its own or the policy's making, so that it can be measured.
    pub fn has_ended(self) -> bool {
        matches!(self, Fate::Finished | Fate::Killed)
    }

    /// Returns its name, as schedule files have it.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Finished => "finished",
            Fate::Killed => "killed",
            Fate::Rejected => "rejected",
            Fate::Unfinished => "unfinished",
        }
    }

    /// Returns the fate of a name.
    pub fn find(name: &str) -> Option<Fate> {
        [Fate::Finished, Fate::Killed, Fate::Rejected, Fate::Unfinished]
            .into_iter()
            .find(|fate| fate.name() == name)
    }
}

/// What happened to a job during an interval of a time-shared schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalKind {
    /// It ran at the interval's rate.
    Run,
    /// It was resident but paused.
    Paused,
    /// It had its processors, and they switched from other jobs to it.
    Switch,
    /// It had its processors, and waited for a checkpoint or a restart, its own or that of the job before it.
    Migrate,
    /// It was being swapped out or in.
    Swap,
}

impl IntervalKind {
    const NAMES: [(IntervalKind, &'static str); 5] = [
        (IntervalKind::Run, "run"),
        (IntervalKind::Paused, "paused"),
        (IntervalKind::Switch, "switch"),
        (IntervalKind::Migrate, "migrate"),
        (IntervalKind::Swap, "swap"),
    ];

    /// Returns its name in files.
    pub fn name(self) -> &'static str {
        IntervalKind::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// Returns the kind of a name.
    pub fn of_name(name: &str) -> Option<IntervalKind> {
        IntervalKind::NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

/// A stretch of a job's life on the machine; recorded only where jobs do not simply run from start to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The job.
    pub job: JobId,
    /// From this instant.
    pub from: Time,
    /// Until this instant.
    pub to: Time,
    /// The rate, 1 being full speed.
    pub rate: f64,
    /// What it did.
    pub kind: IntervalKind,
}

/// The outcome of one replay; metrics read nothing but this and the workload.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// First start of each job, by [`JobId`].
    pub start: Vec<Time>,
    /// End of each job, by [`JobId`].
    pub end: Vec<Time>,
    /// Fate of each job, by [`JobId`]; empty when all finished.
    pub fate: Vec<Fate>,
    /// Stretches of jobs' lives, in the order in which they ended; empty in plain space sharing. What jobs did while
    /// rows took turns is in [`Outcome::epochs`]; [`Outcome::all_intervals`] has both.
    pub intervals: Vec<Interval>,
    /// Times in which rows took turns, in order.
    pub epochs: Vec<Epoch>,
    /// What became of each job's time on the machine, by [`JobId`]; empty in plain space sharing.
    pub services: Vec<Service>,
    /// Whether jobs were placed on processors, by their numbers ([`Machine::by_processor`]), and places say so.
    ///
    /// [`Machine::by_processor`]: batchlab_traces::Machine::by_processor
    pub by_processor: bool,
    /// Nodes of each job; empty on a pool.
    pub places: Places,
    /// How often the policy was asked.
    pub decisions: u64,
    /// Jobs that the policy turned away, by the reason that it gave.
    pub rejected: BTreeMap<&'static str, u64>,
    /// What the policy counted, by name (slipped reservations, corrected predictions).
    pub tallies: BTreeMap<&'static str, u64>,
    /// Choices by score and how many of them were ties, by what was chosen (host choices).
    pub ties: BTreeMap<&'static str, (u64, u64)>,
}

impl Outcome {
    /// Returns the first start of a job.
    pub fn start(&self, job: JobId) -> Time {
        self.start[job.index()]
    }

    /// Returns the end of a job.
    pub fn end(&self, job: JobId) -> Time {
        self.end[job.index()]
    }

    /// Returns the fate of a job.
    pub fn fate(&self, job: JobId) -> Fate {
        self.fate.get(job.index()).copied().unwrap_or(Fate::Finished)
    }

    /// Whether a job took part in the replay: it was submitted before the stop and not turned away.
    pub fn took_part(&self, job: JobId) -> bool {
        self.start(job) < Time::MAX
    }

    /// Returns when a job started, if it did before the replay ended.
    pub fn started(&self, job: JobId) -> Option<Time> {
        let waited = self.fate(job) == Fate::Unfinished && self.start(job) == self.end(job);
        Some(self.start(job)).filter(|&start| start < Time::MAX && !waited)
    }

    /// Returns when a job ended, if it did before the replay ended.
    pub fn ended(&self, job: JobId) -> Option<Time> {
        Some(self.end(job)).filter(|&end| end < Time::MAX && self.fate(job).has_ended())
    }

    /// Whether it is known what became of a job: a schedule of another tool may leave jobs out.
    pub fn tells(&self, job: JobId) -> bool {
        self.took_part(job) || !self.fate(job).has_ended()
    }

    /// Sets the fate of a job, of so many.
    pub fn set_fate(&mut self, job: JobId, fate: Fate, jobs: usize) {
        if self.fate.len() < jobs {
            self.fate.resize(jobs, Fate::Finished);
        }
        self.fate[job.index()] = fate;
    }
}
