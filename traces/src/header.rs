//! The header of a log.

use serde::Deserialize;

/// How a log records jobs that were stopped and resumed (SWF `SwfPreemption`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwfPreemption {
    /// Jobs run to the end once started.
    No,
    /// Each part is a line; there are no summary lines.
    Parts,
    /// A summary line and one line per part ("Double").
    Double,
    /// Time slicing without details ("TS").
    TimeSlicing,
}

/// A queue or a partition of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The number that the records use.
    pub number: i64,
    /// Name and details as printed; may be empty.
    pub name: String,
}

impl Named {
    /// Whether this is the name, or its first word.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.name.split_whitespace().next().unwrap_or_default() == name
    }
}

/// A count with the remark that followed it: `MaxNodes: 144 (1152 processors)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemarkedCount {
    /// The count.
    pub count: i64,
    /// The rest of the line.
    pub remark: String,
}

/// An extra resource declared by an extended SWF file: `; Resource: 1 memory KB capacity=1024 scope=pool`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceDeclaration {
    /// Name: `memory`, `gpu`.
    pub name: String,
    /// Unit of the column and of the capacity.
    pub unit: String,
    /// Capacity of the whole machine ([`ColumnScope::Pool`]) or of one node ([`ColumnScope::Node`]), if given.
    pub capacity: Option<i64>,
    /// What the capacity applies to, if anything.
    pub scope: ColumnScope,
}

impl ResourceDeclaration {
    /// Returns the declaration of a column without a capacity.
    pub fn new(name: &str, unit: &str, scope: ColumnScope) -> ResourceDeclaration {
        ResourceDeclaration { name: name.into(), unit: unit.into(), capacity: None, scope }
    }
}

/// What a further column of a log describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnScope {
    /// A resource of the machine as a whole: licences, the memory of a pool.
    #[default]
    Pool,
    /// A resource that each node has: its memory, its GPUs.
    Node,
    /// Not a resource, but a fact about the job, such as its nodes. It is kept and never demanded.
    Job,
}

impl ColumnScope {
    /// Every scope, with the word that files use for it.
    pub const NAMES: [(ColumnScope, &'static str); 3] =
        [(ColumnScope::Pool, "pool"), (ColumnScope::Node, "node"), (ColumnScope::Job, "job")];

    /// Returns the word that files use.
    pub fn name(self) -> &'static str {
        ColumnScope::NAMES[self as usize].1
    }
}

impl Header {
    /// Returns the names of a further column's numbers, from notes such as `qos 2: high`, in the order of the notes.
    pub fn noted<'a>(&'a self, column: &'a str) -> impl Iterator<Item = Named> + 'a {
        self.notes.iter().filter_map(move |note| {
            let (number, name) = note.trim().strip_prefix(column)?.strip_prefix(' ')?.split_once(':')?;
            Some(Named { number: number.trim().parse().ok()?, name: name.trim().into() })
        })
    }
}

/// The header of a log: every field of SWF v2.2 typed, unknown fields kept, all lines kept in order.
#[allow(missing_docs)] // Fields without a line are named as in SWF.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// All comment lines of the header as read, without the line ends; they are written back unchanged.
    pub lines: Vec<String>,
    /// Comment lines among or after the jobs: the number of records before each, and the line.
    pub later_comments: Vec<(u64, String)>,
    pub version: Option<String>,
    pub computer: Option<String>,
    pub installation: Option<String>,
    pub acknowledge: Vec<String>,
    pub information: Vec<String>,
    pub conversion: Option<String>,
    pub max_jobs: Option<i64>,
    pub max_records: Option<i64>,
    pub preemption: Option<SwfPreemption>,
    /// Time 0 of the log, seconds since 1970-01-01 UTC.
    pub unix_start_time: Option<i64>,
    /// Deprecated offset from UTC, seconds; ignored if `time_zone_string` is present.
    pub time_zone: Option<i64>,
    /// A zone name of the IANA database.
    pub time_zone_string: Option<String>,
    /// As printed; its zone abbreviation cannot be parsed alone.
    pub start_time: Option<String>,
    pub end_time: Option<String>,
    pub max_nodes: Option<RemarkedCount>,
    pub max_procs: Option<RemarkedCount>,
    /// The fewest processors that the machine had, as a schedule or jobs show that the log no longer has; no file states it.
    pub peak_procs: Option<i64>,
    /// The longest run time allowed, seconds.
    pub max_runtime: Option<i64>,
    /// The most memory allowed, KB.
    pub max_memory: Option<i64>,
    /// Whether jobs may use more than they requested.
    pub allow_overuse: Option<bool>,
    pub max_queues: Option<i64>,
    pub queues: Option<String>,
    pub queue: Vec<Named>,
    pub max_partitions: Option<i64>,
    pub partitions: Option<String>,
    pub partition: Vec<Named>,
    /// Names of users, if the log's own form has them; they are never written.
    pub users: Vec<Named>,
    /// Names of groups or accounts, if the log's own form has them; they are never written.
    pub groups: Vec<Named>,
    /// Continuation lines are joined by a blank.
    pub notes: Vec<String>,
    /// Further columns of extended SWF.
    pub resources: Vec<ResourceDeclaration>,
    /// Fields that SWF does not define: name and value.
    pub unknown: Vec<(String, String)>,
}
