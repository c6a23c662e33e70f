//! The jobs on the machine over time.

use batchlab_support::cluster::record::Epoch;
use batchlab_traces::{JobId, Time};

use super::measured::MeasuredOutcome;

/// A job that comes onto the machine or leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidencyEvent {
    pub at: Time,
    pub job: JobId,
    /// 1 or −1.
    pub by: i64,
}

/// Returns all changes, unordered; changes at one instant belong together, and one may cancel another.
pub fn changes(measurement: &MeasuredOutcome<'_>) -> Vec<ResidencyEvent> {
    let outcome = measurement.outcome();
    let stay =
        |job, from, to| [ResidencyEvent { at: from, job, by: 1 }, ResidencyEvent { at: to, job, by: -1 }];
    if !outcome.shares_time() {
        return measurement.replayed().flat_map(|job| stay(job.job, job.start, job.end)).collect();
    }
    let intervals = outcome.intervals.iter();
    let mut changes: Vec<ResidencyEvent> =
        intervals.flat_map(|interval| stay(interval.job, interval.from, interval.to)).collect();
    let mut rows: Vec<JobId> = Vec::new();
    let mut until = Time::ZERO;
    for epoch in &outcome.epochs {
        if epoch.from > until {
            changes.extend(rows.drain(..).map(|job| ResidencyEvent { at: until, job, by: -1 }));
        }
        let now = members(&epoch);
        changes.extend(missing(&now, &rows).map(|job| ResidencyEvent { at: epoch.from, job, by: 1 }));
        changes.extend(missing(&rows, &now).map(|job| ResidencyEvent { at: epoch.from, job, by: -1 }));
        (rows, until) = (now, epoch.to);
    }
    changes.extend(rows.into_iter().map(|job| ResidencyEvent { at: until, job, by: -1 }));
    changes
}

fn members(epoch: &Epoch) -> Vec<JobId> {
    let mut jobs: Vec<JobId> = epoch.rows.iter().flat_map(|row| row.iter().copied()).collect();
    jobs.sort_unstable();
    jobs.dedup();
    jobs
}

/// Returns the jobs of the first list that are not in the second; both are ascending.
fn missing<'a>(some: &'a [JobId], others: &'a [JobId]) -> impl Iterator<Item = JobId> + 'a {
    some.iter().copied().filter(|job| others.binary_search(job).is_err())
}
