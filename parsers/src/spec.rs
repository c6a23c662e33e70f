//! The description of a format: its name, how its files look, how they are read.

use batchlab_traces::Header;

use crate::error::ReadError;
use crate::pass::Pass;

/// A format of logs.
///
/// A user's own format is a constant like the built-in ones, passed to [`Formats::register`](crate::Formats::register). Its reader has
/// the same tools: lines from [`Pass::lines`], an [`AccountingEntry`](crate::entry::AccountingEntry) per job, and the
/// [`Normaliser`](crate::normal::Normaliser), which makes records of entries. `examples/site/src/parser.rs`
/// is a complete example.
#[derive(Debug)]
pub struct FormatSpec {
    /// Short name, for `--from` and the provenance.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Source of the format's definition.
    pub cite: &'static str,
    /// Description of the format's files, for the message when no format fits.
    pub looks_like: &'static str,
    /// Returns how much a file that begins with these (unpacked) bytes looks like one of this format: 0 not
    /// at all, 100 beyond doubt; from [`LIKELY`] on, the file may be read as this format.
    pub likeness: fn(&[u8]) -> u8,
    /// Reads a log record by record.
    pub read: fn(&mut Pass<'_>) -> Result<Header, ReadError>,
}

/// The lowest likeness at which a file is read as a format.
pub const LIKELY: u8 = 50;

/// The lowest likeness at which no other format has such content: reading the log as another format is
/// refused.
pub const SURE: u8 = 90;

/// Returns the share of lines that fit, in percent, for [`FormatSpec::likeness`]: of the first hundred lines
/// that are not blank and, if there are several, not cut.
pub fn share_of_lines(beginning: &[u8], mut fits: impl FnMut(&[u8]) -> bool) -> u8 {
    // Only the lines that are needed are searched for: each format examines the same 64 KiB.
    let ends = memchr::memchr_iter(b'\n', beginning);
    let whole = ends.scan(0, |start, end| Some(&beginning[std::mem::replace(start, end + 1)..end]));
    let alone = memchr::memchr(b'\n', beginning).is_none().then_some(beginning);
    let seen = whole.chain(alone).map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty()).take(100);
    let (mut count, mut fitting) = (0_usize, 0);
    for line in seen {
        count += 1;
        fitting += usize::from(fits(line));
    }
    (fitting * 100).checked_div(count).unwrap_or(0) as u8
}
