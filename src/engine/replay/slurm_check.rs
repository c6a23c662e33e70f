//! The replay of a Slurm log beside what really happened: outcomes as the pairs that [`batchlab_slurm::check`] compares.

use batchlab_slurm::check::{Compared, SlurmCheck};
use batchlab_slurm::twin::Judgement;
use batchlab_traces::seed::{stream, unit};
use batchlab_traces::{JobId, Time, Workload};

use crate::outcome::{Outcome, in_log};
use crate::stats::rank_correlation;

/// Compares an open-loop replay with the real schedule of the same jobs, and adds what the closed loop found. The jobs of the replay
/// may be drawn. `interval` is the period of the backfill loop. O(n log n).
pub fn check(
    workload: &Workload,
    real: &Outcome,
    (drawn, replayed): (&Workload, Outcome),
    closed: Judgement,
    interval: Time,
) -> SlurmCheck {
    SlurmCheck::new(&compared(workload, real, (drawn, replayed)), closed, interval, rank_correlation)
}

/// Returns jobs with the parts of seconds that a log in whole seconds leaves out, drawn: a submission within its second, and the
/// length of a run between two instants that are each within their seconds. Jobs stay in their order, and within their limits.
/// Times that a log tells more precisely stay.
pub fn drawn(workload: &Workload, seed: u64) -> Workload {
    let mut stream = stream(seed, "slurm-check");
    let second = Time::SECOND.ticks() as f64;
    let mut part = || Time::from_ticks((unit(&mut stream) * second) as i64);
    let is_whole = |at: Time| at.ticks() % Time::SECOND.ticks() == 0;
    let mut submits: Vec<(Time, Time)> =
        workload.jobs().map(|job| (workload.submit(job), Time::ZERO)).collect();
    if submits.iter().all(|(at, _)| is_whole(*at)) {
        for (_, later) in &mut submits {
            *later = part();
        }
        // Those of a second are in the order of the log.
        submits.sort_unstable();
    }
    let later: Vec<Time> = submits.into_iter().map(|(_, later)| later).collect();
    let mut runs: Vec<Time> = workload.jobs().map(|job| workload.run(job)).collect();
    if runs.iter().all(|run| is_whole(*run)) {
        for (job, run) in workload.jobs().zip(&mut runs) {
            let limit = workload.estimate(job);
            let most = if *run <= limit { limit } else { Time::MAX };
            *run = (*run + part() - part()).min(most).max(Time::TICK);
        }
    }
    workload.submitted_later(&later).with_runs(runs)
}

/// Returns the jobs that start in both schedules: one that the policy refuses has no wait. Where jobs depend on others, they wait in each schedule from the instant at
/// which they may run in it.
fn compared(workload: &Workload, real: &Outcome, (drawn, replayed): (&Workload, Outcome)) -> Vec<Compared> {
    let mut entries: Vec<Time> = drawn.jobs().map(|job| drawn.submit(job)).collect();
    if let Some(entered) = replayed.entered.as_deref() {
        for (job, of_log) in entered.jobs().zip(in_log(workload, entered)) {
            entries[of_log.index()] = entered.submit(job);
        }
    }
    let replayed = &replayed.with_identities_of_log(workload);
    let pair = |job: JobId| {
        let start = [real.start(job), replayed.started(job)?];
        Some(Compared { job, since: [workload.submit(job), entries[job.index()]], start })
    };
    workload.jobs().filter(|&job| workload.patience(job).is_none()).filter_map(pair).collect()
}
