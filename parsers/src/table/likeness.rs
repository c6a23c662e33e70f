//! Recognises files that a mapping describes.

use super::mapping::{At, Column, Mapping, Target, Zero};
use super::read::Said;
use super::split::Cells;
use super::target::To;
use super::time_format::Instant;
use crate::format::share_of_lines;

/// The likeness of a file all of whose lines fit: no other file fits by chance.
const SURE: u8 = 93;

/// The most rows in which a heading is searched.
const FIRST: usize = 100;

/// Returns how much a file with this beginning looks like the table: nearly sure if its heading names the
/// columns, or if nine lines in ten have the described number of columns and each column reads as described.
pub(super) fn likeness(mapping: &Mapping, beginning: &[u8]) -> u8 {
    let layout = &mapping.layout;
    let mut cells = Cells::default();
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
    let mut jobs = 0;
    let share = share_of_lines(beginning, |line| {
        if layout.is_comment(line) {
            return true;
        }
        cells.split(line, layout.separator, layout.quoted);
        let fits = layout.allows(cells.len())
            && mapping.columns.iter().all(|column| fits(mapping, column, line, &cells));
        jobs += u32::from(fits);
        fits
    });
    match (jobs, share) {
        (0, _) => 0,
        (_, 90..) => SURE,
        (_, share) => share / 2,
    }
}

fn share_of_heading(mapping: &Mapping, heading: &[u8], cells: &Cells) -> u8 {
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

/// Whether a cell of a line reads as described.
fn fits(mapping: &Mapping, column: &Column, line: &[u8], cells: &Cells) -> bool {
    let At::Place(at) = column.at else { return false };
    let Some(text) = cells.run(line, at, column.span) else { return false };
    let looks = column
        .looks
        .as_ref()
        .is_none_or(|looks| std::str::from_utf8(text).is_ok_and(|text| looks.is_match(text)));
    let reads = |target: &Target| match target.read(text, line, cells, mapping.layout.comma) {
        Said::Garbage | Said::Word => false,
        Said::Number(number) if target.to == To::Job => number % 1_000_000 == 0,
        Said::Instant(Instant::Counted(micros)) if mapping.facts.zero == Zero::Epoch => {
            micros == 0 || micros >= EARLIEST
        }
        _ => true,
    };
    looks && column.targets.iter().filter(|target| target.group.is_none()).all(reads)
}
