//! The errors for which a log cannot be read at all.

use std::io;

use batchlab_traces::Refusal;

use crate::neighbour::Neighbour;
use crate::source::Packing;

/// The result of reading.
pub type Result<T = (), E = ReadError> = std::result::Result<T, E>;

/// The reason why a log could not be read; lesser problems are findings. `name` is the file as the user named it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each variant has its text beside it")]
pub enum ReadError {
    #[error("cannot read {name}: {source}")]
    Io { name: String, source: io::Error },
    #[error(
        "{name}: it is {}, and only gzip is unpacked here; unpack it: {} {name}{} | batchlab ... -",
        found.name, found.command, found.member
    )]
    Packed { name: String, found: Packing },
    #[error("{name}: no known kind of log: it is {found}")]
    Neighbour { name: String, found: Neighbour },
    #[error("{name}: the file is empty")]
    Empty { name: String },
    #[error(
        "{name}: no known kind of log{}\n\
         looked for {formats} formats: `batchlab list formats` says how each looks\n\
         another table: --mapping FILE.toml (`batchlab list formats openb --mapping` prints one to start from)",
        hint(*nearest)
    )]
    UnknownFormat { name: String, formats: usize, nearest: Option<&'static str> },
    #[error("{name}: not {} {format} log: {why}; looked for {looked_for}", article(format))]
    NotFormat { name: String, format: &'static str, why: String, looked_for: &'static str },
    #[error(
        "{name}: not {} {format} log: its lines are records of {other}; read it with --from {other}",
        article(format)
    )]
    OtherFormat { name: String, format: &'static str, other: &'static str },
    #[error(
        "{name}: a history goes with a queue of Slurm (squeue, scontrol show job) or its accounting, and this is read as {format}; \
         leave --history out: such a log has its own past"
    )]
    NoHistory { name: String, format: &'static str },
    #[error("{name}: `{format}` needs a mapping: {why}")]
    NeedsMapping { name: String, format: &'static str, why: String },
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Returns "a" or "an" for a format name, which is read out letter by letter: "an SWF log".
fn article(format: &str) -> &'static str {
    let vowel_sound = format.starts_with(|first: char| "AEFHILMNORSXaeio".contains(first));
    if vowel_sound { "an" } else { "a" }
}

fn hint(nearest: Option<&'static str>) -> String {
    match nearest {
        Some(nearest) => format!(" (it looks most like {nearest}: --from {nearest} reads it as one)"),
        None => String::new(),
    }
}
