//! Rules for jobs that were rejected, and for jobs that were unfinished when a replay was stopped.

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::jobs::served;
use super::violation::{ScheduleRule, Violation};
use crate::outcome::{Fate, LostRun, Outcome};
use crate::replay::engine::Scenario;

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    if outcome.fate.is_empty() && !scenario.stop.is_early() {
        return;
    }
    let (stop, first_held) = (stop(scenario, outcome), first_held(outcome));
    // The last awaited job may have been rejected before any job ended; then the instant of the stop is unknown.
    let turned_away = scenario.stop.is_early()
        && scenario
            .workload
            .jobs()
            .any(|job| scenario.stop.awaits(job) && outcome.fate(job) == Fate::Rejected);
    for job in scenario.workload.jobs() {
        let (submit, times) = (scenario.workload.submit(job), served(outcome, job));
        let held = first_held.get(&job).copied();
        let broken = match outcome.fate(job) {
            Fate::Rejected => {
                let told =
                    [outcome.start.get(job.index()), outcome.end.get(job.index())].into_iter().flatten();
                let at = told.copied().filter(|&at| at < Time::MAX).chain(held).min();
                at.map(|at| (ScheduleRule::Rejected, at, Time::MAX, at))
            }
            Fate::Unfinished if stop.is_none() && !turned_away || scenario.stop.awaits(job) => {
                let run = scenario.workload.run(job);
                let never = (ScheduleRule::Starts, submit, submit, Time::MAX);
                Some(times.map_or(never, |(start, _)| (ScheduleRule::Ends, start, start + run, Time::MAX)))
            }
            Fate::Cancelled if scenario.workload.patience(job).is_none() => {
                times.map(|(start, end)| (ScheduleRule::Cancelled, start, Time::MAX, end))
            }
            Fate::Unfinished | Fate::Finished | Fate::Killed | Fate::Cancelled => {
                stop.and_then(|stop| beyond(outcome, stop, job, submit, held))
            }
        };
        violations.extend(
            broken.map(|(rule, at, need, have)| {
                Violation::of_time(&scenario.workload, rule, job, at, need, have)
            }),
        );
    }
}

/// Returns the rule that a job violates at the stop of a replay, if any.
fn beyond(
    outcome: &Outcome,
    stop: Time,
    job: JobId,
    submit: Time,
    held: Option<Time>,
) -> Option<(ScheduleRule, Time, Time, Time)> {
    let unfinished = outcome.fate(job) == Fate::Unfinished;
    match (served(outcome, job), held) {
        (Some((start, end)), _) if end > stop || unfinished && end < stop => {
            Some((ScheduleRule::Stopped, start, stop, end))
        }
        (None, _) if unfinished && submit <= stop => Some((ScheduleRule::Starts, submit, submit, Time::MAX)),
        (None, Some(at)) => Some((ScheduleRule::SubmitFirst, at, submit, at)),
        _ => None,
    }
}

/// Returns the end of a replay that did not wait for all jobs: the last end of the awaited ones. If one of these was rejected,
/// the replay may have ended with the rejection, whose instant is unknown; then it is the last end of all jobs.
fn stop(scenario: &Scenario, outcome: &Outcome) -> Option<Time> {
    let awaited = |job: &JobId| scenario.stop.awaits(*job);
    let jobs = || scenario.workload.jobs();
    let rejected = jobs().filter(awaited).any(|job| outcome.fate(job) == Fate::Rejected);
    let counts = |job: &JobId| rejected || awaited(job) && outcome.fate(*job).has_ended();
    let last = jobs().filter(counts).filter_map(|job| served(outcome, job)).map(|(_, end)| end).max();
    last.filter(|_| scenario.stop.is_early())
}

/// Returns the first instant at which each job was on the machine according to intervals, epochs and places, besides runs whose
/// work was lost: a job may be interrupted for good, and turned away then.
fn first_held(outcome: &Outcome) -> SortedMap<JobId, Time> {
    let mut lost: SortedMap<JobId, Vec<&LostRun>> = SortedMap::new();
    for run in &outcome.lost {
        lost.entry(run.job).or_default().push(run);
    }
    let mut first = SortedMap::new();
    let mut note = |job: JobId, at: Time| {
        let runs = lost.get(&job).map_or(&[][..], Vec::as_slice);
        if runs.iter().any(|run| (run.from..=run.to).contains(&at)) {
            return;
        }
        let earliest = first.entry(job).or_insert(at);
        *earliest = at.min(*earliest);
    };
    for interval in &outcome.intervals {
        note(interval.job, interval.from);
    }
    for epoch in &outcome.epochs {
        epoch.rows.iter().flat_map(|row| row.iter()).for_each(|&job| note(job, epoch.from));
    }
    for (job, at) in outcome.places.all() {
        note(job, at);
    }
    first
}
