use std::borrow::Cow;

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::header::{ColumnScope, ResourceDeclaration};
use batchlab_traces::number::{counted, grouped};
use batchlab_traces::reading::{QueueFrom, parse_duration};
use batchlab_traces::shape::{Context, Steps, Target};
use batchlab_traces::trace::{ELIGIBLE, Holds};
use batchlab_traces::{Field, Number, Time, Trace};

use crate::experiment::{EVERY, STARTS};
use crate::lab::Failure;

/// The windows of a log: of equal length, one after the other, starting at the first submission plus the time
/// that is simulated before each window. A job belongs to the window in which it enters the queue.
#[derive(Clone, Debug)]
pub struct Windows {
    first: Time,
    last: Time,
    length: WindowLength,
    /// How far apart the drawn windows are: 1 for all windows of the log, 8 for every eighth.
    every: u32,
    /// The numbers of the jobs with which windows of a number of jobs begin; none if windows follow one another.
    starts: Vec<i64>,
    prefix: Time,
    queue_from: QueueFrom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WindowLength {
    Time(Time),
    /// A number of jobs, in the order in which they enter the queue; jobs that enter it at the same instant are
    /// in the order of the log.
    Jobs(usize),
}

impl WindowLength {
    /// Reads a length: `7d`, or `5000 jobs`.
    fn parse(text: &str) -> Option<WindowLength> {
        match text.trim().strip_suffix("jobs") {
            Some(jobs) => jobs.trim().parse().ok().filter(|jobs| *jobs > 0).map(WindowLength::Jobs),
            None => parse_duration(text).ok().filter(|length| *length > Time::ZERO).map(WindowLength::Time),
        }
    }
}

impl Windows {
    pub fn of(trace: &Trace, written: &str, prefix: Time, queue_from: QueueFrom) -> Result<Windows, Failure> {
        let (length, from) = written.split_once(STARTS).unwrap_or((written, ""));
        let (length, apart) = length.split_once(EVERY).unwrap_or((length, "1"));
        let length = WindowLength::parse(length).ok_or_else(|| {
            Failure::Usage(
                "the length of a window is a time above zero, such as 7d, or a number of jobs, such as 5000 jobs".into(),
            )
        })?;
        let every = apart.trim().parse().ok().filter(|every| *every > 0).ok_or_else(|| {
            Failure::Usage(format!(
                "windows apart are \"7d, every 8\", with a whole number above 0: `{written}`"
            ))
        })?;
        let starts = from.split([' ', ',']).filter(|word| !word.is_empty()).map(str::parse);
        let starts = starts.collect::<Result<Vec<i64>, _>>().ok();
        let is_in_row = !written.contains(STARTS);
        let is_given =
            |starts: &Vec<i64>| !starts.is_empty() && every == 1 && matches!(length, WindowLength::Jobs(_));
        let starts = starts.filter(|starts| is_in_row || is_given(starts)).ok_or_else(|| {
            Failure::Usage(format!(
                "windows from given jobs are \"1024 jobs, from 1982 2757\", the numbers of the jobs with which they begin: \
                 `{written}`"
            ))
        })?;
        let (first, last) = (Time::ZERO, Time::ZERO);
        let mut windows = Windows { first, last, length, every, starts, prefix, queue_from };
        let holds = windows.holds(trace);
        let queued = (0..trace.len()).map(|row| queued(trace, holds, row)).filter(|at| *at >= Time::ZERO);
        windows.first = queued.clone().min().unwrap_or_default();
        windows.last = queued.max().unwrap_or_default();
        Ok(windows)
    }

    /// Returns how long jobs are held back, if they queue from their eligibility.
    fn holds<'a>(&self, trace: &'a Trace) -> Option<Holds<'a>> {
        Some(Holds::of(trace)).filter(|holds| self.queue_from == QueueFrom::Eligible && holds.any())
    }

    /// Returns the numbers of the windows that the log covers completely and that have jobs; with `every` above 1, of those whose
    /// number it divides. Notes tell what is in none of them. O(jobs log jobs), however short the windows are.
    ///
    /// # Errors
    /// If there are more windows than window numbers.
    pub fn numbers(&self, trace: &Trace, written: &str) -> Result<(Vec<u32>, Vec<String>), Failure> {
        let (mut numbers, mut notes) = self.all_numbers(trace, written)?;
        let all = numbers.len();
        numbers.retain(|number| number % self.every == 0);
        if self.every > 1 {
            notes.push(format!(
                "{} between those drawn left out",
                counted((all - numbers.len()) as u64, "window")
            ));
        }
        Ok((numbers, notes))
    }

    fn all_numbers(&self, trace: &Trace, written: &str) -> Result<(Vec<u32>, Vec<String>), Failure> {
        match self.length {
            WindowLength::Time(length) => self.numbers_by_time(trace, length),
            WindowLength::Jobs(jobs) if !self.starts.is_empty() => self.given_numbers(trace, jobs),
            WindowLength::Jobs(jobs) => {
                let (order, from) = self.order(trace);
                let (windows, rest) = ((order.len() - from) / jobs, (order.len() - from) % jobs);
                let windows = u32::try_from(windows).map_err(|_| {
                    Failure::Usage("a log has too many windows: longer ones are fewer".into())
                })?;
                let rest = (rest > 0 && windows > 0).then(|| {
                    let [verb, are] = if rest == 1 { ["fills", "is"] } else { ["fill", "are"] };
                    let rest = counted(rest as u64, "job");
                    format!("the last {rest} {verb} no window of {written} and {are} left out")
                });
                Ok(((0..windows).collect(), rest.into_iter().collect()))
            }
        }
    }

    /// Returns the numbers of the windows that begin with given jobs; a note tells how many jobs are in several.
    fn given_numbers(&self, trace: &Trace, jobs: usize) -> Result<(Vec<u32>, Vec<String>), Failure> {
        let (order, _) = self.order(trace);
        let mut begins =
            (0..self.starts.len()).map(|at| self.begin(trace, &order, at)).collect::<Result<Vec<_>, _>>()?;
        if let Some(at) = begins.iter().position(|begin| begin + jobs > order.len()) {
            let (job, left) = (self.starts[at], counted((order.len() - begins[at]) as u64, "job"));
            let what = format!(
                "the window of {jobs} jobs from job {job} on does not fit: the log has {left} from there"
            );
            return Err(Failure::Usage(what));
        }
        begins.sort_unstable();
        let shared: usize =
            begins.windows(2).map(|pair| (pair[0] + jobs).saturating_sub(pair[1]).min(jobs)).sum();
        let note = (shared > 0).then(|| {
            let shared = counted(shared as u64, "job");
            format!("windows from given jobs overlap by {shared} in all: they are not independent, and intervals are too narrow")
        });
        Ok(((0..begins.len() as u32).collect(), note.into_iter().collect()))
    }

    /// Returns the position at which a window begins whose first job is given.
    fn begin(&self, trace: &Trace, order: &[u32], window: usize) -> Result<usize, Failure> {
        let job = self.starts[window];
        let is_it = |&row: &u32| trace.get(row as usize, Field::Job).truncated() == job;
        order.iter().position(is_it).ok_or_else(|| {
            Failure::Usage(format!("no window begins with job {job}, which the log does not have"))
        })
    }

    fn numbers_by_time(&self, trace: &Trace, length: Time) -> Result<(Vec<u32>, Vec<String>), Failure> {
        let from = self.first.saturating_add(self.prefix);
        let covered = (self.last - from).ticks().max(0) / length.ticks();
        let covered_windows = u32::try_from(covered).map_err(|_| {
            Failure::Usage(format!(
                "the log covers {} windows of {}, and at most {} can be numbered; longer ones are fewer",
                grouped(covered as u64),
                length.words(),
                grouped(u64::from(u32::MAX))
            ))
        })?;
        let holds = self.holds(trace);
        let number = |row: usize| {
            let number = (queued(trace, holds, row) - from).ticks().div_euclid(length.ticks());
            u32::try_from(number).ok().filter(|number| *number < covered_windows)
        };
        let mut numbers: Vec<u32> = (0..trace.len()).filter_map(number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let empty = covered as u64 - numbers.len() as u64;
        let rest = (self.last - from) - Time::from_ticks(covered * length.ticks());
        let mut notes = Vec::new();
        if rest > Time::ZERO {
            let (rest, length) = (rest.rounded_words(), length.words());
            notes.push(format!("the last {rest} fill no window of {length} and are left out"));
        }
        if empty > 0 {
            notes.push(format!("{} without a job left out", counted(empty, "window")));
        }
        Ok((numbers, notes))
    }

    /// Returns the rows in the order in which their jobs enter the queue, and the position of the first one that
    /// has the whole prefix before it. Rows without a submission are left out. O(jobs log jobs).
    fn order(&self, trace: &Trace) -> (Vec<u32>, usize) {
        let holds = self.holds(trace);
        let at = |row: u32| queued(trace, holds, row as usize);
        let mut order: Vec<u32> = (0..trace.len() as u32).filter(|&row| at(row) >= Time::ZERO).collect();
        order.arrange_by_key(|&row| at(row));
        let from = self.first.saturating_add(self.prefix);
        let before = order.partition_point(|&row| at(row) < from);
        (order, before)
    }

    /// Returns a window as a log of its own, which begins with the jobs simulated before it and has the zero of the
    /// whole log, and the length of that prefix if submit times are compressed by the factor `load`.
    pub fn cut(&self, trace: &Trace, number: u32, load: f64) -> Result<(Trace, Time), Failure> {
        let (window, measured_from) = match self.length {
            WindowLength::Time(length) => self.cut_by_time(trace, number, length)?,
            WindowLength::Jobs(jobs) => self.cut_by_jobs(trace, number, jobs)?,
        };
        let holds = self.holds(&window);
        let queued = (0..window.len()).map(|row| queued(&window, holds, row));
        let first = queued.filter(|at| *at >= Time::ZERO).min().unwrap_or_default();
        let left = (measured_from - first).max(Time::ZERO);
        Ok((window, Time::from_ticks((left.ticks() as f64 / load).floor() as i64)))
    }

    /// Returns a window, and the instant of the log at which the measurement begins.
    fn cut_by_time(&self, trace: &Trace, number: u32, length: Time) -> Result<(Trace, Time), Failure> {
        let begin = self.first.saturating_add(Time::from_ticks(i64::from(number) * length.ticks()));
        let end = begin.saturating_add(self.prefix).saturating_add(length);
        // In days, and exact: a window is a few thousand days at most, and a double represents their ticks.
        let day = |at: Time| at.ticks() as f64 / Time::from_secs(86_400).ticks() as f64;
        let trace = match self.holds(trace) {
            None => Cow::Borrowed(trace),
            Some(holds) => {
                let within = |&row: &u32| {
                    (begin..end).contains(&queued(trace, Some(holds), row as usize))
                        || trace.time(row as usize, Field::Submit) < Time::ZERO
                };
                let rows: Vec<u32> = (0..trace.len() as u32).filter(within).collect();
                Cow::Owned(moved_to(trace, &rows, begin, holds))
            }
        };
        let measured_from = begin.saturating_add(self.prefix);
        Ok((windowed(&trace, &format!("days = [{:?}, {:?}]", day(begin), day(end)))?, measured_from))
    }

    /// Returns a window, and the instant of the log at which the measurement begins. Jobs of the previous window that
    /// enter the queue at the instant of the first measured job are not simulated, because their times do not
    /// distinguish them from measured jobs.
    fn cut_by_jobs(&self, trace: &Trace, number: u32, jobs: usize) -> Result<(Trace, Time), Failure> {
        let (order, before) = self.order(trace);
        let from = if self.starts.is_empty() {
            before + number as usize * jobs
        } else {
            self.begin(trace, &order, number as usize)?
        };
        let Some(measured) = order.get(from..from + jobs) else {
            return Err(Failure::Input(format!("the log has no window {number} of {jobs} jobs")));
        };
        let holds = self.holds(trace);
        let at = |row: u32| queued(trace, holds, row as usize);
        let start = at(measured[0]);
        let simulated =
            order[..from].iter().filter(|&&row| at(row) < start && start - at(row) <= self.prefix);
        let mut rows: Vec<u32> = simulated.chain(measured).copied().collect();
        rows.sort_unstable();
        let begin = rows.iter().map(|&row| at(row)).min().unwrap_or_default();
        let selected = match holds {
            None => trace.select(&rows),
            Some(holds) => moved_to(trace, &rows, begin, holds),
        };
        Ok((windowed(&selected, &format!("jobs = [1, {}]", rows.len()))?, start))
    }
}

/// Returns some rows of a log as a log; jobs submitted before its beginning count as held from then on.
fn moved_to(trace: &Trace, rows: &[u32], begin: Time, holds: Holds<'_>) -> Trace {
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
    let held = |row: u32| number(queued(trace, Some(holds), row as usize) - submit(row));
    let mut moved = trace.select(rows);
    moved.set_column(Field::Submit, rows.iter().map(|&row| number(submit(row))).collect());
    moved.set_column(Field::Wait, rows.iter().map(|&row| wait(row)).collect());
    let (name, unit) = (ELIGIBLE.to_owned(), "s".to_owned());
    let declaration = ResourceDeclaration { name, unit, capacity: None, scope: ColumnScope::Job };
    moved.set_resource(declaration, rows.iter().map(|&row| held(row)).collect());
    moved
}

/// Returns when the job of a row enters the queue; negative if its submission is unknown.
fn queued(trace: &Trace, holds: Option<Holds<'_>>, row: usize) -> Time {
    match trace.time(row, Field::Submit) {
        submit if submit >= Time::ZERO => {
            submit.saturating_add(holds.map_or(Time::ZERO, |holds| holds.get(row)))
        }
        unknown => unknown,
    }
}

pub fn first_jobs(trace: &Trace, jobs: usize) -> Result<Trace, Failure> {
    windowed(trace, &format!("jobs = [1, {jobs}]"))
}

/// Applies the step that cuts a period out of a log.
fn windowed(trace: &Trace, span: &str) -> Result<Trace, Failure> {
    let steps = Steps::parse(&format!("[[step]]\nkind = \"window\"\n{span}\n"), "windows")?;
    let none = |_: &str| Err("a window reads no log".to_owned());
    let measure = |_: &Trace, _: &Target| Err("a window measures nothing".to_owned());
    let shaped = steps.apply(trace.clone(), &Context { seed: 0, log: &none, measure: &measure })?;
    let mut logs = shaped.logs.into_iter().map(|log| log.trace);
    logs.next().ok_or_else(|| Failure::Input("a window leaves no log".into()))
}
