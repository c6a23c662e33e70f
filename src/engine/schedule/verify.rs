//! An independent checker of whether the machine could have run a schedule.
//!
//! It reads a workload, a machine and an outcome, and shares no code with the engine or the cluster, so that
//! a mistake there is not repeated here. It also checks schedules of other tools.

mod capacity;
mod entries;
mod fates;
mod intervals;
mod jobs;
mod limits;
mod nodes;
mod priorities;
mod promise;
mod rows;
mod violation;

pub use promise::promises;
pub use rows::stated_procs;
pub use violation::{CheckedQuantity, PlaceRule, ScheduleRule, Violation};

use crate::outcome::Outcome;
use crate::replay::engine::Scenario;

/// Checks an outcome against its scenario; an empty list means that all rules hold.
///
/// * Every job is served: it has a start and an end.
/// * No job starts before it is submitted; with `periodic:S`, starts are multiples of S.
/// * A job that was not killed runs for exactly its run time; a killed one for at most that.
/// * A rejected job was never on the machine: it has no start, no end, no interval and no node.
/// * If the scenario waits for some jobs only, nothing ends after the last of them. Jobs that were submitted
///   by then and had not ended end there, unfinished, after less than their run time; jobs that would have
///   been submitted later have neither start nor end. No job that the replay waits for is unfinished.
/// * At every instant, no more of a resource is held than the machine has. Ends free resources before starts
///   of the same instant, whatever the event order, which only determines which of the two the policy hears of
///   *first*. A job of zero length needs room, at its instant, beside the jobs that run across it.
/// * What is out of service counts as not there. When capacity goes, the jobs there leave, unless they are drained.
/// * If the outcome has intervals: those of a job do not overlap, they begin and end with the job, their work
///   is the run time to the tick, *time* resources are used in proportion to the rate, and *space* resources
///   as long as the job is resident.
/// * The jobs that run are within the scenario's limits on jobs and processors, whichever jobs these count; suspended
///   ones count. (Not checked if the policy shares time.)
///
/// * For a policy that places jobs on numbered processors, all of this holds on every processor, in every
///   slice.
/// * On a machine with nodes, if the outcome has the places of jobs: every job is on existing nodes that take
///   its partition, with all its processors, in whole tasks; and all of the above holds on each node
///   separately. If it does not have them ([`checks_nodes`]), amounts are those of all nodes together.
///
/// * A job that lost its processors, and was not in the way of capacity that went out of service, can be preempted in this
///   way, had run for its exemption and its grace time, and a job waited that may preempt it. A suspended job resumes where
///   it was, and meanwhile only jobs that may preempt it used what it gave back.
///
/// * Jobs that depend on others enter the queue when the schedule has met their dependencies, and not before.
///
/// Cost: O(n log n) for n jobs, intervals and their nodes.
pub fn verify(scenario: &Scenario, outcome: &Outcome) -> Vec<Violation> {
    let mut violations = Vec::new();
    let here;
    let entering;
    let (scenario, outcome) = if scenario.workload.is_closed() {
        entering = outcome.clone().entering(&scenario.workload);
        entries::check(&scenario.workload, &entering, &mut violations);
        here = scenario.of_outcome(&entering);
        (&here, &entering)
    } else {
        (scenario, outcome)
    };
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
    limits::check(scenario, outcome, &mut violations);
    priorities::check(scenario, outcome, &mut violations);
    violations
}

/// Whether [`verify`] checks every node separately: the machine has nodes, and the outcome has the places of jobs.
pub fn checks_nodes(scenario: &Scenario, outcome: &Outcome) -> bool {
    !scenario.machine.is_pool() && !outcome.places.is_empty()
}

#[cfg(test)]
mod tests;
