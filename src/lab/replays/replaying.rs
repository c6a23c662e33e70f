//! Replays of a log in memory under several policies.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Registry;
use crate::lab::Failure;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::AllSettings;
use crate::metrics::{lower_bounds, recorded_schedule};
use crate::outcome::{Outcome, StopRule, stopped};
use crate::replay::comparison::{ComparedPolicy, Comparison, ComparisonError};
use crate::replay::{ResultRow, RowKind};

impl AllSettings {
    /// Refuses bounds of replays that stop early.
    pub fn check_bounds(&self) -> Result<(), Failure> {
        if self.replay.bounds && self.scenario.stop != StopRule::All {
            return Err(Failure::Usage(
                "--bounds holds for replays in which every job ends: leave it or --stop out".into(),
            ));
        }
        Ok(())
    }

    /// Returns each policy, followed by its clairvoyant twin if requested, and the failures of plug-ins that could not be loaded.
    pub fn compared_policies(
        &self,
        registry: &Registry,
    ) -> Result<(Vec<ComparedPolicy>, Vec<Failure>), Failure> {
        if self.replay.policy.is_empty() && !self.scenario.slurm.is_given() {
            let missing = "the following required arguments were not provided:\n  --policy <SPEC>";
            return Err(Failure::Usage(missing.into()));
        }
        let (mut compared_policies, mut broken): (Vec<ComparedPolicy>, Vec<Failure>) = Default::default();
        for spec in &self.scenario.slurm.policies(&self.replay.policy) {
            let policy = match registry.choose(spec) {
                Err(error) if error.is_fault() => {
                    broken.push(error.into());
                    continue;
                }
                chosen => chosen?,
            };
            let twins: &[bool] = if self.replay.clairvoyant { &[false, true] } else { &[false] };
            for &clairvoyant in twins {
                let compared = ComparedPolicy { policy: policy.clone(), clairvoyant };
                if compared_policies.iter().any(|known| known.label() == compared.label()) {
                    return Err(Failure::Usage(format!("--policy {} is given twice", compared.label())));
                }
                compared_policies.push(compared);
            }
        }
        Ok((compared_policies, broken))
    }

    /// Returns the rows, and the failures of policies without a row; the rows of the others are reported
    /// nevertheless. `tell` gets the number of jobs that have ended in all replays, `keep` each outcome.
    pub fn rows(
        &self,
        comparison: &Comparison<'_>,
        compared_policies: &[ComparedPolicy],
        prepared: &Prepared,
        tell: &(dyn Fn(u64) + Sync),
        keep: &(dyn Fn(&ComparedPolicy, &Outcome) -> Result<(), Failure> + Sync),
    ) -> Result<(Vec<ResultRow>, Vec<Failure>), Failure> {
        let ended: Vec<AtomicUsize> = compared_policies.iter().map(|_| AtomicUsize::new(0)).collect();
        let progress = |index: usize, done: usize| {
            ended[index].store(done, Ordering::Relaxed);
            tell(ended.iter().map(|ended| ended.load(Ordering::Relaxed) as u64).sum());
        };
        let work = || comparison.run::<Failure>(compared_policies, &progress, keep);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(
            self.replay.threads.map_or(0, |threads| threads.min(compared_policies.len().max(1))),
        );
        // Without threads (WebAssembly) no pool can be built; all work is then done by the thread that asks.
        let results = if cfg!(target_family = "wasm") {
            work()
        } else {
            let pool = pool.build().map_err(|error| Failure::Usage(format!("--threads: {error}")))?;
            pool.install(work)
        }?;
        let (mut rows, mut failures) = (Vec::new(), Vec::new());
        for result in results {
            match result {
                Ok(row) => rows.push(row),
                Err(failure) => failures.push(failure),
            }
        }
        self.add_beside(&mut rows, comparison, prepared)?;
        Ok((rows, failures))
    }

    /// Adds further rows: the log's own schedule, or the reason why it is missing, and lower bounds.
    fn add_beside(
        &self,
        rows: &mut Vec<ResultRow>,
        comparison: &Comparison<'_>,
        prepared: &Prepared,
    ) -> Result<(), Failure> {
        match recorded_schedule(&prepared.trace, &prepared.scenario.workload, &prepared.reading) {
            Ok(outcome) => {
                let outcome = stopped(outcome, &prepared.scenario.workload, &prepared.scenario.stop);
                rows.push(comparison.measure("log", RowKind::Recorded, &outcome)?);
            }
            Err(reason) => {
                if let Some(row) = rows.first_mut() {
                    row.notes.push(format!("no row for the log's own schedule: {reason}"));
                }
            }
        }
        if self.replay.bounds {
            let scenario = comparison.scenario;
            let bounds =
                lower_bounds(&scenario.workload, &scenario.machine, comparison.options, comparison.metrics);
            rows.push(ResultRow::bounds(bounds.map_err(ComparisonError::from)?));
        }
        Ok(())
    }
}
