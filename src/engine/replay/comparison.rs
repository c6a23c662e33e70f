//! Comparison of several policies on one scenario: parallel replays, measured, one row each.

mod fair;

pub use fair::{Fair, variants};

use batchlab_support::Journal;
use batchlab_support::registry::Policies;
use batchlab_support::spec::{BuildError, Chosen};
use batchlab_traces::reading::Overrun;
use rayon::prelude::*;

use crate::metrics::{Class, MeasureOptions, Measurement, Metric, OutcomeMismatch};
use crate::outcome::{Outcome, Stop};
use crate::replay::capability::{self, Unmet};
use crate::replay::engine::{self, ReplayError, Run, Scenario};
use crate::replay::{ResultRow, RowKind, notes};

#[derive(Clone, Debug)]
pub struct ComparedPolicy {
    pub policy: Chosen,
    /// Whether its estimates are the run times: a clairvoyant twin.
    pub clairvoyant: bool,
}

impl ComparedPolicy {
    /// Returns the row's label: the canonical spec, with a remark for a clairvoyant twin.
    pub fn label(&self) -> String {
        let spec = self.policy.canonical();
        if self.clairvoyant { format!("{spec} (clairvoyant)") } else { spec }
    }
}

/// The reason why a policy has no row.
#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, thiserror::Error)]
pub enum ComparisonError {
    #[error(transparent)]
    Unmet(#[from] Unmet),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Measure(#[from] OutcomeMismatch),
}

pub struct Comparison<'a> {
    /// Jobs, machine, event order, seed.
    pub scenario: &'a Scenario,
    /// The known policies: fair start times are those of two of them.
    pub policies: &'a Policies,
    /// The rule for jobs that ran longer than estimated.
    pub overrun: Overrun,
    pub metrics: &'a [Metric],
    /// The classes of jobs that are measured separately.
    pub classes: &'a [Class],
    pub options: MeasureOptions,
}

impl Comparison<'_> {
    /// Replays and measures every policy; the results are in the order of the policies, on any number of threads.
    ///
    /// `keep` is called with each outcome before it is dropped, from the thread that made it.
    ///
    /// # Errors
    /// If the jobs do not provide what a policy needs; then nothing is replayed. If a replay for fair start
    /// times fails. Other failures of a policy take the place of its result.
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
            let reads = self.metrics.iter().any(Metric::needs_journal);
            let tell = |done| progress(index, done);
            let run = Run { progress: Some(&tell), journal: reads, ..Run::default() };
            let (outcome, journal) = self.replay_as(compared, run)?;
            keep(compared, &outcome)?;
            Ok(self.row(&compared.label(), RowKind::Policy, (&outcome, journal.as_ref()), &fair)?)
        };
        Ok(compared_policies.par_iter().enumerate().map(row).collect())
    }

    /// Measures an outcome that was not made by a policy here, such as the log's own schedule.
    pub fn measure(
        &self,
        label: &str,
        kind: RowKind,
        outcome: &Outcome,
    ) -> Result<ResultRow, ComparisonError> {
        self.row(label, kind, (outcome, None), &fair::starts(self)?)
    }

    /// Returns the measurement of an outcome, with the classes and the changes of the capacity.
    pub fn measurement<'o>(&'o self, outcome: &'o Outcome) -> Result<Measurement<'o>, ComparisonError> {
        let Scenario { workload, machine, .. } = self.scenario;
        Ok(Measurement::new(workload, machine, outcome, self.options)?.with_classes(self.classes))
    }

    /// Replays the fair schedulers that the metrics ask for, which are the same for every policy.
    pub fn fair(&self) -> Result<Fair, ComparisonError> {
        fair::starts(self)
    }

    pub fn replay(
        &self,
        compared: &ComparedPolicy,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Outcome, ComparisonError> {
        let run = Run { progress: Some(progress), ..Run::default() };
        Ok(self.replay_in(self.scenario, compared, run)?.0)
    }

    pub fn replay_as(
        &self,
        compared: &ComparedPolicy,
        run: Run<'_>,
    ) -> Result<(Outcome, Option<Journal>), ComparisonError> {
        self.replay_in(self.scenario, compared, run)
    }

    /// Replays one policy until every job has ended, ignoring the scenario's stop.
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
        let twin = compared.clairvoyant.then(|| scenario.clairvoyant());
        let scenario = twin.as_ref().unwrap_or(scenario);
        capability::check(&compared.policy, scenario)?;
        let mut policy = compared.policy.build(&scenario.setting(self.overrun))?;
        let spec = compared.policy.canonical();
        Ok(engine::replay(scenario, &spec, compared.policy.needs(), policy.as_mut(), run)?)
    }

    fn row(
        &self,
        label: &str,
        kind: RowKind,
        (outcome, journal): (&Outcome, Option<&Journal>),
        fair: &Fair,
    ) -> Result<ResultRow, ComparisonError> {
        let (workload, machine) = (&self.scenario.workload, &self.scenario.machine);
        let mut measurement =
            Measurement::new(workload, machine, outcome, self.options)?.with_fair_starts(&fair.starts)?;
        if let Some(journal) = journal {
            measurement = measurement.with_journal(journal);
        }
        let mut row = ResultRow::measure(label, kind, &measurement, self.metrics, self.classes);
        row.notes.extend(fair.notes.iter().cloned());
        row.notes.extend(notes::counted(label, outcome));
        Ok(row)
    }
}
