//! Growth of the time of every policy with the length of an overloaded log.
//!
//! `cargo bench --bench scale [-- NAME…]` replays 5, 10, 20 and 40 thousand jobs of the lublin model at a load of 8 under each
//! policy of `list policies` (or those whose spec contains a NAME), once with exact estimates and once with estimates of four
//! times the run time. About all jobs of a log wait at its end, so an exponent of 1 is a constant cost for each job, and 2 is
//! a cost that grows with the queue. The baseline is FCFS on the longest log that the policy got to, replayed in the same run.
//! A policy is left out of longer logs after [`PATIENCE`]. The bench asserts nothing.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its table and stops at surprises"
)]
use batchlab::replay::engine::{Run, Scenario, replay};
use batchlab::traces::limits::LimitFile;
use batchlab::traces::reading::{Estimate, Overrun};
use batchlab::traces::{Findings, Machine, Provenance, Reading, Trace, Workload, models};
use batchlab::{Outcome, Registry};
use std::time::{Duration, Instant};

/// Jobs of the logs.
const JOBS: [u32; 4] = [5_000, 10_000, 20_000, 40_000];

/// A policy is left out of a log for which it would take longer than this if its time grew with the square of the jobs.
const PATIENCE: Duration = Duration::from_secs(20);

/// Specs in the place of a name that needs settings or behaves differently under others.
const SPECS: [(&str, &[&str]); 6] = [
    (
        "easy",
        &[
            "easy",
            "easy:candidates=sjf",
            "easy:order=wfp3",
            "easy:order=unicef",
            "easy:order=expr(-wait/estimate)",
        ],
    ),
    ("conservative", &["conservative", "conservative:variant=fixed", "conservative:variant=replan"]),
    ("depth", &["depth:k=8"]),
    ("dhc", &["dhc:memory=off"]),
    ("limits", &["limits:user-jobs=20", "limits:policy=conservative,user-jobs=20"]),
    ("fcfs", &["fcfs", "fcfs:order=fairshare"]),
];

/// Policies that are timed within limits, too.
const LIMITED: [&str; 10] = [
    "fcfs",
    "first-fit",
    "easy",
    "depth:k=8",
    "conservative",
    "conservative:variant=fixed",
    "conservative:variant=replan",
    "lookahead",
    "selective",
    "bkfl",
];

/// Limits on running jobs, each with its name in the table: of each user, and of all users together.
const LIMITS: [(&str, &str); 4] = [
    ("1 running job a user", "[[limit]]\nuser = \"*\"\nrunning_jobs = 1\n"),
    ("128 procs a user", "[[limit]]\nuser = \"*\"\nprocs = 128\n"),
    ("8 running jobs", "[[limit]]\nrunning_jobs = 8\n"),
    ("1500 node hours", "[[limit]]\nnode_hours = 1500\n"),
];

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    println!(
        "| policy | estimates | {} | exponent | times FCFS | decisions |",
        JOBS.map(|jobs| format!("{jobs} jobs, s")).join(" | ")
    );
    println!("|---|---|{}---:|---:|---:|", "---:|".repeat(JOBS.len()));
    let traces = JOBS.map(|jobs| {
        models::find("lublin").unwrap().generate(jobs, 128, 5, &["load=1.3", "users=50"]).unwrap()
    });
    let estimates = [("exact", Estimate::Actual), ("factor:4", Estimate::Factor(4.0))];
    let sizes = estimates.map(|(name, estimate)| {
        (name, traces.iter().map(|trace| scenario(trace, estimate)).collect::<Vec<Scenario>>())
    });
    let baselines =
        sizes.each_ref().map(|(_, scenarios)| scenarios.iter().map(baseline).collect::<Vec<f64>>());
    for spec in specs()
        .iter()
        .filter(|spec| names.is_empty() || names.iter().any(|name| spec.contains(name.as_str())))
    {
        for ((estimates, scenarios), baselines) in sizes.iter().zip(&baselines) {
            println!("{}", row((spec, spec), estimates, scenarios, baselines));
        }
    }
    let is_meant = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    for (spec, (limit, file)) in LIMITED.iter().flat_map(|spec| LIMITS.map(|limit| (spec, limit))) {
        let name = format!("{spec} within {limit}");
        for ((estimates, scenarios), baselines) in sizes.iter().zip(&baselines).filter(|_| is_meant(&name)) {
            let within: Vec<Scenario> = scenarios.iter().map(|scenario| limited(scenario, file)).collect();
            println!("{}", row((&name, spec), estimates, &within, baselines));
        }
    }
}

/// Returns a scenario within limits.
fn limited(scenario: &Scenario, file: &str) -> Scenario {
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let (jobs, file) = (Workload::clone(&scenario.workload), LimitFile::parse(file, "limits.toml").unwrap());
    let applied =
        file.apply(jobs, &Trace::default(), &scenario.machine, &mut findings, &mut provenance).unwrap();
    Scenario { workload: applied.0.into(), limits: Some(applied.1.into()), ..scenario.clone() }
}

/// Returns the specs that are timed: every policy of the registry.
fn specs() -> Vec<String> {
    let registry = Registry::builtin();
    let of = |name: &str| {
        SPECS.iter().find(|(known, _)| *known == name).map_or_else(
            || vec![name.to_owned()],
            |(_, specs)| specs.iter().map(|&spec| spec.to_owned()).collect(),
        )
    };
    registry.policies().specs().iter().flat_map(|spec| of(spec.name)).collect()
}

/// Returns the least time of five replays under FCFS, in seconds.
fn baseline(scenario: &Scenario) -> f64 {
    let seconds = |_| {
        let begin = Instant::now();
        run(scenario, "fcfs").unwrap();
        begin.elapsed().as_secs_f64()
    };
    (0..5).map(seconds).fold(f64::INFINITY, f64::min)
}

/// Replays the logs in their order, and returns the row of the table.
fn row((name, spec): (&str, &str), estimates: &str, scenarios: &[Scenario], baselines: &[f64]) -> String {
    let mut timed: Vec<(f64, f64, u64)> = Vec::new();
    for scenario in scenarios {
        let jobs = scenario.workload.len() as f64;
        if timed.last().is_some_and(|(of, took, _)| took * (jobs / of).powi(2) > PATIENCE.as_secs_f64()) {
            break;
        }
        let begin = Instant::now();
        match run(scenario, spec) {
            Ok(outcome) => timed.push((jobs, begin.elapsed().as_secs_f64(), outcome.decisions)),
            Err(error) => return format!("| {name} | {estimates} | declined: {error} |"),
        }
    }
    let cell = |index: usize| {
        timed.get(index).map_or_else(|| "left out".into(), |(_, took, _)| format!("{took:.3}"))
    };
    let cells: Vec<String> = (0..scenarios.len()).map(cell).collect();
    let exponent = match &timed[..] {
        [.., before, last] => format!("{:.2}", (last.1 / before.1).ln() / (last.0 / before.0).ln()),
        _ => String::new(),
    };
    let ratio = timed.last().zip(baselines.get(timed.len() - 1)).map_or(0.0, |(last, fcfs)| last.1 / fcfs);
    let decisions = timed.last().map_or(0, |(_, _, decisions)| *decisions);
    format!("| {name} | {estimates} | {} | {exponent} | {ratio:.0} | {decisions} |", cells.join(" | "))
}

fn run(scenario: &Scenario, spec: &str) -> Result<Outcome, String> {
    let chosen = Registry::builtin().choose(spec).map_err(|error| error.to_string())?;
    let mut policy = chosen.build(&scenario.setting(Overrun::Raise)).map_err(|error| error.to_string())?;
    let replayed = replay(scenario, spec, chosen.needs(), policy.as_mut(), Run::default());
    replayed.map(|(outcome, _)| outcome).map_err(|error| error.to_string())
}

fn scenario(trace: &Trace, estimate: Estimate) -> Scenario {
    let reading = Reading { estimate, load: 6.0, ..Reading::default() };
    let (mut findings, mut provenance) = (trace.findings.clone(), trace.provenance.clone());
    let machine = Machine::pool(128).unwrap();
    let workload = Workload::read(trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    Scenario::new(machine, workload)
}
