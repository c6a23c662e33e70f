//! Rules for the intervals of every job of a time-shared schedule.

use batchlab_support::Rate;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use super::jobs::served;
use super::violation::{ScheduleRule, Violation};
use crate::outcome::{Fate, Interval, IntervalKind, Outcome};
use crate::replay::engine::Scenario;

/// The rate of an interval in parts of [`Rate::WHOLE`], in which rates are exact.
pub(super) fn parts(interval: &Interval) -> i128 {
    (interval.rate * f64::from(Rate::WHOLE)).round() as i128
}

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    let all = outcome.all_intervals();
    let again: SortedSet<JobId> = outcome.lost.iter().map(|run| run.job).collect();
    let mut from = 0;
    for job in scenario.workload.jobs() {
        let upto = from + all[from..].partition_point(|interval| interval.job <= job);
        if let Some((start, end)) = served(outcome, job) {
            let mut own = &all[from..upto];
            if again.contains(&job) {
                own = &own[own.partition_point(|interval| interval.to <= start)..];
            }
            check_job(scenario, outcome, (job, start, end), own, violations);
        }
        from = upto;
    }
}

fn check_job(
    scenario: &Scenario,
    outcome: &Outcome,
    (job, start, end): (JobId, Time, Time),
    own: &[Interval],
    violations: &mut Vec<Violation>,
) {
    let mut broken = |rule, at, need, have| {
        violations.push(Violation::of_time(&scenario.workload, rule, job, at, need, have));
    };
    for pair in own.windows(2).filter(|pair| pair[1].from < pair[0].to) {
        broken(ScheduleRule::OneAtATime, pair[1].from, pair[0].to, pair[1].from);
    }
    let first = own.iter().find(|interval| parts(interval) > 0).map(|interval| interval.from);
    if let Some(first) = first.filter(|&first| first != start) {
        broken(ScheduleRule::Borders, start, start, first);
    }
    let last = own.last().map(|interval| interval.to);
    let fate = outcome.fate(job);
    let run = scenario.workload.run(job);
    // A job may have been off the machine when it was killed, and at the stop; a job of zero length may have
    // come back only to end.
    let may_be_away = fate != Fate::Finished || run == Time::ZERO;
    if let Some(last) = last.filter(|&last| last > end || last < end && !may_be_away) {
        broken(ScheduleRule::Borders, end, end, last);
    }
    // Of several intervals, those before a displacement may have been lost, which the outcome does not show.
    if fate == Fate::Unfinished && own.len() == 1 && run > Time::ZERO && does(own, run) {
        broken(ScheduleRule::Ends, start, start + run, Time::MAX);
    }
    if fate == Fate::Finished && !does(own, run) {
        let work: i128 = own.iter().map(work).sum();
        let whole = i128::from(Rate::WHOLE);
        broken(ScheduleRule::Work, start, run, Time::from_ticks((work / whole) as i64));
    }
}

/// Whether intervals do the work of a run time and end at the first tick at which it is done.
///
/// A displaced job may have lost its work. Then the intervals since the last loss must do the work, and
/// earlier ones do not count.
fn does(own: &[Interval], run: Time) -> bool {
    let needed = i128::from(run.ticks()) * i128::from(Rate::WHOLE);
    if needed == 0 {
        return own.iter().all(|interval| work(interval) == 0);
    }
    let Some(last) = own.last() else { return false };
    let mut done = 0;
    own.iter().rev().any(|interval| {
        done += work(interval);
        done >= needed && done - parts(last) < needed
    })
}

/// Ticks × parts.
fn work(interval: &Interval) -> i128 {
    if interval.kind != IntervalKind::Run {
        // Switching, migrating and swapping make no progress.
        return 0;
    }
    i128::from((interval.to - interval.from).ticks()) * parts(interval)
}
