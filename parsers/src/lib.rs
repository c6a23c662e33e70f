//! Bytes to records: workload log formats, read and written.
//!
//! A log is an [`Input`]; [`read_trace`] finds out its format (one of [`FORMATS`], or of those registered with
//! [`Formats`]) and gathers its records into a [`batchlab_traces::Trace`], [`read()`] hands them one by one to any
//! [`batchlab_traces::RecordSink`]. What is odd about a log becomes a finding, never a panic.
//! An [`Output`] writes a file whole or not at all.
//!
//! The rooms, in the order of the flow:
//!
//! * [`source`]: where bytes come from: files, pipes, memory; packed or plain.
//! * [`lines`]: lines of buffers, whatever ends them.
//! * [`mod@format`]: the formats, and which one a log has; [`formats`] are those with a user's own.
//! * [`mod@read`]: one call for a log of any format.
//! * [`pass`]: one pass over a log: what every reader gets.
//! * [`swf`]: the Standard Workload Format, whose lines are records.
//! * [`lsf`], [`pbs`], [`sge`], [`slurm`]: accounting logs of schedulers.
//! * [`nas`], [`sdsc`]: accounting logs of two computing centres.
//! * [`mod@table`]: any table of one job a line, as a mapping file describes it.
//! * [`entry`]: one job as an accounting log describes it.
//! * [`normal`]: from entries to records, by the archive's conversion rules; with the further [`columns`].
//! * [`sink`]: files written whole or not at all.
//!
//! All readers use the same tools: [`text`] (numbers, dates, durations), [`clock`] (local times as instants), [`reporter`]
//! (where findings go), [`tally`] (lines that are no record), [`explain`] (which column went where), [`error`].

#![forbid(unsafe_code)]

pub mod clock;
pub mod columns;
pub mod entry;
pub mod error;
pub mod explain;
pub mod format;
pub mod formats;
mod kinds;
pub mod lines;
pub mod lsf;
pub mod nas;
pub mod normal;
pub mod pass;
pub mod pbs;
pub mod read;
pub mod reporter;
pub mod sdsc;
pub mod sge;
pub mod sink;
pub mod slurm;
pub mod source;
pub mod swf;
pub mod table;
pub mod tally;
pub mod text;

pub use error::ReadError;
pub use explain::Explanation;
pub use format::{FORMATS, FormatSpec, detect, format};
pub use formats::{FormatError, Formats};
pub use pass::Pass;
pub use read::{Log, Options, read, read_swf, read_trace};
pub use sink::{Output, discard_unfinished};
pub use source::Input;
pub use table::Mapping;
