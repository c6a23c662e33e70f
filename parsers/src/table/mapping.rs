//! A compiled mapping.

use batchlab_traces::Header;
use batchlab_traces::calendar::Zone;
use regex_lite::Regex;
use serde::Deserialize;

use super::amount::{Factor, MemoryUnit};
use super::split::Separator;
use super::target::{Resource, To};
use super::time_format::{DurationFormat, InstantFormat};
use super::words::WordSet;

/// The meaning of a table's columns: a mapping file, checked and compiled, usable for any number of logs.
///
/// The language is described in [`crate::table`].
#[derive(Clone, Debug)]
pub struct Mapping {
    pub(super) layout: LineFormat,
    pub(super) columns: Vec<MappedColumn>,
    pub(super) constants: Vec<Constant>,
    pub(super) resources: Vec<(Resource, Option<i64>)>,
    pub(super) facts: LogProperties,
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the file, independent of the others")]
pub(super) struct LineFormat {
    pub(super) separator: Separator,
    pub(super) quoted: bool,
    pub(super) comments: Vec<Box<[u8]>>,
    pub(super) skip: u32,
    pub(super) heading: bool,
    pub(super) exactly: Option<usize>,
    pub(super) at_least: usize,
    pub(super) leave_out: bool,
    pub(super) comma: bool,
}

impl LineFormat {
    /// Whether a line may have this number of columns.
    pub(super) fn allows(&self, count: usize) -> bool {
        self.exactly.is_none_or(|exactly| count == exactly) && count >= self.at_least
    }

    /// Whether a line is not part of the table: blank or a comment.
    pub(super) fn is_comment(&self, line: &[u8]) -> bool {
        let line = line.trim_ascii_start();
        line.is_empty() || self.comments.iter().any(|comment| line.starts_with(comment))
    }
}

#[derive(Clone, Debug)]
pub(super) struct LogProperties {
    pub(super) header: Header,
    pub(super) zone: Option<Zone>,
    pub(super) zero: Zero,
    pub(super) queues: Vec<(String, i64)>,
}

/// The zero from which numeric instants are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Zero {
    /// 1970-01-01 UTC.
    #[default]
    Epoch,
    /// The log's own beginning, whose date is unknown.
    Own,
    /// This many microseconds after 1970.
    At(i64),
}

#[derive(Clone, Debug)]
pub(super) struct MappedColumn {
    pub(super) at: At,
    pub(super) span: usize,
    pub(super) optional: bool,
    pub(super) used: bool,
    pub(super) looks: Option<Regex>,
    pub(super) pattern: Option<Regex>,
    pub(super) targets: Vec<TextTarget>,
    /// The name used in messages.
    pub(super) label: String,
}

/// The position of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Number of the column, from 0.
    Place(usize),
    Name(String),
}

/// The destination of a text, and how it is read.
#[derive(Clone, Debug)]
pub(super) struct TextTarget {
    pub(super) to: To,
    /// The group of the pattern; `None` for the whole text.
    pub(super) group: Option<usize>,
    pub(super) form: TextForm,
    pub(super) missing: WordSet,
    pub(super) never: WordSet,
    /// Meanings of words, sorted by word.
    pub(super) values: Vec<(Box<[u8]>, Meaning)>,
    pub(super) others: Option<Meaning>,
    pub(super) factor: Factor,
    pub(super) times: Vec<At>,
    pub(super) times_default: Option<i64>,
    /// Index of the further column that it fills.
    pub(super) resource: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum TextForm {
    /// A plain number, a name, a status.
    Plain,
    Instant(InstantFormat),
    Length(DurationFormat, Per),
    Memory(MemoryUnit, Per),
}

/// The unit to which an amount applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Per {
    #[default]
    Processor,
    Node,
    Job,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Unknown,
    /// A number, in millionths of the unit.
    Number(i128),
    /// A name.
    Text(Box<[u8]>),
    /// How a job ended.
    State {
        /// The status in SWF's code.
        status: i64,
        /// Whether the job never started.
        waiting: bool,
    },
}

/// A value that is the same for all jobs.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) to: To,
    pub(super) meaning: Meaning,
    pub(super) resource: Option<usize>,
}

/// Texts for missing values, unless a mapping says otherwise.
pub(super) const MISSING: [&str; 12] =
    ["", "-1", "-", "?", "NULL", "null", "None", "none", "Unknown", "N/A", "NaN", "nan"];
