//! One job as an accounting log describes it.

use batchlab_traces::notation::Bound;
use batchlab_traces::trace::Suspension;
use batchlab_traces::{Number, Time};

/// A name or a number in a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Name<'a> {
    /// The log does not give the name.
    #[default]
    Unknown,
    /// The name or number as printed. Empty text counts as unknown.
    Text(&'a [u8]),
}

/// Instants from here on are dates: three years after 1970, before any log of jobs and after the end of any log that counts
/// from its own zero.
pub(crate) const DATED: Time = Time::from_secs(100_000_000);

/// Whether a job started, judged by its start. The second 0 means that it never started, unless the log counts from its own zero:
/// the job was submitted in this second, and its end is no date.
pub(crate) fn has_started(submit: Option<Time>, start: Option<Time>, end: Option<Time>) -> bool {
    let is_first = submit == Some(Time::ZERO) && end.is_none_or(|end| end < DATED);
    start != Some(Time::ZERO) || is_first
}

/// The state of a job at the time the log was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JobState {
    /// The job has ended, whether or not it ever started.
    #[default]
    Ended,
    /// This run has ended, and the job was put back into the queue.
    PutBack,
    /// The job is running or suspended.
    Running,
    /// The job is waiting.
    Waiting,
}

/// The activity, when the log was written, of a job that had started and not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunPhase {
    /// The job ran.
    #[default]
    Runs,
    /// The job was suspended, and its processors were free.
    Suspended,
    /// The system was ending the job, which still had its processors.
    Ending,
}

/// The larger submission that a job is part of, in the system's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Member {
    /// The number of the job array, and the job's index in it.
    pub array: Option<(i64, i64)>,
    /// The number of the heterogeneous job's first component, and the job's offset from it.
    pub het: Option<(i64, i64)>,
}

/// One job as an accounting log describes it: the log's values in the trace's units, before any correction.
///
/// Values that the log does not give are `None`. Readers fill one entry per job and pass it to the
/// [`Normaliser`](crate::normal::Normaliser), which turns it into a record by the archive's rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // The names say the rest.
pub struct AccountingEntry<'a> {
    /// Line in the file, from 1.
    pub line: u32,
    /// The job number in the log, if it is worth keeping.
    pub number: Option<i64>,
    /// The cluster that assigned the number, counted from 0: two clusters may give the same number.
    pub cluster: u32,
    /// The array or heterogeneous job that the job is part of.
    pub member: Member,
    /// Whether the entry stands for several tasks of an array.
    pub is_several: bool,
    /// The job's state at the time the log was written.
    pub stage: JobState,
    /// How long the job had run when the log was written, if it had not ended and the log states it.
    pub elapsed: Option<Time>,
    /// Submit time, from 1970-01-01 UTC.
    pub submit: Option<Time>,
    /// Start time, from 1970-01-01 UTC.
    pub start: Option<Time>,
    /// End time, from 1970-01-01 UTC.
    pub end: Option<Time>,
    /// Run time as the log measured it. Takes precedence over end − start, which may include suspensions.
    pub measured_run: Option<Time>,
    /// How long the job was suspended after its start, and when, if the log says so.
    pub suspension: Suspension,
    /// The activity of a job that was [running](JobState::Running) when the log was written.
    pub phase: RunPhase,
    /// Run time for logs that lack end times. Used only if end − start is unknown.
    pub fallback_run: Option<Time>,
    /// Whether the job never started: it ended in the queue, or still waited at the end of the log. It has no run time then.
    pub never_started: bool,
    pub allocated: Option<i64>,
    /// CPU time per allocated processor.
    pub cpu: Option<Time>,
    /// Used memory per processor, KB.
    pub used_memory: Option<Number>,
    pub requested: Option<i64>,
    /// Requested time; [`Bound::Unlimited`] if the log states that the job has no limit.
    pub requested_time: Option<Bound<Time>>,
    /// Requested memory per processor, KB.
    pub requested_memory: Option<Number>,
    /// Status in SWF's code: 0 failed, 1 completed, 5 cancelled.
    pub status: Option<i64>,
    pub user: Name<'a>,
    pub group: Name<'a>,
    /// Application: the program or the job's name.
    pub executable: Name<'a>,
    pub queue: Name<'a>,
    pub partition: Name<'a>,
    /// Further columns: the handle that [`Normaliser::column`](crate::normal::Normaliser::column) returned, and the amount.
    pub extra: Vec<(usize, i64)>,
}

impl<'a> Name<'a> {
    /// Returns the name that a text gives; unknown if the text is empty.
    pub fn of(text: &'a [u8]) -> Name<'a> {
        if text.is_empty() { Name::Unknown } else { Name::Text(text) }
    }
}

impl AccountingEntry<'_> {
    /// Returns a name for the job: its number, else its index in an array or heterogeneous job.
    pub(crate) fn own_name(&self) -> String {
        match (self.number, self.member.array, self.member.het) {
            (Some(number), ..) => number.to_string(),
            (None, Some((array, task)), Some((_, offset))) => format!("{array}_{task}+{offset}"),
            (None, Some((array, task)), None) => format!("{array}_{task}"),
            (None, None, Some((whole, offset))) => format!("{whole}+{offset}"),
            (None, None, None) => "without a number".into(),
        }
    }
}
