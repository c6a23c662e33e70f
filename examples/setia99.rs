//! Reruns the simulations of Setia, Squillante and Naik 1999, comparing directions of effects: distributed
//! hierarchical control under memory limits, with long-term scheduling.
//!
//! `cargo run --release --example setia99 -- LOG.swf.gz [windows=20] [procs=1152,1024,896,768]
//! [memory=32MB,64MB] [interactive=queue=1] [stop=all] [paper=false] [tl=3h]`
//!
//! The log is cut into windows of equal numbers of jobs, each a replication that starts on an empty machine.
//! Jobs without memory are left out. R is the mean response, U the mean of response / run time (without runs
//! of 0), both for the interactive jobs and for all jobs. A ratio is a geometric mean over windows with its
//! 95 % interval (Student t on paired logarithms): below 1, the first is better. `stop=last-interactive` is
//! the paper's rule of termination.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use batchlab::Registry;
use batchlab::metrics::{Catalogue, ClassPreset, MeasureOptions, Measurement};
use batchlab::outcome::StopRule;
use batchlab::parsers::{Input, Options, read_trace};
use batchlab::policies::Costs;
use batchlab::replay::comparison::{ComparedPolicy, Comparison};
use batchlab::replay::engine::{Budget, EventOrder, Scenario};
use batchlab::traces::machine::{Capacity, MachineChoice};
use batchlab::traces::reading::Overrun;
use batchlab::traces::shape::{Context, Steps};
use batchlab::traces::{Findings, Provenance, Reading, Trace, Workload};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};

type Failed = Box<dyn Error + Send + Sync>;

/// Configurations by name, with their policies.
const SPECS: [(&str, &str); 8] = [
    ("base", "dhc"),
    ("smf", "dhc:order=smf"),
    ("d=1", "dhc:d=1"),
    ("d=3", "dhc:d=3"),
    ("d=5", "dhc:d=5"),
    ("b=1", "dhc:b=1"),
    ("b=1,smf", "dhc:order=smf,b=1"),
    ("b=1,tl", "dhc:b=1,tl=3h"),
];
const METRICS: [&str; 2] = ["mean_response", "mean_slowdown"];

/// Values by configuration and memory: R and U of all jobs, R and U of the interactive jobs.
type Values = BTreeMap<(&'static str, String), [f64; 4]>;

fn main() -> Result<(), Failed> {
    let settings = Settings::from_args()?;
    let log = read_trace(Input::open(&settings.log)?, &Options::default())?;
    let windows = settings.windows(log)?;
    let begun = Instant::now();
    println!("| P | offered load | configuration | M | R | U | R interactive | U interactive |");
    println!("|---:|---:|---|---:|---:|---:|---:|---:|");
    let mut ratios = Vec::new();
    for &procs in &settings.procs {
        let runs: Vec<(f64, Values)> = windows
            .par_iter()
            .map(|window| settings.replication(window, procs))
            .collect::<Result<_, Failed>>()?;
        let mean = |of: &dyn Fn(&(f64, Values)) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
        for (name, _) in SPECS {
            for memory in &settings.memory {
                let key = (name, memory.clone());
                let cells = [0, 1, 2, 3].map(|at| format!("{:.1}", mean(&|run| run.1[&key][at])));
                println!(
                    "| {procs} | {:.2} | {name} | {memory} | {} |",
                    mean(&|run| run.0),
                    cells.join(" | ")
                );
            }
        }
        ratios.extend(settings.ratios(procs, &runs));
    }
    println!("\n| P | ratio | R | U | R interactive | U interactive |\n|---:|---|---:|---:|---:|---:|");
    println!("{}\n\n{:.0} s in all", ratios.join("\n"), begun.elapsed().as_secs_f64());
    Ok(())
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

struct Settings {
    log: String,
    windows: usize,
    procs: Vec<i64>,
    memory: Vec<String>,
    interactive: String,
    stop: String,
}

impl Settings {
    fn from_args() -> Result<Settings, Failed> {
        let given: Vec<String> = std::env::args().skip(1).collect();
        let log = given.iter().find(|arg| !arg.contains('=')).ok_or("which log? give its path")?.clone();
        let value = |key: &str, default: &str| {
            let of = |arg: &String| Some(arg.strip_prefix(key)?.strip_prefix('=')?.to_owned());
            given.iter().find_map(of).unwrap_or_else(|| default.to_owned())
        };
        let list = |key, default| value(key, default).split(',').map(str::to_owned).collect::<Vec<_>>();
        Ok(Settings {
            log,
            windows: value("windows", "20").parse::<usize>()?.max(2),
            procs: list("procs", "1152,1024,896,768")
                .iter()
                .map(|text| text.parse())
                .collect::<Result<_, _>>()?,
            memory: list("memory", "32MB,64MB"),
            interactive: value("interactive", "queue = 1"),
            stop: value("stop", "all"),
        })
    }

    /// Cuts the log into windows of equal numbers of jobs.
    fn windows(&self, log: Trace) -> Result<Vec<Trace>, Failed> {
        let none = |_: &str| Err("no log".to_owned());
        let measure = |_: &Trace, _: &_| Err("nothing is calibrated".to_owned());
        let context = Context { seed: 1, log: &none, measure: &measure };
        let apply = |log: Trace, steps: String| -> Result<Trace, Failed> {
            let shaped = Steps::parse(&steps, "steps")?.apply(log, &context)?;
            Ok(shaped.logs.into_iter().next().ok_or("no log is left")?.trace)
        };
        let told =
            apply(log, "[[step]]\nkind = \"filter\"\nkeep = \"known(memory) and known(procs)\"\n".into())?;
        let length = told.len() / self.windows;
        let window = |index: usize| {
            let from = index * length + 1;
            apply(told.clone(), format!("[[step]]\nkind = \"window\"\njobs = [{from}, {length}]\n"))
        };
        (0..self.windows).map(window).collect()
    }

    /// Returns the offered load of a window, and the values of each configuration.
    fn replication(&self, window: &Trace, procs: i64) -> Result<(f64, Values), Failed> {
        let mut values = Values::new();
        let mut load = f64::NAN;
        for memory in &self.memory {
            let scenario = self.scenario(window, procs, memory)?;
            let metrics = Catalogue::new(&scenario.machine, &[]).select(&METRICS.join(","))?;
            let options = MeasureOptions::default();
            let classes = (ClassPreset::find("interactive")?.classes)();
            let comparison = Comparison {
                scenario: &scenario,
                overrun: Overrun::default(),
                metrics: &metrics,
                classes: &[],
                options,
            };
            for (name, spec) in SPECS {
                let compared =
                    ComparedPolicy { policy: Registry::builtin().choose(spec)?, clairvoyant: false };
                let outcome = comparison.replay(&compared, &|_| ())?;
                let all = Measurement::new(&scenario.workload, &scenario.machine, &outcome, options)?;
                let interactive = all.of_class(&classes[0]);
                let value = |of: &Measurement<'_>, at: usize| metrics[at].value(of).unwrap_or(f64::NAN);
                let cells = [value(&all, 0), value(&all, 1), value(&interactive, 0), value(&interactive, 1)];
                values.insert((name, memory.clone()), cells);
            }
            let offered = Catalogue::new(&scenario.machine, &[]).select("offered_load")?;
            let outcome = comparison.replay(
                &ComparedPolicy { policy: Registry::builtin().choose("fcfs")?, clairvoyant: false },
                &|_| (),
            )?;
            let measurement = Measurement::new(&scenario.workload, &scenario.machine, &outcome, options)?;
            load = offered[0].value(&measurement).unwrap_or(f64::NAN);
        }
        Ok((load, values))
    }

    fn scenario(&self, trace: &Trace, procs: i64, memory: &str) -> Result<Scenario, Failed> {
        let reading = Reading::default();
        let mut findings = Findings::lenient();
        let capacities = vec![("memory".to_owned(), Capacity::Of(memory.parse()?))];
        let nodes = Some(usize::try_from(procs)?);
        let choice = MachineChoice { procs: Some(procs), nodes, capacities, ..MachineChoice::default() };
        let machine = choice.machine(trace, &reading, &mut findings)?;
        let workload = Workload::read(trace, &machine, &reading, &mut findings, &mut Provenance::default())?;
        let workload = workload.with_interactive(&self.interactive.parse()?, &machine)?;
        let stop = self.stop.parse::<StopRule>()?.of(&workload, &machine)?;
        Ok(Scenario {
            workload: Arc::new(workload),
            machine: machine.into(),
            order: EventOrder::default(),
            costs: Costs::default(),
            stop,
            budget: Budget::default(),
            seed: 1,
        })
    }

    /// The comparisons: memory within each configuration, and configurations within each memory.
    fn ratios(&self, procs: i64, runs: &[(f64, Values)]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = |title: String, a: &(&'static str, String), b: &(&'static str, String)| {
            let cells =
                [0, 1, 2, 3].map(|at| ratio(runs.iter().map(|(_, values)| values[a][at] / values[b][at])));
            lines.push(format!("| {procs} | {title} | {} |", cells.join(" | ")));
        };
        if let [small, large] = &self.memory[..] {
            for (name, _) in SPECS {
                line(format!("{name}: {small} / {large}"), &(name, small.clone()), &(name, large.clone()));
            }
        }
        for memory in &self.memory {
            let pairs = [
                ("smf", "base"),
                ("d=1", "base"),
                ("d=3", "d=5"),
                ("b=1", "base"),
                ("b=1,smf", "base"),
                ("b=1,tl", "b=1"),
            ];
            for (a, b) in pairs {
                line(format!("{memory}: {a} / {b}"), &(a, memory.clone()), &(b, memory.clone()));
            }
        }
        lines
    }
}
