//! Cuts a complete schedule at the stop of a replay.

use batchlab_traces::{Time, Workload};

use super::{Fate, Outcome, Stop};

/// Returns the schedule cut at the end of the last job that a replay waits for; later jobs become unfinished.
///
/// Used for schedules that no engine stopped: the log's own, or another tool's. A schedule that was stopped already is unchanged.
#[must_use]
pub fn stopped(mut outcome: Outcome, workload: &Workload, stop: &Stop) -> Outcome {
    let ended = |job: &_| stop.awaits(*job) && outcome.fate(*job).has_ended() && outcome.took_part(*job);
    let last = workload.jobs().filter(ended).map(|job| outcome.end(job)).max();
    let Some(at) = last.filter(|_| stop.is_early()) else { return outcome };
    for job in workload.jobs() {
        let index = job.index();
        if !outcome.fate(job).has_ended() || outcome.took_part(job) && outcome.end[index] <= at {
            continue;
        }
        if workload.submit(job) > at {
            (outcome.start[index], outcome.end[index]) = (Time::MAX, Time::MAX);
        } else if outcome.took_part(job) {
            (outcome.start[index], outcome.end[index]) = (outcome.start[index].min(at), at);
        } else {
            // The schedule lacks this job, although it was submitted before the stop.
            continue;
        }
        outcome.set_fate(job, Fate::Unfinished, workload.len());
    }
    outcome.intervals.retain(|interval| interval.from < at);
    for interval in &mut outcome.intervals {
        interval.to = interval.to.min(at);
    }
    let start = &outcome.start;
    outcome.places.retain(|job| start[job.index()] < Time::MAX);
    outcome.epochs.cut(at);
    outcome
}
