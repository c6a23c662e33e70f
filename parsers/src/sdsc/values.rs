use batchlab_traces::notation::number;
use batchlab_traces::{Number, Refusal, Time};

use super::kinds::{BAD_FIELD, UNKNOWN_STATUS, UNSTARTED_SUCCESS, WAIT_LONG, WAIT_SHORT};
use crate::entry::{AccountingEntry, Name};
use crate::error::Result;
use crate::explain::Explanation;
use crate::lines::Line;
use crate::normal::Normaliser;
use crate::reporter::Reporter;

/// Reads the fields of one line and reports invalid ones.
pub(super) struct SdscFields<'f, 'l> {
    pub(super) line: &'f Line<'l>,
    /// Name and destination of each field, in the order of the line.
    pub(super) columns: &'static [(&'static str, &'static str)],
    pub(super) values: &'f [&'f [u8]],
}

impl<'f> SdscFields<'f, '_> {
    /// Returns a number; `None` if the field is -1 or empty.
    pub(super) fn number(&self, at: usize, reporter: &mut Reporter<'_>) -> Result<Option<Number>, Refusal> {
        let text = self.values[at];
        let found = number(text);
        if found.is_none() && !text.is_empty() {
            self.bad(at, reporter)?;
        }
        Ok(found.filter(|number| !number.is_unknown()))
    }

    fn bad(&self, at: usize, reporter: &mut Reporter<'_>) -> Result<(), Refusal> {
        reporter.report(&BAD_FIELD, self.line, self.values[at], |text| {
            format!("{text} as {}", self.columns[at].0)
        })
    }

    /// Returns a duration in seconds, or an instant in epoch seconds.
    pub(super) fn seconds(&self, at: usize, reporter: &mut Reporter<'_>) -> Result<Option<Time>, Refusal> {
        let time = self.number(at, reporter)?.map(|number| Time::from_ticks(number.to_micro()));
        if time.is_some_and(|time| time >= Time::FARTHEST) {
            self.bad(at, reporter)?;
        }
        Ok(time.filter(|&time| time < Time::FARTHEST))
    }

    pub(super) fn count(&self, at: usize, reporter: &mut Reporter<'_>) -> Result<Option<i64>, Refusal> {
        Ok(self.number(at, reporter)?.map(Number::truncated))
    }

    pub(super) fn name(&self, at: usize) -> Name<'f> {
        match self.values[at] {
            b"-1" | b"-" | b"unknown" => Name::Unknown,
            text => Name::of(text),
        }
    }

    /// Returns the SWF status of a completion status: 1 success, 2 cancelled, 3 unknown.
    pub(super) fn status(&self, at: usize, reporter: &mut Reporter<'_>) -> Result<Option<i64>, Refusal> {
        match self.values[at] {
            b"1" => Ok(Some(1)),
            b"2" => Ok(Some(5)),
            b"3" | b"-1" | b"" => Ok(None),
            text => {
                reporter.report(&UNKNOWN_STATUS, self.line, text, |text| text)?;
                Ok(None)
            }
        }
    }
}

impl SdscFields<'_, '_> {
    /// Checks the entry against the recorded wait (field `wait`), passes it on, and records the destinations.
    pub(super) fn finish(
        &self,
        mut entry: AccountingEntry<'_>,
        wait: usize,
        normaliser: &mut Normaliser,
        reporter: &mut Reporter<'_>,
        explained: &mut Explanation,
    ) -> Result {
        unstarted(&mut entry, reporter)?;
        check_wait(&entry, self.seconds(wait, reporter)?, reporter)?;
        normaliser.entry(&entry, reporter)?;
        if let Some(explained) = explained.line(self.line.number) {
            for ((name, to), value) in self.columns.iter().zip(self.values) {
                explained.cell(*name, value, *to);
            }
        }
        Ok(())
    }
}

/// Queues with the numbers that the archive fixes.
pub(super) const QUEUES: &[(&str, i64)] =
    &[("interactive", 0), ("express", 1), ("high", 2), ("normal", 3), ("low", 4), ("standby", 5)];

/// Marks a job without a start as never started, unless it succeeded.
fn unstarted(entry: &mut AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result<(), Refusal> {
    let has_succeeded = entry.status == Some(1);
    entry.never_started = entry.start.is_none() && !has_succeeded;
    if entry.start.is_none() && has_succeeded {
        reporter.report_at(&UNSTARTED_SUCCESS, entry.line, || "status 1, no start".into())?;
    }
    Ok(())
}

fn check_wait(
    entry: &AccountingEntry<'_>,
    recorded: Option<Time>,
    reporter: &mut Reporter<'_>,
) -> Result<(), Refusal> {
    let (Some(submit), Some(start), Some(recorded)) = (entry.submit, entry.start, recorded) else {
        return Ok(());
    };
    let wait = start - submit;
    let detail = || format!("{recorded} s recorded, {wait} s by the times");
    match recorded.cmp(&wait) {
        std::cmp::Ordering::Less => reporter.report_at(&WAIT_SHORT, entry.line, detail),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => reporter.report_at(&WAIT_LONG, entry.line, detail),
    }
}

/// Returns a job's CPU time divided by its processors.
pub(super) fn per_processor(cpu: Option<Time>, procs: Option<i64>) -> Option<Time> {
    let procs = procs.filter(|&procs| procs > 0)?;
    cpu.map(|cpu| Time::from_ticks(cpu.ticks() / procs))
}
