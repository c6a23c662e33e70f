//! Rules for jobs that depend on others.

use batchlab_traces::workload::Milestone;
use batchlab_traces::{JobId, Time, Workload};

use super::jobs::takes_turns;
use super::violation::{ScheduleRule, Violation};
use crate::outcome::{Fate, Outcome, in_log};

/// Checks that jobs with dependencies entered the queue when these were met; `log` has the dependencies. O(n + d log d).
pub(super) fn check(log: &Workload, outcome: &Outcome, violations: &mut Vec<Violation>) {
    let Some(entered) = outcome.entered.as_deref() else { return };
    let mut identity = vec![JobId(0); log.len()];
    for (job, in_log) in entered.jobs().zip(in_log(log, entered)) {
        identity[in_log.index()] = job;
    }
    for (job, condition) in log.conditions() {
        let here = identity[job.index()];
        let condition = condition.relabelled(|job| identity[job.index()]);
        // A row's job starts with its first slice; jobs that depend on its start may enter from when it is in the rows.
        let in_rows = condition.on.iter().any(|before| before.milestone == Milestone::Start);
        if in_rows && takes_turns(outcome) {
            continue;
        }
        let tasks = condition.throttle.iter().flat_map(|throttle| throttle.tasks.iter().copied());
        let mut before = condition.on.iter().map(|before| before.on).chain(tasks);
        let rejected = before.any(|job| outcome.fate(job) == Fate::Rejected);
        let met = condition.entry(|before, milestone| outcome.reached(entered, before, milestone));
        let entry = entered.submit(here);
        let right = match met {
            // The instant of a rejection is unknown.
            Some(met) if rejected => {
                entry >= condition.earliest && (entry >= met || condition.needed < condition.on.len())
            }
            Some(met) => entry == met || !outcome.took_part(here),
            None => !outcome.took_part(here),
        };
        if !right {
            let need = met.unwrap_or(Time::MAX);
            violations.push(Violation::of_time(entered, ScheduleRule::Entry, here, entry, need, entry));
        }
    }
}
