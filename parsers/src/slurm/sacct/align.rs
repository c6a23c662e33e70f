//! Aligns rows whose free texts contain separators with their columns.

use crate::slurm::columns::{ContentPattern, SacctColumn};
use crate::slurm::delimiter::Delimiter;

/// A cell: its start and end in the row.
pub(super) type CellSpan = (u32, u32);

/// The most separators in free texts that are tried; with more, the first free text takes them all.
const EXCESS: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aligned {
    /// The row has as many cells as columns.
    Plain,
    /// Free texts contain separators, and there is only one best division of the columns that are used.
    Sure,
    /// Free texts contain separators, and they could be divided in other ways.
    Unsure,
}

#[inline]
pub(super) fn split(row: &[u8], delimiter: &Delimiter, cells: &mut Vec<CellSpan>) {
    cells.clear();
    match delimiter.bytes() {
        &[byte] => split_at_byte(row, byte, cells),
        _ => {
            let part = |part: &[u8]| (part.as_ptr() as usize - row.as_ptr() as usize) as u32;
            cells.extend(delimiter.split(row).map(|cell| (part(cell), part(cell) + cell.len() as u32)));
        }
    }
}

/// Splits a row at a byte, eight bytes at a time: cells are so short that one search call per cell would cost more.
fn split_at_byte(row: &[u8], byte: u8, cells: &mut Vec<CellSpan>) {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let bars = 0x0101_0101_0101_0101 * u64::from(byte);
    let mut from = 0;
    let (words, rest) = row.as_chunks::<8>();
    for (at, word) in (0..).step_by(8).zip(words) {
        let differing = u64::from_le_bytes(*word) ^ bars;
        // Sets the highest bit of each byte that is a separator, and no other bit.
        let mut found = !(((differing & LOW) + LOW) | differing | LOW);
        while found != 0 {
            let bar = at + found.trailing_zeros() / 8;
            cells.push((from, bar));
            from = bar + 1;
            found &= found - 1;
        }
    }
    let behind = (row.len() - rest.len()) as u32;
    for (at, _) in (behind..).zip(rest).filter(|(_, other)| **other == byte) {
        cells.push((from, at));
        from = at + 1;
    }
    cells.push((from, row.len() as u32));
}

/// Whether every cell passes `test` for its column's shape.
#[inline]
pub(super) fn fits(
    columns: &[&SacctColumn],
    row: &[u8],
    cells: &[CellSpan],
    suits: impl Fn(ContentPattern, &[u8]) -> bool,
) -> bool {
    columns.iter().zip(cells).all(|(column, &cell)| suits(column.shape, text(row, cell)))
}

/// Assigns a cell to each column, joining cells that are parts of one free text. `None`, with the cells
/// unchanged, if there are too few cells, or too many and no free text.
///
/// O(columns × excess) additions; each cell is tested once for each shape.
pub(super) fn align(columns: &[&SacctColumn], row: &[u8], cells: &mut Vec<CellSpan>) -> Option<Aligned> {
    let excess = cells.len().checked_sub(columns.len())?;
    if excess == 0 {
        return Some(Aligned::Plain);
    }
    let first = columns.iter().position(|column| column.shape == ContentPattern::Free)?;
    if excess > EXCESS {
        let joined = (cells[first].0, cells[first + excess].1);
        cells.splice(first..=first + excess, [joined]);
        return Some(Aligned::Unsure);
    }
    let mut tests = Tests::of(row, cells);
    let costs = Costs::of(columns, &mut tests, excess);
    let shifts = |early| costs.shifts(columns, &tests, excess, early);
    let (early, late) = (shifts(true), shifts(false));
    let spans = |shifts: &[usize]| -> Vec<CellSpan> {
        (0..columns.len()).map(|at| (cells[at + shifts[at]].0, cells[at + shifts[at + 1]].1)).collect()
    };
    let (early, late) = (spans(&early), spans(&late));
    let sure = columns
        .iter()
        .zip(early.iter().zip(&late))
        .all(|(column, (early, late))| column.is_loose() || early == late);
    *cells = early;
    Some(if sure { Aligned::Sure } else { Aligned::Unsure })
}

fn text(row: &[u8], cell: CellSpan) -> &[u8] {
    row.get(cell.0 as usize..cell.1 as usize).unwrap_or_default()
}

/// The best scores of the columns before each column, by the number of excess separators in their free texts.
struct Costs {
    /// Scores by column, then by number of excess separators.
    best: Vec<i32>,
    width: usize,
}

impl Costs {
    fn of(columns: &[&SacctColumn], tests: &mut Tests<'_>, excess: usize) -> Costs {
        let width = excess + 1;
        let mut best = vec![i32::MIN / 2; (columns.len() + 1) * width];
        best[0] = 0;
        let free = |column: &&SacctColumn| column.shape == ContentPattern::Free;
        let (first, last) = (columns.iter().position(free), columns.iter().rposition(free));
        for (at, column) in columns.iter().enumerate() {
            let (before, after) = best.split_at_mut((at + 1) * width);
            let before = &before[at * width..];
            if free(column) {
                let mut most = i32::MIN / 2;
                for (shift, (before, after)) in before.iter().zip(after).enumerate() {
                    let cell = tests.cell(at + shift);
                    most = (most + column.continues(cell)).max(before + column.begins(cell));
                    *after = most;
                }
                continue;
            }
            // Before all free texts no separator is excess; behind them, all excess separators have passed.
            let from = if Some(at) > last { excess } else { 0 };
            let to = if Some(at) < first { 0 } else { excess };
            for shift in from..=to {
                after[shift] = before[shift] + tests.suits(column.shape, at + shift);
            }
        }
        Costs { best, width }
    }

    /// Returns the number of excess separators before each column and before the end. Of equally good
    /// divisions, it takes the one with the separators `early`, else late.
    fn shifts(&self, columns: &[&SacctColumn], tests: &Tests<'_>, excess: usize, early: bool) -> Vec<usize> {
        let mut shifts = vec![excess; columns.len() + 1];
        for (at, column) in columns.iter().enumerate().rev() {
            let after = shifts[at + 1];
            shifts[at] = after;
            if column.shape == ContentPattern::Free {
                let before = &self.best[at * self.width..][..=after];
                let mut rest = 0;
                let mut costs: Vec<i32> = Vec::with_capacity(before.len());
                for (shift, before) in before.iter().enumerate().rev() {
                    let cell = tests.cell(at + shift);
                    costs.push(before + column.begins(cell) + rest);
                    rest += column.continues(cell);
                }
                costs.reverse();
                let most = costs.iter().max();
                // Early means many excess separators before the free text.
                let found = if early {
                    costs.iter().rposition(|cost| Some(cost) == most)
                } else {
                    costs.iter().position(|cost| Some(cost) == most)
                };
                shifts[at] = found.unwrap_or(after);
            }
        }
        shifts
    }
}

/// Cells with bits for each shape: tested for it, and fits it.
struct Tests<'a> {
    row: &'a [u8],
    cells: &'a [CellSpan],
    known: Vec<(u16, u16)>,
}

impl<'a> Tests<'a> {
    fn of(row: &'a [u8], cells: &'a [CellSpan]) -> Tests<'a> {
        Tests { row, cells, known: vec![(0, 0); cells.len()] }
    }

    fn cell(&self, at: usize) -> &'a [u8] {
        text(self.row, self.cells[at])
    }

    /// Scores a cell for a column of this shape: negative if it does not fit, positive if it fits, 0 if neither.
    fn suits(&mut self, shape: ContentPattern, at: usize) -> i32 {
        if matches!(shape, ContentPattern::Free | ContentPattern::Word) {
            return 0;
        }
        let (cell, bit) = (text(self.row, self.cells[at]), 1 << shape as u16);
        let (tested, held) = &mut self.known[at];
        if *tested & bit == 0 {
            *tested |= bit;
            *held |= if shape.holds(cell) { bit } else { 0 };
        }
        match *held & bit {
            0 => -5,
            _ => i32::from(!cell.is_empty()) * 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::slurm::columns::column;

    proptest! {
        #[test]
        fn bars_are_found_wherever_they_stand(row in "[|{}\\x7c\u{fc}a]{0,40}") {
            let mut cells = Vec::new();
            split(row.as_bytes(), &Delimiter::default(), &mut cells);
            let found: Vec<&[u8]> = cells.iter().map(|&cell| text(row.as_bytes(), cell)).collect();
            prop_assert_eq!(found, row.as_bytes().split(|&byte| byte == b'|').collect::<Vec<_>>());
        }

        #[test]
        fn cells_are_joined_in_a_way_that_fits_best(
            row in "([0-9]|FAILED|00:01:00|x|)([|]([0-9]|FAILED|00:01:00|x|)){5,9}",
        ) {
            const NAMES: &str = "JobID|JobName|NCPUS|State|Comment|Elapsed";
            let columns: Vec<&SacctColumn> = NAMES.split('|').map(|name| column(name.as_bytes()).unwrap()).collect();
            let mut all = Vec::new();
            split(row.as_bytes(), &Delimiter::default(), &mut all);
            let excess = all.len() - columns.len();
            let says = |spans: &[CellSpan]| -> i32 {
                let cells = spans.iter().map(|&span| text(row.as_bytes(), span));
                columns.iter().zip(cells).map(|(column, cell)| match column.shape {
                    ContentPattern::Free => 0,
                    shape if !shape.holds(cell) => -5,
                    _ if cell.is_empty() => 0,
                    _ => 2,
                }).sum()
            };
            // `first` separators are in the first free text, the others in the second.
            let ways = (0..=excess).map(|first| {
                let ends = [0, 1 + first, 2 + first, 3 + first, 4 + excess, 5 + excess];
                let begins = [0, 1, 2 + first, 3 + first, 4 + first, 5 + excess];
                says(&begins.iter().zip(ends).map(|(&from, to)| (all[from].0, all[to].1)).collect::<Vec<_>>())
            });
            let best = ways.max();
            let mut found = all.clone();
            align(&columns, row.as_bytes(), &mut found);
            prop_assert_eq!(Some(says(&found)), best, "{:?} of {}", found, row);
        }
    }

    fn aligned(names: &str, row: &str) -> Option<(Aligned, Vec<String>)> {
        let columns: Vec<&SacctColumn> =
            names.split('|').map(|name| column(name.as_bytes()).unwrap()).collect();
        let mut cells = Vec::new();
        split(row.as_bytes(), &Delimiter::default(), &mut cells);
        let how = align(&columns, row.as_bytes(), &mut cells)?;
        Some((
            how,
            cells.iter().map(|&cell| String::from_utf8_lossy(text(row.as_bytes(), cell)).into()).collect(),
        ))
    }

    fn cells(names: &str, row: &str) -> (Aligned, String) {
        let (how, cells) = aligned(names, row).unwrap();
        (how, cells.join(" / "))
    }

    #[test]
    fn columns_around_a_free_text_hold_it() {
        assert_eq!(cells("JobID|JobName", "1|a||b|"), (Aligned::Sure, "1 / a||b|".into()));
        assert_eq!(cells("JobID|JobName|State", "1|a|b|FAILED"), (Aligned::Sure, "1 / a|b / FAILED".into()));
        assert_eq!(cells("JobID|JobName|State", "1|a|FAILED"), (Aligned::Plain, "1 / a / FAILED".into()));
    }

    #[test]
    fn columns_between_free_texts_are_found_by_their_content() {
        let names = "JobID|JobName|Submit|State|SubmitLine|Comment";
        assert_eq!(
            cells(names, "1|a|b|2024-01-01T00:00:00|FAILED|x|y|"),
            (Aligned::Sure, "1 / a|b / 2024-01-01T00:00:00 / FAILED / x|y / ".into())
        );
        assert_eq!(cells("JobID|JobName|User|Comment", "1|a|b|c|d").0, Aligned::Unsure);
    }

    #[test]
    fn a_submit_line_begins_with_a_command_and_a_constraint_has_no_blanks() {
        let names = "JobID|NodeList|Constraints|Reservation|Cluster|SubmitLine";
        for (row, told) in [
            ("1|n1|old|big||c|sbatch -C old|big x.sh", "1 / n1 / old|big /  / c / sbatch -C old|big x.sh"),
            ("1|n1|[a|b]|r|c|/usr/bin/srun -C [a|b] x", "1 / n1 / [a|b] / r / c / /usr/bin/srun -C [a|b] x"),
            // The second command is in the first one's argument: no constraint has blanks.
            ("1|n1|a||c|sbatch --wrap=x|srun y|z", "1 / n1 / a /  / c / sbatch --wrap=x|srun y|z"),
        ] {
            assert_eq!(cells(names, row), (Aligned::Sure, told.into()));
        }
        // A bar between features is more likely than one elsewhere.
        let divided = (Aligned::Sure, "1 / n1 / old|big /  / c / x|y".into());
        assert_eq!(cells(names, "1|n1|old|big||c|x|y"), divided);
    }

    #[test]
    fn without_free_texts_nothing_can_be_joined() {
        assert_eq!(aligned("JobID|State", "1|a|b"), None);
        assert_eq!(aligned("JobID|JobName", "1"), None);
        let many = format!("1|{}FAILED", "x|".repeat(2000));
        assert_eq!(aligned("JobID|JobName|State", &many).unwrap().1[2], "FAILED");
    }
}
