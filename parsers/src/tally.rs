//! Counts lines that are not records and recognises a damaged end of the log.

use batchlab_traces::Example;
use batchlab_traces::kinds;

use crate::error::Result;
use crate::reporter::Reporter;

kinds! {
    DAMAGED_TAIL: Warning "damaged-tail",
        "{line|lines} at the end of the log, none of which is a record",
        "left out: the log is read up to there",
        "write or fetch the log again: its content after that place is missing";
}

/// Counts the lines that are not records of a format.
#[derive(Debug, Default)]
pub(crate) struct SkippedLines {
    lost: u64,
    /// The last run of lines that are not records, with no record after it so far.
    tail: Tail,
}

#[derive(Debug, Default)]
struct Tail {
    first: u32,
    lines: u64,
    /// The number of the format's lines before the run.
    before: u64,
}

impl SkippedLines {
    /// Counts `lines` lines that are not records and end at line `last`; `kept` is the number of the format's lines so far.
    pub(crate) fn lose(&mut self, last: u32, lines: u64, kept: u64) {
        self.lost += lines;
        if self.tail.lines == 0 || self.tail.before != kept {
            let first = last.saturating_sub(u32::try_from(lines).unwrap_or(u32::MAX) - 1);
            self.tail = Tail { first, lines: 0, before: kept };
        }
        self.tail.lines += lines;
    }

    /// Returns the number of lines that are not records.
    pub(crate) fn lines(&self) -> u64 {
        self.lost
    }

    /// Returns the reason to refuse the log if it has more lines that are not records than lines of the
    /// format. The lines of a damaged end are not counted here: they are a finding.
    pub(crate) fn judge(&self, kept: u64, reporter: &mut Reporter<'_>) -> Result<Option<String>> {
        let Tail { first, lines, before } = self.tail;
        let is_tail = lines > 0 && before == kept && kept > 0;
        let lost = if is_tail { self.lost - lines } else { self.lost };
        if lost > kept {
            let (lost, all) = (self.lost, self.lost + kept);
            return Ok(Some(format!("{lost} of its {all} lines are not records of the format")));
        }
        // One damaged line at the end is already reported by its own finding.
        if is_tail && lines > 1 {
            let place = reporter.place(first);
            let detail = format!("from this line on, {lines} lines");
            let example = || Example { place: Some(place), detail };
            reporter.findings.report_many(&DAMAGED_TAIL, lines, example)?;
        }
        Ok(None)
    }
}
