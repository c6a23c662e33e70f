//! Windows of a log.

use batchlab_traces::reading::parse_duration;
use batchlab_traces::shape::{Context, Steps, Target};
use batchlab_traces::{Field, Time, Trace};

use crate::cli::Failure;

/// The windows of a log: of equal length, one after the other from the first submission, or from so much later as is
/// simulated before each.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// First submission.
    first: Time,
    /// Last submission.
    last: Time,
    length: Time,
    prefix: Time,
}

impl Windows {
    /// Returns the windows of a log.
    pub fn of(trace: &Trace, length: &str, prefix: Time) -> Result<Windows, Failure> {
        let length = parse_duration(length).ok().filter(|length| *length > Time::ZERO);
        let length = length.ok_or_else(|| {
            Failure::Usage("the length of a window is a time above zero, such as 7d".into())
        })?;
        let submits =
            || (0..trace.len()).map(|row| trace.time(row, Field::Submit)).filter(|at| *at >= Time::ZERO);
        let (first, last) = (submits().min().unwrap_or_default(), submits().max().unwrap_or_default());
        Ok(Windows { first, last, length, prefix })
    }

    /// Returns the numbers of the windows that the log covers to their end and that have jobs, how many have none, and
    /// how long the rest at the end is.
    pub fn numbers(&self, trace: &Trace) -> (Vec<u32>, usize, Time) {
        let from = self.first.saturating_add(self.prefix);
        let covered = (self.last - from).ticks().max(0) / self.length.ticks();
        let mut jobs = vec![0u64; usize::try_from(covered).unwrap_or(0)];
        for row in 0..trace.len() {
            let number = (trace.time(row, Field::Submit) - from).ticks().div_euclid(self.length.ticks());
            if let Some(count) = usize::try_from(number).ok().and_then(|number| jobs.get_mut(number)) {
                *count += 1;
            }
        }
        let numbers: Vec<u32> =
            (0..).zip(&jobs).filter(|(_, jobs)| **jobs > 0).map(|(number, _)| number).collect();
        let empty = jobs.len() - numbers.len();
        let rest = (self.last - from) - Time::from_ticks(covered * self.length.ticks());
        (numbers, empty, rest.max(Time::ZERO))
    }

    /// Returns a window as a log of its own that begins with what is simulated before it.
    pub fn cut(&self, trace: &Trace, number: u32) -> Result<Trace, Failure> {
        let begin = self.first.saturating_add(Time::from_ticks(i64::from(number) * self.length.ticks()));
        let end = begin.saturating_add(self.prefix).saturating_add(self.length);
        // Days, and exact: a window is some thousand days at most, and a double holds their ticks.
        let day = |at: Time| at.ticks() as f64 / Time::from_secs(86_400).ticks() as f64;
        windowed(trace, &format!("days = [{:?}, {:?}]", day(begin), day(end)))
    }

    /// Returns how much of a window that has been cut out is simulated and not measured, from its first submission on,
    /// when submissions come so many times as fast.
    pub fn prefix(&self, window: &Trace, load: f64) -> Time {
        let submits = (0..window.len()).map(|row| window.time(row, Field::Submit));
        let first = submits.filter(|at| *at >= Time::ZERO).min().unwrap_or_default();
        let left = (self.prefix - first).max(Time::ZERO);
        Time::from_ticks((left.ticks() as f64 / load).floor() as i64)
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
