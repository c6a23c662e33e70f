//! The only clock and the only loop: events in, decisions out, an outcome at the end.

mod budget;
mod clock;
mod error;
mod instant;
mod order;

use std::sync::Arc;

use batchlab_policies::stage::Setup;
use batchlab_policies::{Costs, Journal, Needs, Policy, Setting};
use batchlab_traces::reading::Overrun;
use batchlab_traces::{Machine, Workload};

use crate::outcome::{Outcome, Stop};
pub use budget::{Budget, TimeLimit};
pub use error::ReplayError;
pub use order::EventOrder;

/// What is replayed: jobs, a machine, and the order of simultaneous events.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The jobs.
    pub workload: Arc<Workload>,
    /// The machine.
    pub machine: Arc<Machine>,
    /// The order of simultaneous events.
    pub order: EventOrder,
    /// What switching, migrating and swapping cost, where a policy's parameters say nothing else.
    pub costs: Costs,
    /// When the replay ends.
    pub stop: Stop,
    /// What the replay may take before it is given up.
    pub budget: Budget,
    /// Seed of all random streams of the replay.
    pub seed: u64,
}

impl Scenario {
    /// Returns what policies for this scenario are made for.
    pub fn setting(&self, overrun: Overrun) -> Setting<'_> {
        let periodic = matches!(self.order, EventOrder::Periodic(_));
        let meanings = Some(self.workload.meanings());
        Setting { overrun, periodic, costs: self.costs, meanings, ..Setting::new(&self.machine) }
    }

    /// Returns the same scenario on a machine with a node for each processor: what a policy sees that places jobs on
    /// processors. There a task is a processor.
    #[must_use]
    pub fn by_processor(&self) -> Scenario {
        let apart = |workload: &Workload| Arc::new(workload.clone().in_tasks_of(1));
        let has_tasks = self.workload.has_tasks();
        let workload = if has_tasks { apart(&self.workload) } else { self.workload.clone() };
        Scenario { workload, machine: Arc::new(self.machine.by_processor()), ..self.clone() }
    }

    /// Returns the same scenario with the run times as estimates: what a clairvoyant twin is given.
    #[must_use]
    pub fn clairvoyant(&self) -> Scenario {
        Scenario { workload: Arc::new(self.workload.clairvoyant()), ..self.clone() }
    }
}

/// How one replay is run.
#[derive(Clone, Copy, Default)]
pub struct Run<'a> {
    /// Write every decision down.
    pub journal: bool,
    /// Take the general path even where the plain one would do.
    pub general: bool,
    /// Told now and then how many jobs have ended.
    pub progress: Option<&'a (dyn Fn(usize) + Sync)>,
}

/// Replays a workload under a policy.
///
/// Where the scenario's [`Stop`] waits for some jobs only, the replay ends at the instant at which the last of them has
/// ended, been killed or been turned away. Whatever else ends at that instant has ended; no decision follows.
///
/// `spec` names the policy in errors and seeds its random stream. Cost: O(log n) per event for the clock,
/// plus the policy's own; nothing is allocated per event on the plain path.
///
/// # Errors
/// When the policy asks for something illegal, fails, leaves jobs waiting for ever, or exceeds the scenario's budget.
pub fn replay(
    scenario: &Scenario,
    spec: &str,
    needs: Needs,
    policy: &mut dyn Policy,
    run: Run<'_>,
) -> Result<(Outcome, Option<Journal>), ReplayError> {
    let setup = Setup {
        policy: spec.into(),
        needs,
        seed: scenario.seed,
        passing: matches!(scenario.order, EventOrder::SubmitFirst | EventOrder::FinishFirst),
        journal: run.journal,
        general: run.general,
        costs: scenario.costs.under(needs.costs),
    };
    let apart = needs.processors.then(|| scenario.by_processor());
    clock::Clock::new(apart.as_ref().unwrap_or(scenario), setup, policy, run).run()
}
