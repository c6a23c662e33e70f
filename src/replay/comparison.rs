//! Several policies on one scenario: replayed in parallel, measured, a row each.

mod fair;

pub use fair::{Fair, variants};

use batchlab_policies::Journal;
use batchlab_policies::registry::Chosen;
use batchlab_policies::spec::BuildError;
use batchlab_traces::reading::Overrun;
use rayon::prelude::*;

use crate::metrics::{Class, MeasureOptions, Measurement, Metric, OutcomeMismatch};
use crate::outcome::Outcome;
use crate::outcome::Stop;
use crate::replay::capability::{self, Unmet};
use crate::replay::engine::{self, ReplayError, Run, Scenario};
use crate::replay::{ResultRow, RowKind};

/// A policy that is compared, or its clairvoyant twin.
#[derive(Clone, Debug)]
pub struct ComparedPolicy {
    /// The policy.
    pub policy: Chosen,
    /// Whether it is told the run times as estimates: a clairvoyant twin.
    pub clairvoyant: bool,
}

impl ComparedPolicy {
    /// Returns the row's label: the canonical spec, with a remark for a twin.
    pub fn label(&self) -> String {
        let spec = self.policy.canonical();
        if self.clairvoyant { format!("{spec} (clairvoyant)") } else { spec }
    }
}

/// Why a policy has no row.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ComparisonError {
    /// The jobs do not tell what it needs.
    #[error(transparent)]
    Unmet(#[from] Unmet),
    /// It cannot work in this scenario.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It misbehaved.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Its outcome does not belong to the jobs.
    #[error(transparent)]
    Measure(#[from] OutcomeMismatch),
}

/// A comparison of policies: what is replayed, and what is measured.
pub struct Comparison<'a> {
    /// Jobs, machine, event order, seed.
    pub scenario: &'a Scenario,
    /// How overruns were read.
    pub overrun: Overrun,
    /// What is measured.
    pub metrics: &'a [Metric],
    /// Classes of jobs that are measured apart.
    pub classes: &'a [Class],
    /// What counts.
    pub options: MeasureOptions,
}

impl Comparison<'_> {
    /// Replays and measures every policy; the results come in their order, on any number of threads.
    ///
    /// `keep` is called with each outcome before it is dropped, from the thread that made it.
    ///
    /// # Errors
    /// When the jobs do not tell what a policy needs: then none is replayed. When a replay for fair start times
    /// fails; other failures of a policy stand in its place.
    pub fn run<E: From<ComparisonError> + Send>(
        &self,
        compared_policies: &[ComparedPolicy],
        progress: &(dyn Fn(usize, usize) + Sync),
        keep: &(dyn Fn(&ComparedPolicy, &Outcome) -> Result<(), E> + Sync),
    ) -> Result<Vec<Result<ResultRow, E>>, ComparisonError> {
        for compared in compared_policies {
            capability::check(&compared.policy, self.scenario)?;
        }
        let fair = fair::starts(self)?;
        let row = |(index, compared): (usize, &ComparedPolicy)| -> Result<ResultRow, E> {
            let outcome = self.replay(compared, &|done| progress(index, done))?;
            keep(compared, &outcome)?;
            Ok(self.row(&compared.label(), RowKind::Policy, &outcome, &fair)?)
        };
        Ok(compared_policies.par_iter().enumerate().map(row).collect())
    }

    /// Measures an outcome that no policy of ours made.
    ///
    /// # Errors
    /// When the outcome does not belong to the jobs.
    pub fn measure(
        &self,
        label: &str,
        kind: RowKind,
        outcome: &Outcome,
    ) -> Result<ResultRow, ComparisonError> {
        self.row(label, kind, outcome, &fair::starts(self)?)
    }

    /// Replays the fair schedulers that the metrics ask for: the same for every policy.
    ///
    /// # Errors
    /// When one of them misbehaves.
    pub fn fair(&self) -> Result<Fair, ComparisonError> {
        fair::starts(self)
    }

    /// Replays one policy.
    ///
    /// # Errors
    /// When it cannot work in the scenario, or misbehaves.
    pub fn replay(
        &self,
        compared: &ComparedPolicy,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Outcome, ComparisonError> {
        let run = Run { progress: Some(progress), ..Run::default() };
        Ok(self.replay_in(self.scenario, compared, run)?.0)
    }

    /// Replays one policy as a run says: with a journal of its decisions, for example.
    ///
    /// # Errors
    /// When it cannot work in the scenario, or misbehaves.
    pub fn replay_as(
        &self,
        compared: &ComparedPolicy,
        run: Run<'_>,
    ) -> Result<(Outcome, Option<Journal>), ComparisonError> {
        self.replay_in(self.scenario, compared, run)
    }

    /// Replays one policy until every job has ended, whatever the scenario waits for.
    fn to_the_end(&self, compared: &ComparedPolicy) -> Result<Outcome, ComparisonError> {
        let scenario = Scenario { stop: Stop::default(), ..self.scenario.clone() };
        Ok(self.replay_in(&scenario, compared, Run::default())?.0)
    }

    fn replay_in(
        &self,
        scenario: &Scenario,
        compared: &ComparedPolicy,
        run: Run<'_>,
    ) -> Result<(Outcome, Option<Journal>), ComparisonError> {
        let twin;
        let scenario = if compared.clairvoyant {
            twin = scenario.clairvoyant();
            &twin
        } else {
            scenario
        };
        capability::check(&compared.policy, scenario)?;
        let mut policy = compared.policy.build(&scenario.setting(self.overrun))?;
        let spec = compared.policy.canonical();
        Ok(engine::replay(scenario, &spec, compared.policy.needs(), policy.as_mut(), run)?)
    }

    fn row(
        &self,
        label: &str,
        kind: RowKind,
        outcome: &Outcome,
        fair: &Fair,
    ) -> Result<ResultRow, ComparisonError> {
        let (workload, machine) = (&self.scenario.workload, &self.scenario.machine);
        let measurement =
            Measurement::new(workload, machine, outcome, self.options)?.with_fair_starts(&fair.starts)?;
        let mut row = ResultRow::measure(label, kind, &measurement, self.metrics, self.classes);
        row.notes.extend(fair.notes.iter().cloned());
        for (what, count) in &outcome.tallies {
            row.notes.push(format!("{label}: {count} {what}"));
        }
        for (what, (choices, ties)) in &outcome.ties {
            let share = 100.0 * *ties as f64 / *choices as f64;
            row.notes.push(format!("{label}: {ties} of {choices} {what} ({share:.1} %) were ties"));
        }
        Ok(row)
    }
}
