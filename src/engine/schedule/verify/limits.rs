//! Checks that running jobs were within the limits: one sweep over all starts and ends for each limit.

use batchlab_traces::limits::{Limit, LimitedQuantity};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::jobs::served;
use super::violation::{ScheduleRule, Violation};
use crate::outcome::Outcome;
use crate::replay::engine::Scenario;

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    // Suspended jobs count as running ones, from their start to their end.
    let suspends = scenario.priorities.as_ref().is_some_and(|table| table.suspends().is_some());
    let Some(table) = scenario.limits.as_ref().filter(|_| suspends || !outcome.shares_time()) else { return };
    for limit in table.limits.iter().filter(|limit| limit.quantity != LimitedQuantity::Work) {
        check_limit(scenario, outcome, limit, violations);
    }
}

fn check_limit(scenario: &Scenario, outcome: &Outcome, limit: &Limit, violations: &mut Vec<Violation>) {
    let workload = &scenario.workload;
    // Ends come before starts of the same instant; jobs of zero length hold nothing beyond it.
    let mut changes: SortedMap<(Time, bool, JobId), (usize, i64)> = SortedMap::new();
    for job in workload.jobs() {
        let (Some(class), Some((from, to))) = (limit.class(workload, job), served(outcome, job)) else {
            continue;
        };
        if from < to {
            let amount = i64::try_from(limit.amount(workload, job)).unwrap_or(i64::MAX);
            changes.insert((from, true, job), (class, amount));
            changes.insert((to, false, job), (class, -amount));
        }
    }
    let most = i64::try_from(limit.most).unwrap_or(i64::MAX);
    let mut used = vec![0i64; limit.count_classes()];
    for ((at, starts, job), (class, amount)) in changes {
        used[class] += amount;
        if starts && used[class] > most && limit.binds(workload, job) {
            let rule = ScheduleRule::Limit(limit.words.clone());
            violations.push(Violation::of_amounts(workload, rule, job, at, [most, used[class]]));
        }
    }
}
