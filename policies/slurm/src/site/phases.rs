//! When the loops of slurmctld ran, as a log shows it.

use batchlab_traces::asked::{BACKFILL, MAIN, STARTED_BY, SUBMISSION};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Field, Time, Trace, Workload};

use super::{SlurmSystem, views};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StartLoop {
    Submission,
    Main,
    Backfill,
}

impl StartLoop {
    pub fn word(self) -> &'static str {
        match self {
            StartLoop::Submission => SUBMISSION,
            StartLoop::Main => MAIN,
            StartLoop::Backfill => BACKFILL,
        }
    }

    /// Returns what started the job of each row of a log; `None` where the log does not tell.
    pub fn of(trace: &Trace) -> Vec<Option<StartLoop>> {
        let Some(column) = trace.resource(STARTED_BY) else { return vec![None; trace.len()] };
        let all = [StartLoop::Submission, StartLoop::Main, StartLoop::Backfill];
        let named: Vec<(i64, StartLoop)> = trace
            .header
            .noted(STARTED_BY)
            .filter_map(|named| Some((named.number, all.into_iter().find(|by| by.word() == named.name)?)))
            .collect();
        let of = |row| named.iter().find(|(number, _)| *number == column.whole(row)).map(|&(_, by)| by);
        (0..trace.len()).map(of).collect()
    }
}

/// Returns the instants at which cycles of the backfill loop began, by the instants of their starts, ascending, until `end`. Between two
/// starts there are as many cycles as can be, equally far apart: one begins at least a period after the other. Before the first start
/// and behind the last one the period goes on. O(cycles).
pub fn cycles(starts: &[Time], interval: Time, end: Time) -> Vec<Time> {
    let (Some(&first), true) = (starts.first(), interval > Time::ZERO) else { return Vec::new() };
    let mut cycles: Vec<Time> = std::iter::successors(Some(first), |&at| Some(at - interval))
        .take_while(|&at| at >= Time::ZERO)
        .collect();
    cycles.reverse();
    let mut last = first;
    // Starts of parts of a second may seem to be closer than they are by less than a second.
    for &start in starts {
        let gap = start - last;
        let count = (gap + Time::SECOND - Time::TICK).ticks() / interval.ticks();
        // Further starts of the same cycle.
        if count == 0 {
            continue;
        }
        cycles.extend((1..=count).map(|nth| last + Time::from_ticks(gap.ticks() * nth / count)));
        last = start;
    }
    cycles.extend(
        std::iter::successors(Some(last + interval), |&at| Some(at + interval)).take_while(|&at| at <= end),
    );
    // Where starts are of whole seconds, so are cycles.
    let second = Time::SECOND.ticks();
    if starts.iter().all(|start| start.ticks() % second == 0) {
        for at in &mut cycles {
            *at = Time::from_ticks(at.ticks() / second * second);
        }
    }
    cycles
}

/// Returns the phase of the backfill cycles: the most frequent second of a period in which this loop started jobs.
pub(super) fn cycle(system: &SlurmSystem, workload: &Workload, trace: &Trace) -> Option<Time> {
    let interval = system.scheduler.backfill.interval?;
    let column = trace.resource(STARTED_BY)?;
    let number = trace.header.noted(STARTED_BY).find(|named| named.name == BACKFILL)?.number;
    let starts = views(workload).filter(|&job| column.whole(job.row()) == number).filter_map(|job| {
        let wait = trace.time(job.row(), Field::Wait);
        (wait >= Time::ZERO).then(|| job.submitted() + wait)
    });
    most_frequent(starts, interval)
}

/// Returns the phase of the loop over the time limits: the second of half a minute in which most of the jobs that had reached their
/// limits ended.
pub(super) fn limits_checked(workload: &Workload, trace: &Trace) -> Option<Time> {
    let ends = views(workload).filter_map(|job| {
        let row = job.row();
        let [wait, run, limit] =
            [Field::Wait, Field::Run, Field::RequestedTime].map(|field| trace.time(row, field));
        let is_killed = wait >= Time::ZERO && limit > Time::ZERO && run > limit;
        is_killed.then(|| job.submitted() + wait + run)
    });
    most_frequent(ends, Time::from_secs(30))
}

/// Returns the most frequent place of some instants within a period, and the first of several.
fn most_frequent(instants: impl Iterator<Item = Time>, period: Time) -> Option<Time> {
    let mut counts: SortedMap<i64, u64> = SortedMap::new();
    for at in instants {
        *counts.entry(at.ticks().rem_euclid(period.ticks())).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|&(&phase, &count)| (count, -phase))?;
    Some(Time::from_ticks(*most.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_those_of_the_starts_and_a_period_apart_between_them() {
        let at = Time::from_secs;
        let found = |starts: &[i64], end: i64| -> Vec<i64> {
            let starts: Vec<Time> = starts.iter().map(|&start| at(start)).collect();
            cycles(&starts, at(30), at(end)).iter().map(|at| at.ticks() / Time::SECOND.ticks()).collect()
        };
        // A start a second later is of the same cycle; 93 s are three cycles of 31 s.
        assert_eq!(found(&[40, 41, 133], 200), [10, 40, 71, 102, 133, 163, 193]);
        // 29 whole seconds are less than a period, whatever their parts: the start is of the same cycle.
        assert_eq!(found(&[40, 69], 69), [10, 40]);
        assert!(found(&[], 100).is_empty());
    }
}
