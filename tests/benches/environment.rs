//! Speed of the environment: steps per second, alone and as a vector, with observations.
//!
//! `cargo bench --bench environment` prints medians; the number of jobs in the window says how much a step had to look at.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::path::Path;
use std::time::Instant;

use batchlab::environment::{Environment, EnvironmentOptions, ObservationLayout, VectorEnvironment};
use batchlab::parsers::{Input, Options as ReadOptions, read_trace};
use batchlab::replay::Scenario;
use batchlab::traces::{Findings, Machine, Provenance, Reading, Workload};

const STEPS: usize = 50_000;
const ROUNDS: usize = 5;

fn main() {
    let threads = rayon::current_num_threads();
    println!(
        "## Steps per second with observations, episodes of 256 jobs of harbour-128, median of {ROUNDS}\n"
    );
    println!(
        "| load | layout | window | jobs in it | steps of an episode | alone | vector of 64, {threads} threads |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|");
    for (load, layout, window) in [
        (1.2, ObservationLayout::Native, 128),
        (5.0, ObservationLayout::Native, 128),
        (5.0, ObservationLayout::Native, 32),
        (5.0, ObservationLayout::RlScheduler, 128),
        (5.0, ObservationLayout::CqGym, 128),
    ] {
        let scenario = harbour(load);
        let options =
            EnvironmentOptions { layout, window, length: Some(256), ..EnvironmentOptions::default() };
        let (jobs, steps) = contents(&scenario, &options);
        let alone = median(|| alone(&scenario, &options));
        let vector = median(|| vector(&scenario, &options, 64));
        println!("| {load} | {layout} | {window} | {jobs:.1} | {steps:.0} | {alone:.0} | {vector:.0} |");
    }
}

/// The mean number of jobs in the window, and of steps in an episode; every action is valid.
fn contents(scenario: &Scenario, options: &EnvironmentOptions) -> (f64, f64) {
    let mut environment = Environment::new(scenario, options.clone()).unwrap();
    let (mut jobs, mut episodes) = (0, 0);
    for _ in 0..STEPS {
        jobs += environment.window().len();
        let step = environment.step(first(environment.mask())).unwrap();
        assert!(!step.invalid);
        if step.terminated {
            environment.reset(None).unwrap();
            episodes += 1;
        }
    }
    (jobs as f64 / STEPS as f64, STEPS as f64 / f64::from(episodes))
}

fn harbour(load: f64) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/data/harbour-128.swf.gz");
    let trace = read_trace(Input::open(path.to_str().unwrap()).unwrap(), &ReadOptions::default()).unwrap();
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let reading = Reading { load, ..Reading::default() };
    let machine = Machine::pool(128).unwrap();
    let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    Scenario::new(machine, workload)
}

fn first(mask: &[bool]) -> usize {
    mask.iter().position(|&valid| valid).unwrap_or(0)
}

fn alone(scenario: &Scenario, options: &EnvironmentOptions) -> f64 {
    let mut environment = Environment::new(scenario, options.clone()).unwrap();
    let mut seen = vec![0.0; environment.shape().size()];
    let began = Instant::now();
    for _ in 0..STEPS {
        if environment.step(first(environment.mask())).unwrap().terminated {
            environment.reset(None).unwrap();
        }
        environment.observe(&mut seen);
    }
    STEPS as f64 / began.elapsed().as_secs_f64()
}

fn vector(scenario: &Scenario, options: &EnvironmentOptions, count: usize) -> f64 {
    let mut vector = VectorEnvironment::new(scenario, options, count).unwrap();
    let (mut actions, rounds) = (vec![0; count], 8 * STEPS / count);
    let began = Instant::now();
    for _ in 0..rounds {
        for (action, mask) in actions.iter_mut().zip(vector.masks().chunks(options.window + 1)) {
            *action = first(mask);
        }
        vector.step(&actions).unwrap();
    }
    (rounds * count) as f64 / began.elapsed().as_secs_f64()
}

fn median(measure: impl Fn() -> f64) -> f64 {
    let mut rounds: Vec<f64> = (0..ROUNDS).map(|_| measure()).collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}
