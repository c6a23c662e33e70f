//! Reruns the synthetic experiment of Leinberger, Karypis and Kumar 1999: gains in response over
//! FCFS/FF-EASY.
//!
//! `cargo run --release --example leinberger99 -- [jobs=10000] [replications=10] [k=2,4,8] [v=0.01,0.1,1.0]
//! [queue=32,64,128] [model=feitelson96] [clip=redraw] [on=draw]`
//!
//! Sizes and run times are the model's for 128 processors, without repetitions. One step draws K requirements
//! for each job (section 4.1), the processors being one of them; another draws Poisson arrivals at the rate
//! at which FF-EASY has the given mean queue length, determined on other sequences of gaps than the evaluated
//! ones. All policies of a replication replay the same log; estimates are exact.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use batchlab::Registry;
use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::Stop;
use batchlab::policies::Costs;
use batchlab::replay::calibration;
use batchlab::replay::comparison::{ComparedPolicy, Comparison};
use batchlab::replay::engine::{Budget, EventOrder, Scenario};
use batchlab::traces::machine::MachineChoice;
use batchlab::traces::reading::Overrun;
use batchlab::traces::shape::{Context, Steps, Target};
use batchlab::traces::{Findings, Provenance, Reading, Trace, Workload, models};
use rayon::prelude::*;

type Failed = Box<dyn Error + Send + Sync>;

const BASE: &str = "ff-easy";
const POLICIES: [&str; 8] = [
    "bb-easy",
    "bb-easy:fullness=off",
    "bl-easy",
    "bl-easy:miss=ff",
    "bl-easy:miss=stop",
    "bl-easy:fullness=among-matches",
    "bl-easy:w=63",
    "ff-cons",
];
const METRICS: [&str; 3] = ["mean_response", "weighted_response", "mean_queue_length"];

fn main() -> Result<(), Failed> {
    let settings = Settings::from_args()?;
    println!("| K | v | queue | reached | response of ff-easy | {} |", POLICIES.join(" | "));
    println!("|---:|---:|---:|---:|---:|{}", "---:|".repeat(POLICIES.len()));
    let mut weighted = Vec::new();
    for v in &settings.v {
        for k in &settings.k {
            for queue in &settings.queue {
                let runs: Vec<Vec<[f64; 3]>> = (1..=settings.replications)
                    .into_par_iter()
                    .map(|seed| replication(&settings, k, v, queue, seed))
                    .collect::<Result<_, Failed>>()?;
                let of_base = |metric: usize| {
                    let (mean, error) = mean(runs.iter().map(|run| run[0][metric]));
                    format!("{mean:.1} ± {error:.1}")
                };
                let gains = |metric: usize| {
                    let of = |policy: usize| {
                        let gain = |run: &Vec<[f64; 3]>| 100.0 * (1.0 - run[policy][metric] / run[0][metric]);
                        let (mean, error) = mean(runs.iter().map(gain));
                        format!("{mean:.1} ± {error:.1}")
                    };
                    (1..=POLICIES.len()).map(of).collect::<Vec<_>>().join(" | ")
                };
                println!("| {k} | {v} | {queue} | {} | {} | {} |", of_base(2), of_base(0), gains(0));
                weighted.push(format!("| {k} | {v} | {queue} | {} |", gains(1)));
            }
        }
    }
    println!("\nWeighted response:\n\n| K | v | queue | {} |", POLICIES.join(" | "));
    println!("|---:|---:|---:|{}\n{}", "---:|".repeat(POLICIES.len()), weighted.join("\n"));
    Ok(())
}

/// Replays one log under each policy, the base first; returns a value per metric.
fn replication(
    settings: &Settings,
    k: &str,
    v: &str,
    queue: &str,
    seed: u64,
) -> Result<Vec<[f64; 3]>, Failed> {
    let registry = Registry::builtin();
    let Settings { jobs, model, clip, on, .. } = settings;
    let trace = models::find(model)?.generate(*jobs, 128, seed, &["repeats=off"])?;
    let steps = format!(
        "[[step]]\nkind = \"resource\"\nlaw = \"leinberger\"\nname = \"r\"\ncount = {k}\nv = {v}\nclip = \"{clip}\"\n\
         on = \"{on}\"\n[[step]]\nkind = \"arrivals\"\nqueue = {queue}\npolicy = \"{BASE}\"\n"
    );
    let measure = |trace: &Trace, target: &Target| {
        let scenario = scenario(trace, seed).map_err(|error| error.to_string())?;
        calibration::measure(&registry, &scenario, Overrun::default(), target)
    };
    let log = |name: &str| Err(format!("no log {name}"));
    let shaped =
        Steps::parse(&steps, "steps")?.apply(trace, &Context { seed, log: &log, measure: &measure })?;
    let scenario = scenario(&shaped.logs[0].trace, seed)?;
    let metrics = Catalogue::new(&scenario.machine, &[]).select(&METRICS.join(","))?;
    let options = MeasureOptions::default();
    let comparison = Comparison {
        scenario: &scenario,
        overrun: Overrun::default(),
        metrics: &metrics,
        classes: &[],
        options,
    };
    let values = |spec: &&str| {
        let compared = ComparedPolicy { policy: registry.choose(spec)?, clairvoyant: false };
        let outcome = comparison.replay(&compared, &|_| ())?;
        let measurement = Measurement::new(&scenario.workload, &scenario.machine, &outcome, options)?;
        let mut values = [f64::NAN; METRICS.len()];
        for (value, metric) in values.iter_mut().zip(&metrics) {
            *value = metric.value(&measurement).ok_or_else(|| format!("no {}", metric.key()))?;
        }
        Ok(values)
    };
    std::iter::once(&BASE).chain(&POLICIES).map(values).collect()
}

fn scenario(trace: &Trace, seed: u64) -> Result<Scenario, Failed> {
    let reading = Reading { seed, ..Reading::default() };
    let mut findings = Findings::lenient();
    let machine = MachineChoice::default().machine(trace, &reading, &mut findings)?;
    let workload = Workload::read(trace, &machine, &reading, &mut findings, &mut Provenance::default())?;
    Ok(Scenario {
        workload: workload.into(),
        machine: machine.into(),
        order: EventOrder::default(),
        costs: Costs::default(),
        stop: Stop::default(),
        budget: Budget::default(),
        seed,
    })
}

/// The mean with its standard error.
fn mean(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

struct Settings {
    jobs: u32,
    replications: u64,
    k: Vec<String>,
    v: Vec<String>,
    queue: Vec<String>,
    model: String,
    clip: String,
    on: String,
}

impl Settings {
    fn from_args() -> Result<Settings, Failed> {
        let given: Vec<String> = std::env::args().skip(1).collect();
        let value = |key: &str, default: &str| {
            let of = |arg: &String| Some(arg.strip_prefix(key)?.strip_prefix('=')?.to_owned());
            given.iter().find_map(of).unwrap_or_else(|| default.to_owned())
        };
        let list = |key, default| value(key, default).split(',').map(str::to_owned).collect();
        Ok(Settings {
            jobs: value("jobs", "10000").parse()?,
            replications: value("replications", "10").parse()?,
            k: list("k", "2,4,8"),
            v: list("v", "0.01,0.1,1.0"),
            queue: list("queue", "32,64,128"),
            model: value("model", "feitelson96"),
            clip: value("clip", "redraw"),
            on: value("on", "draw"),
        })
    }
}
