//! One job as an accounting log tells of it.

use batchlab_traces::{Number, Time};

/// A name or a number in a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Name<'a> {
    /// The log does not tell.
    #[default]
    Unknown,
    /// As printed; numbers that name something are names. Empty text counts as unknown.
    Text(&'a [u8]),
}

/// Where a job stands when the log was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// It has ended: with or without ever starting.
    #[default]
    Ended,
    /// This run has ended, and the job was put back into the queue.
    PutBack,
    /// It runs, or is suspended.
    Running,
    /// It waits.
    Waiting,
}

/// Which part of a larger submission a job is, by the system's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Member {
    /// The number of its job array, and its task in there.
    pub array: Option<(i64, i64)>,
    /// The number of the first component of its heterogeneous job, and its offset in there.
    pub het: Option<(i64, i64)>,
}

/// One job as an accounting log tells of it: its own words in the trace's units, nothing mended.
///
/// What the log does not tell is `None`. Readers fill one entry per job and hand it to the
/// [`Normaliser`](crate::normal::Normaliser), which makes a record of it under the archive's rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Line in the file, from 1.
    pub line: u32,
    /// The log's own number of the job, if it has one that is worth keeping.
    pub number: Option<i64>,
    /// The cluster that numbered it, counted from 0: other clusters may give the same number.
    pub cluster: u32,
    /// The array or heterogeneous job that it is part of.
    pub member: Member,
    /// Whether it stands for several tasks of an array.
    pub is_several: bool,
    /// Where it stood when the log was written.
    pub stage: Stage,
    /// How long it had run then, if it had not ended and the log tells.
    pub elapsed: Option<Time>,
    /// When it was submitted, from 1970-01-01 UTC.
    pub submit: Option<Time>,
    /// When it started, from 1970-01-01 UTC.
    pub start: Option<Time>,
    /// When it ended, from 1970-01-01 UTC.
    pub end: Option<Time>,
    /// How long it ran, as the log measured it. Counts before end − start, which may include suspensions.
    pub measured_run: Option<Time>,
    /// How long it ran, for logs whose ends are missing. Counts after end − start.
    pub fallback_run: Option<Time>,
    /// Whether it ended, or waited to the end of the log, without ever starting: then it has no run time.
    pub never_started: bool,
    /// Allocated processors.
    pub allocated: Option<i64>,
    /// CPU time per allocated processor.
    pub cpu: Option<Time>,
    /// Used memory per processor, KB.
    pub used_memory: Option<Number>,
    /// Requested processors.
    pub requested: Option<i64>,
    /// Requested time.
    pub requested_time: Option<Time>,
    /// Requested memory per processor, KB.
    pub requested_memory: Option<Number>,
    /// Status as SWF counts: 0 failed, 1 completed, 5 cancelled.
    pub status: Option<i64>,
    /// User.
    pub user: Name<'a>,
    /// Group, or account.
    pub group: Name<'a>,
    /// Application: the program, or the job's name.
    pub executable: Name<'a>,
    /// Queue.
    pub queue: Name<'a>,
    /// Partition.
    pub partition: Name<'a>,
    /// Further columns: the handle that [`Normaliser::column`](crate::normal::Normaliser::column) gave, and the
    /// amount.
    pub extra: Vec<(usize, i64)>,
}

impl<'a> Name<'a> {
    /// Returns the name of a text; unknown when it is empty.
    pub fn of(text: &'a [u8]) -> Name<'a> {
        if text.is_empty() { Name::Unknown } else { Name::Text(text) }
    }
}
