//! Bytes to records: workload log formats, read and written.
//!
//! A log is an [`Input`]. [`read_trace`] detects its format (one of [`FORMATS`], or of the formats registered
//! with [`Formats`]) and collects its records into a [`batchlab_traces::Trace`]; [`read()`] passes them one
//! by one to any [`batchlab_traces::RecordSink`]. Anomalies of a log become findings, never a panic. An
//! [`Output`] writes a file completely or not at all.
//!
//! The modules, in the order of the data flow:
//!
//! * [`source`]: input bytes from files, pipes or memory; packed or plain; with the feature `parquet` also tables of Parquet, as text.
//! * [`lines`]: splits buffers into lines, with any line ending.
//! * [`formats`]: describes a format, detects one of a set, and adds a user's own; [`mod@format`]: the built-in ones.
//! * [`options`]: the options of reading.
//! * [`neighbour`]: files of other programs, which errors name.
//! * [`mod@read`]: one call that reads a log of any format.
//! * [`pass`]: one pass over a log, with everything that a reader needs.
//! * [`swf`]: the Standard Workload Format, whose lines are records.
//! * [`lsf`], [`pbs`], [`sge`], [`slurm`]: accounting logs of schedulers.
//! * [`nas`], [`sdsc`]: accounting logs of two computing centres.
//! * [`mod@table`]: any table with one job per line, described by a mapping file.
//! * [`outages`]: failure logs: when nodes were out of service.
//! * [`entry`]: one job as an accounting log describes it.
//! * [`normal`]: from entries to records, by the archive's conversion rules; with the shared resource
//!   [`columns`].
//! * [`sink`]: files written completely or not at all.
//!
//! All readers share [`batchlab_traces::notation`] (numbers, dates, durations), [`clock`] (local times to instants), [`reporter`]
//! (findings), [`tally`] (lines that are not records), [`explain`] (the field of each column) and [`error`].

#![forbid(unsafe_code)]
#![allow(
    clippy::missing_errors_doc,
    reason = "functions fail as the system does or, in strict reading, at a warning; other errors are described"
)]

pub mod batsim;
mod chunks;
pub mod clock;
pub mod columns;
pub mod entry;
pub mod error;
pub mod explain;
pub mod format;
pub mod formats;
pub mod lines;
pub mod lsf;
pub mod nas;
pub mod neighbour;
pub mod normal;
pub mod options;
pub mod outages;
pub mod pass;
mod pauses;
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

pub use error::ReadError;
pub use explain::Explanation;
pub use format::{FORMATS, detect, format};
pub use formats::{FormatError, FormatSpec, Formats};
pub use options::Options;
pub use pass::Pass;
pub use read::{LogSummary, read, read_swf, read_trace};
pub use sink::{Output, OutputFolder, PlaceError, discard_unfinished, write_uninterrupted};
pub use source::{Input, sha256};
pub use table::Mapping;
