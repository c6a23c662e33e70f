//! The fields that every log has: names, units, meanings.

use super::kind::ExprType;

/// A value that a program reads of a row: a field of [`FIELDS`], which states what it is, or a column.
///
/// Programs compute [`FieldId::Hour`] and [`FieldId::Weekday`] from [`FieldId::Submit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum FieldId {
    Job,
    Submit,
    Wait,
    Run,
    Estimate,
    Procs,
    RequestedProcs,
    AllocatedProcs,
    RequestedTime,
    Memory,
    UsedMemory,
    RequestedMemory,
    Cpu,
    User,
    Group,
    Executable,
    Queue,
    Partition,
    Status,
    Preceding,
    Think,
    Start,
    End,
    Response,
    Hour,
    Weekday,
    MaxProcs,
    /// A further column, or a further resource, by its position.
    Resource(u32),
    /// A further resource divided by the processors of the job.
    PerProcessor(u32),
}

/// A field: its name and its kind.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// The name used in printed expressions.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub id: FieldId,
    pub kind: ExprType,
    /// Its meaning, with its unit, in one line.
    pub meaning: &'static str,
}

const fn field(
    name: &'static str,
    aliases: &'static [&'static str],
    id: FieldId,
    kind: ExprType,
    meaning: &'static str,
) -> FieldInfo {
    FieldInfo { name, aliases, id, kind, meaning }
}

const PLAIN: ExprType = ExprType::PLAIN;
const TIME: ExprType = ExprType::TIME;
const MEMORY: ExprType = ExprType::MEMORY;

/// The fields that every log has. Unknown values are -1 in all of them.
#[rustfmt::skip]
pub static FIELDS: &[FieldInfo] = &[
    field("job", &["job_number", "job_id"], FieldId::Job, PLAIN, "job number"),
    field("submit", &["submit_time"], FieldId::Submit, TIME, "submission, from the log's zero"),
    field("wait", &["wait_time"], FieldId::Wait, TIME, "from submission to start; so far, in an order"),
    field("run", &["run_time", "runtime"], FieldId::Run, TIME, "from start to end"),
    field("estimate", &[], FieldId::Estimate, TIME, "requested_time if above zero, else run"),
    field("procs", &["size"], FieldId::Procs, PLAIN, "requested_procs if above zero, else allocated_procs"),
    field("requested_procs", &["requested_processors"], FieldId::RequestedProcs, PLAIN,
        "processors that the user requested"),
    field("allocated_procs", &["allocated_processors"], FieldId::AllocatedProcs, PLAIN,
        "processors that the job got"),
    field("requested_time", &["walltime"], FieldId::RequestedTime, TIME, "run time that the user requested"),
    field("memory", &[], FieldId::Memory, MEMORY,
        "per processor: requested_memory if above zero, else used_memory"),
    field("used_memory", &[], FieldId::UsedMemory, MEMORY, "per processor, on average"),
    field("requested_memory", &[], FieldId::RequestedMemory, MEMORY, "per processor"),
    field("cpu", &["cpu_time", "average_cpu_time"], FieldId::Cpu, TIME, "CPU time per processor, on average"),
    field("user", &["user_id"], FieldId::User, PLAIN, "number of the user"),
    field("group", &["group_id"], FieldId::Group, PLAIN, "number of the user's group"),
    field("executable", &["app", "application"], FieldId::Executable, PLAIN, "number of the application"),
    field("queue", &[], FieldId::Queue, PLAIN, "number, or by `=` the name, of the queue"),
    field("partition", &[], FieldId::Partition, PLAIN, "number, or by `=` the name, of the partition"),
    field("status", &[], FieldId::Status, PLAIN,
        "1 completed, 0 failed, 5 cancelled; 2, 3 and 4 are parts of jobs"),
    field("preceding", &["preceding_job"], FieldId::Preceding, PLAIN, "number of the job that came before"),
    field("think", &["think_time"], FieldId::Think, TIME, "from the preceding job's end to this submission"),
    field("start", &["start_time"], FieldId::Start, TIME, "submit + wait, from the log's zero"),
    field("end", &["end_time"], FieldId::End, TIME, "submit + wait + run, from the log's zero"),
    field("response", &["response_time"], FieldId::Response, TIME, "wait + run"),
    field("hour", &[], FieldId::Hour, PLAIN, "full hour of the site's clock at submission, 0 to 23"),
    field("weekday", &[], FieldId::Weekday, PLAIN, "day of the week at submission, 0 is Monday"),
    field("max_procs", &[], FieldId::MaxProcs, PLAIN, "processors of the machine, as the header has them; -1 if it does not say"),
];

impl FieldInfo {
    /// Returns the field with a name or alias.
    pub fn find(name: &str) -> Option<&'static FieldInfo> {
        FIELDS.iter().find(|field| field.name == name || field.aliases.contains(&name))
    }
}
