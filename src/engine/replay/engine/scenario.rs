//! What is replayed, and how.

use std::sync::Arc;

use batchlab_slurm::site::SlurmSite;
use batchlab_support::spec::Installed;
use batchlab_support::{Costs, Setting};
use batchlab_traces::capacity::CapacityCalendar;
use batchlab_traces::limits::LimitTable;
use batchlab_traces::priorities::PriorityTable;
use batchlab_traces::reading::Overrun;
use batchlab_traces::{Machine, Workload};

use super::budget::Budget;
use super::order::EventOrder;
use crate::outcome::{Outcome, Stop};

/// The input of a replay: jobs, machine, and the order of simultaneous events.
#[allow(missing_docs, reason = "names say what has no line")]
#[derive(Clone, Debug)]
pub struct Scenario {
    pub workload: Arc<Workload>,
    pub machine: Arc<Machine>,
    pub order: EventOrder,
    /// The costs of switching, migrating and swapping, unless a policy's parameters set them.
    pub costs: Costs,
    /// Limits on what users, groups, partitions and others may use, resolved for these jobs; every policy is replayed
    /// within them.
    pub limits: Option<Arc<LimitTable>>,
    /// Which jobs take processors from running jobs of lower tiers, resolved for these jobs, whose tiers are those of
    /// [`Workload::tier`].
    pub priorities: Option<Arc<PriorityTable>>,
    pub capacity: Option<Arc<CapacityCalendar>>,
    /// The Slurm installation, resolved for these jobs; the policy `slurm` follows it.
    pub slurm: Option<Arc<SlurmSite>>,
    pub stop: Stop,
    pub budget: Budget,
    pub seed: u64,
}

impl Scenario {
    /// Returns jobs on a machine, with all other options at their defaults and seed 1.
    pub fn new(machine: impl Into<Arc<Machine>>, workload: impl Into<Arc<Workload>>) -> Scenario {
        Scenario {
            workload: workload.into(),
            machine: machine.into(),
            order: EventOrder::default(),
            costs: Costs::default(),
            limits: None,
            priorities: None,
            capacity: None,
            slurm: None,
            stop: Stop::default(),
            budget: Budget::default(),
            seed: 1,
        }
    }

    /// Returns the facts from which policies for this scenario are built.
    pub fn setting(&self, overrun: Overrun) -> Setting<'_> {
        let periodic = matches!(self.order, EventOrder::Periodic(_));
        let meanings = Some(self.workload.meanings());
        // While jobs are suspended in place, others hold more than is there, as beside changes of the capacity.
        let foresees = self.capacity.as_ref().is_some_and(|calendar| calendar.is_foreseen())
            || self.priorities.as_ref().is_some_and(|table| table.suspends().is_some());
        let (tiers, changes) = (self.workload.has_tiers(), self.capacity.is_some());
        let jobs = Some(self.workload.len()).filter(|_| !self.workload.is_closed());
        let (costs, installation) = (self.costs, self.slurm.as_ref().map(|site| site as &Installed));
        let plain = Setting::new(&self.machine);
        Setting { overrun, periodic, foresees, changes, tiers, jobs, costs, meanings, installation, ..plain }
    }

    /// Returns the same scenario on a machine with a node for each processor, as seen by a policy that places
    /// jobs on numbered processors. A task is then a processor.
    #[must_use]
    pub fn by_processor(&self) -> Scenario {
        let apart = |workload: &Workload| Arc::new(workload.clone().in_tasks_of(1));
        let has_tasks = self.workload.has_tasks();
        let workload = if has_tasks { apart(&self.workload) } else { self.workload.clone() };
        Scenario { workload, machine: Arc::new(self.machine.by_processor()), ..self.clone() }
    }

    /// Returns the same scenario with the jobs of an outcome: in the order in which they entered the queue, at the
    /// instants at which they did.
    #[must_use]
    pub fn of_outcome(&self, outcome: &Outcome) -> Scenario {
        let Some(entered) = &outcome.entered else { return self.clone() };
        let stop = self.stop.of_entered(&self.workload, entered);
        Scenario { workload: entered.clone(), stop, ..self.clone() }
    }

    /// Returns the same scenario with the run times as estimates, for clairvoyant twins.
    #[must_use]
    pub fn clairvoyant(&self) -> Scenario {
        Scenario { workload: Arc::new(self.workload.clairvoyant()), ..self.clone() }
    }
}

#[derive(Clone, Copy, Default)]
pub struct Run<'a> {
    pub journal: bool,
    /// Whether the general path is taken even if the plain one would do.
    pub general: bool,
    /// Whether jobs that nothing lets start any more are rejected when all others have ended, instead of being an error.
    pub leaves: bool,
    /// Called from time to time with the number of jobs that have ended.
    pub progress: Option<&'a (dyn Fn(usize) + Sync)>,
}
