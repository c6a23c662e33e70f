//! Reruns the comparison of Zhang, Franke, Moreira and Sivasubramaniam 2000 in directions of effects: which
//! of BF, GS, BGS, MGS and MBGS has the lower mean slowdown, at which load, and by how much.
//!
//! `cargo run --release --example zhang00 -- LOG.swf.gz [jobs=10000] [seeds=20] [workloads=0,2,4,6,8]
//! [metric=mean_bsld] [cost=switch=0,migrate=0] [pairs=mbgs/bgs;bgs/gs;...]`
//!
//! The model `zhang2000` for 320 processors is fitted to the log; each seed is a replication, with the same
//! jobs for all policies. A pair `a/b` is the metric of a divided by that of b, as a geometric mean over
//! replications with its 95 % interval (Student t on paired logarithms): below 1, a is better.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Instant;

use batchlab::Registry;
use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::Stop;
use batchlab::parsers::{Input, Options, read_trace};
use batchlab::policies::Costs;
use batchlab::replay::comparison::{ComparedPolicy, Comparison};
use batchlab::replay::engine::{Budget, EventOrder, Scenario};
use batchlab::traces::machine::MachineChoice;
use batchlab::traces::reading::Overrun;
use batchlab::traces::{Findings, Provenance, Reading, Trace, Workload, models};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};

type Failed = Box<dyn Error + Send + Sync>;

const PROCS: u32 = 320;
const PAIRS: &str = "bgs/gs;mgs/gs;mbgs/bgs;mbgs/mgs;bgs/mgs;bgs/bf;gs/bf;gs:mpl=3/gs:mpl=2;gs/gs:mpl=3;\
                     bgs:mpl=3/bgs:mpl=2;bgs/bgs:mpl=3";

fn main() -> Result<(), Failed> {
    let settings = Settings::from_args()?;
    let log = read_trace(Input::open(&settings.log)?, &Options::default())?;
    let specs = settings.specs();
    let begun = Instant::now();
    let mut lines = Vec::new();
    println!("| workload | utilization of bf | {} |", specs.join(" | "));
    println!("|---:|---:|{}", "---:|".repeat(specs.len()));
    for workload in &settings.workloads {
        let runs: Vec<Run> = (1..=settings.seeds)
            .into_par_iter()
            .map(|seed| replication(&settings, &log, workload, &specs, seed))
            .collect::<Result<_, Failed>>()?;
        let mean = |of: &dyn Fn(&Run) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
        let means: Vec<String> = specs.iter().map(|spec| shown(mean(&|run| run.values[spec]))).collect();
        println!("| {workload} | {:.3} | {} |", mean(&|run| run.utilization), means.join(" | "));
        let ratios =
            settings.pairs.iter().map(|(a, b)| ratio(runs.iter().map(|run| run.values[a] / run.values[b])));
        lines.push(format!("| {workload} | {} |", ratios.collect::<Vec<_>>().join(" | ")));
    }
    let names: Vec<String> = settings.pairs.iter().map(|(a, b)| format!("{a} / {b}")).collect();
    println!("\n| workload | {} |", names.join(" | "));
    println!("|---:|{}\n{}", "---:|".repeat(names.len()), lines.join("\n"));
    println!("\n{:.0} s in all", begun.elapsed().as_secs_f64());
    Ok(())
}

/// The results of each policy on one log.
struct Run {
    values: BTreeMap<String, f64>,
    utilization: f64,
}

fn replication(
    settings: &Settings,
    log: &Trace,
    workload: &str,
    specs: &[String],
    seed: u64,
) -> Result<Run, Failed> {
    let registry = Registry::builtin();
    let model = models::find("zhang2000")?;
    let trace =
        model.generate_from(Some(log), settings.jobs, PROCS, seed, &[format!("workload={workload}")])?;
    let scenario = scenario(&trace, settings.costs, seed)?;
    let metrics =
        Catalogue::new(&scenario.machine, &[]).select(&format!("{},utilization", settings.metric))?;
    let options = MeasureOptions::default();
    let comparison = Comparison {
        scenario: &scenario,
        overrun: Overrun::default(),
        metrics: &metrics,
        classes: &[],
        options,
    };
    let measure = |spec: &str| -> Result<[f64; 2], Failed> {
        let compared = ComparedPolicy { policy: registry.choose(spec)?, clairvoyant: false };
        let outcome = comparison.replay(&compared, &|_| ())?;
        let measurement = Measurement::new(&scenario.workload, &scenario.machine, &outcome, options)?;
        let value = |at: usize| metrics[at].value(&measurement).ok_or("a metric has no value");
        Ok([value(0)?, value(1)?])
    };
    let utilization = measure("bf")?[1];
    let values =
        specs.iter().map(|spec| Ok((spec.clone(), measure(spec)?[0]))).collect::<Result<_, Failed>>()?;
    Ok(Run { values, utilization })
}

fn scenario(trace: &Trace, costs: Costs, seed: u64) -> Result<Scenario, Failed> {
    let reading = Reading { seed, ..Reading::default() };
    let mut findings = Findings::lenient();
    let machine = MachineChoice::default().machine(trace, &reading, &mut findings)?;
    let workload = Workload::read(trace, &machine, &reading, &mut findings, &mut Provenance::default())?;
    Ok(Scenario {
        workload: workload.into(),
        machine: machine.into(),
        order: EventOrder::default(),
        costs,
        stop: Stop::default(),
        budget: Budget::default(),
        seed,
    })
}

/// The geometric mean of ratios with its 95 % interval.
fn ratio(ratios: impl Iterator<Item = f64>) -> String {
    let logs: Vec<f64> = ratios.map(f64::ln).collect();
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    let margin = StudentsT::new(0.0, 1.0, count - 1.0).map_or(f64::NAN, |law| law.inverse_cdf(0.975) * error);
    let [mean, low, high] = [mean, mean - margin, mean + margin].map(f64::exp);
    format!("{mean:.2} [{low:.2}, {high:.2}]")
}

fn shown(value: f64) -> String {
    if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

struct Settings {
    log: String,
    jobs: u32,
    seeds: u64,
    workloads: Vec<String>,
    metric: String,
    costs: Costs,
    pairs: Vec<(String, String)>,
}

impl Settings {
    fn from_args() -> Result<Settings, Failed> {
        let given: Vec<String> = std::env::args().skip(1).collect();
        let log = given.iter().find(|arg| !arg.contains('=')).ok_or("which log? give its path")?.clone();
        let value = |key: &str, default: &str| {
            let of = |arg: &String| Some(arg.strip_prefix(key)?.strip_prefix('=')?.to_owned());
            given.iter().find_map(of).unwrap_or_else(|| default.to_owned())
        };
        let pair = |text: &str| {
            let (a, b) = text.split_once('/').ok_or_else(|| format!("`{text}` is no pair a/b"))?;
            Ok((a.trim().to_owned(), b.trim().to_owned()))
        };
        Ok(Settings {
            log,
            jobs: value("jobs", "10000").parse()?,
            seeds: value("seeds", "20").parse::<u64>()?.max(2),
            workloads: value("workloads", "0,2,4,6,8").split(',').map(str::to_owned).collect(),
            metric: value("metric", "mean_bsld"),
            costs: value("cost", "switch=0").parse()?,
            pairs: value("pairs", PAIRS).split(';').map(pair).collect::<Result<_, String>>()?,
        })
    }

    /// The policies of the pairs, each once.
    fn specs(&self) -> Vec<String> {
        let mut specs: Vec<String> = self.pairs.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
        specs.sort();
        specs.dedup();
        specs
    }
}
