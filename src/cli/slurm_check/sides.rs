//! The log as the two loops of `slurm-check` take it.

use std::sync::Arc;

use batchlab_slurm::site::SiteChoice;
use batchlab_traces::reading::{Requeues, Size};
use batchlab_traces::shape::rows_of_joined;
use batchlab_traces::trace::Suspensions;
use batchlab_traces::{JobId, Trace};

use crate::lab::Failure;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::ScenarioSettings;
use crate::replay::engine::Scenario;

/// The jobs of both loops.
pub(super) struct Sides {
    /// The open loop: jobs as they were asked for.
    pub(super) open: Prepared,
    /// The closed loop: each run, with the processors that it got.
    pub(super) got: Scenario,
    /// The log of the closed loop, where the open one has the runs of a job joined.
    apart: Option<Apart>,
}

/// A log in which each run is a job.
struct Apart {
    prepared: Prepared,
    /// The rows of the joined log in it.
    rows: Vec<u32>,
}

impl Sides {
    /// Prepares a log for both loops. In the open loop, the twin takes nodes from running jobs as slurmctld did: if a run that was cut
    /// short really were a job of its own, it would be cut short again. So with `joins` each job is replayed once there, as long as its
    /// last run.
    pub(super) fn prepare(
        settings: &mut ScenarioSettings,
        trace: Trace,
        joins: bool,
        choice: &SiteChoice,
    ) -> Result<Sides, Failure> {
        let rows = if joins { rows_of_joined(&trace) } else { None };
        let joined = rows.map(|rows| (trace.clone(), rows));
        let trace = settings.marked(trace)?;
        let asked = settings.prepare_marked(trace.clone(), choice)?;
        let size = std::mem::replace(&mut settings.size, Size::Allocated);
        let got = settings.prepare_marked(trace, choice);
        settings.size = size;
        let got = got?.scenario;
        let Some((trace, rows)) = joined else { return Ok(Sides { open: asked, got, apart: None }) };
        let requeues = std::mem::replace(&mut settings.requeues, Requeues::Last);
        let open = settings.prepare_trace(trace, choice);
        settings.requeues = requeues;
        let mut open = open?;
        // All runs tell when the loops of slurmctld ran.
        if let (Some(own), Some(told)) = (&mut open.scenario.slurm, &asked.scenario.slurm) {
            let own = Arc::make_mut(own);
            (own.cycle, own.limits_checked, own.computed) = (told.cycle, told.limits_checked, told.computed);
        }
        Ok(Sides { open, got, apart: Some(Apart { prepared: asked, rows }) })
    }

    /// Returns the log of the closed loop, with the jobs as they were asked for.
    pub(super) fn runs(&self) -> &Prepared {
        self.apart.as_ref().map_or(&self.open, |apart| &apart.prepared)
    }

    /// Returns the closed loop's jobs as the engine has them. Where jobs stop for others on the same processors, each stays from its real
    /// start to its real end, and the engine has processors for all of them; who stops is what the loops see.
    pub(super) fn stacked(&self) -> Scenario {
        let got = &self.got;
        let tiers = got.slurm.as_ref().map_or(0, |site| site.system.suspending_tiers().len());
        if tiers < 2 || got.capacity.is_some() {
            return got.clone();
        }
        let (jobs, suspensions) = (&got.workload, Suspensions::of(&self.runs().trace));
        let stay = |job: JobId| jobs.run(job).saturating_add(suspensions.get(jobs.row(job)).total);
        let workload = Arc::new(jobs.with_runs(jobs.jobs().map(stay).collect()));
        Scenario { workload, machine: Arc::new(got.machine.with_procs_times(tiers as i64)), ..got.clone() }
    }

    /// Returns the row in the log of the closed loop of a row in that of the open one: of the last run.
    pub(super) fn row_of_run(&self, row: usize) -> usize {
        self.apart.as_ref().and_then(|apart| apart.rows.get(row)).map_or(row, |&row| row as usize)
    }
}
