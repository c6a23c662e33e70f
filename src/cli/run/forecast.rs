//! Estimates how long an experiment will take.

use std::time::{Duration, Instant};

use batchlab_policies::registry::Chosen;
use batchlab_traces::number::{counted, grouped};

use super::loader::Workloads;
use crate::cli::Failure;
use crate::experiment::{ExperimentPlan, Loader};
use crate::metrics::MeasureOptions;
use crate::replay::comparison::{ComparedPolicy, Comparison};

/// The number of jobs of a unit that are replayed for the estimate.
const JOBS: usize = 1000;

/// Estimates the total time of tasks: replays the first jobs of one unit of each workload under each policy.
/// Plug-ins that are not opened count nothing.
///
/// # Errors
/// If a policy fails on these jobs.
pub fn time(plan: &ExperimentPlan, workloads: &Workloads<'_>, tasks: &[usize]) -> Result<Duration, Failure> {
    let mut known: Vec<((usize, String), Duration)> = Vec::new();
    let mut all = Duration::ZERO;
    for task in tasks.iter().map(|&task| &plan.tasks[task]).filter(|task| task.policy.is_opened()) {
        let batch = &plan.batches[task.batch];
        // The point of a sweep changes neither the number of jobs nor, as a rule, the order of magnitude of
        // the time.
        let workload = plan.workloads.iter().position(|known| known.name == batch.workload.name).unwrap_or(0);
        let name = task.policy.spec().name.to_owned();
        let place = (workload, name);
        let took = match known.iter().find(|(known, _)| *known == place) {
            Some((_, took)) => *took,
            None => {
                let loaded = workloads.load(&batch.workload, batch.unit, batch.seed)?;
                let jobs = loaded.scenario.workload.len();
                let sample = workloads.sample(&batch.workload, batch.unit, batch.seed, JOBS)?;
                let comparison = Comparison {
                    scenario: &sample.scenario,
                    overrun: sample.reading.overrun,
                    metrics: &[],
                    classes: &[],
                    options: MeasureOptions::default(),
                };
                let compared = ComparedPolicy { policy: Chosen::clone(&task.policy), clairvoyant: false };
                let began = Instant::now();
                comparison.replay(&compared, &|_| ())?;
                let share = jobs as f64 / sample.scenario.workload.len().max(1) as f64;
                let took = began.elapsed().mul_f64(share.max(1.0));
                known.push((place, took));
                took
            }
        };
        all += took;
    }
    Ok(all)
}

/// Estimates the time of tasks on several threads, in words.
///
/// # Errors
/// If a policy fails on the first jobs.
pub fn words(
    plan: &ExperimentPlan,
    workloads: &Workloads<'_>,
    tasks: &[usize],
    threads: usize,
) -> Result<String, Failure> {
    let all = time(plan, workloads, tasks)?;
    let threads = threads.clamp(1, tasks.len().max(1));
    let (time, jobs) = (shown(all.div_f64(threads as f64)), grouped(JOBS as u64));
    let mut words = format!(
        "about {time} on {threads} {}, estimated from the first {jobs} jobs of each workload under each \
            policy; long \
         queues take longer\n",
        if threads == 1 { "thread" } else { "threads" }
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
