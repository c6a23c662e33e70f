//! Compares sums over time with a count of every second.

use batchlab::metrics::{Cooldown, MeasureOptions, Warmup};
use batchlab::traces::Time;
use proptest::prelude::*;

use super::schedule::Schedule;

type Job = (i64, i64, i64, i64);

const PROCS: i64 = 40;

/// Up to ten jobs with arbitrary starts; the machine is large enough for all of them at once.
fn jobs() -> impl Strategy<Value = Vec<Job>> {
    prop::collection::vec((0i64..60, 0i64..30, 0i64..40, 1i64..5), 1..10).prop_map(|jobs| {
        let mut jobs: Vec<Job> = jobs
            .into_iter()
            .map(|(submit, wait, run, procs)| (submit, submit + wait, submit + wait + run, procs))
            .collect();
        jobs.sort_unstable();
        jobs
    })
}

/// Sums over the jobs that occupy the machine at a second.
fn sum(jobs: &[Job], amount: impl Fn(&Job) -> i64) -> f64 {
    jobs.iter().map(amount).sum::<i64>() as f64
}

fn waiting(jobs: &[Job], second: i64) -> f64 {
    sum(jobs, |job| i64::from(job.0 <= second && second < job.1))
}

fn busy(jobs: &[Job], second: i64) -> f64 {
    sum(jobs, |job| if job.1 <= second && second < job.2 { job.3 } else { 0 })
}

/// Zhang's κ, as defined: interval by interval, second by second.
fn loss_of_capacity(jobs: &[Job]) -> Option<f64> {
    let mut events: Vec<i64> = jobs.iter().flat_map(|job| [job.0, job.2]).collect();
    events.sort_unstable();
    let mut lost = 0.0;
    for interval in events.windows(2) {
        if waiting(jobs, interval[0]) > 0.0 {
            lost += (interval[0]..interval[1]).map(|second| PROCS as f64 - busy(jobs, second)).sum::<f64>();
        }
    }
    let length = events[events.len() - 1] - events[0];
    (length > 0).then(|| lost / (length * PROCS) as f64)
}

fn close(value: Option<f64>, expected: Option<f64>) -> bool {
    match (value, expected) {
        (Some(value), Some(expected)) => (value - expected).abs() < 1e-9,
        (value, expected) => value == expected,
    }
}

proptest! {
    #[test]
    fn loss_of_capacity_is_zhangs_sum(jobs in jobs()) {
        let schedule = Schedule::new(PROCS, &jobs);
        let value = schedule.metric("loss_of_capacity");
        prop_assert!(close(value, loss_of_capacity(&jobs)), "{:?}", value);
    }

    #[test]
    fn windowed_means_are_means_over_seconds(jobs in jobs(), warmup in 0i64..30, cooldown in 0i64..30) {
        let schedule = Schedule::new(PROCS, &jobs);
        let options = MeasureOptions {
            warmup: Warmup::Time(Time::from_secs(warmup)),
            cooldown: Cooldown::Time(Time::from_secs(cooldown)),
            ..MeasureOptions::default()
        };
        let (from, to) = (jobs[0].0 + warmup, jobs[jobs.len() - 1].0 - cooldown);
        let last_end = jobs.iter().map(|job| job.2).max().unwrap();
        let mean = |to: i64, at: &dyn Fn(i64) -> f64| {
            (to > from).then(|| (from..to).map(at).sum::<f64>() / (to - from) as f64)
        };
        let most = |to: i64| (from..=to).map(|second| waiting(&jobs, second)).reduce(f64::max);
        let used = |second| busy(&jobs, second) / PROCS as f64;
        let present = |second| sum(&jobs, |job| i64::from(job.0 <= second && second < job.2));
        let ended = |to: i64| sum(&jobs, |job| i64::from(from <= job.2 && job.2 <= to));
        let rate = |to: i64| (to > from).then(|| ended(to) * 3600.0 / (to - from) as f64);
        let work = |job: &Job| (job.2 - job.1) * job.3;
        let arrived = sum(&jobs, |job| if from <= job.0 && job.0 <= to { work(job) } else { 0 });
        let done = (from..to).map(|second| busy(&jobs, second)).sum::<f64>();
        for (key, expected) in [
            ("utilization_window", mean(to, &used)),
            ("mean_queue_length", mean(to, &|second| waiting(&jobs, second))),
            ("mean_queue_length_makespan", mean(last_end, &|second| waiting(&jobs, second))),
            ("max_queue_length", most(to)),
            ("max_queue_length_makespan", most(last_end)),
            ("mean_jobs_in_system", mean(to, &present)),
            ("mean_jobs_in_system_makespan", mean(last_end, &present)),
            ("throughput", rate(to)),
            ("completion", (to > from && arrived > 0.0).then(|| done / arrived)),
            ("throughput_makespan", rate(last_end)),
        ] {
            let value = schedule.metric_with(key, options);
            prop_assert!(close(value, expected), "{}: {:?}, not {:?}", key, value, expected);
        }
    }
}
