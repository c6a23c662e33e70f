use batchlab_traces::reading::Size;
use batchlab_traces::workload::size;
use batchlab_traces::{Field, Time, Trace};
use serde::Serialize;

use super::rows::{share, work};

/// Jobs of 2ᵏ⁻¹ + 1 to 2ᵏ processors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizeClass {
    /// Fewest processors.
    pub from: u64,
    /// Most processors, a power of two.
    pub to: u64,
    pub jobs: u64,
    /// Jobs of exactly `to` processors.
    pub powers_of_two: u64,
    pub job_share: f64,
    /// Share of all work (processors × run time).
    pub work_share: f64,
}

/// Jobs with run times above the limit of the previous class and up to that of this class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunClass {
    /// Longest run time in seconds; `None` for the last class, which has no limit.
    pub to: Option<i64>,
    pub jobs: u64,
    /// Share of all jobs of known run time.
    pub job_share: f64,
    /// Share of all work (processors × run time).
    pub work_share: f64,
}

/// Longest run times of the classes, in seconds; 10 min, 1 h and 8 h are the limits of the 4 × 4 grids of scheduling papers.
const LIMITS: [i64; 7] = [0, 10, 60, 600, 3600, 8 * 3600, 24 * 3600];

/// Returns the classes of sizes from 1 to that of the largest job, including empty ones in between.
pub(super) fn size_classes(trace: &Trace, rows: &[usize]) -> Vec<SizeClass> {
    let mut classes: Vec<(u64, u64, f64)> = Vec::new();
    for &row in rows {
        let Some(procs) = size(trace, Size::Requested, row) else { continue };
        let class = (64 - (procs as u64 - 1).leading_zeros()) as usize;
        if classes.len() <= class {
            classes.resize(class + 1, (0, 0, 0.0));
        }
        let (jobs, powers, done) = &mut classes[class];
        *jobs += 1;
        *powers += u64::from(procs.count_ones() == 1);
        *done += work(trace, row);
    }
    let jobs = classes.iter().map(|class| class.0).sum();
    let done: f64 = classes.iter().map(|class| class.2).sum();
    let class = |(index, (jobs_of, powers_of_two, work))| SizeClass {
        from: (1_u64 << index) / 2 + 1,
        to: 1_u64 << index,
        jobs: jobs_of,
        powers_of_two,
        job_share: share(jobs_of, jobs),
        work_share: if done > 0.0 { work / done } else { 0.0 },
    };
    classes.into_iter().enumerate().map(class).collect()
}

/// Returns the classes of run times, including empty ones.
pub(super) fn run_classes(trace: &Trace, rows: &[usize]) -> Vec<RunClass> {
    let mut classes = [(0, 0.0); LIMITS.len() + 1];
    for &row in rows {
        let run = trace.time(row, Field::Run);
        if run >= Time::ZERO {
            let class = LIMITS.partition_point(|&limit| Time::from_secs(limit) < run);
            classes[class].0 += 1;
            classes[class].1 += work(trace, row);
        }
    }
    let jobs = classes.iter().map(|class| class.0).sum();
    let done: f64 = classes.iter().map(|class| class.1).sum();
    let class = |(index, (jobs_of, work)): (usize, (u64, f64))| RunClass {
        to: LIMITS.get(index).copied(),
        jobs: jobs_of,
        job_share: share(jobs_of, jobs),
        work_share: if done > 0.0 { work / done } else { 0.0 },
    };
    classes.into_iter().enumerate().map(class).collect()
}
