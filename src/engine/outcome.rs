//! The outcome of a replay: start, end, place and fate of every job.

mod entering;
mod places;
mod predicted;
mod shares;
mod slices;
mod stop;
mod stopped;

use std::collections::HashMap;
use std::sync::Arc;

pub use batchlab_support::cluster::epochs::{EpochCursor, Epochs};
pub use batchlab_support::cluster::record::{Epoch, TimeSpent};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time, Workload};
pub use entering::in_log;
pub use places::Places;
pub use predicted::Predictions;
pub use shares::{Got, add_turns, turns_of};
pub use stop::{Stop, StopError, StopRule, StopRuleError};
pub use stopped::stopped;

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It ran for its whole run time.
    Finished,
    /// It was killed by the policy.
    Killed,
    /// It was rejected by the policy while it waited; it has neither start nor end ([`Time::MAX`]).
    Rejected,
    /// It had not ended when the replay was stopped: its end is the stop, and so is its start if it had not
    /// started. A job that would have been submitted later has neither ([`Time::MAX`]).
    Unfinished,
    /// Its user cancelled it, by the log, before it started there: its end is the instant at which it left the queue or
    /// the machine, and so is its start if it had not started. It is not measured, even if it ended before.
    Cancelled,
}

impl Fate {
    const ALL: [Fate; 5] = [Fate::Finished, Fate::Killed, Fate::Rejected, Fate::Unfinished, Fate::Cancelled];

    /// Whether the job finished or was killed, so that it can be measured.
    pub fn has_ended(self) -> bool {
        matches!(self, Fate::Finished | Fate::Killed)
    }

    /// Returns its name in schedule files.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Finished => "finished",
            Fate::Killed => "killed",
            Fate::Rejected => "rejected",
            Fate::Unfinished => "unfinished",
            Fate::Cancelled => "cancelled",
        }
    }

    /// Returns the fate with a given name.
    pub fn find(name: &str) -> Option<Fate> {
        Fate::ALL.into_iter().find(|fate| fate.name() == name)
    }
}

/// The state of a job during an interval of a time-shared schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalKind {
    /// It ran at the interval's rate.
    Run,
    /// It was resident but paused.
    Paused,
    /// It had its processors, which were switching to it from other jobs.
    Switch,
    /// It had its processors and waited for a checkpoint or a restart: its own, or that of the previous job.
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

    /// Returns the kind with a given name.
    pub fn of_name(name: &str) -> Option<IntervalKind> {
        IntervalKind::NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

/// An interval of a job's time on the machine; recorded only if jobs do not simply run from start to end.
#[allow(missing_docs, reason = "names say what has no line")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub job: JobId,
    pub from: Time,
    pub to: Time,
    /// The rate; 1 is full speed.
    pub rate: f64,
    pub kind: IntervalKind,
}

/// A job's time on the machine after which it waited again and had lost its work.
#[allow(missing_docs, reason = "names say what has no line")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostRun {
    pub job: JobId,
    pub from: Time,
    /// The instant at which it left the machine.
    pub to: Time,
}

/// The outcome of one replay; metrics read only this and the workload.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The jobs in the order in which they entered the queue, if that depended on the schedule because jobs depend on
    /// others; a [`JobId`] is then a position in this order, here and in everything made of the outcome.
    pub entered: Option<Arc<Workload>>,
    /// First start of each job, by [`JobId`].
    pub start: Vec<Time>,
    /// End of each job, by [`JobId`].
    pub end: Vec<Time>,
    /// Fate of each job, by [`JobId`]; empty if all finished.
    pub fate: Vec<Fate>,
    /// Intervals of jobs, in the order of their ends; empty in plain space sharing. The slices of rows that
    /// share time are kept as [`Outcome::epochs`]; [`Outcome::all_intervals`] returns both.
    pub intervals: Vec<Interval>,
    /// Periods in which the same rows shared time, in order.
    pub epochs: Epochs,
    /// Runs of jobs before their last one, in the order of their ends; the work of these runs was lost.
    pub lost: Vec<LostRun>,
    /// How each job's time on the machine was spent, by [`JobId`]; empty in plain space sharing.
    pub services: Vec<TimeSpent>,
    /// Whether jobs were placed on numbered processors ([`Machine::by_processor`]), so that places are processors.
    ///
    /// [`Machine::by_processor`]: batchlab_traces::Machine::by_processor
    pub by_processor: bool,
    /// Nodes of each job; empty on a pool.
    pub places: Places,
    /// The processors of jobs whose policy named them: ranges of numbers, both ends among them, ascending, through all nodes in their
    /// order. Of a job that ran several times those of its last run.
    pub processors: HashMap<JobId, Vec<(u32, u32)>>,
    /// The policy's words about jobs.
    pub descriptions: HashMap<JobId, String>,
    /// The run times by which the policy planned; `None` if the outcome is not that of a replay, so that nothing is known about
    /// them.
    pub predicted: Option<Predictions>,
    /// Number of decisions.
    pub decisions: u64,
    /// Number of jobs that the policy rejected, by the reason that it gave.
    pub rejected: SortedMap<&'static str, u64>,
    /// Counters of the policy, by name (slipped reservations, corrected predictions).
    pub tallies: SortedMap<&'static str, u64>,
    /// Number of choices by score and number of ties among them, by what was chosen (such as hosts).
    pub ties: SortedMap<&'static str, (u64, u64)>,
}

impl Outcome {
    /// Returns the jobs that the outcome is about, with the instants at which they entered the queue: those of the log,
    /// or [`Outcome::entered`].
    pub fn workload<'a>(&'a self, log: &'a Workload) -> &'a Workload {
        self.entered.as_deref().unwrap_or(log)
    }

    /// Returns the first start of a job.
    pub fn start(&self, job: JobId) -> Time {
        self.start[job.index()]
    }

    /// Returns when a job was first on the machine, also if it lost its work then and started again. O(runs whose work was lost).
    pub fn first_start(&self, job: JobId) -> Option<Time> {
        let lost = self.lost.iter().filter(|run| run.job == job).map(|run| run.from);
        lost.min().or_else(|| self.started(job))
    }

    /// Returns the end of a job.
    pub fn end(&self, job: JobId) -> Time {
        self.end[job.index()]
    }

    /// Returns the fate of a job.
    pub fn fate(&self, job: JobId) -> Fate {
        self.fate.get(job.index()).copied().unwrap_or(Fate::Finished)
    }

    /// Whether a job took part in the replay: it was submitted before the stop and was not rejected.
    pub fn took_part(&self, job: JobId) -> bool {
        self.start(job) < Time::MAX
    }

    /// Returns the start of a job, if it started before the replay ended.
    pub fn started(&self, job: JobId) -> Option<Time> {
        let left = matches!(self.fate(job), Fate::Unfinished | Fate::Cancelled);
        let waited = left && self.start(job) == self.end(job);
        Some(self.start(job)).filter(|&start| start < Time::MAX && !waited)
    }

    /// Returns the end of a job, if it ended before the replay did; for a job that was cancelled, when it left.
    pub fn ended(&self, job: JobId) -> Option<Time> {
        let fate = self.fate(job);
        Some(self.end(job)).filter(|&end| end < Time::MAX && (fate.has_ended() || fate == Fate::Cancelled))
    }

    /// Whether the job's fate is known: a schedule of another tool may leave jobs out.
    pub fn tells(&self, job: JobId) -> bool {
        self.took_part(job) || !self.fate(job).has_ended()
    }

    /// Whether some jobs do not simply run from start to end.
    pub fn shares_time(&self) -> bool {
        !self.intervals.is_empty() || !self.epochs.is_empty()
    }

    /// Sets the fate of a job; `jobs` is the number of all jobs.
    pub fn set_fate(&mut self, job: JobId, fate: Fate, jobs: usize) {
        if self.fate.len() < jobs {
            self.fate.resize(jobs, Fate::Finished);
        }
        self.fate[job.index()] = fate;
    }
}
