//! The options of reading.

use std::sync::Arc;

use batchlab_traces::calendar::Zone;

use crate::formats::{FormatSpec, Formats};
use crate::table::Mapping;

/// The options of reading.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether to refuse the log at the first warning.
    pub strict: bool,
    /// The formats that the log may have.
    pub formats: Formats,
    /// The format; detected from the content if not given.
    pub format: Option<&'static FormatSpec>,
    /// The zone of local times; if not given, the format's own zone, or UTC with a finding.
    pub zone: Option<Zone>,
    /// The description of a table's columns. If no format is given, the log is read as such a table.
    pub mapping: Option<Arc<Mapping>>,
    /// The columns of a log without a heading, separated by commas, for formats whose columns vary.
    pub columns: Option<String>,
    /// Whether a log of Slurm keeps what jobs asked of nodes (columns `asked_nodes`, `asked_task`) and on which ones they ran
    /// (`ran_on`).
    pub places: bool,
    /// Whether a replay continues from the running and waiting jobs of Slurm: each waiting task of an array has a record.
    pub is_queue: bool,
    /// The number of lines whose column destinations are recorded.
    pub explain: usize,
}
