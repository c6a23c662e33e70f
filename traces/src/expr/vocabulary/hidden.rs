//! Fields that may not be used in every context, and the reasons.

pub(super) const FUTURE: &str = "a policy cannot see what happens after its decision; it knows `estimate`";
const RECORDED: &str = "a job to be replayed has no recorded schedule; it has `run` and `estimate`";
const ONE_SIZE: &str = "a job to be replayed has one size; write `procs`";
const ONE_MEMORY: &str = "a job to be replayed has one memory; write `memory`";
const ONE_ESTIMATE: &str = "a job to be replayed has one estimate; write `estimate`";
const RECORD_ONLY: &str = "only the log records it; filter the trace before it is replayed";
pub(super) const NO_MEMORY: &str = "the machine of this replay has no memory";
pub(super) const NO_CALENDAR: &str = "the log does not say when its zero was (UnixStartTime)";

pub(super) const NOT_NAMED: &str = "only the defined names may be used; fields of jobs are not available";

/// Fields that jobs of a replay do not have, and why.
pub(super) const NOT_OF_JOBS: [(&str, &str); 14] = [
    ("max_procs", "the machine of a replay may be another than the log's; write its size"),
    ("wait", RECORDED),
    ("start", RECORDED),
    ("end", RECORDED),
    ("response", RECORDED),
    ("requested_procs", ONE_SIZE),
    ("allocated_procs", ONE_SIZE),
    ("requested_time", ONE_ESTIMATE),
    ("requested_memory", ONE_MEMORY),
    ("used_memory", ONE_MEMORY),
    ("cpu", RECORD_ONLY),
    ("status", RECORD_ONLY),
    ("preceding", RECORD_ONLY),
    ("think", RECORD_ONLY),
];

/// The hidden fields that a schedule gives to jobs.
pub(super) const IN_SCHEDULES: [&str; 4] = ["wait", "start", "end", "response"];

/// Fields that a policy must not see.
pub(super) const NOT_OF_POLICIES: [&str; 8] =
    ["run", "start", "end", "response", "status", "cpu", "used_memory", "allocated_procs"];
