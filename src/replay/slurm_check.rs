//! The replay of a Slurm log beside what really happened.

use batchlab_policies::slurm::Judgement;
use batchlab_traces::{JobId, Time, Workload};
use serde::Serialize;

use crate::outcome::{Outcome, in_log};
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
    /// Of the real starts that the loops make in the same second, in which no job ends: share of those on the same nodes; 1 if
    /// the log has no nodes.
    pub closed_loop_nodes: f64,
    /// Jobs that the loops would have started more than a cycle before they really started.
    pub closed_loop_extra: u64,
    /// Jobs that could not start in the closed loop when they really did, and started more than a second later: they are
    /// compared in a state that differs from the real one.
    pub closed_loop_late: u64,
    /// Replays in which the part of a second that the log leaves out is drawn (`clock=drawn`).
    #[serde(flatten)]
    pub drawn: Option<Drawn>,
    /// The first job whose start differs by more than a second; not in JSON.
    #[serde(skip)]
    pub first_parting: Option<Parting>,
}

/// How far chance alone moves a replay: the same log, with the seconds that it leaves open drawn again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Drawn {
    /// Number of replays.
    pub draws: u64,
    /// Mean share of starts within a minute of the real one.
    pub drawn_within_60s: f64,
    /// Mean of their mean waits, seconds.
    pub drawn_mean_wait: f64,
    /// Standard deviation of their mean waits, seconds; 0 for a single one.
    pub drawn_mean_wait_sd: f64,
    /// Share of them with a mean wait below the real one.
    pub drawn_below_real: f64,
}

impl Drawn {
    /// Returns the range of several checks of the same log; `None` without any.
    pub fn of(checks: &[SlurmCheck]) -> Option<Drawn> {
        let count = checks.len() as f64;
        let mean = |of: &dyn Fn(&SlurmCheck) -> f64| checks.iter().map(of).sum::<f64>() / count;
        let wait = mean(&|check| check.mean_wait_replayed);
        let squares = mean(&|check| (check.mean_wait_replayed - wait).powi(2));
        (!checks.is_empty()).then(|| Drawn {
            draws: checks.len() as u64,
            drawn_within_60s: mean(&|check| check.within_60s),
            drawn_mean_wait: wait,
            drawn_mean_wait_sd: (squares * count / (count - 1.0).max(1.0)).sqrt(),
            drawn_below_real: mean(&|check| f64::from(check.mean_wait_replayed < check.mean_wait_real)),
        })
    }
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
    /// Compares an open-loop replay with the real schedule of the same jobs, and adds what the closed loop found. `interval`
    /// is the period of the backfill loop. Where jobs depend on others, each schedule has its own instants at which they may
    /// run; they wait from then on. O(n log n).
    pub fn new(
        workload: &Workload,
        real: &Outcome,
        replayed: Outcome,
        closed: Judgement,
        interval: Time,
    ) -> SlurmCheck {
        let mut entries: Vec<Time> = workload.jobs().map(|job| workload.submit(job)).collect();
        if let Some(entered) = replayed.entered.as_deref() {
            for (job, of_log) in entered.jobs().zip(in_log(workload, entered)) {
                entries[of_log.index()] = entered.submit(job);
            }
        }
        let replayed = &replayed.with_identities_of_log(workload);
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
        let waits = |outcome: &Outcome, entry: &dyn Fn(JobId) -> Time| -> Vec<f64> {
            jobs.iter().map(|&job| (outcome.start(job) - entry(job)).secs()).collect()
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let (waits_real, waits_replayed) =
            (waits(real, &|job| workload.submit(job)), waits(replayed, &|job| entries[job.index()]));
        let parted = jobs.iter().filter(|&&job| apart(job) > Time::SECOND);
        let first = parted.min_by_key(|&&job| (real.start(job).min(replayed.start(job)), job));
        let first_parting =
            first.map(|&job| Parting { job, real: real.start(job), replayed: replayed.start(job) });
        let part = |some: u64, all: u64| if all == 0 { 1.0 } else { some as f64 / all as f64 };
        SlurmCheck {
            jobs: jobs.len() as u64,
            within_1s: share(Time::SECOND),
            within_5s: share(Time::from_secs(5)),
            within_60s: share(Time::from_secs(60)),
            within_bf_interval: share(interval),
            mean_wait_real: mean(&waits_real),
            mean_wait_replayed: mean(&waits_replayed),
            rank_correlation: rank_correlation(&waits_real, &waits_replayed),
            closed_loop_agreement: part(closed.agreed, closed.starts),
            closed_loop_nodes: part(closed.same_nodes, closed.located),
            closed_loop_extra: closed.extra,
            closed_loop_late: closed.late,
            drawn: None,
            first_parting,
        }
    }
}
