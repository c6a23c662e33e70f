//! An independent checker: whether a schedule is one that the machine could have run.
//!
//! It reads a workload, a machine and an outcome, and shares no code with the engine or the cluster that
//! made the outcome, so that a mistake there does not excuse itself here. It also checks schedules that
//! other tools made.

mod capacity;
mod fates;
mod intervals;
mod jobs;
mod nodes;
mod promise;
mod violation;

pub use promise::promises;
pub use violation::{Quantity, ScheduleRule, Violation};

use crate::outcome::Outcome;
use crate::replay::engine::Scenario;

/// Checks an outcome against its scenario; an empty list means that everything holds.
///
/// * Every job is served: it has a start and an end.
/// * No job starts before it is submitted; with `periodic:S`, starts are multiples of S.
/// * A job that was not killed runs for exactly its run time; a killed one for at most that.
/// * A job that was turned away was nowhere at any time: it has no start, no end, no interval and no node.
/// * Where the scenario waits for some jobs only, nothing ends after the last of them. Who was submitted by then and had
///   not ended ends there, unfinished, after less than its run time; who would have come later has neither start nor
///   end. Nobody is unfinished for whom the replay waits.
/// * At every instant and of every resource, no more is held than there is. Ends free before starts of the
///   same instant, whatever the event order: an order only says which of the two is *told* first. A job
///   that takes no time needs room, at its instant, beside the jobs that run across it.
/// * Where the outcome has intervals: no two of a job overlap, they begin and end with the job, their work
///   is the run time to the tick, *time* resources are used in proportion to the rate, *space* resources
///   for as long as the job is resident.
///
/// * Of a policy that places jobs on processors by number, all of it holds on every processor, in every slice.
/// * On a machine with nodes, where the outcome says where jobs were: every job is on nodes of the machine that
///   take its partition, with all its processors, in whole tasks; and all of the above holds on each node by
///   itself. Where it does not say ([`checks_nodes`]), the amounts are those of all nodes together.
///
/// Cost: O(n log n) for n jobs, intervals and their nodes.
pub fn verify(scenario: &Scenario, outcome: &Outcome) -> Vec<Violation> {
    let mut violations = Vec::new();
    jobs::check(scenario, outcome, &mut violations);
    fates::check(scenario, outcome, &mut violations);
    let apart = outcome.by_processor.then(|| scenario.by_processor());
    let scenario = apart.as_ref().unwrap_or(scenario);
    if outcome.shares_time() {
        intervals::check(scenario, outcome, &mut violations);
    }
    if checks_nodes(scenario, outcome) {
        nodes::check(scenario, outcome, &mut violations);
    }
    capacity::check(scenario, outcome, &mut violations);
    violations
}

/// Whether [`verify`] looks at every node by itself: the machine has nodes, and the outcome says who was where.
pub fn checks_nodes(scenario: &Scenario, outcome: &Outcome) -> bool {
    !scenario.machine.is_pool() && !outcome.places.is_empty()
}

#[cfg(test)]
mod tests;
