//! The text of `sacct -P` and `sacct -p`: columns separated by bars, any subset in any order, with or without a heading.
//!
//! Without a heading, the columns are those that [`crate::Options::columns`] names, or those of one of the
//! collection commands of Open `XDMoD` (its documentation of Slurm, versions 6 to 11), recognised by their
//! content. The default output of `sacct`, in columns of fixed width, is refused: it cuts values off
//! (`CANCELLED+`, `1234567_1+`) and has no times.
//!
//! `sacct` escapes nothing: job names, comments and command lines may contain bars and line ends. A row with
//! too few or too many bars is therefore aligned from both ends, and between two free texts in the way that
//! fits the columns best. It is joined with the following lines until it is complete, until a line begins
//! like a row, or up to 256 lines.

mod align;
mod cells;
mod joining;
mod layout;
mod reader;
mod rows;

use super::ledger::EntryConverter;
use crate::error::{ReadError, Result};
use crate::pass::Pass;
use layout::{SacctColumns, fixed_width};
use reader::Reader;

pub(super) const NAME: &str = "sacct";

pub(super) const LOOKS_LIKE: &str =
    "lines of columns separated by `|` below a heading such as JobID|Submit|Start|End";

pub(super) fn fill(pass: &mut Pass<'_>, ledger: EntryConverter) -> Result<(EntryConverter, String)> {
    let columns = pass.options.columns.as_deref().map(SacctColumns::named).transpose();
    let columns = columns.map_err(|why| not_sacct(&pass.reporter.file, why))?;
    let mut reader = Reader::new(ledger, columns, pass.options.places);
    pass.lines(&mut reader)?;
    reader.finish(&mut pass.reporter, pass.explanation)
}

pub(super) fn not_sacct(file: &str, why: String) -> ReadError {
    ReadError::NotFormat { name: file.into(), format: NAME, why, looked_for: LOOKS_LIKE }
}

/// Returns the likeness: a heading, or a row in a known order of columns, is certain; messages may precede it.
pub(super) fn likeness(beginning: &[u8]) -> u8 {
    let lines = || beginning.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).take(20);
    if lines().any(|line| SacctColumns::heading(line).is_some() || fixed_width(line)) {
        return 95;
    }
    if lines().any(|line| SacctColumns::by_content(line).is_some()) { 90 } else { 0 }
}
