//! The jobs of a small replay as rectangles over time and processors.

use std::collections::BTreeMap;

use batchlab_policies::{Act, Journal, Share};
use batchlab_traces::{JobId, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::pack::{Free, Range};
use super::{DetailSpec, recorded};
use crate::metrics::Measurement;
use crate::outcome::{Epoch, IntervalKind};

/// The jobs of a replay, limited by [`JOBS`] and [`PIECES`].
pub static GANTT: DetailSpec = DetailSpec {
    name: "gantt",
    what: "start, end, processors and first reservation of each job of a small replay",
    reads_journal: true,
    make,
};

/// The most jobs in a chart.
pub const JOBS: usize = 400;
/// The most time intervals of all jobs, and the most processor ranges of all jobs.
pub const PIECES: usize = 4000;

/// The most slices of time sharing that are followed one by one.
const SLICES: i64 = 100_000;

/// The jobs of one replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gantt {
    /// Processors of the machine.
    pub procs: i64,
    /// Whether processor numbers are those of the replay; otherwise the machine does not number its
    /// processors, and each job is drawn on the first free ones.
    pub is_placed: bool,
    /// The jobs that were replayed, in the order of submission.
    pub jobs: Vec<Bar>,
}

/// A job of a chart; times are in seconds since the first submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Its number in the log.
    pub number: i64,
    /// Submit time.
    pub submit: f64,
    /// First start.
    pub start: f64,
    /// End.
    pub end: f64,
    /// Number of processors.
    pub procs: i64,
    /// Estimated run time, in seconds.
    pub estimate: f64,
    /// The first promised start, if promises were recorded and the job got one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised: Option<f64>,
    /// The rectangles of the job: several if it was interrupted or moved.
    pub pieces: Vec<Piece>,
}

/// An interval of time in which a job held the same processors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// Beginning.
    pub from: f64,
    /// End.
    pub to: f64,
    /// Processor ranges: the first processor, from 0, and the number of processors.
    pub rows: Vec<Range>,
}

/// An interval of time in which a job held processors.
struct Stay {
    job: JobId,
    from: Time,
    to: Time,
}

fn make(measurement: &Measurement<'_>) -> Option<Value> {
    if measurement.workload().is_empty() {
        return None;
    }
    recorded(gantt(measurement))
}

fn gantt(measurement: &Measurement<'_>) -> Result<Gantt, String> {
    let jobs: Vec<JobId> = measurement.replayed().map(|job| job.job).collect();
    if jobs.len() > JOBS {
        return Err(format!("{} jobs are too many for a Gantt chart; it shows at most {JOBS}", jobs.len()));
    }
    let stays = stays(measurement)?;
    let is_placed = !measurement.outcome().places.is_empty();
    let rows = rows(measurement, &stays)?;
    let zero = measurement.window().first_submit;
    let seconds = |at: Time| (at - zero).secs();
    let mut pieces: BTreeMap<JobId, Vec<Piece>> = BTreeMap::new();
    for (stay, rows) in stays.iter().zip(rows) {
        let piece = Piece { from: seconds(stay.from), to: seconds(stay.to), rows };
        pieces.entry(stay.job).or_default().push(piece);
    }
    let promised = first_promises(measurement.journal());
    let workload = measurement.workload();
    let bar = |job: JobId| Bar {
        number: workload.number(job),
        submit: seconds(workload.submit(job)),
        start: seconds(measurement.outcome().start(job)),
        end: seconds(measurement.outcome().end(job)),
        procs: workload.procs(job),
        estimate: workload.estimate(job).secs(),
        promised: promised.get(&job).copied().map(seconds),
        pieces: pieces.remove(&job).unwrap_or_default(),
    };
    let jobs = jobs.into_iter().map(bar).collect();
    Ok(Gantt { procs: measurement.machine().procs(), is_placed, jobs })
}

fn first_promises(journal: Option<&Journal>) -> BTreeMap<JobId, Time> {
    let mut first = BTreeMap::new();
    for entry in journal.map_or(&[][..], |journal| &journal.entries) {
        if let Act::Promised(at) = entry.act {
            first.entry(entry.job).or_insert(at);
        }
    }
    first
}

/// Returns the intervals in which jobs held processors, by their beginning.
fn stays(measurement: &Measurement<'_>) -> Result<Vec<Stay>, String> {
    let outcome = measurement.outcome();
    let too_many =
        || format!("jobs took turns more than {PIECES} times: too many stretches for a Gantt chart");
    let mut stays: Vec<Stay> = if outcome.shares_time() {
        let begun = |epoch: &Epoch| epoch.rotation.begun((epoch.to - epoch.from).ticks());
        let slices: i64 =
            outcome.epochs.iter().map(|epoch| begun(epoch) * epoch.members().len() as i64).sum();
        if slices > SLICES {
            return Err(too_many());
        }
        let intervals = outcome.all_intervals();
        let active = intervals.into_iter().filter(|interval| interval.kind != IntervalKind::Paused);
        active.map(|interval| Stay { job: interval.job, from: interval.from, to: interval.to }).collect()
    } else {
        let whole = measurement.replayed();
        whole.map(|job| Stay { job: job.job, from: job.start, to: job.end }).collect()
    };
    stays.retain(|stay| stay.from < stay.to);
    stays.sort_by_key(|stay| (stay.from, stay.job, stay.to));
    if stays.len() > PIECES { Err(too_many()) } else { Ok(stays) }
}

/// Processor ranges of a node.
type Taken = (usize, Vec<Range>);

/// Returns the processor ranges of each interval; ranges held at the same time do not overlap.
fn rows(measurement: &Measurement<'_>, stays: &[Stay]) -> Result<Vec<Vec<Range>>, String> {
    let (outcome, workload) = (measurement.outcome(), measurement.workload());
    if outcome.by_processor {
        let rows = stays.iter().map(|stay| numbered(outcome.places.at(stay.job, stay.from)));
        return bounded(rows.collect());
    }
    let mut nodes = nodes(measurement);
    let mut held: BTreeMap<(Time, usize), Vec<Taken>> = BTreeMap::new();
    let mut rows = Vec::with_capacity(stays.len());
    for (at, stay) in stays.iter().enumerate() {
        while let Some(entry) = held.first_entry().filter(|entry| entry.key().0 <= stay.from) {
            for (node, ranges) in entry.remove() {
                nodes[node].give(&ranges);
            }
        }
        let whole = [Share { node: 0, procs: workload.procs(stay.job) }];
        let shares = outcome.places.at(stay.job, stay.from);
        let mut taken = Vec::new();
        for share in if shares.is_empty() { &whole } else { shares } {
            let node = share.node as usize;
            let ranges = nodes.get_mut(node).and_then(|free| free.take(share.procs));
            taken.push((node, ranges.ok_or("several jobs are on the same processors at a time")?));
        }
        rows.push(taken.iter().flat_map(|(_, ranges)| ranges.clone()).collect());
        held.insert((stay.to, at), taken);
    }
    bounded(rows)
}

fn bounded(rows: Vec<Vec<Range>>) -> Result<Vec<Vec<Range>>, String> {
    let ranges: usize = rows.iter().map(Vec::len).sum();
    if ranges > PIECES {
        return Err(format!("jobs are scattered over more than {PIECES} ranges of processors"));
    }
    Ok(rows)
}

/// Returns the processors of each node, numbered consecutively; for jobs without a placement, the processors
/// of all nodes as one group.
fn nodes(measurement: &Measurement<'_>) -> Vec<Free> {
    let machine = measurement.machine();
    if measurement.outcome().places.is_empty() {
        return vec![Free::new(0, machine.procs())];
    }
    let mut first = 0;
    let free = |node: usize| {
        let count = machine.capacity(node).first().copied().unwrap_or(0);
        first += count;
        Free::new(first - count, count)
    };
    (0..machine.nodes()).map(free).collect()
}

/// Returns numbered processors as ranges.
fn numbered(shares: &[Share]) -> Vec<Range> {
    let mut numbers: Vec<i64> = shares.iter().map(|share| i64::from(share.node)).collect();
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    runs.map(|run| (run[0], run.len() as i64)).collect()
}
