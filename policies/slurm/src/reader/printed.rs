//! Tables as `sprio` and `sshare` print them: columns between bars, or padded by blanks below a heading.

use batchlab_traces::located::LocatedError;
use batchlab_traces::notation::instant::{Stamp, iso};

use super::file::{MOST, SystemFile, place};

/// A table: the names of its columns in lower case, and its rows.
pub(super) struct ShownTable<'a> {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<ShownRow<'a>>,
}

/// A row: its line from 1, and its cells.
pub(super) struct ShownRow<'a> {
    pub(super) line: usize,
    pub(super) cells: Vec<&'a str>,
}

/// The column of tables that were printed again and again: when each row was.
const TIME: &str = "time";

impl<'a> ShownTable<'a> {
    /// Reads a table whose heading has one of some names. From a table with a column `Time`, it takes the rows of the last instant up to
    /// `now`, in seconds on the site's clock, else the rows of the first instant.
    pub(super) fn of(
        file: &'a SystemFile,
        names: &[&str],
        now: Option<i64>,
    ) -> Result<ShownTable<'a>, LocatedError> {
        let lines = || file.text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end()));
        let is_heading = |line: &str| cells(line).any(|cell| names.contains(&&*cell.to_ascii_lowercase()));
        let Some((first, heading)) = lines().find(|(_, line)| is_heading(line)) else {
            let what = format!("no line is a heading with {}", names.join(" or "));
            return Err(LocatedError { place: place(&file.name, 0, 0), what });
        };
        let columns: Vec<String> = cells(heading).map(str::to_ascii_lowercase).collect();
        let mut rows: Vec<ShownRow<'a>> = Vec::new();
        // Below the headings of sshare are lines of dashes as wide as the columns.
        let mut widths = Vec::new();
        for (line, text) in lines().skip(first).filter(|(_, text)| !text.is_empty()).take(MOST) {
            if text.bytes().all(|byte| byte == b'-' || byte == b' ') {
                widths = text.split(' ').map(str::len).collect();
            } else if !is_heading(text) {
                let cells = if widths.is_empty() { cells(text).collect() } else { padded(text, &widths) };
                rows.push(ShownRow { line, cells });
            }
        }
        let mut shown = ShownTable { columns, rows };
        shown.keep_one_instant(now);
        Ok(shown)
    }

    /// Keeps the rows of one instant, if the table has several.
    fn keep_one_instant(&mut self, now: Option<i64>) {
        let Some(at) = self.columns.iter().position(|name| name == TIME) else { return };
        let time = |row: &ShownRow<'a>| row.cells.get(at).copied().unwrap_or_default();
        let second = |text: &str| iso(text.as_bytes()).map(Stamp::secs);
        let is_past = |text: &&str| now.is_none_or(|now| second(text).is_some_and(|at| at <= now));
        let times = || self.rows.iter().map(time);
        let Some(chosen) = times().filter(is_past).max().or_else(|| times().min()) else { return };
        self.rows.retain(|row| time(row) == chosen);
    }

    /// Returns the place of the column of the first of some names that the table has.
    pub(super) fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.columns.iter().position(|column| column == name))
    }
}

impl<'a> ShownRow<'a> {
    /// Returns a cell without the blanks around it; `None` if it is empty.
    pub(super) fn get(&self, column: Option<usize>) -> Option<&'a str> {
        self.cells.get(column?).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    }

    pub(super) fn number(&self, column: Option<usize>) -> Option<f64> {
        self.get(column)?.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    let has_bars = line.contains('|');
    let ended = line.strip_suffix('|').unwrap_or(line);
    let bars = has_bars.then(|| ended.split('|'));
    let blanks = (!has_bars).then(|| line.split_whitespace());
    bars.into_iter().flatten().chain(blanks.into_iter().flatten())
}

fn padded<'a>(text: &'a str, widths: &[usize]) -> Vec<&'a str> {
    let mut from = 0;
    let mut cell = |&width: &usize| {
        let end = from + width;
        let cell = text.get(from.min(text.len())..end.min(text.len())).unwrap_or_default();
        from = end + 1;
        cell
    };
    widths.iter().map(&mut cell).collect()
}
