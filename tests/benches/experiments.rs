//! Cost of running an experiment besides its replays: on one thread, on two, and in memory.
//!
//! `cargo bench --bench experiments` prints least and median times; it asserts nothing.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

mod median;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use batchlab::Registry;
use batchlab::metrics::{Catalogue, DIAGNOSTICS, MeasureOptions, Metric};
use batchlab::replay::comparison::{ComparedPolicy, Comparison};
use batchlab::replay::engine::Scenario;
use batchlab::traces::{Findings, Machine, Provenance, Reading, Workload, models};

use median::median;

const RUNS: usize = 15;
const REPLICATIONS: usize = 100;
const JOBS: u32 = 5000;
const METRICS: &str = "mean_wait,mean_bsld,p95_wait,utilization";

fn main() {
    let folder = std::env::temp_dir().join(format!("batchlab-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    beside_plain_replays(&folder);
    on_two_threads(&folder);
    memory(&folder);
    std::fs::remove_dir_all(folder).unwrap();
}

fn experiment(folder: &std::path::Path, replications: usize, jobs: u32) -> PathBuf {
    let file = folder.join(format!("e{replications}-{jobs}.toml"));
    let metrics: Vec<String> = METRICS.split(',').map(|metric| format!("\"{metric}\"")).collect();
    let text = format!(
        "[experiment]\nname = \"bench\"\nreplications = {replications}\n[measure]\nmetrics = [{}]\n[[workload]]\nmodel = \
         \"lublin\"\njobs = {jobs}\nprocs = 128\nset = {{ load = \"1.4\", estimates = \"phi:0.2\" }}\n[[policy]]\nspec = \
         \"easy\"\n[[policy]]\nspec = \"conservative\"\n",
        metrics.join(", ")
    );
    std::fs::write(&file, text).unwrap();
    file
}

/// The same jobs drawn, replayed and measured in a loop, without a plan, keys, a journal or tables.
fn plain(with_diagnostics: bool) -> f64 {
    let registry = Registry::builtin();
    let model = models::find("lublin").unwrap();
    let begin = Instant::now();
    for seed in 0..REPLICATIONS as u64 {
        let trace = model.generate(JOBS, 128, seed, &["load=1.4", "estimates=phi:0.2"]).unwrap();
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let machine = Machine::pool(128).unwrap();
        let reading = Reading::default();
        let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
        let scenario = Scenario { seed, ..Scenario::new(machine, workload) };
        let catalogue = Catalogue::of(registry.metrics(), &scenario.machine, &[]);
        let mut metrics: Vec<Metric> = catalogue.select(METRICS).unwrap();
        if with_diagnostics {
            metrics.extend(catalogue.select(&DIAGNOSTICS.join(",")).unwrap());
        }
        let comparison = Comparison {
            scenario: &scenario,
            policies: registry.policies(),
            overrun: reading.overrun,
            metrics: &metrics,
            classes: &[],
            options: MeasureOptions::default(),
        };
        let policy = |spec| ComparedPolicy { policy: registry.choose(spec).unwrap(), clairvoyant: false };
        for compared in [policy("easy"), policy("conservative")] {
            let rows = comparison.run::<batchlab::replay::comparison::ComparisonError>(
                &[compared],
                &|_, _| (),
                &|_, _| Ok(()),
            );
            std::hint::black_box(rows.unwrap().pop().unwrap().unwrap());
        }
    }
    begin.elapsed().as_secs_f64()
}

fn beside_plain_replays(folder: &std::path::Path) {
    let file = experiment(folder, REPLICATIONS, JOBS);
    plain(false);
    let mut runs: Vec<[f64; 3]> = Vec::new();
    for run in 0..RUNS {
        let whole = || run_it(&file, &folder.join(format!("one-{run}")), &["--threads", "1"]);
        let ways: [&dyn Fn() -> f64; 3] = [&|| plain(false), &|| plain(true), &whole];
        // Each way is first, second and third in turn: the preceding work affects the clock of a core.
        let mut seconds = [0.0; 3];
        for at in (0..3).map(|at| (at + run) % 3) {
            seconds[at] = ways[at]();
        }
        runs.push(seconds);
    }
    // Other load on the machine only adds time: the least time is nearest to the work itself.
    let column = |at: usize| runs.iter().map(|run| run[at]).fold(f64::INFINITY, f64::min);
    let over = |one: usize, other: usize| 100.0 * (column(one) / column(other) - 1.0);
    println!("## {} replays of {JOBS} jobs on one thread, the least of {RUNS} runs\n", 2 * REPLICATIONS);
    println!("| a loop without an experiment | with the diagnostics | `batchlab run` |\n|---:|---:|---:|");
    println!("| {:.2} s | {:.2} s | {:.2} s |", column(0), column(1), column(2));
    println!("\nThe diagnostics add {:.1} %, and all else that `run` does {:.1} %.", over(1, 0), over(2, 1));
}

/// Compares one process with two threads to two simultaneous processes with one thread each.
fn on_two_threads(folder: &std::path::Path) {
    let file = experiment(folder, REPLICATIONS, JOBS);
    let mut runs: Vec<[f64; 3]> = Vec::new();
    for run in 0..RUNS {
        let out = |name: &str| folder.join(format!("{name}-{run}"));
        let one = run_it(&file, &out("single"), &["--threads", "1"]);
        let two = run_it(&file, &out("threads"), &["--threads", "2"]);
        let begin = Instant::now();
        let shards = ["1/2", "2/2"].map(|shard| {
            let out = out(&format!("shard-{}", &shard[..1]));
            command(&file, &out, &["--threads", "1", "--shard", shard]).spawn().unwrap()
        });
        for mut shard in shards {
            assert!(shard.wait().unwrap().success());
        }
        runs.push([one, two, begin.elapsed().as_secs_f64()]);
    }
    let speed_up = |at: usize| median(runs.iter().map(|run| run[0] / run[at]).collect());
    let share = median(runs.iter().map(|run| run[2] / run[1]).collect());
    println!("\n## The same on two cores, medians of {RUNS} runs\n");
    println!("| speed-up of two threads | of two processes | threads / processes |\n|---:|---:|---:|");
    println!("| {:.2} | {:.2} | {share:.2} |", speed_up(1), speed_up(2));
}

fn memory(folder: &std::path::Path) {
    println!("\n## Peak resident memory of `batchlab run --threads 2`, replays of 500 jobs\n");
    println!("| replays | peak MiB |\n|---:|---:|");
    for replications in [20, 200, 2000] {
        let file = experiment(folder, replications, 500);
        let mut timed = Command::new("/usr/bin/time");
        timed.arg("-v").arg(env!("CARGO_BIN_EXE_batchlab")).arg("run").arg(&file).args([
            "-q",
            "--threads",
            "2",
        ]);
        let done = timed.arg("--out").arg(folder.join(format!("memory-{replications}"))).output();
        let Ok(done) = done else { return println!("/usr/bin/time is not at hand") };
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let line = text.lines().find(|line| line.contains("Maximum resident set size")).unwrap();
        let kib: f64 = line.rsplit(' ').next().unwrap().parse().unwrap();
        println!("| {} | {:.0} |", 2 * replications, kib / 1024.0);
    }
}

fn run_it(file: &std::path::Path, out: &std::path::Path, options: &[&str]) -> f64 {
    let begin = Instant::now();
    assert!(command(file, out, options).status().unwrap().success());
    begin.elapsed().as_secs_f64()
}

fn command(file: &std::path::Path, out: &std::path::Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_batchlab"));
    command.arg("run").arg(file).arg("--out").arg(out).arg("-q").args(options);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}
