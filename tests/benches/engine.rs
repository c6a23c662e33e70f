//! Speed of the replay itself: jobs per second inside the engine, and the growth of the cost of a job with the queue.
//!
//! `cargo bench --bench engine [-- FILTER]` prints medians; it asserts nothing.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

mod decisions;
mod median;

use std::path::{Path, PathBuf};
use std::time::Instant;

use batchlab::parsers::{Input, Options, read_trace};
use batchlab::replay::engine::{Run, Scenario, replay};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Reading, Time, Workload, seed};
use batchlab::{Outcome, Registry};
use chacha20::rand_core::Rng;

use median::median;

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--")).unwrap_or_default();
    let wanted = |name: &str| name.contains(&filter);
    if wanted("logs") {
        logs();
    }
    if wanted("growth") {
        growth();
    }
    if wanted("decisions") {
        decisions::growth();
    }
    if wanted("orders") {
        decisions::orders();
    }
}

fn logs() {
    println!("## Jobs per second inside the engine, real logs, median of 9\n");
    println!("| log | jobs | policy | jobs/s | ns/job |\n|---|---:|---|---:|---:|");
    for log in ["KTH-SP2-1996-2.1-cln", "SDSC-SP2-1998-derived", "SDSC-BLUE-2000-derived"] {
        let path = shared().join(format!("traces/{log}.swf.gz"));
        if !path.exists() {
            println!("| {log} | not at hand | | | |");
            continue;
        }
        let scenario = read(&path);
        let policies: &[&str] = match log {
            "KTH-SP2-1996-2.1-cln" => &[
                "fcfs",
                "easy",
                "easy:candidates=sjf",
                "first-fit",
                "fpfs",
                "fpmpfs:waitlimit=4h",
                "conservative",
                "conservative:variant=replan",
                "easy:order=wfp3",
            ],
            _ => &["fcfs", "easy", "easy:candidates=sjf", "conservative"],
        };
        for spec in policies {
            let runs = if spec.contains("cons") || spec.contains("wfp3") { 3 } else { 9 };
            let seconds = median((0..runs).map(|_| time(&scenario, spec)).collect());
            let jobs = scenario.workload.len() as f64;
            println!("| {log} | {jobs} | {spec} | {:.0} | {:.0} |", jobs / seconds, seconds / jobs * 1e9);
        }
    }
}

/// Cost per job with about 10³, 10⁴ and 10⁵ waiting jobs.
fn growth() {
    println!("\n## Growth of the cost per job with the queue, overloaded synthetic traces, median of 5\n");
    println!(
        "| policy | mean waiting | jobs | ns/job | ratio to the row before |\n|---|---:|---:|---:|---:|"
    );
    for spec in ["fcfs", "easy", "easy:candidates=sjf"] {
        let mut before: Option<f64> = None;
        for waiting in [1_000u32, 10_000, 100_000] {
            let scenario = overloaded(waiting, spec);
            let seconds = median((0..5).map(|_| time(&scenario, spec)).collect());
            let per_job = seconds / scenario.workload.len() as f64 * 1e9;
            let ratio = before.map_or_else(String::new, |before| format!("{:.2}", per_job / before));
            let queue = mean_queue(&scenario, spec);
            println!("| {spec} | {queue:.0} | {} | {per_job:.0} | {ratio} |", scenario.workload.len());
            before = Some(per_job);
        }
    }
}

/// A trace with a backlog of `waiting` jobs from the beginning. Further jobs arrive at the rate at which the
/// policy works off the backlog, so about as many jobs wait until the last arrival.
fn overloaded(waiting: u32, spec: &str) -> Scenario {
    let backlog = drawn_jobs(waiting + 20_000, waiting + 20_000, 0);
    let end = run(&backlog, spec).end.into_iter().max().unwrap();
    drawn_jobs(waiting + 200_000, waiting, end.ticks() / i64::from(waiting + 20_000))
}

/// Jobs of 1 to 32 of 128 processors and up to two hours, with estimates of one to three times the run
/// time; the first `at_once` are submitted at zero, the others `gap` ticks apart.
fn drawn_jobs(jobs: u32, at_once: u32, gap: i64) -> Scenario {
    let mut stream = seed::stream(1, "overloaded");
    let mut uniform = move |below: u64| stream.next_u64() % below;
    let draw = |index: u32| {
        let run = 60 + uniform(7200) as i64;
        PlainJob {
            submit: Time::from_ticks(i64::from((index + 1).saturating_sub(at_once)) * gap),
            run: Time::from_secs(run),
            estimate: Time::from_secs(run * (1 + uniform(3) as i64)),
            demand: vec![1 + uniform(32) as i64],
            user: 1,
            partition: -1,
        }
    };
    let jobs: Vec<PlainJob> = (0..jobs).map(draw).collect();
    scenario(Workload::from_jobs(&jobs), Machine::pool(128).unwrap())
}

/// Time average of the number of waiting jobs up to the last submission.
fn mean_queue(scenario: &Scenario, spec: &str) -> f64 {
    let outcome = run(scenario, spec);
    let jobs = &scenario.workload;
    let last = jobs.submit(jobs.jobs().last().unwrap());
    let waits: f64 = jobs.jobs().map(|job| (outcome.start(job).min(last) - jobs.submit(job)).secs()).sum();
    waits / last.secs()
}

fn scenario(workload: Workload, machine: Machine) -> Scenario {
    Scenario::new(machine, workload)
}

fn read(path: &Path) -> Scenario {
    let mut trace = read_trace(Input::open(path.to_str().unwrap()).unwrap(), &Options::default()).unwrap();
    let mut findings = std::mem::take(&mut trace.findings);
    let reading = Reading::default();
    let machine =
        Machine::pool(batchlab_traces::workload::machine_size(&trace, &reading, &mut findings).unwrap())
            .unwrap();
    let mut provenance = trace.provenance.clone();
    let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    scenario(workload, machine)
}

fn time(scenario: &Scenario, spec: &str) -> f64 {
    let begin = Instant::now();
    let outcome = run(scenario, spec);
    let seconds = begin.elapsed().as_secs_f64();
    assert_eq!(outcome.end.len(), scenario.workload.len());
    seconds
}

fn run(scenario: &Scenario, spec: &str) -> Outcome {
    let chosen = Registry::builtin().choose(spec).unwrap();
    let mut policy = chosen.build(&scenario.setting(Overrun::Raise)).unwrap();
    replay(scenario, spec, chosen.needs(), policy.as_mut(), Run::default()).unwrap().0
}

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared")
}
