//! The replay of a Slurm log beside what really happened: outcomes as the pairs that [`batchlab_slurm::check`] compares.

use batchlab_slurm::check::{Compared, SlurmCheck};
use batchlab_slurm::twin::Judgement;
use batchlab_traces::{JobId, Time, Workload};

use crate::outcome::{Outcome, in_log};
use crate::stats::rank_correlation;

/// Compares an open-loop replay with the real schedule of the same jobs, and adds what the closed loop found. `interval` is the
/// period of the backfill loop. O(n log n).
pub fn check(
    workload: &Workload,
    real: &Outcome,
    replayed: Outcome,
    closed: Judgement,
    interval: Time,
) -> SlurmCheck {
    SlurmCheck::new(&compared(workload, real, replayed), closed, interval, rank_correlation)
}

/// Returns the jobs that start in both schedules. Where jobs depend on others, they wait in each schedule from the instant at
/// which they may run in it.
fn compared(workload: &Workload, real: &Outcome, replayed: Outcome) -> Vec<Compared> {
    let mut entries: Vec<Time> = workload.jobs().map(|job| workload.submit(job)).collect();
    if let Some(entered) = replayed.entered.as_deref() {
        for (job, of_log) in entered.jobs().zip(in_log(workload, entered)) {
            entries[of_log.index()] = entered.submit(job);
        }
    }
    let replayed = &replayed.with_identities_of_log(workload);
    let measured = |&job: &JobId| workload.patience(job).is_none() && replayed.tells(job);
    let pair = |job: JobId| Compared {
        job,
        since: [workload.submit(job), entries[job.index()]],
        start: [real.start(job), replayed.start(job)],
    };
    workload.jobs().filter(measured).map(pair).collect()
}
