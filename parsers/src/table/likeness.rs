//! Recognises files that a mapping describes.

use batchlab_traces::notation::decimal::decimal;

use super::mapping::{At, MappedColumn, Mapping, TextTarget, Zero};
use super::read::Said;
use super::split::{LineCells, Separator};
use super::target::To;
use super::time_format::Instant;
use crate::formats::share_of_lines;

/// The likeness of a file all of whose lines fit: no other file fits by chance.
const SURE: u8 = 93;

/// The likeness of a file all of whose lines fit, except that its times count from its own zero.
const EARLY: u8 = 80;

/// The most rows in which a heading is searched.
const FIRST: usize = 100;

/// Returns how much a file with this beginning looks like the table: nearly certain if its heading names the columns, or if nine
/// lines in ten have the described number of columns and each column reads as described.
pub(super) fn likeness(mapping: &Mapping, beginning: &[u8]) -> u8 {
    let layout = &mapping.layout;
    let mut cells = LineCells::default();
    let lines = beginning.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    if layout.heading {
        let rows = lines.skip(layout.skip as usize).filter(|line| !layout.is_comment(line)).take(FIRST);
        let shares = rows.map(|row| {
            cells.split(row, layout.separator, layout.quoted);
            share_of_heading(mapping, row, &cells)
        });
        // A heading below the first row only hints at the table: reading begins with the first row.
        let shares = shares.enumerate().map(|(at, share)| if at == 0 { share } else { share / 3 });
        return shares.max().unwrap_or(0);
    }
    let (mut jobs, mut early, mut told) = (0, 0, 0);
    let share = share_of_lines(beginning, |line| {
        if layout.is_comment(line) {
            told += if names_columns(mapping, line) { FIRST } else { 0 };
            return true;
        }
        cells.split(line, layout.separator, layout.quoted);
        let fits = layout.allows(cells.len())
            && mapping.columns.iter().all(|column| fits(mapping, column, line, &cells));
        jobs += usize::from(fits);
        told += usize::from(fits && has_words(line, &cells));
        early += usize::from(fits && begins_at_zero(mapping, line, &cells));
        fits
    });
    // Lines of nothing but numbers between blanks are SWF.
    let is_swf = is_blank(layout.separator) && 2 * told < jobs;
    let has_looks = mapping.columns.iter().any(|column| column.looks.is_some());
    match (jobs, share) {
        (0, _) => 0,
        _ if is_swf || 2 * early > jobs && !has_looks => 0,
        (_, 90..) if 2 * early > jobs => EARLY,
        (_, 90..) => SURE,
        (_, share) => share / 2,
    }
}

fn share_of_heading(mapping: &Mapping, heading: &[u8], cells: &LineCells) -> u8 {
    let names: Vec<&[u8]> = (0..cells.len()).filter_map(|at| cells.get(heading, at)).collect();
    let (mut wanted, mut there) = (0, 0);
    for column in mapping.columns.iter().filter(|column| !column.optional) {
        let At::Name(name) = &column.at else { continue };
        wanted += 1;
        there += usize::from(names.contains(&name.as_bytes()));
    }
    match (there * 100).checked_div(wanted).unwrap_or(0) {
        100 => SURE + 2,
        // Other tables also have a `name` or a `user`.
        ..50 => 0,
        share => share as u8 / 3,
    }
}

/// Instants before 1973 are markers or seconds from another zero: no log of jobs is that old.
const EARLIEST: i64 = 100_000_000_000_000;

/// Whether columns are separated as in SWF.
fn is_blank(separator: Separator) -> bool {
    matches!(separator, Separator::Blank | Separator::Byte(b'\t'))
}

fn names_columns(mapping: &Mapping, comment: &[u8]) -> bool {
    let words = || comment.split(u8::is_ascii_whitespace);
    let is_named = |column: &&MappedColumn| words().any(|word| word == column.label.as_bytes());
    mapping.columns.iter().filter(is_named).count() > 2
}

/// Whether a line has a cell that is not a number.
fn has_words(line: &[u8], cells: &LineCells) -> bool {
    (0..cells.len()).filter_map(|at| cells.get(line, at)).any(|cell| decimal(cell).is_err())
}

/// Whether the instants of a line that count from 1970 are of the first years.
fn begins_at_zero(mapping: &Mapping, line: &[u8], cells: &LineCells) -> bool {
    let is_early = |column: &MappedColumn| {
        let At::Place(at) = column.at else { return false };
        let Some(text) = cells.run(line, at, column.span) else { return false };
        let early = |target: &TextTarget| match target.read(text, line, cells, mapping.layout.comma) {
            Said::Instant(Instant::Counted(micros)) => (1..EARLIEST).contains(&micros),
            _ => false,
        };
        column.targets.iter().filter(|target| target.group.is_none()).any(early)
    };
    mapping.facts.zero == Zero::Epoch && mapping.columns.iter().any(is_early)
}

fn fits(mapping: &Mapping, column: &MappedColumn, line: &[u8], cells: &LineCells) -> bool {
    let At::Place(at) = column.at else { return false };
    let Some(text) = cells.run(line, at, column.span) else { return false };
    let looks = column
        .looks
        .as_ref()
        .is_none_or(|looks| std::str::from_utf8(text).is_ok_and(|text| looks.is_match(text)));
    let reads = |target: &TextTarget| match target.read(text, line, cells, mapping.layout.comma) {
        Said::Garbage | Said::Word => false,
        Said::Number(number) if target.to == To::Job => number % 1_000_000 == 0,
        Said::Instant(Instant::Counted(micros)) if mapping.facts.zero == Zero::Epoch => micros >= 0,
        _ => true,
    };
    looks && column.targets.iter().filter(|target| target.group.is_none()).all(reads)
}
