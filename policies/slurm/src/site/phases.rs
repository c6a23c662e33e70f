//! When the loops of slurmctld ran, as a log shows it.

use batchlab_traces::asked::{BACKFILL, STARTED_BY};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Field, Time, Trace, Workload};

use super::{SlurmSystem, views};

/// Returns the phase of the backfill cycles: the most frequent second of a period in which this loop started jobs.
pub(super) fn cycle(system: &SlurmSystem, workload: &Workload, trace: &Trace) -> Option<Time> {
    let interval = system.scheduler.backfill.interval?;
    let column = trace.resource(STARTED_BY)?;
    let number = trace.header.noted(STARTED_BY).find(|named| named.name == BACKFILL)?.number;
    let mut counts: SortedMap<i64, u64> = SortedMap::new();
    for job in views(workload).filter(|&job| column.whole(job.row()) == number) {
        let wait = trace.time(job.row(), Field::Wait);
        if wait >= Time::ZERO {
            let start = job.submitted() + wait;
            *counts.entry(start.ticks().rem_euclid(interval.ticks())).or_default() += 1;
        }
    }
    let most = counts.iter().max_by_key(|&(&phase, &count)| (count, -phase))?;
    Some(Time::from_ticks(*most.0))
}

/// Returns the phase of the loop over the time limits: the second of half a minute in which most jobs ended of those that had
/// reached their limits.
pub(super) fn limits_checked(workload: &Workload, trace: &Trace) -> Option<Time> {
    let mut counts: SortedMap<i64, u64> = SortedMap::new();
    for job in views(workload) {
        let row = job.row();
        let [wait, run, limit] =
            [Field::Wait, Field::Run, Field::RequestedTime].map(|field| trace.time(row, field));
        if wait >= Time::ZERO && limit > Time::ZERO && run > limit {
            let end = job.submitted() + wait + run;
            *counts.entry(end.ticks().rem_euclid(30 * Time::SECOND.ticks())).or_default() += 1;
        }
    }
    let most = counts.iter().max_by_key(|&(&phase, &count)| (count, -phase))?;
    Some(Time::from_ticks(*most.0))
}
