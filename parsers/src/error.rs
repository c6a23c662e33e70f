//! The errors for which a log cannot be read at all.

use std::io;

use batchlab_traces::Refusal;

use crate::neighbour::Neighbour;
use crate::source::Packing;

/// The reason why a log could not be read; lesser problems are findings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read {name}: {source}")]
    Io {
        /// The file as the user named it.
        name: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is packed by another program than gzip, or an archive.
    #[error(
        "{name}: it is {}, and only gzip is unpacked here; unpack it: {} {name}{} | batchlab ... -",
        found.name, found.command, found.member
    )]
    Packed {
        /// The file as the user named it.
        name: String,
        /// The kind of packing.
        found: Packing,
    },
    /// The file is of a neighbouring program, or no log.
    #[error("{name}: no known kind of log: it is {found}")]
    Neighbour {
        /// The file as the user named it.
        name: String,
        /// The kind of file, and what to do.
        found: Neighbour,
    },
    /// The file is empty.
    #[error("{name}: the file is empty")]
    Empty {
        /// The file as the user named it.
        name: String,
    },
    /// The file matches no known format.
    #[error(
        "{name}: no known kind of log{}. Looked for {looked_for}; `batchlab list formats` says how each looks. Another table is \
         described in a mapping file: --mapping FILE.toml (`batchlab list formats openb --mapping` prints one to start from)",
        hint(*nearest)
    )]
    UnknownFormat {
        /// The file as the user named it.
        name: String,
        /// The names of all formats.
        looked_for: String,
        /// The format that the file resembles most, if it resembles any.
        nearest: Option<&'static str>,
    },
    /// The file has no content that can be read as the format.
    #[error("{name}: not {} {format} log: {why}; looked for {looked_for}", article(format))]
    NotFormat {
        /// The file as the user named it.
        name: String,
        /// The format.
        format: &'static str,
        /// What the file contains instead.
        why: String,
        /// A description of the format's files.
        looked_for: &'static str,
    },
    /// The content is certainly of another format.
    #[error(
        "{name}: not {} {format} log: its lines are records of {other}; read it with --from {other}",
        article(format)
    )]
    OtherFormat {
        /// The file as the user named it.
        name: String,
        /// The format that the user named.
        format: &'static str,
        /// The format that the file has.
        other: &'static str,
    },
    /// A log of the past was given beside a log that is not a queue of Slurm.
    #[error(
        "{name}: a history goes with a queue of Slurm (squeue, scontrol show job) or its accounting, and this is read as {format}; \
         leave --history out: such a log has its own past"
    )]
    NoHistory {
        /// The file as the user named it.
        name: String,
        /// The format of the file.
        format: &'static str,
    },
    /// The meaning of the columns is not described.
    #[error("{name}: `{format}` needs a mapping: {why}")]
    NeedsMapping {
        /// The file as the user named it.
        name: String,
        /// The format.
        format: &'static str,
        /// The missing description.
        why: String,
    },
    /// Strict reading met a warning.
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
