//! The sum of the rewards of an episode is the metric of its outcome.

use batchlab::environment::{Environment, EnvironmentOptions, Reward};
use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::replay::Scenario;

use super::{choice, eight, environment, first_valid, scene};
use crate::lab::windows;

fn metric(scenario: &Scenario, environment: &Environment, key: &str) -> f64 {
    let workload = &environment.episode().workload;
    let outcome = environment.outcome().unwrap();
    let options = MeasureOptions { prefix: environment.prefix(), ..MeasureOptions::default() };
    let measurement = Measurement::new(workload, &scenario.machine, outcome, options).unwrap();
    Catalogue::new(&scenario.machine, &[]).find(key).unwrap().value(&measurement).unwrap_or(0.0)
}

#[test]
fn the_sum_of_the_rewards_is_the_metric() {
    let rewards = [
        ("bsld", "mean_bsld", -1.0),
        ("wait", "mean_wait", -1.0),
        ("utilization", "utilization", 1.0),
        ("fairness", "jain", 1.0),
    ];
    for (log, play) in windows(400, 1.5) {
        for (name, key, sign) in rewards {
            for (commit, backfill, prefix_jobs) in
                [(false, true, 0), (false, false, 0), (true, true, 0), (false, true, 90), (true, false, 90)]
            {
                // The metric has the time of the prefix, too.
                if name == "utilization" && prefix_jobs > 0 {
                    continue;
                }
                let (reward, length) = (name.parse().unwrap(), Some(200));
                let options = EnvironmentOptions { reward, commit, backfill, length, prefix_jobs, ..eight() };
                let mut environment = environment(&play, options);
                let sum = first_valid(&mut environment);
                let value = sign * metric(&play.scenario, &environment, key);
                assert!(
                    (sum - value).abs() <= 1e-9 * value.abs().max(1.0),
                    "{name} on {log}: {sum}, not {value}"
                );
            }
        }
    }
}

#[test]
fn a_job_is_rewarded_in_the_step_that_starts_it() {
    let mut agent = environment(&scene(), EnvironmentOptions { reward: Reward::Wait, ..eight() });
    // Job 1 did not wait; job 2 becomes the head; job 4 starts after 0 s, like job 3, in whose step the replay goes on.
    let mut rewards = Vec::new();
    for number in [1, 2, 4] {
        rewards.push(agent.step(choice(&agent, number)).unwrap().reward);
    }
    assert_eq!(rewards, [0.0, 0.0, 0.0]);
    // At 100 s: job 5 has waited for 99 s, of five jobs.
    let reward = agent.step(choice(&agent, 5)).unwrap().reward;
    assert!((reward + 99.0 / 5.0).abs() < 1e-12, "{reward}");
}

#[test]
fn rewards_have_names() {
    for reward in [Reward::BoundedSlowdown, Reward::Wait, Reward::Utilization, Reward::Fairness] {
        assert_eq!(reward.to_string().parse(), Ok(reward));
    }
    let error = "slowdown".parse::<Reward>().unwrap_err().to_string();
    assert!(error.contains("bsld, wait, utilization, fairness"), "{error}");
}
