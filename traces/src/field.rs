//! The eighteen fields of the Standard Workload Format, the common currency of all formats.

/// A field of a record, in the order of SWF v2.2 (Parallel Workloads Archive, "The Standard Workload
/// Format"); [`Field::meaning`] says what each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
#[allow(missing_docs)]
pub enum Field {
    Job,
    Submit,
    Wait,
    Run,
    Allocated,
    Cpu,
    UsedMemory,
    Requested,
    RequestedTime,
    RequestedMemory,
    Status,
    User,
    Group,
    Executable,
    Queue,
    Partition,
    Preceding,
    Think,
}

/// Number of fields.
pub const FIELDS: usize = 18;

/// The fields in the order of the format, each with its key, its name and its meaning.
#[rustfmt::skip]
const TABLE: [(Field, &str, &str, &str); FIELDS] = [
    (Field::Job, "job", "job number", "a counter, usually from 1"),
    (Field::Submit, "submit", "submit time", "seconds from the log's zero"),
    (Field::Wait, "wait", "wait time", "seconds from submission to start; in real logs only"),
    (Field::Run, "run", "run time", "wall-clock seconds from start to end"),
    (Field::Allocated, "allocated_procs", "allocated processors", "processors that the job got"),
    (Field::Cpu, "cpu", "average CPU time", "seconds of CPU time per allocated processor, user and system, on average"),
    (Field::UsedMemory, "used_memory", "used memory", "KB per allocated processor, on average"),
    (Field::Requested, "requested_procs", "requested processors", "processors that its user requested"),
    (Field::RequestedTime, "requested_time", "requested time", "seconds that its user requested: the estimate, and often a limit"),
    (Field::RequestedMemory, "requested_memory", "requested memory", "KB per processor that its user requested"),
    (Field::Status, "status", "status", "1 completed, 0 failed, 5 cancelled; 2, 3 and 4 are parts of checkpointed jobs"),
    (Field::User, "user", "user", "a number for each user"),
    (Field::Group, "group", "group", "a number for each group of users"),
    (Field::Executable, "executable", "executable", "a number for each application"),
    (Field::Queue, "queue", "queue", "a number for each queue; 0 is interactive by convention"),
    (Field::Partition, "partition", "partition", "a number for each partition of the machine"),
    (Field::Preceding, "preceding", "preceding job", "number of the job that had to end before this one could start"),
    (Field::Think, "think", "think time", "seconds from that job's end to this submission"),
];

impl Field {
    /// All fields in the order of the format.
    pub const ALL: [Field; FIELDS] = {
        let mut all = [Field::Job; FIELDS];
        let mut at = 0;
        while at < FIELDS {
            all[at] = TABLE[at].0;
            at += 1;
        }
        all
    };

    /// Returns the position, 0 to 17.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name of the field in expressions, and as a column of a frame.
    pub const fn key(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Returns the format's name of the field, in words.
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// Returns the meaning of the field, with its unit, in one line.
    pub const fn meaning(self) -> &'static str {
        TABLE[self as usize].3
    }
}

/// The values of field 11.
pub mod status {
    /// Failed.
    pub const FAILED: i64 = 0;
    /// Completed.
    pub const COMPLETED: i64 = 1;
    /// A part of a checkpointed job, to be continued.
    pub const PART: i64 = 2;
    /// The last part of a checkpointed job that completed.
    pub const LAST_PART_COMPLETED: i64 = 3;
    /// The last part of a checkpointed job that failed.
    pub const LAST_PART_FAILED: i64 = 4;
    /// Cancelled, before its start or while running.
    pub const CANCELLED: i64 = 5;

    /// Whether the line is a part of a job rather than a job.
    pub const fn is_part(status: i64) -> bool {
        matches!(status, PART | LAST_PART_COMPLETED | LAST_PART_FAILED)
    }
}
