//! The jobs of a replay, or of a window of it, as rectangles over time and processors.

mod clock;
mod rows;

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{Field, JobId, Time};
pub use clock::Clock;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::density::{self, Density};
use super::pack::ProcRange;
use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::{Measurement, Served, first_promises};
use batchlab_engine::outcome::{Epoch, Interval, IntervalKind, LostRun};

/// The jobs of a replay or of a window of it; a [`Density`] where they are more than [`JOBS`] or [`PIECES`].
pub static GANTT: DetailSpec = DetailSpec {
    name: "gantt",
    what: "start, end, processors and first reservation of each job of a replay or a window of it",
    reads_journal: true,
    make,
};

/// The most jobs in a chart.
pub const JOBS: usize = 5000;
/// The most time intervals of all jobs, and the most processor ranges of all jobs.
pub const PIECES: usize = 40_000;

/// The most slices of time sharing that are followed one by one.
const SLICES: i64 = 100_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Chart {
    Jobs(Gantt),
    /// The share of the machine in use, where rectangles would be too many.
    Density {
        reason: String,
        /// Beginning and end, in seconds after the first submission.
        window: (f64, f64),
        grid: Density,
    },
}

/// The jobs of one replay, or of a window of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gantt {
    pub procs: i64,
    /// Whether processor numbers are those of the replay; otherwise the machine does not number its processors, and each job is
    /// drawn on the first free ones.
    pub is_placed: bool,
    /// Beginning and end, in seconds after the first submission.
    pub window: (f64, f64),
    /// The time of day, of a window of less than four days if the log tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The jobs that ran, in the order of submission; a job around which the window lies, even if it did not.
    pub jobs: Vec<Bar>,
    /// What was out of service.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<Piece>,
}

/// A job of a chart; `start` is its first start. Times are in seconds since the first submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    pub number: i64,
    pub submit: f64,
    pub start: f64,
    pub end: f64,
    pub procs: i64,
    /// Its user; −1 if unknown.
    pub user: i64,
    /// The classes that it belongs to, by their positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<usize>,
    /// Estimated run time, in seconds.
    pub estimate: f64,
    /// The first promised start, if promises were recorded and the job got one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised: Option<f64>,
    /// The rectangles of the job: several if it was interrupted or moved.
    pub pieces: Vec<Piece>,
    /// The rectangles of earlier runs, whose work was lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Piece>,
    /// The rectangles that it left when it was suspended in place, until it resumed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspended: Vec<Piece>,
}

/// An interval of time in which a job held the same processors, or in which they were out of service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    pub from: f64,
    pub to: f64,
    /// Processor ranges: the first processor, from 0, and the number of processors.
    pub rows: Vec<ProcRange>,
}

/// Jobs as rectangles in columns, for a canvas that draws all jobs of a log; each row is a rectangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rectangles {
    /// The position of the job in the order of submission.
    pub job: Vec<u32>,
    /// Beginning, in seconds after the first submission.
    pub from: Vec<f64>,
    pub to: Vec<f64>,
    /// The first processor, from 0.
    pub first: Vec<u32>,
    pub count: Vec<u32>,
    /// Whether it belongs to an earlier run, whose work was lost.
    pub is_lost: Vec<bool>,
    /// What was out of service.
    pub closed: Vec<Piece>,
}

/// Returns all jobs of a replay as at most `most` rectangles, or the reason why they cannot be drawn.
pub fn rectangles(measurement: &Measurement<'_>, most: usize) -> Result<Rectangles, String> {
    let window = window(measurement, Extent::Whole)?;
    let stays = stays(measurement, window, most)?;
    let zero = measurement.window().first_submit;
    let seconds = |at: Time| (at - zero).secs();
    let (rows, closed) = rows::rows(measurement, &stays, (window.1, most), seconds)?;
    let mut all = Rectangles { closed, ..Rectangles::default() };
    for (stay, rows) in stays.iter().zip(rows) {
        for (first, count) in rows {
            all.job.push(stay.job.index() as u32);
            all.from.push(seconds(stay.from));
            all.to.push(seconds(stay.to));
            all.first.push(first as u32);
            all.count.push(count as u32);
            all.is_lost.push(stay.is_lost);
        }
    }
    Ok(all)
}

/// An interval of time in which a job held processors.
struct Stay {
    job: JobId,
    from: Time,
    to: Time,
    is_lost: bool,
}

fn make(measurement: &Measurement<'_>, extent: Extent) -> Option<Value> {
    if measurement.workload().is_empty() {
        return None;
    }
    recorded(chart(measurement, extent))
}

/// Returns the jobs of a part of a replay as rectangles; if they are too many, the share of the machine in use.
fn chart(measurement: &Measurement<'_>, extent: Extent) -> Result<Chart, String> {
    let window = window(measurement, extent)?;
    match gantt(measurement, extent, window) {
        Ok(gantt) if gantt.jobs.is_empty() => Err("no job runs in the window".into()),
        Ok(gantt) => Ok(Chart::Jobs(gantt)),
        Err(reason) => {
            let zero = measurement.window().first_submit;
            let ends = ((window.0 - zero).secs(), (window.1 - zero).secs());
            Ok(Chart::Density { reason, window: ends, grid: density::within(measurement, window)? })
        }
    }
}

/// Returns the beginning and the end of a part of a replay.
fn window(measurement: &Measurement<'_>, extent: Extent) -> Result<(Time, Time), String> {
    let whole = measurement.window();
    let (first, last) = (whole.first_submit, whole.last_end);
    let after = |seconds: f64| first.saturating_add(Time::from_secs_f64(seconds)).clamp(first, last);
    match extent {
        Extent::Whole => Ok((first, last)),
        Extent::Between(from, to) => Ok((after(from), to.map_or(last, after))),
        Extent::Around(number, reach) => {
            let workload = measurement.workload();
            let submit = job(measurement, number).map(|job| (workload.submit(job) - first).secs());
            let submit = submit.ok_or_else(|| format!("the workload has no job {number}"))?;
            Ok((after(submit - reach), after(submit + reach)))
        }
    }
}

fn job(measurement: &Measurement<'_>, number: i64) -> Option<JobId> {
    let workload = measurement.workload();
    workload.jobs().find(|&job| workload.number(job) == number)
}

fn gantt(measurement: &Measurement<'_>, extent: Extent, window: (Time, Time)) -> Result<Gantt, String> {
    let middle = if let Extent::Around(number, _) = extent { job(measurement, number) } else { None };
    let overlaps = |from: Time, to: Time| from < window.1 && to > window.0;
    let lost = measurement.outcome().lost.iter().filter(|run| overlaps(run.from, run.to));
    let lost: SortedSet<JobId> = lost.map(|run| run.job).collect();
    let is_shown = |job: &Served| {
        extent == Extent::Whole
            || Some(job.job) == middle
            || overlaps(job.start, job.end)
            || lost.contains(&job.job)
    };
    let jobs: Vec<JobId> = measurement.replayed().filter(is_shown).map(|job| job.job).collect();
    if jobs.len() > JOBS {
        return Err(format!("{} jobs are too many for rectangles, {JOBS} are the most", jobs.len()));
    }
    let stays = stays(measurement, window, PIECES)?;
    let is_placed = !measurement.outcome().places.is_empty() || !measurement.outcome().processors.is_empty();
    let zero = measurement.window().first_submit;
    let seconds = |at: Time| (at - zero).secs();
    let (rows, closed) = rows::rows(measurement, &stays, (window.1, PIECES), seconds)?;
    let (mut pieces, mut lost) = (Pieces::new(), Pieces::new());
    for (stay, rows) in stays.iter().zip(rows) {
        let piece = Piece { from: seconds(stay.from), to: seconds(stay.to), rows };
        let of_kind = if stay.is_lost { &mut lost } else { &mut pieces };
        of_kind.entry(stay.job).or_default().push(piece);
    }
    let mut suspended = suspended(measurement, &pieces, window, seconds);
    let promised = first_promises(measurement.journal());
    let workload = measurement.workload();
    let members: Vec<Vec<bool>> = measurement.classes().iter().map(|class| class.members(workload)).collect();
    let bar = |job: JobId| Bar {
        number: workload.number(job),
        submit: seconds(workload.submit(job)),
        start: seconds(measurement.outcome().start(job)),
        end: seconds(measurement.outcome().end(job)),
        procs: workload.procs(job),
        user: workload.attribute(job, Field::User),
        classes: (0..members.len()).filter(|&class| members[class][job.index()]).collect(),
        estimate: workload.estimate(job).secs(),
        promised: promised.get(&job).copied().map(seconds),
        pieces: pieces.remove(&job).unwrap_or_default(),
        lost: lost.remove(&job).unwrap_or_default(),
        suspended: suspended.remove(&job).unwrap_or_default(),
    };
    let jobs = jobs.into_iter().map(bar).collect();
    Ok(Gantt {
        procs: measurement.machine().procs(),
        is_placed,
        window: (seconds(window.0), seconds(window.1)),
        clock: clock::clock(measurement, window),
        classes: measurement.classes().iter().map(|class| class.name.clone()).collect(),
        jobs,
        closed,
    })
}

type Pieces = SortedMap<JobId, Vec<Piece>>;

/// Returns the pauses of jobs that stayed on the machine, on the processors on which they had run.
fn suspended(
    measurement: &Measurement<'_>,
    pieces: &Pieces,
    (from, to): (Time, Time),
    seconds: impl Fn(Time) -> f64,
) -> Pieces {
    let mut suspended = Pieces::new();
    let intervals = measurement.outcome().intervals.iter();
    let is_shown = |interval: &&Interval| {
        interval.kind == IntervalKind::Paused && interval.from < to && interval.to > from
    };
    for pause in intervals.filter(is_shown) {
        let begin = seconds(pause.from);
        let before = pieces.get(&pause.job).and_then(|own| own.iter().rfind(|piece| piece.to <= begin));
        if let Some(before) = before.filter(|before| before.to == begin) {
            let piece = Piece { from: begin, to: seconds(pause.to), rows: before.rows.clone() };
            suspended.entry(pause.job).or_default().push(piece);
        }
    }
    suspended
}

/// Returns the intervals within a window in which jobs held processors, at most `most`, by their beginning.
fn stays(measurement: &Measurement<'_>, (from, to): (Time, Time), most: usize) -> Result<Vec<Stay>, String> {
    let outcome = measurement.outcome();
    let too_many = || format!("jobs took turns more than {most} times, which is too many for rectangles");
    let is_within = |begin: Time, end: Time| begin < to && end > from;
    let mut stays: Vec<Stay> = if outcome.shares_time() {
        let begun = |epoch: &Epoch| epoch.rotation.begun((epoch.to - epoch.from).ticks());
        let epochs = || outcome.epochs.iter().filter(|epoch| is_within(epoch.from, epoch.to));
        let slices: i64 = epochs().map(|epoch| begun(&epoch) * epoch.members().len() as i64).sum();
        if slices > SLICES {
            return Err(too_many());
        }
        let intervals = outcome.intervals_of(epochs());
        let active = intervals.into_iter().filter(|interval| interval.kind != IntervalKind::Paused);
        let is_lost = |interval: &Interval| {
            let within = |run: &LostRun| run.from <= interval.from && interval.to <= run.to;
            outcome.lost.iter().any(|run| run.job == interval.job && within(run))
        };
        let stay = |interval: Interval| Stay {
            job: interval.job,
            from: interval.from,
            to: interval.to,
            is_lost: is_lost(&interval),
        };
        active.map(stay).collect()
    } else {
        let whole = measurement.replayed();
        let whole = whole.map(|job| Stay { job: job.job, from: job.start, to: job.end, is_lost: false });
        let lost = outcome.lost.iter();
        let lost = lost.map(|run| Stay { job: run.job, from: run.from, to: run.to, is_lost: true });
        whole.chain(lost).collect()
    };
    stays.retain(|stay| stay.from < stay.to && is_within(stay.from, stay.to));
    stays.arrange_by_key(|stay| (stay.from, stay.job, stay.to));
    if stays.len() > most { Err(too_many()) } else { Ok(stays) }
}
