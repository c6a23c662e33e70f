//! Replays of jobs that come in sections: memory grows with the jobs alive, not with the log.
//!
//! Before an instant whose arrivals may not all be here, the clock takes the next section, and jobs before the first that has not
//! ended go to the measurement (`metrics::long`), in the order of submission, so that sums have the same bits. Identities of jobs
//! count on. A policy needs no change for this, but must not ask about a job after the event of its end.

use batchlab_support::stage::Setup;
use batchlab_support::{Needs, Policy};

use super::clock::Clock;
use super::error::ReplayError;
use super::scenario::{Run, Scenario};
use super::stream::Stream;
use super::{instant, setup};
use crate::outcome::Outcome;

/// Replays a stream of jobs on a pool under a policy that does not share time, with the starts that
/// [`replay`](super::replay) gives the same jobs. The scenario's workload is the first section.
///
/// The outcome has the counts of the replay, and no starts or ends; these go to the stream. What is in memory are the jobs
/// from the first that has not ended to the last of the present section, and what the policy keeps.
///
/// # Panics
/// When the machine has nodes, the policy shares time, jobs depend on others, or the scenario stops early.
pub fn replay_stream(
    scenario: &Scenario,
    spec: &str,
    needs: Needs,
    policy: &mut dyn Policy,
    run: Run<'_>,
    stream: &mut dyn Stream,
) -> Result<Outcome, ReplayError> {
    let plain = scenario.machine.is_pool() && !needs.time_sharing && !run.general;
    assert!(plain && !scenario.stop.is_early(), "a stream is replayed on a pool, to its end");
    assert!(!scenario.workload.is_closed(), "jobs of a stream do not depend on others");
    let setup = Setup { journal: false, suspends: None, ..setup(scenario, spec, needs, run) };
    let mut clock = Clock::new(scenario, setup, run).with_stream(stream);
    instant::run(&mut clock, scenario.order, policy)?;
    Ok(clock.close(policy)?.0)
}
