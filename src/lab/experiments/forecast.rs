#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use batchlab_policies::spec::Chosen;
use batchlab_traces::number::counted;
use batchlab_traces::sorted::{SortedMap, SortedSet};

use crate::experiment::measuring::Measures;
use crate::experiment::plan::{Batch, Task};
use crate::experiment::{ExperimentPlan, Loaded, Loader, PlanError};
use crate::lab::Failure;
use crate::lab::experiments::workloads::Workloads;
use crate::metrics::{MeasureOptions, Measurement};
use crate::replay::comparison::{ComparedPolicy, Comparison, ComparisonError};

/// The number of jobs of the smallest sample of a unit; each further sample has twice as many.
const JOBS: usize = 1000;
/// How long a sample takes whose time can be extrapolated to the whole unit.
const ENOUGH: Duration = Duration::from_millis(250);
/// The most units of a workload that are replayed at a point of the sweep.
const UNITS: usize = 3;
/// How long points of the sweep are looked at one by one; later ones are assumed to take as long as those before them.
const LOOK: Duration = Duration::from_secs(10);

/// What was measured, under the name of a workload and that of a policy.
#[derive(Default)]
struct Measured(SortedMap<String, (Duration, u32)>);

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

/// Estimates the processor time of tasks: loads up to three units of each workload at each point of the sweep, which
/// includes the calibration of its arrivals, and replays and measures each under each policy. Of a long workload only as many
/// jobs are replayed as the time for all can be extrapolated from. Plug-ins that are not opened count nothing.
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
        let workload = &plan.batches[point[0].batch].workload.name;
        let name = |task: &Task| format!("{workload}\n{}", task.policy.spec().name);
        let units: SortedSet<usize> = point.iter().map(|task| task.batch).collect();
        let mut policies: SortedMap<String, (&Task, u32)> = SortedMap::new();
        for task in point {
            policies.entry(task.policy.canonical()).or_insert((task, 0)).1 += 1;
        }
        let is_known = loads.mean(workload).is_some()
            && policies.values().all(|(task, _)| replays.mean(&name(task)).is_some());
        let (mut here, mut replayed) = (Measured::default(), Measured::default());
        if !is_known || began.elapsed() < LOOK {
            for (number, batch) in spread(&units).enumerate() {
                if number > 0 && began.elapsed() > LOOK {
                    break;
                }
                let batch = &plan.batches[batch];
                let start = Instant::now();
                let mut unit = Unit::load(plan, workloads, batch)?;
                let took = start.elapsed();
                loads.add(workload.clone(), took);
                here.add(workload.clone(), took);
                for (task, _) in policies.values() {
                    let took = unit.replay(task, workloads)?;
                    replays.add(name(task), took);
                    replayed.add(task.policy.canonical(), took);
                }
            }
        }
        let load = here.mean(workload).or_else(|| loads.mean(workload)).unwrap_or_default();
        all += load * u32::try_from(units.len()).unwrap_or(u32::MAX);
        for (canonical, (task, count)) in &policies {
            all +=
                replayed.mean(canonical).or_else(|| replays.mean(&name(task))).unwrap_or_default() * *count;
        }
    }
    Ok(all)
}

/// Returns at most [`UNITS`] of the units, evenly spread: the middles of as many equal parts.
fn spread(units: &SortedSet<usize>) -> impl Iterator<Item = usize> {
    let units: Vec<usize> = units.iter().copied().collect();
    let parts = units.len().min(UNITS);
    (0..parts).map(move |part| units[(2 * part + 1) * units.len() / (2 * parts)])
}

/// A unit that is ready to be replayed.
struct Unit<'a> {
    batch: &'a Batch,
    loaded: Loaded,
    measures: Measures,
    options: MeasureOptions,
    /// Its first jobs: [`JOBS`], then twice as many, and so on.
    samples: Vec<Loaded>,
}

impl<'a> Unit<'a> {
    fn load(plan: &ExperimentPlan, workloads: &Workloads<'_>, batch: &'a Batch) -> Result<Unit<'a>, Failure> {
        let loaded = workloads.load(&batch.workload, batch.unit, batch.seed)?;
        let measures = plan.measuring.here(workloads.registry, &loaded.scenario, &loaded.vocabulary());
        let measures = measures.map_err(PlanError::from)?;
        let mut options = plan.measuring.options;
        options.prefix = loaded.prefix.unwrap_or(options.prefix);
        let (scenario, overrun, metrics) = (&loaded.scenario, loaded.reading.overrun, measures.metrics());
        let policies = workloads.registry.policies();
        Comparison { scenario, policies, overrun, metrics: &metrics, classes: &[], options }.fair()?;
        Ok(Unit { batch, loaded, measures, options, samples: Vec::new() })
    }

    /// Returns how long it takes to replay and measure the unit under the policy of a task.
    fn replay(&mut self, task: &Task, workloads: &Workloads<'_>) -> Result<Duration, Failure> {
        let jobs = self.loaded.scenario.workload.len();
        extrapolated(jobs, |sample| {
            let Some(sample) = sample else { return self.time(&self.loaded, task, workloads) };
            if self.samples.len() == sample {
                let Batch { workload, unit, seed, .. } = self.batch;
                self.samples.push(workloads.sample(workload, *unit, *seed, JOBS << sample)?);
            }
            self.time(&self.samples[sample], task, workloads)
        })
    }

    fn time(&self, jobs: &Loaded, task: &Task, workloads: &Workloads<'_>) -> Result<Duration, Failure> {
        let Loaded { scenario, reading, .. } = jobs;
        let metrics = self.measures.metrics();
        let (overrun, options) = (reading.overrun, self.options);
        let policies = workloads.registry.policies();
        let comparison = Comparison { scenario, policies, overrun, metrics: &metrics, classes: &[], options };
        let compared = ComparedPolicy { policy: Chosen::clone(&task.policy), clairvoyant: false };
        let began = Instant::now();
        let outcome = comparison.replay(&compared, &|_| ())?;
        let measurement = Measurement::new(&scenario.workload, &scenario.machine, &outcome, options);
        let measurement = measurement.map_err(ComparisonError::from)?;
        let _ = self.measures.rows(&measurement, None, self.batch.block());
        Ok(began.elapsed())
    }
}

/// Returns the time for a number of jobs: that of all of them, or, if a sample of the first [`JOBS`], twice as many, and so
/// on takes long [`ENOUGH`], what follows from it. Time is then taken to be a power of the number of jobs, as in the last
/// two samples, at least in proportion and at most the cube: queues that grow make replays of more jobs slower.
///
/// `time` returns that of a sample by its number from 0 on, or of all jobs. O(log jobs) calls.
fn extrapolated<E>(
    jobs: usize,
    mut time: impl FnMut(Option<usize>) -> Result<Duration, E>,
) -> Result<Duration, E> {
    let mut before: Option<Duration> = None;
    for sample in (0..).take_while(|sample| JOBS << sample < jobs) {
        let took = time(Some(sample))?;
        if took > ENOUGH {
            let exponent =
                before.map_or(1.0, |less| (took.as_secs_f64() / less.as_secs_f64().max(1e-6)).log2());
            let share = jobs as f64 / (JOBS << sample) as f64;
            return Ok(took.mul_f64(share.powf(exponent.clamp(1.0, 3.0))));
        }
        before = Some(took);
    }
    time(None)
}

/// Returns what a time is estimated from.
pub fn basis() -> String {
    format!(
        "estimated from up to {UNITS} units of each workload under each policy (of a unit that takes long, from its first \
         jobs)"
    )
}

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
