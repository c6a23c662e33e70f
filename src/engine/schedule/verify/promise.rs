//! Checks whether reservations were kept, by comparing a journal's promises with the actual starts.

use batchlab_support::{Act, Journal};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::jobs::served;
use super::violation::{ScheduleRule, Violation};
use crate::outcome::Outcome;
use crate::replay::engine::Scenario;

/// Checks the promises of a journal: no promise to a job is later than its previous one, and a job starts no
/// later than it was first promised.
///
/// This is what EASY promises to its head, and conservative backfilling to every job. It holds in the event
/// order `batch`, with the queue order `fcfs`, without predictor and threshold, if jobs end by their
/// estimates (`raise`, `kill`) and estimates are whole seconds. Variants that remake their reservations
/// (`conservative:variant=replan`, `depth` beyond the first reservation) make no such promise.
pub fn promises(scenario: &Scenario, outcome: &Outcome, journal: &Journal) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut promised: SortedMap<JobId, (Time, Time)> = SortedMap::new();
    for entry in &journal.entries {
        let Act::Promised(at) = entry.act else { continue };
        let (_, latest) = promised.entry(entry.job).or_insert((at, at));
        if at > *latest {
            let (rule, job) = (ScheduleRule::PromiseKept, entry.job);
            violations.push(Violation::of_time(&scenario.workload, rule, job, entry.time, *latest, at));
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
