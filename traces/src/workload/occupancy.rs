use crate::trace::{Suspensions, Trace};
use crate::{Field, Time};

/// The residence of a job on the machine.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug)]
pub struct Stay {
    pub submit: Time,
    pub end: Time,
    pub run: Time,
    /// When it certainly had its processors: until its first suspension, and after its last one.
    pub parts: [(Time, Time); 2],
    /// Allocated processors, otherwise requested ones.
    pub procs: i64,
}

/// The number of processors in use from an instant on.
pub type UsageStep = (Time, i128);

/// Returns the residences that a log records for some rows, in their order, without times beyond [`Time::FARTHEST`].
pub fn stays(trace: &Trace, rows: impl IntoIterator<Item = usize>) -> Vec<Stay> {
    let known =
        |row, field| Some(trace.time(row, field)).filter(|time| (Time::ZERO..=Time::FARTHEST).contains(time));
    let suspensions = Suspensions::of(trace);
    let sizes =
        |row: usize| [Field::Allocated, Field::Requested].map(|field| trace.get(row, field).truncated());
    let procs = |row: usize| sizes(row).into_iter().find(|&procs| procs > 0);
    let stay = |row: usize| {
        let submit = known(row, Field::Submit)?;
        let start = submit + known(row, Field::Wait)?;
        let run = known(row, Field::Run)?;
        let suspension = suspensions.get(row);
        let stay = run + suspension.total;
        let parts = suspension.certain(stay).map(|(from, to)| (start + from, start + to));
        Some(Stay { submit, end: start + stay, run, parts, procs: procs(row)? })
    };
    rows.into_iter().filter_map(stay).collect()
}

/// Returns the most processors that were in use at once by a log's own schedule, or by the one that it had before a step took it away; 0
/// if it records none. O(n log n).
pub fn peak(trace: &Trace) -> i64 {
    let most = levels(&stays(trace, 0..trace.len())).into_iter().map(|(_, busy)| busy).max();
    let most = most.unwrap_or(0).clamp(0, i128::from(i64::MAX)) as i64;
    most.max(trace.header.peak_procs.unwrap_or(0))
}

/// Returns the number of processors in use over time, one entry for each instant of change. Processors freed
/// at an instant are available to jobs that start at it.
pub fn levels(stays: &[Stay]) -> Vec<UsageStep> {
    let changes = stays.iter().flat_map(|stay| {
        let parts = stay.parts.into_iter().filter(|(from, to)| from < to);
        parts.flat_map(|(from, to)| [(from, stay.procs), (to, -stay.procs)])
    });
    let mut changes: Vec<(Time, i64)> = changes.collect();
    changes.sort_unstable_by_key(|&(at, _)| at);
    let mut busy = 0_i128;
    let instants = changes.chunk_by(|(one, _), (other, _)| one == other);
    let level = |changes: &[(Time, i64)]| {
        busy += changes.iter().map(|&(_, change)| i128::from(change)).sum::<i128>();
        (changes[0].0, busy)
    };
    instants.map(level).collect()
}
