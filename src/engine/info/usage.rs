use batchlab_traces::workload::{Stay, UsageStep, levels, stays};
use batchlab_traces::{Time, Trace};
use serde::Serialize;

use super::rows::share;

/// The use of the machine as the log recorded it: start = submit + wait, end = start + run + suspensions, allocated
/// processors. A job does not use them while it is suspended; where the log does not say when that was, it certainly uses them at
/// its start only.
///
/// Only jobs for which all of this is known count. A job that ran in parts counts without its pauses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Usage {
    pub jobs: u64,
    /// Share of all jobs.
    pub known: f64,
    /// Σ processors × run time, in processor-seconds.
    pub work: f64,
    /// Σ processors × run time / (`MaxProcs` × (last end − first submit)); `None` without `MaxProcs`.
    pub utilization: Option<f64>,
    /// Most processors in use at once.
    pub peak: i64,
    /// Number of periods in which more than `MaxProcs` processors were in use.
    pub spells_above: u64,
    /// Their total length, in seconds.
    pub above: f64,
}

impl Usage {
    /// Computes the use from some rows; `None` if no job counts. O(n log n).
    pub(super) fn of(trace: &Trace, rows: &[usize]) -> Option<Usage> {
        let stays = stays(trace, rows.iter().copied());
        let first = stays.iter().map(|stay| stay.submit).min()?;
        let last = stays.iter().map(|stay| stay.end).max()?;
        let work = |stay: &Stay| i128::from(stay.procs) * i128::from(stay.run.ticks());
        let work: i128 = stays.iter().map(work).sum();
        let work = work as f64 / 1e6;
        let procs = trace.header.max_procs.as_ref().map(|procs| procs.count).filter(|&procs| procs > 0);
        let capacity = procs.map(|procs| procs as f64 * (last - first).secs());
        let levels = levels(&stays);
        let (spells_above, above) = procs.map_or((0, 0.0), |procs| above(&levels, procs));
        Some(Usage {
            jobs: stays.len() as u64,
            known: share(stays.len() as u64, rows.len() as u64),
            work,
            utilization: capacity.filter(|&capacity| capacity > 0.0).map(|capacity| work / capacity),
            peak: levels.iter().map(|&(_, busy)| busy).max().unwrap_or(0).min(i128::from(i64::MAX)) as i64,
            spells_above,
            above,
        })
    }
}

/// Returns the number of periods above a number of processors, and their total length in seconds.
fn above(levels: &[UsageStep], procs: i64) -> (u64, f64) {
    let is_above = |&(_, busy): &UsageStep| busy > i128::from(procs);
    let (mut spells, mut ticks, mut was_above) = (0, 0, false);
    for pair in levels.windows(2) {
        let now_above = is_above(&pair[0]);
        spells += u64::from(now_above && !was_above);
        ticks += if now_above { (pair[1].0 - pair[0].0).ticks() } else { 0 };
        was_above = now_above;
    }
    (spells, Time::from_ticks(ticks).secs())
}
