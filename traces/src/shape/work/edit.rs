//! Changes shared by several steps.

use super::ShapedTrace;
use crate::sorted::SortedMap;
use crate::time::{TICKS_PER_SECOND, Time};
use crate::workload::peak;
use crate::{Calendar, Column, Field, Findings, Number};

impl ShapedTrace {
    /// Replaces the values of a field, row by row.
    pub fn map(&mut self, field: Field, mut value: impl FnMut(u32, Number) -> Number) {
        let column: Column =
            (0..).zip(self.trace.column(field).iter()).map(|(row, number)| value(row, number)).collect();
        self.trace.set_column(field, column);
    }

    /// Replaces the known values of a time, row by row, and returns the number of changed values.
    pub fn map_time(&mut self, field: Field, mut time: impl FnMut(u32, Time) -> Time) -> u64 {
        let mut changed = 0;
        self.map(field, |row, number| {
            if number.is_unknown() {
                return number;
            }
            let old = Time::from_ticks(number.to_micro());
            let new = time(row, old);
            changed += u64::from(new != old);
            Number::from_micro(new.ticks())
        });
        changed
    }

    /// Makes another instant the trace's zero; the wall-clock times of jobs do not change.
    pub fn rebase(&mut self, zero: Time) {
        if zero == Time::ZERO {
            return;
        }
        self.map_time(Field::Submit, |_, submit| submit - zero);
        self.move_clock(zero.ticks().div_euclid(TICKS_PER_SECOND));
    }

    /// Moves the start of the calendar forward by `seconds`.
    pub fn move_clock(&mut self, seconds: i64) {
        let header = &mut self.trace.header;
        header.unix_start_time = header.unix_start_time.map(|start| start.saturating_add(seconds));
        self.reread_calendar();
    }

    /// Reads the calendar from the header again. An unknown zone was a finding when the log was read.
    pub fn reread_calendar(&mut self) {
        let header = &self.trace.header;
        self.trace.calendar =
            Calendar::from_header(header, &"".into(), &mut Findings::lenient()).unwrap_or_default();
    }

    /// Removes the dates of begin and end from the header.
    pub fn forget_period(&mut self) {
        self.trace.header.start_time = None;
        self.trace.header.end_time = None;
    }

    /// Removes the waits that the log recorded: they belong to a schedule of other jobs. Returns a remark to
    /// be appended to the words of the step.
    pub fn forget_waits(&mut self) -> &'static str {
        if self.trace.column(Field::Wait).constant().is_some_and(Number::is_unknown) {
            return "";
        }
        if self.trace.header.max_procs.is_none() {
            // The machine had at least these.
            self.trace.header.peak_procs = Some(peak(&self.trace));
        }
        self.map(Field::Wait, |_, _| Number::UNKNOWN);
        "; recorded waits set to unknown"
    }

    /// Keeps the size of a machine that the header does not state: a part of the log may not show it.
    pub fn remember_machine(&mut self) {
        let header = &self.trace.header;
        if header.max_procs.is_none() && header.peak_procs.is_none() {
            self.trace.header.peak_procs = self.machine_procs();
        }
    }

    /// Adds a line to the header.
    pub fn note(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.trace.header.lines.push(format!("; Note: {text}"));
        self.trace.header.notes.push(text);
    }

    /// Numbers the jobs from 1 in the order of the rows; lines of one job keep one number. `group` separates jobs of equal old
    /// numbers; predecessors are looked up in the group of their successor, and removed if they are not there.
    pub fn renumber(&mut self, group: impl Fn(u32) -> u64) {
        let mut numbers: SortedMap<(u64, i64), i64> = SortedMap::new();
        let mut next = 0;
        self.map(Field::Job, |row, old| {
            let mut fresh = || {
                next += 1;
                next
            };
            let number = match old.truncated() {
                unknown if unknown < 0 => fresh(),
                old => *numbers.entry((group(row), old)).or_insert_with(fresh),
            };
            Number::whole(number)
        });
        let mut orphans = vec![false; self.len()];
        self.map(Field::Preceding, |row, old| {
            if old.is_unknown() {
                return old;
            }
            let number = numbers.get(&(group(row), old.truncated()));
            orphans[row as usize] = number.is_none();
            number.map_or(Number::UNKNOWN, |&number| Number::whole(number))
        });
        self.map(Field::Think, |row, old| if orphans[row as usize] { Number::UNKNOWN } else { old });
        self.orphans += orphans.iter().filter(|&&orphan| orphan).count() as u64;
    }
}
