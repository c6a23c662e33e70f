//! Whether the times of a log are dates or count from a zero of its own.

use batchlab_traces::calendar::Zone;
use batchlab_traces::{Field, Number, Record, Time};

use super::rules;
use crate::entry::{AccountingEntry, DATED};
use crate::error::Result;
use crate::reporter::Reporter;

/// What the entries so far show about the zero of their times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dates {
    /// Whether an entry had a date.
    dated: bool,
    /// Whether an entry had an instant above zero.
    counted: bool,
    /// The number of records before the first entry with a date.
    undated: usize,
}

impl Dates {
    /// Takes the next entry, behind this number of records; returns whether its small instants are times: no entry had a date yet.
    pub(super) fn see(&mut self, entry: &AccountingEntry<'_>, records: usize) -> bool {
        if !self.dated {
            let instants = [entry.submit, entry.start, entry.end];
            let known = || instants.into_iter().flatten().filter(|&time| time < Time::FARTHEST);
            self.dated = known().any(|time| time >= DATED);
            self.counted |= known().any(|time| time > Time::ZERO);
            self.undated = records;
        }
        !self.dated
    }

    /// Whether all times of the log count from its own zero.
    pub(super) fn is_own_zero(&self) -> bool {
        !self.dated && self.counted
    }

    /// Whether a record precedes the first date of a log with dates: its times are markers of missing ones.
    pub(super) fn is_marker(&self, row: u32) -> bool {
        self.dated && (row as usize) < self.undated
    }

    /// Returns the number of records that [`Dates::is_marker`] finds.
    pub(super) fn markers(&self) -> u32 {
        if self.dated { self.undated as u32 } else { 0 }
    }
}

/// Makes the times of a record unknown, with the submission of the first job that has a date.
pub(super) fn without_times(record: &mut Record, first: Time, reporter: &mut Reporter<'_>) -> Result {
    record.set(Field::Submit, Number::from_micro(first.ticks()));
    record.set(Field::Wait, Number::UNKNOWN);
    record.set(Field::Run, Number::UNKNOWN);
    Ok(reporter.report_at(&rules::SUBMIT_FROM_PREDECESSOR, record.line, || "no time is known".into())?)
}

/// Drops the decimals of wait and run times that became unknown.
pub(super) fn in_own_units(record: &mut Record) {
    for field in [Field::Wait, Field::Run] {
        record.set(field, Number::from_micro(record.get(field).to_micro()));
    }
}

/// Formats a date as the `date` command prints it.
pub(super) fn date(unix: i64, zone: Zone) -> Option<String> {
    let local = chrono::DateTime::from_timestamp(unix.checked_add(zone.offset_at(unix))?, 0)?;
    Some(format!("{} {zone} {}", local.format("%a %b %e %H:%M:%S"), local.format("%Y")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(dates: &mut Dates, seconds: i64, records: usize) -> bool {
        let submit = Some(Time::from_secs(seconds));
        dates.see(&AccountingEntry { submit, ..AccountingEntry::default() }, records)
    }

    #[test]
    fn small_instants_are_times_until_a_date_comes() {
        let mut own = Dates::default();
        assert!(see(&mut own, 0, 0) && !own.is_own_zero());
        assert!(see(&mut own, 90_000, 1) && own.is_own_zero());
        let mut dated = Dates::default();
        assert!(see(&mut dated, 0, 0));
        assert!(!see(&mut dated, 1_300_000_000, 1) && !see(&mut dated, 5, 2));
        assert_eq!([0, 1].map(|row| dated.is_marker(row)), [true, false]);
    }
}
