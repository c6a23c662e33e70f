//! The eighteen fields of the Standard Workload Format, the common currency of all formats.

/// A field of a record, in the order of SWF v2.2 (Parallel Workloads Archive, "The Standard Workload
/// Format").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum Field {
    /// 1: job number, a counter.
    Job,
    /// 2: submit time, seconds from the log's zero.
    Submit,
    /// 3: wait time, seconds from submission to start; real logs only.
    Wait,
    /// 4: run time, wall-clock seconds from start to end.
    Run,
    /// 5: number of allocated processors.
    Allocated,
    /// 6: average CPU time used per allocated processor, seconds.
    Cpu,
    /// 7: average used memory per processor, KB.
    UsedMemory,
    /// 8: requested number of processors.
    Requested,
    /// 9: requested time, seconds.
    RequestedTime,
    /// 10: requested memory per processor, KB.
    RequestedMemory,
    /// 11: status: 1 completed, 0 failed, 5 cancelled, 2 to 4 partial executions.
    Status,
    /// 12: user, a number.
    User,
    /// 13: group, a number.
    Group,
    /// 14: executable (application), a number.
    Executable,
    /// 15: queue, a number; 0 is interactive by convention.
    Queue,
    /// 16: partition, a number.
    Partition,
    /// 17: number of the job that had to end before this one could start.
    Preceding,
    /// 18: think time, seconds from that job's end to this submission.
    Think,
}

/// Number of fields.
pub const FIELDS: usize = 18;

impl Field {
    /// All fields in the order of the format.
    pub const ALL: [Field; FIELDS] = [
        Field::Job,
        Field::Submit,
        Field::Wait,
        Field::Run,
        Field::Allocated,
        Field::Cpu,
        Field::UsedMemory,
        Field::Requested,
        Field::RequestedTime,
        Field::RequestedMemory,
        Field::Status,
        Field::User,
        Field::Group,
        Field::Executable,
        Field::Queue,
        Field::Partition,
        Field::Preceding,
        Field::Think,
    ];

    /// Returns the position, 0 to 17.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the meaning of the field, with its unit, in one line.
    pub const fn meaning(self) -> &'static str {
        match self {
            Field::Job => "a counter, usually from 1",
            Field::Submit => "seconds from the log's zero",
            Field::Wait => "seconds from submission to start; in real logs only",
            Field::Run => "wall-clock seconds from start to end",
            Field::Allocated => "processors that the job got",
            Field::Cpu => "seconds of CPU time per allocated processor, user and system, on average",
            Field::UsedMemory => "KB per allocated processor, on average",
            Field::Requested => "processors that its user requested",
            Field::RequestedTime => "seconds that its user requested: the estimate, and often a limit",
            Field::RequestedMemory => "KB per processor that its user requested",
            Field::Status => "1 completed, 0 failed, 5 cancelled; 2, 3 and 4 are parts of checkpointed jobs",
            Field::User => "a number for each user",
            Field::Group => "a number for each group of users",
            Field::Executable => "a number for each application",
            Field::Queue => "a number for each queue; 0 is interactive by convention",
            Field::Partition => "a number for each partition of the machine",
            Field::Preceding => "number of the job that had to end before this one could start",
            Field::Think => "seconds from that job's end to this submission",
        }
    }

    /// Returns the name of the field in expressions, and as a column of a frame.
    pub const fn key(self) -> &'static str {
        match self {
            Field::Job => "job",
            Field::Submit => "submit",
            Field::Wait => "wait",
            Field::Run => "run",
            Field::Allocated => "allocated_procs",
            Field::Cpu => "cpu",
            Field::UsedMemory => "used_memory",
            Field::Requested => "requested_procs",
            Field::RequestedTime => "requested_time",
            Field::RequestedMemory => "requested_memory",
            Field::Status => "status",
            Field::User => "user",
            Field::Group => "group",
            Field::Executable => "executable",
            Field::Queue => "queue",
            Field::Partition => "partition",
            Field::Preceding => "preceding",
            Field::Think => "think",
        }
    }

    /// Returns the format's name of the field, in words.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Job => "job number",
            Field::Submit => "submit time",
            Field::Wait => "wait time",
            Field::Run => "run time",
            Field::Allocated => "allocated processors",
            Field::Cpu => "average CPU time",
            Field::UsedMemory => "used memory",
            Field::Requested => "requested processors",
            Field::RequestedTime => "requested time",
            Field::RequestedMemory => "requested memory",
            Field::Status => "status",
            Field::User => "user",
            Field::Group => "group",
            Field::Executable => "executable",
            Field::Queue => "queue",
            Field::Partition => "partition",
            Field::Preceding => "preceding job",
            Field::Think => "think time",
        }
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
