//! The log's own schedule, as recorded on the machine.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::trace::{Suspension, Suspensions};
use batchlab_traces::{Field, JobId, Reading, Time, Trace, Workload};

use crate::Outcome;
use crate::outcome::{Fate, Interval, IntervalKind, TimeSpent};

/// The reason why the log's own schedule cannot be compared with the policies.
#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotRecorded {
    #[error("waits (field 3) are missing for {missing} of {jobs} jobs")]
    MissingWaits { missing: usize, jobs: usize },
    #[error(
        "the log's schedule is one of its own jobs: the replay changes the load by {load} and run times by \
         {scale_run}"
    )]
    Scaled { load: f64, scale_run: f64 },
    #[error("job {job} is row {row} of a log of {rows} rows: the jobs are not those of the log")]
    OtherTrace { job: i64, row: usize, rows: usize },
}

impl NotRecorded {
    /// Checks that the replayed jobs are those of the log, by the rules of its reading.
    pub fn unless_unscaled(reading: &Reading) -> Result<(), NotRecorded> {
        let &Reading { load, scale_run, .. } = reading;
        if load == 1.0 && scale_run == 1.0 { Ok(()) } else { Err(NotRecorded::Scaled { load, scale_run }) }
    }
}

/// Returns the schedule that the log recorded: start = submit + wait (field 3), end = start + the replayed
/// run time, so that all rows of a table are about the same jobs, + how long the job was suspended.
///
/// # Errors
/// If any job's wait is missing or beyond [`Time::FARTHEST`] (a row over fewer jobs would not be comparable),
/// or if the replay scales the log.
pub fn recorded_schedule(
    trace: &Trace,
    workload: &Workload,
    reading: &Reading,
) -> Result<Outcome, NotRecorded> {
    NotRecorded::unless_unscaled(reading)?;
    if let Some(job) = workload.jobs().find(|&job| workload.row(job) >= trace.len()) {
        let (row, rows) = (workload.row(job), trace.len());
        return Err(NotRecorded::OtherTrace { job: workload.number(job), row, rows });
    }
    let wait = |job: JobId| match workload.patience(job) {
        Some(patience) => workload.submit(job) + patience - workload.submitted(job),
        None => trace.time(workload.row(job), Field::Wait),
    };
    let known = |job: JobId| (Time::ZERO..=Time::FARTHEST).contains(&wait(job));
    let missing = workload.jobs().filter(|&job| !known(job)).count();
    if missing > 0 {
        return Err(NotRecorded::MissingWaits { missing, jobs: workload.len() });
    }
    let start: Vec<Time> = workload.jobs().map(|job| workload.submitted(job) + wait(job)).collect();
    let suspensions = Suspensions::of(trace);
    let suspension = |job: JobId| suspensions.get(workload.row(job));
    let runs = |job: JobId| if workload.patience(job).is_some() { Time::ZERO } else { workload.run(job) };
    let end = workload.jobs().map(|job| start[job.index()] + runs(job) + suspension(job).total).collect();
    let mut outcome = Outcome { start, end, ..Outcome::default() };
    if workload.jobs().any(|job| suspension(job).total > Time::ZERO) {
        let stays = workload.jobs().map(|job| (job, runs(job), suspension(job)));
        suspend(&mut outcome, stays);
    }
    for job in workload.jobs().filter(|&job| workload.patience(job).is_some()) {
        outcome.set_fate(job, Fate::Cancelled, workload.len());
    }
    Ok(outcome)
}

/// Fills in when the jobs of a log ran and when they were suspended. Where the log does not say when that was, a job runs at an even
/// rate from its start to its end.
fn suspend(outcome: &mut Outcome, jobs: impl Iterator<Item = (JobId, Time, Suspension)>) {
    let mut intervals = Vec::new();
    let mut services = Vec::new();
    for (job, run, suspension) in jobs {
        let (start, stay) = (outcome.start(job), run + suspension.total);
        services.push(TimeSpent {
            suspensions: u32::from(suspension.total > Time::ZERO),
            ..TimeSpent::default()
        });
        let (from, until) = suspension.between.unwrap_or((Time::ZERO, stay));
        let within = (until - from - suspension.total).max(Time::ZERO);
        let rate = if until > from { within.secs() / (until - from).secs() } else { 1.0 };
        let parts = if suspension.total > Time::ZERO {
            vec![(Time::ZERO, from, 1.0), (from, until, rate), (until, stay, 1.0)]
        } else {
            vec![(Time::ZERO, stay, 1.0)]
        };
        let is_some = |(from, to, _): &(Time, Time, f64)| from < to;
        intervals.extend(parts.into_iter().filter(is_some).map(|(from, to, rate)| {
            let kind = if rate > 0.0 { IntervalKind::Run } else { IntervalKind::Paused };
            Interval { job, from: start + from, to: start + to, rate, kind }
        }));
    }
    intervals.arrange_by_key(|interval| (interval.to, interval.job));
    (outcome.intervals, outcome.services) = (intervals, services);
}
