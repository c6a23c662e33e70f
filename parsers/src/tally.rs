//! Lines that are no record: how many, and whether they are the end of the log.

use batchlab_traces::{Example, Kind, Level};

use crate::error::ReadError;
use crate::reporter::Reporter;

/// Lines at the end of a log none of which is a record.
pub static DAMAGED_TAIL: Kind = Kind {
    code: "damaged-tail",
    level: Level::Warning,
    what: "{line|lines} at the end of the log, none of which is a record",
    done: "left out: the log is read up to there",
    advice: "write or fetch the log again: its content after that place is missing",
};

/// Counts the lines that are no record of a format.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    lost: u64,
    /// The last lines without a record, none of which has a record behind it as far as is known.
    tail: Tail,
}

#[derive(Debug, Default)]
struct Tail {
    /// The line that they begin with.
    first: u32,
    lines: u64,
    /// The lines of the format before them.
    before: u64,
}

impl Tally {
    /// Takes lines that are no record, the last of which is given, with the number of the lines of the format so far.
    pub(crate) fn lose(&mut self, last: u32, lines: u64, kept: u64) {
        self.lost += lines;
        if self.tail.lines == 0 || self.tail.before != kept {
            let first = last.saturating_sub(u32::try_from(lines).unwrap_or(u32::MAX) - 1);
            self.tail = Tail { first, lines: 0, before: kept };
        }
        self.tail.lines += lines;
    }

    /// Returns the number of lines that are no record.
    pub(crate) fn lines(&self) -> u64 {
        self.lost
    }

    /// Returns the reason to refuse the log if more than half of its lines are not records of the format. The
    /// lines of a damaged end do not count: they are a finding.
    ///
    /// # Errors
    /// In strict reading, the first warning.
    pub(crate) fn judge(&self, kept: u64, reporter: &mut Reporter<'_>) -> Result<Option<String>, ReadError> {
        let Tail { first, lines, before } = self.tail;
        let is_tail = lines > 0 && before == kept && kept > 0;
        let lost = if is_tail { self.lost - lines } else { self.lost };
        if lost > kept {
            let (lost, all) = (self.lost, self.lost + kept);
            return Ok(Some(format!("{lost} of its {all} lines are not records of the format")));
        }
        // The findings about single lines show a short end well enough.
        if is_tail && lines > 1 {
            let place = reporter.place(first);
            let detail = format!("from this line on, {lines} lines");
            let example = || Example { place: Some(place), detail };
            reporter.findings.report_many(&DAMAGED_TAIL, lines, example)?;
        }
        Ok(None)
    }
}
