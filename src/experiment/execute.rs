//! The replays of a plan, on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use batchlab_policies::registry::Chosen;
use batchlab_traces::reading::Overrun;

use super::loader::{Loaded, Loader};
use super::measuring::{Measures, UnitRow};
use super::plan::{ExperimentPlan, PlanError, Task};
use crate::metrics::{MeasureOptions, Measurement, Metric};
use crate::registry::Registry;
use crate::replay::comparison::{ComparedPolicy, Comparison, ComparisonError, Fair};
use crate::replay::engine::{Run, Scenario};

/// What came of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// Its rows: one, or one for the whole and one for each block.
    pub rows: Vec<UnitRow>,
    /// How long it took. No part of the results.
    pub took: Duration,
}

/// A replay that failed.
#[derive(Debug)]
pub struct Failed<E> {
    /// The replay, by its position among the tasks.
    pub task: usize,
    /// Why.
    pub error: E,
}

/// Replays parts of a plan.
pub struct Execution<'a, L: Loader> {
    /// The plan.
    pub plan: &'a ExperimentPlan,
    /// Where policies and metrics come from.
    pub registry: &'a Registry,
    /// Where workloads come from.
    pub loader: &'a L,
    /// How many replays run at the same time.
    pub threads: usize,
}

/// What is done with replays as they end, from whatever thread ran them.
pub trait Sink: Sync {
    /// Why nothing further can be taken.
    type Error: Send;

    /// Whether a task's decisions are to be written down.
    fn wants_journal(&self, task: usize) -> bool;

    /// Looks at a replay before it is dropped.
    ///
    /// # Errors
    /// When what is to be kept of it cannot be; then nothing further is begun.
    fn look(&self, task: usize, measurement: &Measurement<'_>) -> Result<(), Self::Error>;

    /// Takes what came of a replay.
    ///
    /// # Errors
    /// When it cannot be kept; then nothing further is begun.
    fn take(&self, task: usize, done: Done) -> Result<(), Self::Error>;
}

/// A unit of a workload with what is measured of it.
struct Ready {
    scenario: Scenario,
    overrun: Overrun,
    measures: Measures,
    metrics: Vec<Metric>,
    options: MeasureOptions,
    fair: Fair,
}

/// A unit that several replays share: loaded by the first of them, dropped by the last.
struct Shared {
    ready: Mutex<Option<Arc<Ready>>>,
    left: AtomicUsize,
}

impl<L: Loader> Execution<'_, L>
where
    L::Error: From<ComparisonError>,
{
    /// Runs some tasks, in their order as far as threads allow.
    ///
    /// What comes of a task depends on nothing but the plan. At most one unit more than there are threads is in memory.
    ///
    /// # Errors
    /// What the sink says. Tasks that failed are returned, in their order.
    pub fn run<S: Sink>(&self, tasks: &[usize], sink: &S) -> Result<Vec<Failed<L::Error>>, S::Error> {
        let shared: Vec<Shared> = self.plan.batches.iter().map(|_| Shared::default()).collect();
        for &task in tasks {
            shared[self.plan.tasks[task].batch].left.fetch_add(1, Ordering::Relaxed);
        }
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let failures: Mutex<Vec<Failed<L::Error>>> = Mutex::default();
        let fatal: Mutex<Option<S::Error>> = Mutex::new(None);
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let Some(&task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                match self.task(task, &shared, sink) {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => {
                        stop.store(true, Ordering::Relaxed);
                        lock(&fatal).get_or_insert(error);
                    }
                    Err(error) => lock(&failures).push(Failed { task, error }),
                }
            }
        };
        rayon::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|_| work());
            }
        });
        if let Some(error) = fatal.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let mut failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        failures.sort_by_key(|failed| failed.task);
        Ok(failures)
    }

    /// Runs one task. The inner result is what the sink says.
    fn task<S: Sink>(
        &self,
        task: usize,
        shared: &[Shared],
        sink: &S,
    ) -> Result<Result<(), S::Error>, L::Error> {
        let Task { batch, policy, .. } = &self.plan.tasks[task];
        let ready = shared[*batch].take(|| self.ready(*batch))?;
        let began = Instant::now();
        let comparison = ready.comparison();
        let compared = ComparedPolicy { policy: Chosen::clone(policy), clairvoyant: false };
        let run = Run { journal: sink.wants_journal(task), ..Run::default() };
        let (outcome, journal) = comparison.replay_as(&compared, run)?;
        let (workload, machine) = (&ready.scenario.workload, &ready.scenario.machine);
        let mut measurement = Measurement::new(workload, machine, &outcome, ready.options)
            .and_then(|measurement| measurement.with_fair_starts(&ready.fair.starts))
            .map_err(ComparisonError::from)?;
        if let Some(journal) = &journal {
            measurement = measurement.with_journal(journal);
        }
        let batch = &self.plan.batches[*batch];
        let block = batch.block();
        let unit = if block.is_some() { None } else { Some(batch.unit) };
        let rows = ready.measures.rows(&measurement, unit, block);
        let rows = rows.iter().map(|row| self.in_order(row)).collect();
        let done = Done { rows, took: began.elapsed() };
        Ok(sink.look(task, &measurement).and_then(|()| sink.take(task, done)))
    }

    /// Puts the values of a row where the results have them.
    fn in_order(&self, row: &UnitRow) -> UnitRow {
        let value = |(place, _): &(usize, _)| row.values.get(*place).copied().flatten();
        UnitRow { values: self.plan.measures.iter().map(value).collect(), unit: row.unit }
    }

    fn ready(&self, batch: usize) -> Result<Ready, L::Error> {
        let batch = &self.plan.batches[batch];
        let loaded = self.loader.load(&batch.workload, batch.unit, batch.seed)?;
        let measuring = &self.plan.measuring;
        let measures = measuring.here(self.registry, &loaded.scenario, &loaded.vocabulary());
        let measures = measures.map_err(PlanError::from)?;
        let mut options = measuring.options;
        if let Some(prefix) = loaded.prefix {
            options.prefix = prefix;
        }
        let metrics = measures.metrics();
        // The log itself is of no more use, and may be large.
        let Loaded { scenario, reading, .. } = loaded;
        let overrun = reading.overrun;
        let mut ready = Ready { scenario, overrun, measures, metrics, options, fair: Fair::default() };
        ready.fair = ready.comparison().fair()?;
        Ok(ready)
    }
}

impl Ready {
    fn comparison(&self) -> Comparison<'_> {
        Comparison {
            scenario: &self.scenario,
            overrun: self.overrun,
            metrics: &self.metrics,
            classes: &[],
            options: self.options,
        }
    }
}

impl Default for Shared {
    fn default() -> Shared {
        Shared { ready: Mutex::new(None), left: AtomicUsize::new(0) }
    }
}

impl Shared {
    /// Returns the unit, loaded if it is not there; whoever is the last to ask takes it away.
    fn take<E>(&self, load: impl FnOnce() -> Result<Ready, E>) -> Result<Arc<Ready>, E> {
        let mut ready = lock(&self.ready);
        let is_last = self.left.fetch_sub(1, Ordering::Relaxed) == 1;
        let unit = match &*ready {
            Some(unit) => Arc::clone(unit),
            None => Arc::new(load()?),
        };
        *ready = (!is_last).then(|| Arc::clone(&unit));
        Ok(unit)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
