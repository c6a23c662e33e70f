//! Cost of each carrier of policies: the same policies built in, as expressions, and as plug-ins, in one run.
//!
//! `cargo bench --bench carriers` replays KTH-SP2 if it is present, else the sample log, and prints medians; a carrier
//! whose tools are missing is reported. The bench asserts only that all carriers give the same schedule.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use batchlab::parsers::{Input, Options, read_trace};
use batchlab::policies::Registry;
use batchlab::replay::engine::{Run, Scenario, replay};
use batchlab::traces::reading::Overrun;
use batchlab::traces::{JobId, Machine, Reading, Time, Workload};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const LOGS: [&str; 2] = ["../shared/traces/KTH-SP2-1996-2.1-cln.swf.gz", "traces/data/lublin-128.swf.gz"];
const ROUNDS: usize = 7;

/// The forms of a policy: its name, and its spec for each carrier. `ABI` stands for the folder of the guests'
/// sources, `BUILT` for the folder of the compiled ones.
const POLICIES: [(&str, &[(&str, &str)]); 3] = [
    (
        "fcfs",
        &[
            ("built in", "fcfs"),
            ("wasm, written in WAT", "wasm:ABI/wat/fcfs.wat"),
            ("wasm, written in C", "wasm:BUILT/fcfs.wasm"),
            ("so, written in C", "so:BUILT/fcfs.so"),
            ("exec, Python", "exec:(python3 ABI/python/fcfs.py)"),
        ],
    ),
    (
        "easy",
        &[
            ("built in", "easy"),
            ("wasm, written in C", "wasm:BUILT/easy.wasm"),
            ("so, written in C", "so:BUILT/easy.so"),
            ("exec, Python", "exec:(python3 ABI/python/easy.py)"),
        ],
    ),
    (
        "easy:order=sjf",
        &[
            ("built in", "easy:order=sjf"),
            ("expr", "easy:order=expr(estimate)"),
            ("wasm, written in WAT", "easy:order=(wasm:ABI/wat/sjf.wat)"),
            ("wasm, written in C", "easy:order=(wasm:BUILT/sjf.wasm)"),
            ("so, written in C", "easy:order=(so:BUILT/sjf.so)"),
            ("exec, Python", "easy:order=(exec:(python3 ABI/python/sjf.py))"),
        ],
    ),
];

fn main() {
    let path = LOGS.map(|log| Path::new(ROOT).join(log)).into_iter().find(|path| path.exists()).unwrap();
    let scenario = scenario(&path);
    let built = tempfile::tempdir().unwrap();
    let script = Path::new(ROOT).join("policies/abi/c/make.sh");
    let made = Command::new(script).arg(built.path()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("(not all guests in C could be built here)\n");
    }
    let log = path.file_name().unwrap().to_string_lossy();
    println!("## One replay of {log} ({} jobs), median of {ROUNDS}\n", scenario.workload.len());
    println!("| policy | carrier | whole replay, ms | per decision, µs | to built in |");
    println!("|---|---|---:|---:|---:|");
    for (name, forms) in POLICIES {
        let specs = forms.iter().map(|(carrier, spec)| {
            let spec = spec.replace("ABI", &format!("{ROOT}/policies/abi"));
            (*carrier, spec.replace("BUILT", &built.path().to_string_lossy()))
        });
        measure(name, &scenario, &specs.collect::<Vec<_>>());
    }
}

/// Replays a policy in all its forms in turn, so that a slow phase of the machine affects all of them.
fn measure(name: &str, scenario: &Scenario, forms: &[(&str, String)]) {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); forms.len()];
    let mut schedule: Option<Vec<Time>> = None;
    let mut decisions = 1;
    for _ in 0..ROUNDS {
        for ((carrier, spec), times) in forms.iter().zip(&mut times) {
            let Some((time, starts, asked)) = once(scenario, spec) else { continue };
            times.push(time);
            decisions = asked;
            let expected = schedule.get_or_insert_with(|| starts.clone());
            assert!(*expected == starts, "{name} by {carrier} gives another schedule");
        }
    }
    let medians: Vec<Option<f64>> = times.into_iter().map(median).collect();
    for ((carrier, _), time) in forms.iter().zip(&medians) {
        let (Some(time), Some(base)) = (time, medians[0]) else {
            println!("| {name} | {carrier} | not at hand here | | |");
            continue;
        };
        let each = 1e6 * time / decisions as f64;
        println!("| {name} | {carrier} | {:.1} | {each:.2} | {:.2} |", 1e3 * time, time / base);
    }
}

fn once(scenario: &Scenario, spec: &str) -> Option<(Duration, Vec<Time>, u64)> {
    let chosen = Registry::builtin().allow_native().allow_exec().choose(spec).ok()?;
    let begun = Instant::now();
    let mut policy = chosen.build(&scenario.setting(Overrun::Raise)).unwrap();
    let done = replay(scenario, &chosen.canonical(), chosen.needs(), policy.as_mut(), Run::default());
    let (outcome, _) = done.unwrap();
    let time = begun.elapsed();
    let starts = (0..scenario.workload.len()).map(|job| outcome.start(JobId(job as u32))).collect();
    Some((time, starts, outcome.decisions))
}

fn median(mut times: Vec<Duration>) -> Option<f64> {
    times.sort();
    times.get(times.len() / 2).map(Duration::as_secs_f64)
}

fn scenario(path: &Path) -> Scenario {
    let mut trace = read_trace(Input::open(path.to_str().unwrap()).unwrap(), &Options::default()).unwrap();
    let mut findings = std::mem::take(&mut trace.findings);
    let reading = Reading::default();
    let procs = batchlab_traces::workload::machine_size(&trace, &reading, &mut findings).unwrap();
    let machine = Machine::pool(procs).unwrap();
    let mut provenance = trace.provenance.clone();
    let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    Scenario::new(machine, workload)
}
