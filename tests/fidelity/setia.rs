//! Distributed hierarchical control on the beginning of a log with memory, if it is present.

use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::{Estimate, Overrun};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Field, Machine, Time, Workload};

use crate::lab::{Log, Play, play};

const JOBS: usize = 1000;

/// The first jobs of LANL-CM5, with `memory` KB on each processor, or without memory. Few jobs arrive at the
/// beginning of the log: they arrive four times as fast here.
fn scene(memory: Option<i64>) -> Option<Play> {
    let log = Log::LANL_CLEANED.play(Estimate::Requested, Overrun::Raise)?;
    let workload = &log.scenario.workload;
    let job = |job| {
        let procs = workload.procs(job);
        let told = workload.told_memory(job).unwrap_or(0);
        PlainJob {
            submit: Time::from_ticks(workload.submit(job).ticks() / 4),
            run: workload.run(job),
            estimate: workload.estimate(job),
            demand: memory.map_or(vec![procs], |_| vec![procs, told]),
            user: workload.attribute(job, Field::User),
            partition: -1,
        }
    };
    let jobs: Vec<PlainJob> = workload.jobs().take(JOBS).map(job).collect();
    let procs = log.scenario.machine.procs();
    let resource = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
    let machine = match memory {
        Some(each) => Machine::new(vec![processors(), resource], &[vec![procs, procs * each]]),
        None => Machine::pool(procs),
    };
    Some(Play::new(machine.unwrap(), Workload::from_jobs(&jobs)))
}

#[test]
fn with_enough_memory_there_might_be_none() {
    let (Some(enough), Some(none)) = (scene(Some(1 << 40)), scene(None)) else { return };
    for options in ["tl=inf", "d=3,alternate=off", "tl=1h,b=1,swap=none"] {
        let (with, _) = play(&enough, &format!("dhc:{options}"));
        let (without, _) = play(&none, &format!("dhc:{options},memory=off"));
        assert_eq!((&with.start, &with.end), (&without.start, &without.end), "{options}");
    }
}

/// Every replay is checked: the memory of each processor at every instant, the service of each job to the tick.
#[test]
fn a_log_is_replayed_under_the_long_term_policies_of_the_paper() {
    let Some(scene) = scene(Some(32 << 10)) else { return };
    let mut responses = Vec::new();
    for options in ["order=fcfs", "d=1", "b=1", "b=1,order=smf", "b=1,order=smf,tl=3h"] {
        let (outcome, _) = play(&scene, &format!("dhc:{options}"));
        let swaps: u32 = outcome.services.iter().map(|service| service.swaps).sum();
        assert_eq!(swaps > 0, options.contains("tl"), "{options}: {swaps}");
        let response = |job| (outcome.end(job) - scene.scenario.workload.submit(job)).secs();
        responses.push(scene.scenario.workload.jobs().map(response).sum::<f64>());
    }
    // All jobs are batch jobs here and use powers of two processors: one job in memory is one slot.
    assert_eq!(responses[1], responses[2]);
    responses.dedup();
    assert_eq!(responses.len(), 4, "{responses:?}");
}
