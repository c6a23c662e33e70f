//! Checks that only jobs that can be preempted were, and not before they could be. Capacity that goes out of service takes
//! jobs off the machine, too: beside a calendar nothing is checked.

use batchlab_traces::priorities::Preempted;
use batchlab_traces::{JobId, Time};

use super::jobs::served;
use super::violation::{ScheduleRule, Violation};
use crate::outcome::{Fate, Outcome};
use crate::replay::engine::Scenario;

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    let Some(table) = scenario.priorities.as_ref().filter(|_| scenario.capacity.is_none()) else { return };
    let workload = &scenario.workload;
    let mut check = |job: JobId, how: Preempted, from: Time, to: Time| {
        let preempted = table.standing(workload, job).preempted.filter(|known| known.preempted == how);
        let least = preempted.map_or(Time::MAX, |known| known.exempt.saturating_add(known.grace));
        if to - from < least {
            let rule = ScheduleRule::Preempted;
            violations.push(Violation::of_time(workload, rule, job, to, least, to - from));
        }
    };
    for run in &outcome.lost {
        check(run.job, Preempted::Requeued, run.from, run.to);
    }
    for job in workload.jobs().filter(|&job| outcome.fate(job) == Fate::Killed) {
        if let Some((start, end)) = served(outcome, job) {
            check(job, Preempted::Cancelled, start, end);
        }
    }
}
