//! Windows of a log.

use std::borrow::Cow;

use batchlab_traces::header::{ResourceDeclaration, Scope};
use batchlab_traces::number::grouped;
use batchlab_traces::reading::{QueueFrom, parse_duration};
use batchlab_traces::shape::{Context, Steps, Target};
use batchlab_traces::trace::{ELIGIBLE, Holds};
use batchlab_traces::{Field, Number, Time, Trace};

use crate::cli::Failure;

/// The windows of a log: of equal length, one after the other from the first submission, or from so much later as is
/// simulated before each. A job belongs to the window in which it enters the queue.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// First submission.
    first: Time,
    /// Last submission.
    last: Time,
    length: Time,
    prefix: Time,
    queue_from: QueueFrom,
}

impl Windows {
    /// Returns the windows of a log.
    pub fn of(trace: &Trace, length: &str, prefix: Time, queue_from: QueueFrom) -> Result<Windows, Failure> {
        let length = parse_duration(length).ok().filter(|length| *length > Time::ZERO);
        let length = length.ok_or_else(|| {
            Failure::Usage("the length of a window is a time above zero, such as 7d".into())
        })?;
        let mut windows = Windows { first: Time::ZERO, last: Time::ZERO, length, prefix, queue_from };
        let holds = windows.holds(trace);
        let queued = (0..trace.len()).map(|row| queued(trace, holds, row)).filter(|at| *at >= Time::ZERO);
        windows.first = queued.clone().min().unwrap_or_default();
        windows.last = queued.max().unwrap_or_default();
        Ok(windows)
    }

    /// Returns how long jobs are held back, where they queue from their eligibility.
    fn holds<'a>(&self, trace: &'a Trace) -> Option<Holds<'a>> {
        Some(trace.holds()).filter(|holds| self.queue_from == QueueFrom::Eligible && holds.any())
    }

    /// Returns the numbers of the windows that the log covers to their end and that have jobs, how many have none, and
    /// how long the rest at the end is. O(jobs), however short the windows are.
    ///
    /// # Errors
    /// When there are more windows than numbers for them.
    pub fn numbers(&self, trace: &Trace) -> Result<(Vec<u32>, u64, Time), Failure> {
        let from = self.first.saturating_add(self.prefix);
        let covered = (self.last - from).ticks().max(0) / self.length.ticks();
        let covered_windows = u32::try_from(covered).map_err(|_| {
            Failure::Usage(format!(
                "the log covers {} windows of {} s, and at most {} can be numbered; longer ones are fewer",
                grouped(covered as u64),
                self.length,
                grouped(u64::from(u32::MAX))
            ))
        })?;
        let holds = self.holds(trace);
        let number = |row: usize| {
            let number = (queued(trace, holds, row) - from).ticks().div_euclid(self.length.ticks());
            u32::try_from(number).ok().filter(|number| *number < covered_windows)
        };
        let mut numbers: Vec<u32> = (0..trace.len()).filter_map(number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let empty = covered as u64 - numbers.len() as u64;
        let rest = (self.last - from) - Time::from_ticks(covered * self.length.ticks());
        Ok((numbers, empty, rest.max(Time::ZERO)))
    }

    /// Returns a window as a log of its own that begins with what is simulated before it.
    pub fn cut(&self, trace: &Trace, number: u32) -> Result<Trace, Failure> {
        let begin = self.first.saturating_add(Time::from_ticks(i64::from(number) * self.length.ticks()));
        let end = begin.saturating_add(self.prefix).saturating_add(self.length);
        // Days, and exact: a window is some thousand days at most, and a double holds their ticks.
        let day = |at: Time| at.ticks() as f64 / Time::from_secs(86_400).ticks() as f64;
        let trace = self.moved_in(trace, begin, end);
        windowed(&trace, &format!("days = [{:?}, {:?}]", day(begin), day(end)))
    }

    /// Returns the log with the jobs in a window's submissions that enter the queue within it: those that enter it later
    /// are left out, and those submitted before are held back from its beginning on.
    fn moved_in<'a>(&self, trace: &'a Trace, begin: Time, end: Time) -> Cow<'a, Trace> {
        let Some(holds) = self.holds(trace) else { return Cow::Borrowed(trace) };
        let queued = |row: u32| queued(trace, Some(holds), row as usize);
        let within = |row: &u32| {
            (begin..end).contains(&queued(*row)) || trace.time(*row as usize, Field::Submit) < Time::ZERO
        };
        let rows: Vec<u32> = (0..trace.len() as u32).filter(within).collect();
        let submit = |row: u32| match trace.time(row as usize, Field::Submit) {
            unknown if unknown < Time::ZERO => unknown,
            known => known.max(begin),
        };
        let number = |time: Time| Number::from_micro(time.ticks());
        let wait = |row: u32| match trace.get(row as usize, Field::Wait) {
            unknown if unknown.is_unknown() => unknown,
            known => number(
                Time::from_ticks(known.to_micro()) - (submit(row) - trace.time(row as usize, Field::Submit)),
            ),
        };
        let held = |row: u32| number(queued(row) - submit(row));
        let mut moved = trace.select(&rows);
        moved.set_column(Field::Submit, rows.iter().map(|&row| number(submit(row))).collect());
        moved.set_column(Field::Wait, rows.iter().map(|&row| wait(row)).collect());
        let (name, unit) = (ELIGIBLE.to_owned(), "s".to_owned());
        let declaration = ResourceDeclaration { name, unit, capacity: None, scope: Scope::Job };
        moved.set_resource(declaration, rows.iter().map(|&row| held(row)).collect());
        Cow::Owned(moved)
    }

    /// Returns how much of a window that has been cut out is simulated and not measured, from its first submission on,
    /// when submissions come so many times as fast.
    pub fn prefix(&self, window: &Trace, load: f64) -> Time {
        let holds = self.holds(window);
        let queued = (0..window.len()).map(|row| queued(window, holds, row));
        let first = queued.filter(|at| *at >= Time::ZERO).min().unwrap_or_default();
        let left = (self.prefix - first).max(Time::ZERO);
        Time::from_ticks((left.ticks() as f64 / load).floor() as i64)
    }
}

/// Returns when the job of a row enters the queue; below zero where its submission is unknown.
fn queued(trace: &Trace, holds: Option<Holds<'_>>, row: usize) -> Time {
    match trace.time(row, Field::Submit) {
        submit if submit >= Time::ZERO => {
            submit.saturating_add(holds.map_or(Time::ZERO, |holds| holds.of(row)))
        }
        unknown => unknown,
    }
}

/// Returns the first jobs of a log.
pub fn first_jobs(trace: &Trace, jobs: usize) -> Result<Trace, Failure> {
    windowed(trace, &format!("jobs = [1, {jobs}]"))
}

/// Applies the step that cuts a stretch out of a log.
fn windowed(trace: &Trace, span: &str) -> Result<Trace, Failure> {
    let steps = Steps::parse(&format!("[[step]]\nkind = \"window\"\n{span}\n"), "windows")?;
    let none = |_: &str| Err("a window reads no log".to_owned());
    let measure = |_: &Trace, _: &Target| Err("a window measures nothing".to_owned());
    let shaped = steps.apply(trace.clone(), &Context { seed: 0, log: &none, measure: &measure })?;
    let mut logs = shaped.logs.into_iter().map(|log| log.trace);
    logs.next().ok_or_else(|| Failure::Input("a window leaves no log".into()))
}
