//! Cost of further resources: the EASY family with K = 1, 2 and 4 on a real log, in one run.
//!
//! `cargo bench --bench kinds` prints medians; it asserts nothing.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

mod median;

use std::path::Path;
use std::time::Instant;

use batchlab::Registry;
use batchlab::parsers::{Input, Options, read_trace};
use batchlab::replay::engine::{Run, Scenario, replay};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Reading, Workload};

use median::median;

const LOG: &str = "SDSC-BLUE-2000-derived";
const KINDS: [usize; 3] = [1, 2, 4];

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../shared/traces/{LOG}.swf.gz"));
    if !path.exists() {
        println!("{LOG} is not at hand");
        return;
    }
    let scenarios = KINDS.map(|kinds| scenario(&path, kinds));
    println!("## ns/job inside the engine with K resources, {LOG}, median of 9\n");
    println!("| policy | K = 1 | K = 2 | K = 4 | K = 4 to K = 1 | mean wait, K = 1, 4, s |");
    println!("|---|---:|---:|---:|---:|---:|");
    for spec in ["easy", "ff-easy", "bl-easy", "bb-easy"] {
        // The numbers of resources are timed in turn, so that a slow phase of the machine affects all of them.
        let mut times = KINDS.map(|_| Vec::new());
        let mut waits = [0.0; KINDS.len()];
        for _ in 0..9 {
            for ((scenario, times), wait) in scenarios.iter().zip(&mut times).zip(&mut waits) {
                let (time, mean_wait) = run(scenario, spec);
                times.push(time / scenario.workload.len() as f64 * 1e9);
                *wait = mean_wait;
            }
        }
        let [one, two, four] = times.map(median);
        println!(
            "| {spec} | {one:.0} | {two:.0} | {four:.0} | {:.2} | {:.0}, {:.0} |",
            four / one,
            waits[0],
            waits[2]
        );
    }
}

/// The log on its machine, with further resources. Each job demands a share between a quarter and seven
/// quarters of its share of the processors, determined by the job's number only.
fn scenario(path: &Path, kinds: usize) -> Scenario {
    let mut trace = read_trace(Input::open(path.to_str().unwrap()).unwrap(), &Options::default()).unwrap();
    let mut findings = std::mem::take(&mut trace.findings);
    let reading = Reading::default();
    let procs = batchlab_traces::workload::machine_size(&trace, &reading, &mut findings).unwrap();
    let pool = Machine::pool(procs).unwrap();
    let mut provenance = trace.provenance.clone();
    let log = Workload::read(&trace, &pool, &reading, &mut findings, &mut provenance).unwrap();
    let capacity = procs * 8;
    let demand = |job: JobId, kind: usize| {
        let procs = log.procs(job);
        if kind == 0 {
            return procs;
        }
        let drawn = (u64::from(job.0) * 4 + kind as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        (procs * (2 + (drawn % 13) as i64)).min(capacity)
    };
    let jobs: Vec<PlainJob> = log
        .jobs()
        .map(|job| PlainJob {
            submit: log.submit(job),
            run: log.run(job),
            estimate: log.estimate(job),
            demand: (0..kinds).map(|kind| demand(job, kind)).collect(),
            user: 1,
            partition: -1,
        })
        .collect();
    let resource = |kind: usize| match kind {
        0 => processors(),
        _ => Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space },
    };
    let amounts = (0..kinds).map(|kind| if kind == 0 { procs } else { capacity }).collect();
    let machine = Machine::new((0..kinds).map(resource).collect(), &[amounts]).unwrap();
    Scenario::new(machine, Workload::from_jobs(&jobs))
}

/// Returns the seconds and the mean wait.
fn run(scenario: &Scenario, spec: &str) -> (f64, f64) {
    let chosen = Registry::builtin().choose(spec).unwrap();
    let mut policy = chosen.build(&scenario.setting(Overrun::Raise)).unwrap();
    let begin = Instant::now();
    let (outcome, _) = replay(scenario, spec, chosen.needs(), policy.as_mut(), Run::default()).unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    let jobs = &scenario.workload;
    let waits: f64 = jobs.jobs().map(|job| (outcome.start(job) - jobs.submit(job)).secs()).sum();
    (seconds, waits / jobs.len() as f64)
}
