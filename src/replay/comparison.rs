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

/// A policy in a contest.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The policy.
    pub policy: Chosen,
    /// Whether it is told the run times as estimates: a clairvoyant twin.
    pub clairvoyant: bool,
}

impl Contestant {
    /// Returns the row's label: the canonical spec, with a remark for a twin.
    pub fn label(&self) -> String {
        let spec = self.policy.canonical();
        if self.clairvoyant { format!("{spec} (clairvoyant)") } else { spec }
    }
}

/// Why a policy has no row.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ContestError {
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

/// A contest: what is replayed, and what is measured.
pub struct Contest<'a> {
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

impl Contest<'_> {
    /// Replays and measures every contestant; the results come in their order, whatever the threads.
    ///
    /// `keep` is called with each outcome before it is dropped, from the thread that made it.
    ///
    /// # Errors
    /// When the jobs do not tell what a contestant needs: then nobody is replayed. When a replay for fair start times
    /// fails; the contestants' other failures stand in their places.
    pub fn run<E: From<ContestError> + Send>(
        &self,
        contestants: &[Contestant],
        progress: &(dyn Fn(usize, usize) + Sync),
        keep: &(dyn Fn(&Contestant, &Outcome) -> Result<(), E> + Sync),
    ) -> Result<Vec<Result<ResultRow, E>>, ContestError> {
        for contestant in contestants {
            capability::check(&contestant.policy, self.scenario)?;
        }
        let fair = fair::starts(self)?;
        let row = |(index, contestant): (usize, &Contestant)| -> Result<ResultRow, E> {
            let outcome = self.replay(contestant, &|done| progress(index, done))?;
            keep(contestant, &outcome)?;
            Ok(self.row(&contestant.label(), RowKind::Policy, &outcome, &fair)?)
        };
        Ok(contestants.par_iter().enumerate().map(row).collect())
    }

    /// Measures an outcome that no policy of ours made.
    ///
    /// # Errors
    /// When the outcome does not belong to the jobs.
    pub fn measure(&self, label: &str, kind: RowKind, outcome: &Outcome) -> Result<ResultRow, ContestError> {
        self.row(label, kind, outcome, &fair::starts(self)?)
    }

    /// Replays the fair schedulers that the metrics ask for: the same for every contestant.
    ///
    /// # Errors
    /// When one of them misbehaves.
    pub fn fair(&self) -> Result<Fair, ContestError> {
        fair::starts(self)
    }

    /// Replays one contestant.
    ///
    /// # Errors
    /// When it cannot work in the scenario, or misbehaves.
    pub fn replay(
        &self,
        contestant: &Contestant,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Outcome, ContestError> {
        let run = Run { progress: Some(progress), ..Run::default() };
        Ok(self.replay_in(self.scenario, contestant, run)?.0)
    }

    /// Replays one contestant as a run says: with a journal of its decisions, for example.
    ///
    /// # Errors
    /// When it cannot work in the scenario, or misbehaves.
    pub fn replay_as(
        &self,
        contestant: &Contestant,
        run: Run<'_>,
    ) -> Result<(Outcome, Option<Journal>), ContestError> {
        self.replay_in(self.scenario, contestant, run)
    }

    /// Replays one contestant until every job has ended, whatever the scenario waits for.
    fn to_the_end(&self, contestant: &Contestant) -> Result<Outcome, ContestError> {
        let scenario = Scenario { stop: Stop::default(), ..self.scenario.clone() };
        Ok(self.replay_in(&scenario, contestant, Run::default())?.0)
    }

    fn replay_in(
        &self,
        scenario: &Scenario,
        contestant: &Contestant,
        run: Run<'_>,
    ) -> Result<(Outcome, Option<Journal>), ContestError> {
        let twin;
        let scenario = if contestant.clairvoyant {
            twin = scenario.clairvoyant();
            &twin
        } else {
            scenario
        };
        capability::check(&contestant.policy, scenario)?;
        let mut policy = contestant.policy.build(&scenario.setting(self.overrun))?;
        let spec = contestant.policy.canonical();
        Ok(engine::replay(scenario, &spec, contestant.policy.needs(), policy.as_mut(), run)?)
    }

    fn row(
        &self,
        label: &str,
        kind: RowKind,
        outcome: &Outcome,
        fair: &Fair,
    ) -> Result<ResultRow, ContestError> {
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
