//! The replay of a Slurm log beside what really happened.

use batchlab_policies::slurm::Judgement;
use batchlab_traces::{JobId, Time, Workload};
use serde::Serialize;

use crate::outcome::Outcome;
use crate::stats::rank_correlation;

/// How closely a replay follows what really happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlurmCheck {
    /// Jobs compared.
    pub jobs: u64,
    /// Share of starts within a second of the real one.
    pub within_1s: f64,
    /// Share of starts within 5 seconds.
    pub within_5s: f64,
    /// Share of starts within a minute.
    pub within_60s: f64,
    /// Share of starts within one period of the backfill loop (of the main loop without one).
    pub within_bf_interval: f64,
    /// Mean wait in the log, seconds.
    pub mean_wait_real: f64,
    /// Mean wait in the replay, seconds.
    pub mean_wait_replayed: f64,
    /// Spearman's rank correlation of the waits.
    pub rank_correlation: f64,
    /// Share of real starts that the loops, put into the real state just before, make too, then or by their next cycle.
    pub closed_loop_agreement: f64,
    /// Jobs that the loops would have started more than a cycle before they really started.
    pub closed_loop_extra: u64,
    /// The first job whose start differs by more than a second; not in JSON.
    #[serde(skip)]
    pub first_parting: Option<Parting>,
}

/// A job that starts at another time than it really did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The job.
    pub job: JobId,
    /// Its real start.
    pub real: Time,
    /// Its start in the replay.
    pub replayed: Time,
}

impl SlurmCheck {
    /// Compares an open-loop replay with the real schedule of the same jobs, and adds what the closed loop told. `interval`
    /// is the period of the backfill loop. O(n log n).
    pub fn new(
        workload: &Workload,
        real: &Outcome,
        replayed: &Outcome,
        closed: Judgement,
        interval: Time,
    ) -> SlurmCheck {
        let measured = |&job: &JobId| workload.patience(job).is_none() && replayed.tells(job);
        let jobs: Vec<JobId> = workload.jobs().filter(measured).collect();
        let apart = |job: JobId| {
            let (real, replayed) = (real.start(job), replayed.start(job));
            if real > replayed { real - replayed } else { replayed - real }
        };
        let share = |most: Time| {
            let near = jobs.iter().filter(|&&job| apart(job) <= most).count();
            if jobs.is_empty() { 1.0 } else { near as f64 / jobs.len() as f64 }
        };
        let waits = |outcome: &Outcome| -> Vec<f64> {
            jobs.iter().map(|&job| (outcome.start(job) - workload.submit(job)).secs()).collect()
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let (waits_real, waits_replayed) = (waits(real), waits(replayed));
        let parted = jobs.iter().filter(|&&job| apart(job) > Time::SECOND);
        let first = parted.min_by_key(|&&job| (real.start(job).min(replayed.start(job)), job));
        let first_parting =
            first.map(|&job| Parting { job, real: real.start(job), replayed: replayed.start(job) });
        let agreement = if closed.starts == 0 { 1.0 } else { closed.agreed as f64 / closed.starts as f64 };
        SlurmCheck {
            jobs: jobs.len() as u64,
            within_1s: share(Time::SECOND),
            within_5s: share(Time::from_secs(5)),
            within_60s: share(Time::from_secs(60)),
            within_bf_interval: share(interval),
            mean_wait_real: mean(&waits_real),
            mean_wait_replayed: mean(&waits_replayed),
            rank_correlation: rank_correlation(&waits_real, &waits_replayed),
            closed_loop_agreement: agreement,
            closed_loop_extra: closed.extra,
            first_parting,
        }
    }
}
