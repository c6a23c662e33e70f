//! Tests of the environment for agents that learn to schedule.

mod choices;
mod episodes;
mod heuristics;
mod observations;
mod rewards;

use batchlab::environment::{Environment, EnvironmentOptions};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Time, Workload};

use crate::lab::Play;

/// A pool and jobs: submit, run, request, processors, user.
pub fn jobs(procs: i64, rows: &[(i64, i64, i64, i64, i64)]) -> Play {
    let secs = Time::from_secs;
    let job = |&(submit, run, request, procs, user): &(i64, i64, i64, i64, i64)| PlainJob {
        estimate: secs(request),
        user,
        ..PlainJob::secs(submit, run, vec![procs])
    };
    let rows: Vec<PlainJob> = rows.iter().map(job).collect();
    Play::new(Machine::pool(procs).unwrap(), Workload::from_jobs(&rows))
}

/// Ten processors. Job 1 takes six until 100; job 2 needs eight, so job 3 (four until 50) and job 4 (two until 300) may run
/// beside its reservation, and job 5 (four until 200) may not.
pub fn scene() -> Play {
    jobs(
        10,
        &[
            (0, 100, 100, 6, 1),
            (1, 50, 50, 8, 2),
            (1, 49, 49, 4, 1),
            (1, 299, 299, 2, 2),
            (1, 199, 199, 4, 1),
        ],
    )
}

pub fn environment(scene: &Play, options: EnvironmentOptions) -> Environment {
    Environment::new(&scene.scenario, options).unwrap()
}

pub fn eight() -> EnvironmentOptions {
    EnvironmentOptions { window: 8, ..EnvironmentOptions::default() }
}

/// The numbers of the jobs that may be chosen, 0 for going on.
pub fn valid(environment: &Environment) -> Vec<u32> {
    let go_on = environment.options().window;
    let all = environment.mask().iter().enumerate().filter(|(_, valid)| **valid);
    all.map(|(at, _)| if at == go_on { 0 } else { environment.window()[at].0 + 1 }).collect()
}

/// The action that chooses a job by its number; 0 goes on.
pub fn choice(environment: &Environment, number: u32) -> usize {
    let job = number.checked_sub(1).map(JobId);
    let place = |job| environment.window().iter().position(|&other| other == job).unwrap();
    job.map_or(environment.options().window, place)
}

pub fn starts(environment: &Environment) -> Vec<f64> {
    environment.outcome().unwrap().start.iter().map(|start| start.secs()).collect()
}

/// Goes on to the end with the first valid action each time; returns the sum of the rewards.
pub fn first_valid(environment: &mut Environment) -> f64 {
    let mut sum = 0.0;
    while let Some(action) = environment.mask().iter().position(|&valid| valid) {
        sum += environment.step(action).unwrap().reward;
    }
    sum
}
