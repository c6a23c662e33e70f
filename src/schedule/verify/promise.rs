//! Whether reservations were kept: what a journal says was promised, against what came.

use std::collections::BTreeMap;

use batchlab_policies::{Act, Journal};
use batchlab_traces::{JobId, Time};

use super::jobs::served;
use super::violation::{ScheduleRule, Violation};
use crate::outcome::Outcome;
use crate::replay::engine::Scenario;

/// Checks the promises of a journal: none to the same job is later than the one before, and a job starts
/// no later than it was first promised.
///
/// This is EASY's promise to its head, and conservative backfilling's to everybody. It holds in the event
/// order `batch`, with the queue order `fcfs`, without predictor and threshold, when jobs end by their
/// estimates (`raise`, `kill`) and estimates are whole seconds. Variants that make their reservations anew
/// (`conservative:variant=replan`, `depth` beyond the first reservation) promise nothing of the kind.
pub fn promises(scenario: &Scenario, outcome: &Outcome, journal: &Journal) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut promised: BTreeMap<JobId, (Time, Time)> = BTreeMap::new();
    for entry in &journal.entries {
        let Act::Promised(at) = entry.act else { continue };
        let (_, latest) = promised.entry(entry.job).or_insert((at, at));
        if at > *latest {
            violations.push(Violation::of_time(
                &scenario.workload,
                ScheduleRule::PromiseKept,
                entry.job,
                entry.time,
                *latest,
                at,
            ));
        }
        *latest = at;
    }
    for (&job, &(first, _)) in &promised {
        if let Some((start, _)) = served(outcome, job).filter(|&(start, _)| start > first) {
            let rule = ScheduleRule::StartByPromise;
            violations.push(Violation::of_time(&scenario.workload, rule, job, start, first, start));
        }
    }
    violations
}
