//! A file of an installation, its places, and why it cannot be read.

use std::sync::Arc;

use batchlab_traces::located::LocatedError;
use batchlab_traces::{Example, Refusal, SourcePlace};

#[derive(Clone, Debug)]
pub struct SystemFile {
    /// Its name as the user gave it.
    pub name: Arc<str>,
    pub text: String,
}

/// Why an installation cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    #[error(transparent)]
    Located(#[from] LocatedError),
    /// Strict reading met a warning.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// The most nodes, partitions and other things of a kind that are read.
pub(super) const MOST: usize = 1_000_000;

pub(super) fn example(place: &SourcePlace, detail: String) -> Example {
    Example { place: Some(place.clone()), detail }
}

/// Returns the place of a line of a file; column 0 is the whole line.
pub(super) fn place(file: &Arc<str>, line: usize, column: usize) -> SourcePlace {
    SourcePlace { file: Arc::clone(file), line: line as u32, column: column as u32 }
}
