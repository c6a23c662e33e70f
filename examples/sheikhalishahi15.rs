//! Compares multi-capacity bin-packing with backfilling on 30-day windows of SDSC-BLUE (Sheikhalishahi et al.
//! 2015, Table 1), under the readings that the paper leaves open.
//!
//! `cargo run --release --example sheikhalishahi15 [-- SEEDS [SHAPE]]` prints tables in Markdown: one for
//! each shape of requests, or only for shape 1, 2 or 3. Results are recorded in `sheikhalishahi15.md`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use batchlab::Registry;
use batchlab::outcome::Stop;
use batchlab::parsers::{Input, Options, read_trace};
use batchlab::policies::Costs;
use batchlab::replay::engine::{Budget, EventOrder, Run, Scenario, replay};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::shape::{Context, Steps};
use batchlab::traces::{Findings, Machine, Provenance, Reading, Time, Trace, Workload};
use rayon::prelude::*;

const TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/traces/SDSC-BLUE-2000-derived.swf.gz");
const NODES: usize = 144;
const PROCS: i64 = 8;
/// Capacity of a node in each dimension other than processors.
const WHOLE: i64 = 1000;
const DIMENSIONS: [&str; 4] = ["memory", "io", "net_in", "net_out"];
const BEGINS: [u32; 3] = [300, 600, 900];
const POLICIES: [&str; 2] = ["bkfl", "mcbp"];
const READINGS: [&str; 4] = ["", "pairs=printed", "req=raw", "pairs=printed,req=raw"];
/// Readings other than those of the score, each compared with the defaults.
const OTHERS: [&str; 7] = [
    "per=job",
    "availability=stay",
    "rescore=job",
    "keep=true",
    "reservations=4",
    "cycle=60",
    "place=first-fit",
];

/// Properties of a job's requests that the paper does not give.
struct Shape {
    name: &'static str,
    /// Processors of a task.
    task: i64,
    /// Upper bound of a task's uniform request in each dimension, in thousandths of a node.
    most: i64,
}

const SHAPES: [Shape; 3] = [
    Shape { name: "processors, requests below 1/8 of a node", task: 1, most: 125 },
    Shape { name: "processors, requests below 1/4 of a node", task: 1, most: 250 },
    Shape { name: "whole nodes, requests below a node", task: 8, most: 1000 },
];

/// The measured value of every job.
type Measured = dyn Fn(&Replayed) -> &Vec<f64>;

/// The results of a replay, job by job.
struct Replayed {
    /// Waits in minutes.
    waits: Vec<f64>,
    slowdowns: Vec<f64>,
    ties: BTreeMap<&'static str, (u64, u64)>,
    took: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seeds: u64 = arguments.next().map_or(Ok(3), |text| text.parse())?.max(1);
    let only: Option<usize> = arguments.next().map(|text| text.parse()).transpose()?;
    if !Path::new(TRACE).exists() {
        println!("{TRACE} is not here: nothing to do");
        return Ok(());
    }
    let trace = read_trace(Input::open(TRACE)?, &Options::default())?;
    let wanted = |index: usize| only.is_none_or(|only| only == index + 1);
    for (index, shape) in SHAPES.iter().enumerate().filter(|(index, _)| wanted(*index)) {
        println!("\n## {}\n", shape.name);
        let scenarios = scenarios(&trace, shape, seeds)?;
        let loads: Vec<String> = scenarios.iter().step_by(seeds as usize).map(describe).collect();
        println!("{}\n", loads.join("; "));
        table(&scenarios, &READINGS)?;
        if index == 0 {
            println!();
            table(&scenarios, &OTHERS)?;
        }
    }
    Ok(())
}

/// Every window with every seed, with the windows as the outer loop.
fn scenarios(trace: &Trace, shape: &Shape, seeds: u64) -> Result<Vec<Scenario>, Box<dyn Error>> {
    let windows = BEGINS.iter().flat_map(|&begin| (1..=seeds).map(move |seed| (begin, seed)));
    windows.map(|(begin, seed)| scenario(trace, shape, begin, seed)).collect()
}

fn scenario(trace: &Trace, shape: &Shape, begin: u32, seed: u64) -> Result<Scenario, Box<dyn Error>> {
    let mut steps = format!("[[step]]\nkind = \"window\"\ndays = [{begin}, {}]\n", begin + 30);
    for name in DIMENSIONS {
        // Drawn per processor, so that a task of several processors has one draw of its job's distribution.
        let most = shape.most as f64 / shape.task as f64;
        let _ = write!(
            steps,
            "[[step]]\nkind = \"resource\"\nname = \"{name}\"\nscope = \"node\"\ncapacity = {WHOLE}\n\
             law = \"uniform\"\nmin = 0\nmax = {most}\nper = \"processor\"\n"
        );
    }
    let refuse = |what: &str| format!("{what}: not asked for");
    let context =
        Context { seed, log: &|name| Err(refuse(name)), measure: &|_, target| Err(refuse(&target.metric)) };
    let mut shaped = Steps::parse(&steps, "window")?.apply(trace.clone(), &context)?;
    let shaped = shaped.logs.remove(0).trace;
    let further =
        DIMENSIONS.map(|name| Resource { name: name.into(), unit: String::new(), sharing: Sharing::Space });
    let kinds = [processors()].into_iter().chain(further).collect();
    let machine = Machine::new(kinds, &vec![vec![PROCS, WHOLE, WHOLE, WHOLE, WHOLE]; NODES])?;
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let workload = Workload::read(&shaped, &machine, &Reading::default(), &mut findings, &mut provenance)?;
    Ok(Scenario {
        workload: Arc::new(workload.in_tasks_of(shape.task)),
        machine: Arc::new(machine),
        order: EventOrder::Batch,
        costs: Costs::default(),
        stop: Stop::default(),
        budget: Budget::default(),
        seed,
    })
}

fn describe(scenario: &Scenario) -> String {
    let jobs = &scenario.workload;
    let loads =
        (0..scenario.machine.kinds()).map(|kind| jobs.offered_load(&scenario.machine, kind).unwrap_or(0.0));
    let loads: Vec<String> = loads.map(|load| format!("{load:.2}")).collect();
    format!("{} jobs, offered load {}", jobs.len(), loads.join(" "))
}

/// One row per policy and reading.
fn table(scenarios: &[Scenario], readings: &[&str]) -> Result<(), Box<dyn Error>> {
    println!(
        "| reading | policy | wait, min | sd | bsld_raw | sd | wait, mean and sd of windows | bsld_raw of windows | \
         mcbp lower in wait, bsld_raw | host ties | queue ties | s/replay |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for reading in readings {
        let mut baseline = None;
        for policy in POLICIES {
            // The baseline has no queue score.
            let reading =
                if policy == "bkfl" { reading.replace("per=job", "") } else { (*reading).to_owned() };
            let spec = if reading.is_empty() { policy.to_owned() } else { format!("{policy}:{reading}") };
            let done: Result<Vec<Replayed>, String> =
                scenarios.par_iter().map(|scenario| one(scenario, &spec)).collect();
            let done = done?;
            row(&reading, policy, &done, baseline.as_deref());
            baseline = Some(done);
        }
    }
    Ok(())
}

fn one(scenario: &Scenario, spec: &str) -> Result<Replayed, String> {
    let words = |error: &dyn std::fmt::Display| format!("{spec}: {error}");
    let chosen = Registry::builtin().choose(spec).map_err(|error| words(&error))?;
    let mut policy = chosen.build(&scenario.setting(Overrun::Raise)).map_err(|error| words(&error))?;
    let began = Instant::now();
    let outcome = replay(scenario, spec, chosen.needs(), policy.as_mut(), Run::default());
    let (outcome, _) = outcome.map_err(|error| words(&error))?;
    let took = began.elapsed();
    let jobs = &scenario.workload;
    let wait = |job| (outcome.start(job) - jobs.submit(job)).secs() / 60.0;
    let slowdown = |job| {
        let response = (outcome.end(job) - jobs.submit(job)).secs();
        response / jobs.run(job).max(Time::from_secs(10)).secs()
    };
    Ok(Replayed {
        waits: jobs.jobs().map(wait).collect(),
        slowdowns: jobs.jobs().map(slowdown).collect(),
        ties: outcome.ties,
        took,
    })
}

fn row(reading: &str, policy: &str, done: &[Replayed], baseline: Option<&[Replayed]>) {
    let pooled = |of: &Measured| moments(done.iter().flat_map(|one| of(one).iter().copied()));
    let (wait, slowdown) = (pooled(&|one| &one.waits), pooled(&|one| &one.slowdowns));
    let means = |done: &[Replayed], of: &Measured| -> Vec<f64> {
        done.iter().map(|one| moments(of(one).iter().copied()).0).collect()
    };
    let [waits, slowdowns]: [&Measured; 2] = [&|one| &one.waits, &|one| &one.slowdowns];
    let (by_wait, by_slowdown) = (means(done, waits), means(done, slowdowns));
    let (window_wait, window_slowdown) =
        (moments(by_wait.iter().copied()), moments(by_slowdown.iter().copied()));
    let lower = baseline.map_or_else(String::new, |baseline| {
        let count = |ours: &[f64], theirs: &[f64]| ours.iter().zip(theirs).filter(|(a, b)| a < b).count();
        let (waits, slowdowns) =
            (count(&by_wait, &means(baseline, waits)), count(&by_slowdown, &means(baseline, slowdowns)));
        format!("{waits}, {slowdowns} of {}", done.len())
    });
    let share = |what: &str| {
        let counts = done.iter().filter_map(|one| one.ties.get(what));
        let (choices, ties) = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if choices == 0 { "-".into() } else { format!("{:.1} %", 100.0 * ties as f64 / choices as f64) }
    };
    let took: f64 = done.iter().map(|one| one.took.as_secs_f64()).sum();
    println!(
        "| {} | {policy} | {:.1} | {:.1} | {:.2} | {:.1} | {:.1} ± {:.1} | {:.2} ± {:.2} | {lower} | {} | {} | {:.1} |",
        if reading.is_empty() { "defaults" } else { reading },
        wait.0,
        wait.1,
        slowdown.0,
        slowdown.1,
        window_wait.0,
        window_wait.1,
        window_slowdown.0,
        window_slowdown.1,
        share("host choices"),
        share("queue scores"),
        took / done.len() as f64,
    );
}

/// Mean and standard deviation (n - 1).
fn moments(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        count += 1.0;
        let off = value - mean;
        mean += off / count;
        squares += off * (value - mean);
    }
    (mean, if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 })
}
