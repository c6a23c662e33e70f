//! Estimates how long an experiment will take.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use batchlab_policies::registry::Chosen;
use batchlab_traces::number::{counted, grouped};

use super::loader::Workloads;
use crate::cli::Failure;
use crate::experiment::measuring::Measures;
use crate::experiment::plan::{Batch, Task};
use crate::experiment::{ExperimentPlan, Loaded, Loader, PlanError};
use crate::metrics::{MeasureOptions, Measurement};
use crate::replay::comparison::{ComparedPolicy, Comparison, ComparisonError};

/// The number of jobs of a larger unit that are replayed for the estimate.
const JOBS: usize = 1000;
/// The most jobs of a unit that is replayed as a whole: long queues take longer than their first jobs tell.
const WHOLE: usize = 10_000;
/// How long points of the sweep are looked at one by one; later ones are taken to be like those before them.
const LOOK: Duration = Duration::from_secs(10);

/// What was measured, under the name of a workload and that of a policy.
#[derive(Default)]
struct Measured(BTreeMap<String, (Duration, u32)>);

impl Measured {
    fn add(&mut self, name: String, took: Duration) -> Duration {
        let (sum, count) = self.0.entry(name).or_default();
        *sum += took;
        *count += 1;
        took
    }

    fn mean(&self, name: &str) -> Option<Duration> {
        self.0.get(name).map(|(sum, count)| *sum / *count)
    }
}

/// Estimates the processor time of tasks: loads one unit of each workload at each point of the sweep, which includes
/// the calibration of its arrivals, and replays and measures it, or the first jobs of a large one, under each policy.
/// Plug-ins that are not opened count nothing.
///
/// # Errors
/// If a policy fails on these jobs.
pub fn time(plan: &ExperimentPlan, workloads: &Workloads<'_>, tasks: &[usize]) -> Result<Duration, Failure> {
    let began = Instant::now();
    let (mut loads, mut replays) = (Measured::default(), Measured::default());
    let mut all = Duration::ZERO;
    let opened: Vec<&Task> =
        tasks.iter().map(|&task| &plan.tasks[task]).filter(|task| task.policy.is_opened()).collect();
    let is_at_one_point = |one: &&Task, other: &&Task| {
        Arc::ptr_eq(&plan.batches[one.batch].workload, &plan.batches[other.batch].workload)
    };
    for point in opened.chunk_by(is_at_one_point) {
        let batch = &plan.batches[point[0].batch];
        let workload = &batch.workload.name;
        let units: BTreeSet<usize> = point.iter().map(|task| task.batch).collect();
        let mut policies: BTreeMap<String, (&Task, u32)> = BTreeMap::new();
        for task in point {
            policies.entry(task.policy.canonical()).or_insert((task, 0)).1 += 1;
        }
        let name = |task: &Task| format!("{workload}\n{}", task.policy.spec().name);
        let mut unit: Option<Unit> = None;
        let load = match loads.mean(workload).filter(|_| began.elapsed() > LOOK) {
            Some(mean) => mean,
            None => {
                let start = Instant::now();
                unit = Some(Unit::load(plan, workloads, batch)?);
                loads.add(workload.clone(), start.elapsed())
            }
        };
        all += load * u32::try_from(units.len()).unwrap_or(u32::MAX);
        for (task, count) in policies.into_values() {
            let took = match replays.mean(&name(task)).filter(|_| began.elapsed() > LOOK || unit.is_none()) {
                Some(mean) => mean,
                None => {
                    let unit = match &mut unit {
                        Some(unit) => unit,
                        none => none.insert(Unit::load(plan, workloads, batch)?),
                    };
                    replays.add(name(task), unit.replay(task, workloads, batch)?)
                }
            };
            all += took * count;
        }
    }
    Ok(all)
}

/// A unit that is ready to be replayed.
struct Unit {
    loaded: Loaded,
    measures: Measures,
    options: MeasureOptions,
    /// The first jobs, if the unit is a large one.
    sample: Option<Loaded>,
}

impl Unit {
    fn load(plan: &ExperimentPlan, workloads: &Workloads<'_>, batch: &Batch) -> Result<Unit, Failure> {
        let loaded = workloads.load(&batch.workload, batch.unit, batch.seed)?;
        let measures = plan.measuring.here(workloads.registry, &loaded.scenario, &loaded.vocabulary());
        let measures = measures.map_err(PlanError::from)?;
        let mut options = plan.measuring.options;
        options.prefix = loaded.prefix.unwrap_or(options.prefix);
        let (scenario, overrun, metrics) = (&loaded.scenario, loaded.reading.overrun, measures.metrics());
        Comparison { scenario, overrun, metrics: &metrics, classes: &[], options }.fair()?;
        Ok(Unit { loaded, measures, options, sample: None })
    }

    /// Replays and measures the unit under the policy of a task, and returns the time that it takes.
    fn replay(&mut self, task: &Task, workloads: &Workloads<'_>, batch: &Batch) -> Result<Duration, Failure> {
        let jobs = self.loaded.scenario.workload.len();
        if jobs > WHOLE && self.sample.is_none() {
            self.sample = Some(workloads.sample(&batch.workload, batch.unit, batch.seed, JOBS)?);
        }
        let Loaded { scenario, reading, .. } = self.sample.as_ref().unwrap_or(&self.loaded);
        let metrics = self.measures.metrics();
        let (overrun, options) = (reading.overrun, self.options);
        let comparison = Comparison { scenario, overrun, metrics: &metrics, classes: &[], options };
        let compared = ComparedPolicy { policy: Chosen::clone(&task.policy), clairvoyant: false };
        let began = Instant::now();
        let outcome = comparison.replay(&compared, &|_| ())?;
        let measurement = Measurement::new(&scenario.workload, &scenario.machine, &outcome, options);
        let measurement = measurement.map_err(ComparisonError::from)?;
        let _ = self.measures.rows(&measurement, None, batch.block());
        let share = jobs as f64 / scenario.workload.len().max(1) as f64;
        Ok(began.elapsed().mul_f64(share.max(1.0)))
    }
}

/// Returns what a time is estimated from.
pub fn basis() -> String {
    format!(
        "estimated from one unit of each workload under each policy (of units of more than {} jobs, from the \
         first {})",
        grouped(WHOLE as u64),
        grouped(JOBS as u64)
    )
}

/// Estimates the time of tasks on several threads, in words.
///
/// # Errors
/// If a policy fails on these jobs.
pub fn words(
    plan: &ExperimentPlan,
    workloads: &Workloads<'_>,
    tasks: &[usize],
    threads: usize,
) -> Result<String, Failure> {
    let all = time(plan, workloads, tasks)?;
    let threads = threads.clamp(1, tasks.len().max(1));
    let time = shown(all.div_f64(threads as f64));
    let mut words = format!(
        "about {time} on {threads} {}, {} of processor time, {}\n",
        if threads == 1 { "thread" } else { "threads" },
        shown(all),
        basis(),
    );
    let shut = tasks.iter().filter(|&&task| !plan.tasks[task].policy.is_opened()).count();
    if shut > 0 {
        let replays = counted(shut as u64, "replay");
        words.extend([
            "without ",
            &replays,
            " of plug-ins (exec:, so:): a dry run starts no process and loads no library\n",
        ]);
    }
    Ok(words)
}

fn shown(time: Duration) -> String {
    match time.as_secs() {
        0..=1 => format!("{:.1} s", time.as_secs_f64()),
        seconds @ 2..=119 => format!("{seconds} s"),
        seconds @ 120..=7199 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3600)),
    }
}
