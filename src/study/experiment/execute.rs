//! The replays of a plan, on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use batchlab_support::registry::Policies;
use batchlab_support::spec::Chosen;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::reading::Overrun;

use super::loader::{Loaded, Loader};
use super::measuring::{Measures, UnitRow};
use super::plan::{ExperimentPlan, PlanError, Task};
use batchlab_engine::Inventory;
use batchlab_engine::metrics::{MeasureOptions, Measurement, Metric};
use batchlab_engine::replay::comparison::{ComparedPolicy, Comparison, ComparisonError, Fair};
use batchlab_engine::replay::engine::{Interrupt, Run, Scenario};

#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// Its rows: one; or one for the whole replay and one for each block.
    pub rows: Vec<UnitRow>,
    /// The time it took, which is not part of the results.
    pub took: Duration,
}

#[derive(Debug)]
pub struct Failed<E> {
    pub task: usize,
    pub error: E,
}

/// Runs replays of a plan.
pub struct Execution<'a, L: Loader> {
    pub plan: &'a ExperimentPlan,
    pub registry: &'a Inventory,
    pub loader: &'a L,
    pub threads: usize,
    /// The caller's request to abandon the work: no further replay is started then. Those that run are within the
    /// budget of their scenario, and so end by the same request.
    pub interrupt: Interrupt,
}

/// Receives replays as they end, from any thread. After an error, which says why nothing more can be stored, no further replay is
/// started.
pub trait Sink: Sync {
    type Error: Send;

    fn wants_journal(&self, task: usize) -> bool;

    /// Inspects a replay before it is dropped.
    fn look(&self, task: usize, measurement: &Measurement<'_>) -> Result<(), Self::Error>;

    fn take(&self, task: usize, done: Done) -> Result<(), Self::Error>;
}

/// A loaded unit of a workload, with what is measured of it.
pub(crate) struct Ready {
    scenario: Scenario,
    overrun: Overrun,
    measures: Measures,
    metrics: Vec<Metric>,
    options: MeasureOptions,
    fair: Fair,
}

/// A unit that several replays share: loaded by the first of them, dropped by the last.
#[derive(Default)]
struct Shared {
    ready: Mutex<Option<Arc<Ready>>>,
    left: AtomicUsize,
}

impl<L: Loader> Execution<'_, L>
where
    L::Error: From<ComparisonError>,
{
    /// Runs tasks, in the given order as far as threads allow, and returns the tasks that failed, in their order; the error is
    /// that of the sink. The result of a task depends on nothing but the plan. At most one unit more than there are threads is in
    /// memory.
    pub fn run<S: Sink>(&self, tasks: &[usize], sink: &S) -> Result<Vec<Failed<L::Error>>, S::Error> {
        let shared: Vec<Shared> = self.plan.batches.iter().map(|_| Shared::default()).collect();
        for &task in tasks {
            shared[self.plan.tasks[task].batch].left.fetch_add(1, Ordering::Relaxed);
        }
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let failures: Mutex<Vec<Failed<L::Error>>> = Mutex::default();
        let fatal: Mutex<Option<S::Error>> = Mutex::new(None);
        let work = || {
            while !stop.load(Ordering::Relaxed) && !self.interrupt.is_requested() {
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
        failures.arrange_by_key(|failed| failed.task);
        Ok(failures)
    }

    /// Runs one task. The inner result is that of the sink.
    fn task<S: Sink>(
        &self,
        task: usize,
        shared: &[Shared],
        sink: &S,
    ) -> Result<Result<(), S::Error>, L::Error> {
        let Task { batch, policy, .. } = &self.plan.tasks[task];
        let ready = shared[*batch].take(|| ready(self.plan, self.registry, self.loader, *batch))?;
        let began = Instant::now();
        let batch = &self.plan.batches[*batch];
        let done = |measurement: &Measurement<'_>| {
            let block = batch.block();
            let unit = if block.is_some() { None } else { Some(batch.unit) };
            let rows = ready.measures.rows(measurement, unit, block);
            let rows = rows.iter().map(|row| in_order(self.plan, row)).collect();
            let done = Done { rows, took: began.elapsed() };
            sink.look(task, measurement).and_then(|()| sink.take(task, done))
        };
        Ok(ready.measured(self.registry.policies(), policy, sink.wants_journal(task), done)?)
    }
}

/// Puts the values of a row into the order of the plan's measures.
fn in_order(plan: &ExperimentPlan, row: &UnitRow) -> UnitRow {
    let value = |(place, _): &(usize, _)| row.values.get(*place).copied().flatten();
    UnitRow { values: plan.measures.iter().map(value).collect(), unit: row.unit }
}

/// Loads a unit.
pub(crate) fn ready<L: Loader>(
    plan: &ExperimentPlan,
    registry: &Inventory,
    loader: &L,
    batch: usize,
) -> Result<Ready, L::Error>
where
    L::Error: From<ComparisonError>,
{
    let batch = &plan.batches[batch];
    let one = loader.load(&batch.workload, batch.unit, batch.seed)?;
    let measuring = &plan.measuring;
    let measures = measuring.here(registry, &one.scenario, &one.vocabulary());
    let measures = measures.map_err(PlanError::from)?;
    let mut options = measuring.options;
    if let Some(prefix) = one.prefix {
        options.prefix = prefix;
    }
    let metrics = measures.metrics();
    // The log is no longer needed and may be large, so it is dropped here.
    let Loaded { scenario, reading, .. } = one;
    let overrun = reading.overrun;
    let mut ready = Ready { scenario, overrun, measures, metrics, options, fair: Fair::default() };
    ready.fair = ready.comparison(registry.policies()).fair()?;
    Ok(ready)
}

impl Ready {
    pub(crate) fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Replays a policy and hands on what is measured of it. The journal is kept if asked for, or if a metric reads it.
    pub(crate) fn measured<T>(
        &self,
        policies: &Policies,
        policy: &Chosen,
        journal: bool,
        of: impl FnOnce(&Measurement<'_>) -> T,
    ) -> Result<T, ComparisonError> {
        let comparison = self.comparison(policies);
        let compared = ComparedPolicy { policy: policy.clone(), clairvoyant: false };
        let journal = journal || self.metrics.iter().any(Metric::needs_journal);
        let (outcome, journal) = comparison.replay_as(&compared, Run { journal, ..Run::default() })?;
        let (workload, machine) = (&self.scenario.workload, &self.scenario.machine);
        let mut measurement = Measurement::new(workload, machine, &outcome, self.options)
            .and_then(|measurement| measurement.with_fair_starts(&self.fair.starts))?
            .with_classes(self.measures.classes())
            .with_capacity(self.scenario.capacity.as_deref());
        if let Some(journal) = &journal {
            measurement = measurement.with_journal(journal);
        }
        Ok(of(&measurement))
    }

    /// Returns the values of the whole replay of a policy, in the order of the plan's measures.
    pub(crate) fn values(
        &self,
        plan: &ExperimentPlan,
        policies: &Policies,
        policy: &Chosen,
    ) -> Result<Vec<Option<f64>>, ComparisonError> {
        let rows = |measurement: &Measurement<'_>| self.measures.rows(measurement, None, None);
        let rows = self.measured(policies, policy, false, rows)?;
        Ok(rows.first().map_or_else(Vec::new, |row| in_order(plan, row).values))
    }

    fn comparison<'a>(&'a self, policies: &'a Policies) -> Comparison<'a> {
        Comparison {
            scenario: &self.scenario,
            policies,
            overrun: self.overrun,
            metrics: &self.metrics,
            classes: &[],
            options: self.options,
        }
    }
}

impl Shared {
    /// Returns the unit, loading it if necessary; the last task that needs it removes it from memory.
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
