//! Why a log could not be read at all.

use std::io;

use batchlab_traces::Refusal;

/// Why a log could not be read; everything less is a finding.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read {name}: {source}")]
    Io {
        /// The file as the user named it.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// There is nothing to read.
    #[error("{name}: the file is empty; looked for {looked_for}")]
    Empty {
        /// The file as the user named it.
        name: String,
        /// Every format with what its files look like.
        looked_for: String,
    },
    /// No known format looks like this.
    #[error("{name}: no known kind of log{}; looked for {looked_for}", hint(*nearest))]
    UnknownFormat {
        /// The file as the user named it.
        name: String,
        /// Every format with what its files look like.
        looked_for: String,
        /// The format that it looks most like, if it looks like any.
        nearest: Option<&'static str>,
    },
    /// Nothing in it can be read as the format.
    #[error("{name}: not {} {format} log: {why}; looked for {looked_for}", article(format))]
    NotFormat {
        /// The file as the user named it.
        name: String,
        /// The format.
        format: &'static str,
        /// What was found instead.
        why: String,
        /// What files of the format look like.
        looked_for: &'static str,
    },
    /// Another format recognises it surely.
    #[error(
        "{name}: not {} {format} log: its lines are records of {other}; read it with --from {other}",
        article(format)
    )]
    OtherFormat {
        /// The file as the user named it.
        name: String,
        /// The format that was named.
        format: &'static str,
        /// The format that it has.
        other: &'static str,
    },
    /// What the columns are, nobody has said.
    #[error("{name}: `{format}` needs a mapping: {why}")]
    NeedsMapping {
        /// The file as the user named it.
        name: String,
        /// The format.
        format: &'static str,
        /// What is missing.
        why: String,
    },
    /// Strict reading met something odd.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Formats are read out letter by letter: "an SWF log".
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
