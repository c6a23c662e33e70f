//! Time to clean and shape a log of 400,000 jobs, compared with copying it.
//!
//! The log is drawn from the project's own model; the baseline copies every column of every row once. Medians
//! of several runs in turns. `cargo bench --bench pipeline`.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its table and stops at surprises"
)]

use std::hint::black_box;
use std::time::Instant;

use batchlab::traces::clean::Rules;
use batchlab::traces::shape::{Context, Steps, Target};
use batchlab::traces::{Trace, models};

const JOBS: u32 = 400_000;

const RUNS: usize = 9;

const RULES: &str = include_str!("pipeline/rules.toml");

const STEPS: &str = include_str!("pipeline/steps.toml");

fn main() {
    let settings = ["users=300", "estimates=phi:0.2", "estimate-cap=64800"];
    let trace = models::find("lublin").unwrap().generate(JOBS, 1024, 1, &settings).unwrap();
    let rules: Rules = RULES.parse().unwrap();
    let steps = Steps::parse(STEPS, "steps.toml").unwrap();
    let nothing = |name: &str| Err(format!("no log {name}"));
    let unmeasured = |_: &Trace, _: &Target| Err("nothing is measured".into());
    let context = Context { seed: 1, log: &nothing, measure: &unmeasured };
    let all: Vec<u32> = (0..JOBS).collect();
    let clean = |trace: &Trace| {
        let cleaned = rules.apply(trace).unwrap();
        assert!(cleaned.report.holds());
        cleaned.trace
    };
    let shape = |trace: Trace| steps.apply(trace, &context).unwrap();
    println!("{:<46} {:>9} {:>9}", format!("{JOBS} jobs"), "ms", "ns/job");
    let copied = measure("every column copied", || trace.select(&all).len());
    let cleaned = measure("cleaned: 11 rules, 1 expectation", || clean(&trace).len());
    let shaped = measure("shaped: filter, scale, shake, two resources", || shape(trace.clone()).logs.len());
    let both = measure("cleaned and shaped", || shape(clean(&trace)).logs.len());
    println!(
        "ratios to copying: cleaned {:.1}, shaped {:.1}, both {:.1}",
        cleaned / copied,
        shaped / copied,
        both / copied
    );
}

/// Prints the median time of a pipeline and returns it, seconds.
fn measure(name: &str, run: impl Fn() -> usize) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let median = times[RUNS / 2];
    println!("{name:<46} {:>9.1} {:>9.0}", median * 1e3, median * 1e9 / f64::from(JOBS));
    median
}
