//! The engine: the only clock and the only event loop. It turns events into decisions, and returns an outcome.

mod arrivals;
mod budget;
mod changes;
mod clock;
mod coming;
mod decisions;
mod ends;
mod error;
mod goal;
mod instant;
mod lifecycle;
mod order;
mod record;
mod scenario;
mod stepped;
mod stream;
mod streamed;

use batchlab_support::stage::Setup;
use batchlab_support::{Journal, Needs, Policy, capacity, limits, priorities};

use crate::outcome::Outcome;
pub use budget::{Budget, Interrupt, TimeLimit};
pub use error::ReplayError;
pub use order::EventOrder;
pub use scenario::{Run, Scenario};
pub use stepped::Stepped;
pub use stream::{Done, Stream};
pub use streamed::replay_stream;

/// Replays a workload under a policy.
///
/// If the scenario's [`Stop`](crate::outcome::Stop) waits for some jobs only, the replay ends at the instant at which the last of
/// them ends, is killed or is rejected. Other jobs that end at that instant count as ended; no decision follows.
///
/// `spec` names the policy in errors and seeds its random stream. O(log n) per event for the clock, plus the
/// policy's own cost; nothing is allocated per event on the plain path.
pub fn replay(
    scenario: &Scenario,
    spec: &str,
    needs: Needs,
    policy: &mut dyn Policy,
    run: Run<'_>,
) -> Result<(Outcome, Option<Journal>), ReplayError> {
    let setup = setup(scenario, spec, needs, run);
    let apart = needs.processors.then(|| scenario.by_processor());
    let scenario = apart.as_ref().unwrap_or(scenario);
    let run_under = |policy: &mut dyn Policy| {
        let mut clock = clock::Clock::new(scenario, setup, run);
        instant::run(&mut clock, scenario.order, policy)?;
        clock.close(policy)
    };
    let preempts = scenario.priorities.as_ref().is_some_and(|table| table.preempts());
    let preempting = |policy: &mut dyn Policy| match &scenario.priorities {
        Some(table) if preempts => run_under(priorities::within(policy, table).as_mut()),
        _ => run_under(policy),
    };
    // Limits are around calendars, so that they count the jobs in reservations, too. Jobs that are held back there preempt no
    // other.
    let parts = !run.journal && !scenario.order.lets_pass();
    let limited = |policy: &mut dyn Policy| match &scenario.limits {
        None => preempting(policy),
        Some(table) => preempting(limits::within(policy, table, [preempts, parts]).as_mut()),
    };
    match &scenario.capacity {
        None => limited(policy),
        Some(calendar) => limited(capacity::within(policy, needs.foresees, calendar).as_mut()),
    }
}

/// Returns which resources suspended jobs give back, if jobs are suspended in place: by priorities, or by the installation under
/// its own policy.
fn suspends(scenario: &Scenario, needs: Needs) -> Option<Vec<bool>> {
    let by_priorities = || scenario.priorities.as_ref()?.suspends().map(<[bool]>::to_vec);
    let is_steady = scenario.capacity.is_none();
    let site =
        scenario.slurm.as_ref().filter(|site| needs.installation && is_steady && site.system.suspends());
    // Processors alone: a suspended job keeps its memory.
    by_priorities().or_else(|| site.map(|_| vec![false; scenario.machine.kinds()]))
}

/// Returns how a replay under a policy is set up.
fn setup(scenario: &Scenario, spec: &str, needs: Needs, run: Run<'_>) -> Setup {
    Setup {
        policy: spec.into(),
        needs,
        seed: scenario.seed,
        passing: scenario.order.lets_pass(),
        journal: run.journal,
        general: run.general,
        suspends: suspends(scenario, needs),
        costs: scenario.costs.under(needs.costs),
    }
}
