//! What the Slurm twin costs as machines and queues grow: the CPU time of whole replays, beside EASY in the same run, and of forecasts
//! at an instant.
//!
//! `cargo bench --bench slurm` prints seconds; it asserts nothing. `waiting` is the mean number of waiting jobs under the twin, or
//! their number at the instant. With `-- --against FILE`, another program foretells the same in turns, and has to print the same.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const JOBS: u32 = 10_000;

const PROCS: u32 = 16;

const NODES: [u32; 3] = [50, 500, 5000];

/// Factors on the load of the model: a machine that is nearly full, and one with more work than it can do.
const LOADS: [u32; 2] = [36, 50];

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--against").skip(1);
    let other = arguments.next();
    if other.is_none() {
        print_replays();
    }
    print_forecasts(other.as_deref());
}

fn print_replays() {
    println!("## CPU seconds of the Slurm twin, {JOBS} jobs of the lublin model\n");
    println!("| nodes | load | waiting | easy | slurm | ms/job | peak MB |");
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for load in LOADS {
        for nodes in NODES {
            let (log, conf) = (log(nodes, load), configuration(nodes));
            let easy = replay(&["--policy", "easy"], &log);
            let slurm = replay(&["--slurm", &conf], &log);
            let ms = slurm.seconds * 1000.0 / f64::from(JOBS);
            println!(
                "| {nodes} | {load} | {:.0} | {:.2} | {:.2} | {ms:.2} | {:.0} |",
                slurm.waiting, easy.seconds, slurm.seconds, slurm.peak
            );
        }
    }
}

/// Prints what forecasts take under the twin, under EASY, and by another program.
fn print_forecasts(other: Option<&str>) {
    let at = format!("at {INSTANT} s of the log with load {}, {DRAWS} draws", LOADS[1]);
    println!("\n## Seconds of `when` under the twin {at}\n");
    println!("| nodes | waiting | CPU | wall | peak MB | CPU of EASY | CPU of the other program | ratio |");
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for nodes in NODES {
        let (conf, log) = (configuration(nodes), log(nodes, LOADS[1]));
        let (own, told) = when(OWN, &["--slurm", &conf], &log);
        let other = other.map(|other| when(other, &["--slurm", &conf], &log));
        let (easy, _) = when(OWN, &["--policy", "easy", "--procs", &(nodes * PROCS).to_string()], &log);
        let beside = other.map_or(String::from("| |"), |(other, its)| {
            assert!(told == its, "both programs foretell the same");
            format!("{:.1} | {:.2} |", other.seconds, own.seconds / other.seconds)
        });
        let Cost { seconds, wall, peak, waiting } = own;
        println!(
            "| {nodes} | {waiting} | {seconds:.1} | {wall:.1} | {peak:.0} | {:.1} | {beside}",
            easy.seconds
        );
    }
}

/// The instant of the forecasts, in seconds of the log, when about a thousand jobs wait on 5,000 nodes.
const INSTANT: &str = "55000";

/// The replays with drawn run times for each forecast.
const DRAWS: &str = "200";

struct Cost {
    seconds: f64,
    wall: f64,
    peak: f64,
    waiting: f64,
}

fn replay(options: &[&str], log: &str) -> Cost {
    let shown = ["replay", "-q", log, "--format", "csv", "--metrics", "mean_queue_length"];
    let (cost, out) = timed(OWN, &[&shown[..], options].concat());
    let waiting = out.lines().next_back().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    Cost { waiting, ..cost }
}

/// Foretells the starts of the jobs that wait in a replay, by the draws alone; returns the forecasts, too.
fn when(program: &str, policy: &[&str], log: &str) -> (Cost, String) {
    let at = ["when", "-q", log, "--format", "csv", "--state", "replay", "--at", INSTANT];
    let how = ["--draws", DRAWS, "--calibrate", "0"];
    let (cost, out) = timed(program, &[&at[..], &how, policy].concat());
    (Cost { waiting: (out.lines().count() - 1) as f64, ..cost }, out)
}

const OWN: &str = env!("CARGO_BIN_EXE_batchlab");

fn timed(program: &str, arguments: &[&str]) -> (Cost, String) {
    let mut command = Command::new("/usr/bin/time");
    command.args(["-f", "%U %e %M"]).arg(program).args(arguments);
    let done = command.output().unwrap();
    let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    assert!(done.status.success(), "{err}");
    let told: Vec<f64> =
        err.lines().next_back().unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
    (Cost { seconds: told[0], wall: told[1], peak: told[2] / 1024.0, waiting: 0.0 }, out)
}

/// Writes a log for a machine; sizes grow as the machine does.
fn log(nodes: u32, load: u32) -> String {
    let path = place(&format!("slurm-{nodes}-{load}.swf"));
    let largest = f64::from(nodes * PROCS).log2();
    let mut command = Command::new(OWN);
    command.args(["generate", "lublin", "-q", "-o", &path, "--jobs", &JOBS.to_string()]);
    command.args(["--procs", &(nodes * PROCS).to_string()]);
    let settings = [
        format!("load={load}"),
        format!("batch.uhi={:.2}", largest - 4.3),
        format!("interactive.uhi={:.2}", largest - 5.8),
        "users=200".into(),
        "groups=20".into(),
        "estimates=tsafrir".into(),
    ];
    for setting in settings {
        command.args(["--set", &setting]);
    }
    assert!(command.status().unwrap().success());
    path
}

/// Writes the configuration of a machine with the defaults of backfill, and priority by age, size and fair share.
fn configuration(nodes: u32) -> String {
    let mut text = String::from(
        "ClusterName=bench\nSlurmctldHost=control\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
         SchedulerType=sched/backfill\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\n\
         PriorityWeightFairshare=10000\nPriorityWeightJobSize=1000\n",
    );
    writeln!(text, "NodeName=n[1-{nodes}] CPUs={PROCS}").unwrap();
    writeln!(text, "PartitionName=batch Nodes=n[1-{nodes}] Default=YES MaxTime=INFINITE").unwrap();
    let path = place(&format!("slurm-{nodes}.conf"));
    std::fs::write(&path, text).unwrap();
    path
}

fn place(name: &str) -> String {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).to_str().unwrap().to_owned()
}
