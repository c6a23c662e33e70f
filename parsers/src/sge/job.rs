use batchlab_traces::notation::{Bound, number, size, whole};
use batchlab_traces::{Number, Time, status};

use super::category::request;
use super::kinds;
use super::record::{Fields, field};
use crate::columns::{Columns, Shared, share};
use crate::entry::{AccountingEntry, Member, Name, has_started};
use crate::error::Result;
use crate::lines::Line;
use crate::normal::Normaliser;
use crate::reporter::Reporter;

pub(super) struct SgeRecord<'a> {
    pub(super) line: Line<'a>,
    pub(super) fields: &'a Fields,
}

impl<'a> SgeRecord<'a> {
    pub(super) fn entry(
        &self,
        columns: &mut Columns,
        normaliser: &mut Normaliser,
        extra: Vec<(usize, i64)>,
        reporter: &mut Reporter<'_>,
    ) -> Result<AccountingEntry<'a>> {
        let wanted = request(self.text(field::CATEGORY));
        if let Some(bad) = wanted.bad {
            reporter.report(&kinds::BAD_VALUE, &self.line, bad, |bad| bad)?;
        }
        let mut start = self.instant(field::START, reporter)?;
        let (submit, end) = (self.instant(field::SUBMIT, reporter)?, self.instant(field::END, reporter)?);
        let mut never_started = !has_started(submit, start, end);
        if never_started && self.has_run(reporter)? {
            (never_started, start) = (false, self.start_by_length(submit, end, reporter)?);
        }
        let slots = self.value(field::SLOTS, whole, reporter)?.filter(|&slots| slots > 0);
        let group = [field::GROUP, field::PROJECT].map(|at| Name::of(self.text(at)));
        let number = self.value(field::NUMBER, whole, reporter)?;
        let task = self.value(field::TASK, whole, reporter)?.filter(|&task| task > 0);
        let mut entry = AccountingEntry {
            line: self.line.number,
            // The tasks of an array share its number.
            number: number.filter(|_| task.is_none()),
            member: Member { array: number.zip(task), het: None },
            submit,
            end,
            never_started,
            start,
            allocated: slots.filter(|_| !never_started),
            requested: wanted.slots.or(slots),
            requested_time: wanted.time,
            user: Name::of(self.text(field::OWNER)),
            group: if group[0] == Name::Unknown { group[1] } else { group[0] },
            executable: Name::of(self.text(field::NAME)),
            queue: Name::of(self.text(field::QUEUE)),
            extra,
            ..AccountingEntry::default()
        };
        self.note_scale(reporter)?;
        if entry.never_started {
            reporter.report(&kinds::NEVER_STARTED, &self.line, self.text(field::NUMBER), |number| number)?;
        }
        entry.status = self.status(&entry, reporter)?;
        self.usage(&mut entry, reporter)?;
        if let Some((name, bytes)) = wanted.memory {
            let slots = entry.requested.unwrap_or(1);
            reporter
                .report_at(&kinds::MEMORY_PER_SLOT, self.line.number, || format!("{name}, {slots} slots"))?;
            entry.requested_memory = Some(Number::whole(size::kb(bytes)));
            let total = bytes.checked_mul(slots).map(size::kb);
            columns.put(Shared::Memory, total, &mut entry, normaliser);
        }
        columns.put(Shared::Gpu, wanted.gpus, &mut entry, normaliser);
        Ok(entry)
    }

    /// Whether the record has wall-clock or CPU time: without it, a start of 0 means that the job never started.
    fn has_run(&self, reporter: &mut Reporter<'_>) -> Result<bool> {
        let some = |value: Option<Number>| value.is_some_and(|value| value.to_micro() > 0);
        let wallclock = self.value(field::WALLCLOCK, number, reporter)?;
        Ok(some(wallclock) || some(self.value(field::CPU, number, reporter)?))
    }

    /// Returns the start that the record lost, by the job's wall-clock time; `None` if the result is not credible.
    ///
    /// Source: accounting(5): `ru_wallclock` is the time from the start to the end.
    fn start_by_length(
        &self,
        submit: Option<Time>,
        end: Option<Time>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<Time>> {
        let length =
            self.value(field::WALLCLOCK, number, reporter)?.map(|length| Time::from_ticks(length.to_micro()));
        let start = end.zip(length).map(|(end, length)| end - length);
        let start =
            start.filter(|&start| length > Some(Time::ZERO) && start > Time::ZERO && Some(start) >= submit);
        let detail = |number: String| match start {
            Some(start) => format!("job {number}: started at {start} s"),
            None => format!("job {number}: unknown"),
        };
        reporter.report(&kinds::START_LOST, &self.line, self.text(field::NUMBER), detail)?;
        Ok(start)
    }

    fn status(&self, entry: &AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result<Option<i64>> {
        let failed = self.value(field::FAILED, whole, reporter)?;
        let exit = self.value(field::EXIT_STATUS, whole, reporter)?;
        if matches!(failed, Some(MIGRATING | RESCHEDULED)) {
            reporter.report(&kinds::RESCHEDULED, &self.line, self.text(field::NUMBER), |number| number)?;
        }
        let deleted = !self.text(field::DELETED_BY).is_empty();
        let before_limit = match (entry.start, entry.end, entry.requested_time) {
            (Some(start), Some(end), Some(Bound::Most(limit))) => end < Time::FARTHEST && end - start < limit,
            (Some(_), Some(end), Some(Bound::Unlimited)) => end < Time::FARTHEST,
            _ => false,
        };
        Ok(match (failed, exit) {
            (None, _) | (_, None) => None,
            _ if deleted => Some(status::CANCELLED),
            (Some(0), _) if entry.never_started => Some(status::CANCELLED),
            (Some(0 | AFTER_JOB), Some(137 | 143)) if before_limit => {
                reporter.report(&kinds::KILLED, &self.line, self.text(field::EXIT_STATUS), |exit| {
                    format!("exit_status {exit}")
                })?;
                Some(status::CANCELLED)
            }
            // These failures happened after the job had ended.
            (Some(0 | 12..=16), Some(0)) => Some(status::COMPLETED),
            _ => Some(status::FAILED),
        })
    }

    fn usage(&self, entry: &mut AccountingEntry<'_>, reporter: &mut Reporter<'_>) -> Result {
        if entry.never_started {
            return Ok(());
        }
        let cpu = self.value(field::CPU, number, reporter)?.filter(|cpu| !cpu.is_unknown());
        let each = cpu.and_then(|cpu| share(cpu, entry.allocated));
        entry.cpu = each.map(|each| Time::from_ticks(each.to_micro()));
        let resident = self.value(field::MAX_RESIDENT, number, reporter)?;
        let memory = match resident.filter(|bytes| bytes.value > 0) {
            Some(bytes) => Some(bytes),
            None => self.value(field::MAX_VIRTUAL, number, reporter)?.filter(|bytes| !bytes.is_unknown()),
        };
        let kb = memory.map(|bytes| Number::whole(size::kb(bytes.truncated())));
        entry.used_memory = kb.and_then(|kb| share(kb, entry.allocated));
        Ok(())
    }

    fn note_scale(&self, reporter: &mut Reporter<'_>) -> Result {
        let submit = self.text(field::SUBMIT);
        if scaled(submit).is_some_and(|(_, finer)| finer) {
            reporter.report(&kinds::MILLISECONDS, &self.line, submit, |time| time)?;
        }
        Ok(())
    }

    fn instant(&self, field: usize, reporter: &mut Reporter<'_>) -> Result<Option<Time>> {
        self.value(field, |text| scaled(text).map(|(time, _)| time), reporter)
    }

    fn text(&self, field: usize) -> &'a [u8] {
        self.fields.get(self.line.bytes, field)
    }

    fn value<T>(
        &self,
        field: usize,
        parse: impl Fn(&'a [u8]) -> Option<T>,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<T>> {
        let part = (&self.line, self.text(field));
        Ok(reporter.read(&kinds::BAD_VALUE, part, parse, |text| {
            format!("{text} as {}", super::record::NAMES[field].0)
        })?)
    }
}

/// `failed`: the job ran and will be migrated.
const MIGRATING: i64 = 24;
/// `failed`: the job ran and will be rescheduled.
const RESCHEDULED: i64 = 25;
/// `failed`: an error after the start; usually the job was killed.
const AFTER_JOB: i64 = 100;

/// The lowest number that is read as milliseconds: as seconds it would be in the year 5138.
const MILLISECONDS: i64 = 100_000_000_000;
/// The lowest number that is read as microseconds.
const MICROSECONDS: i64 = MILLISECONDS * 1000;

/// Parses a time since 1970 in seconds, milliseconds or microseconds; returns whether it is finer than seconds.
pub(super) fn scaled(text: &[u8]) -> Option<(Time, bool)> {
    let count = whole(text).filter(|&count| count >= 0)?;
    Some(match count {
        ..MILLISECONDS => (Time::from_secs(count), false),
        MILLISECONDS..MICROSECONDS => (Time::from_ticks(count * 1000), true),
        MICROSECONDS.. => (Time::from_ticks(count), true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_time_tells_its_unit() {
        let seconds = |text: &str| scaled(text.as_bytes()).map(|(time, finer)| (time.to_string(), finer));
        assert_eq!(seconds("1310761621"), Some(("1310761621".into(), false)));
        assert_eq!(seconds("1652111621288"), Some(("1652111621.288".into(), true)));
        assert_eq!(seconds("1652111621288001"), Some(("1652111621.288001".into(), true)));
        assert_eq!(seconds("0"), Some(("0".into(), false)));
        assert_eq!(seconds("-1"), None);
    }
}
