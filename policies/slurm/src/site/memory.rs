//! More processors for memory: a job that asks for more memory for each processor than `MaxMemPerCPU` allows gets a multiple of its
//! processors for each task, until each has less.
//!
//! Accounting keeps what was asked for (`ReqTRES`). Where a job asks for memory by node, it would get more processors, too, which is
//! not followed.
//!
//! Source: `_valid_pn_min_mem` (`job_mgr.c`) of Slurm 22.05.

use batchlab_contract::JobView;
use batchlab_traces::workload::MEMORY;
use batchlab_traces::{Field, Machine, Trace, Workload};

use super::jobs::{JobSite, count};
use super::{SlurmSite, SlurmSystem};

/// Returns how many times the processors that it asks for a job gets, by its partition and its memory for each processor in KB.
fn times(system: &SlurmSystem, partition: Option<usize>, each: i64) -> i64 {
    let of_partition = partition.and_then(|at| system.partitions[at].most_memory_each);
    let most = of_partition.or(system.most_memory_each).map_or(0, |most| most.saturating_mul(1 << 10));
    if most == 0 { 1 } else { (each.max(0).saturating_add(most - 1) / most).max(1) }
}

fn times_of(
    system: &SlurmSystem,
    site: &JobSite,
    partition: Option<usize>,
    trace: &Trace,
    row: usize,
) -> i64 {
    let each = trace.get(row, Field::RequestedMemory).truncated();
    if site.memory_each == Some(true) { times(system, partition, each) } else { 1 }
}

/// Gives the jobs of some rows the processors that they get.
pub(super) fn widen(system: &SlurmSystem, jobs: &mut [JobSite], rows: &[usize], trace: &Trace) {
    let is_bounded = |most: Option<i64>| most.is_some_and(|most| most > 0);
    if !is_bounded(system.most_memory_each)
        && !system.partitions.iter().any(|partition| is_bounded(partition.most_memory_each))
    {
        return;
    }
    let numbers = system.numbers(&trace.header.partition);
    for &row in rows {
        let number = trace.get(row, Field::Partition).truncated();
        let partition = numbers.get(&number).copied().or(system.default_partition());
        let times = times_of(system, &jobs[row], partition, trace, row);
        if times > 1 {
            jobs[row].widen(times);
        }
    }
}

/// Returns the same jobs with the processors, and the memory, that they get for what they ask for. The sizes of jobs that are already
/// what they got stay.
pub(super) fn widened(site: &SlurmSite, workload: Workload, trace: &Trace, machine: &Machine) -> Workload {
    let memory = machine.resource(MEMORY);
    let times: Vec<i64> = workload
        .jobs()
        .map(|job| {
            let view = JobView::new(&workload, job);
            let known = site.of(view);
            let times = times_of(&site.system, &known, site.partition(view), trace, view.row());
            if view.procs().saturating_mul(times) == count(known.procs) { times } else { 1 }
        })
        .collect();
    if times.iter().all(|&times| times == 1) {
        return workload;
    }
    let first = workload.jobs().next().map_or(0, |job| job.0);
    workload.with_demands(|job, demand| {
        let times = times[(job.0 - first) as usize];
        if let Some(kind) = memory.filter(|_| times > 1) {
            let procs = demand[0].max(1);
            let each = (demand[kind] + procs - 1) / procs;
            demand[kind] = (each + times - 1) / times * times * procs;
        }
        demand[0] *= times;
    })
}
