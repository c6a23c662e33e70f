//! What calendars of capacity, layouts, limits, priorities and dependencies cost: the CPU time of whole replays, each beside
//! its baseline in the same run.
//!
//! `cargo bench --bench machines [-- calendars|closures|layouts|growth]` prints medians of paired runs; it asserts nothing. With an
//! exponent of 0 a cost does not depend on the number of known events, or of waiting jobs; with 1 it grows as they do.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const RUNS: usize = 7;

/// At most eight jobs of a user run, or are eligible.
const LIMIT: &str = "[[limit]]\nuser = \"*\"\nrunning_jobs = 8\n";

/// Interactive jobs take processors from batch jobs.
const PRIORITIES: &str =
    "[[class]]\nqueue = 0\npriority = 1\npreempts = true\n[[class]]\nqueue = 1\npreempted = \"requeue\"\n";

const EVENTS: [u32; 3] = [10, 100, 1000];

/// Seconds from the first submission to the last of KTH-SP2.
const SPAN: u32 = 29_360_000;

/// CERIT's two clusters.
const CERIT: &str = "[[resource]]\nname = \"memory\"\nunit = \"KB\"\nsharing = \"space\"\n\
    [[nodes]]\ncount = 20\nprocs = 80\nmemory = 529426432\nfeatures = [\"cl_zewura\", \"x86_64\"]\n\
    [[nodes]]\ncount = 48\nprocs = 12\nmemory = 94035968\nfeatures = [\"cl_zegox\", \"x86_64\"]\n";

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--")).unwrap_or_default();
    if "calendars".contains(&filter) {
        calendars();
    }
    if "closures".contains(&filter) {
        closures();
    }
    if "layouts".contains(&filter) {
        layouts();
    }
    if "growth".contains(&filter) {
        growth();
    }
}

/// Replays KTH-SP2 beside calendars of more and more events, all known from the beginning.
fn calendars() {
    let Some(log) = shared("traces/KTH-SP2-1996-2.1-cln.swf.gz") else { return };
    let empty = file("empty.toml", String::new());
    println!("## CPU seconds beside known events, KTH-SP2 (cleaned), medians of {RUNS}\n");
    println!(
        "| policy | without | empty calendar | 10 events | 100 | 1,000 | exponent 10 to 100 | 100 to 1,000 |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for policy in ["easy", "depth:k=1", "depth:k=8", "conservative", "selective", "slack"] {
        let mut rows = vec![command(&log, policy, &[]), command(&log, policy, &["--calendar", &empty])];
        for events in EVENTS {
            let (every, calendar) = (SPAN / events, format!("events{events}.toml"));
            let text = format!(
                "[[event]]\nkind = \"maintenance\"\nfrom = 0\nto = {}\nevery = {every}\nprocs = 25\n",
                every.min(7200)
            );
            let calendar = file(&calendar, text);
            rows.push(command(&log, policy, &["--calendar", &calendar, "--foresight", "calendar"]));
        }
        let cpu = medians(&mut rows);
        let exponent = |more: usize| (cpu[more] / cpu[more - 1]).log10();
        let seconds: Vec<String> = cpu.iter().map(|cpu| format!("{cpu:.2}")).collect();
        println!("| {policy} | {} | {:.2} | {:.2} |", seconds.join(" | "), exponent(3), exponent(4));
    }
}

/// Replays 200 jobs beside more and more outages of a minute, one every two minutes, all known from the beginning: on a pool
/// of 64 processors each takes some of them, on 64 nodes one.
fn closures() {
    let job = |job: u32| {
        let (submit, run, procs) = (300 * job, job * 997 % 20_000, [1, 2, 8, 32, 50, 60][job as usize % 6]);
        format!("{job} {submit} -1 {run} {procs} -1 -1 {procs} 20000 -1 1 1 1 -1 1 -1 -1 -1\n")
    };
    let jobs: String = (1..=200).map(job).collect();
    let log = file("waits.swf", format!("; MaxProcs: 64\n; UnixStartTime: 0\n{jobs}"));
    println!("\n## CPU seconds of 200 jobs beside known outages, medians of {RUNS}\n");
    println!(
        "| machine | policy | 10,000 outages | 20,000 | 40,000 | exponent |\n|---|---|---:|---:|---:|---:|"
    );
    for (machine, what) in [("pool", "procs"), ("64 nodes", "nodes")] {
        let calendars = [1, 2, 4].map(|times| {
            let event = |at: u32| {
                let (from, on) = (120 * at, 1 + at * 37 % 50);
                let on = if what == "nodes" { format!("\"{on}\"") } else { on.to_string() };
                format!("[[event]]\nkind = \"outage\"\nfrom = {from}\nto = {}\n{what} = {on}\n", from + 60)
            };
            let text = (0..times * 10_000).map(event).collect();
            file(&format!("{what}{times}.toml"), text)
        });
        for policy in ["easy", "conservative"] {
            let rows = calendars.iter().map(|calendar| {
                let mut options = vec!["--calendar", calendar, "--foresight", "calendar"];
                options.extend(if what == "nodes" { &["--nodes", "64"][..] } else { &[] });
                command(&log, policy, &options)
            });
            let cpu = medians(&mut rows.collect::<Vec<_>>());
            let seconds: Vec<String> = cpu.iter().map(|cpu| format!("{cpu:.2}")).collect();
            println!(
                "| {machine} | {policy} | {} | {:.2} |",
                seconds.join(" | "),
                (cpu[2] / cpu[0]).log(4.0)
            );
        }
    }
}

/// Replays logs whose records state layouts, and the same jobs in tasks of one processor.
fn layouts() {
    println!(
        "\n## CPU seconds by the layouts of records, and in tasks of one processor, medians of {RUNS}\n"
    );
    println!("| log | policy | `--layout log` | `tasks:1` | ratio |\n|---|---|---:|---:|---:|");
    let cerit = file("cerit.toml", CERIT.to_owned());
    let openb = openb().map(|nodes| file("openb.toml", nodes));
    let logs =
        [("logs/cerit/cerit-sc-2013.swf.gz", Some(cerit)), ("logs/gpu/openb_pod_list_default.csv", openb)];
    for (name, machine) in logs {
        let (Some(log), Some(machine)) = (shared(name), machine) else { continue };
        for policy in ["easy", "conservative"] {
            let mut rows = ["log", "tasks:1"]
                .map(|layout| command(&log, policy, &["--machine", &machine, "--layout", layout]));
            let cpu = medians(&mut rows);
            let (own, loose) = (cpu[0], cpu[1]);
            println!("| {name} | {policy} | {own:.2} | {loose:.2} | {:.2} |", own / loose);
        }
    }
}

/// Replays more and more jobs of the lublin model under EASY, plain and within limits, priorities and dependencies.
fn growth() {
    println!(
        "\n## CPU time of a job as the log grows, lublin model on 512 processors under EASY, medians of {RUNS}\n"
    );
    println!("| replay | jobs | waiting | µs/job | with the jobs | with the waiting jobs |");
    println!("|---|---:|---:|---:|---:|---:|");
    let limits = file("limits.toml", LIMIT.into());
    let eligible = file("eligible.toml", format!("{LIMIT}count = \"eligible\"\n"));
    let priorities = file("priorities.toml", PRIORITIES.into());
    // Those whose cost grows begin with fewer jobs.
    let replays: [(&str, &[&str], u32); 5] = [
        ("plain", &[], 20_000),
        ("`--limits`, running", &["--limits", &limits], 5_000),
        ("`--limits`, eligible", &["--limits", &eligible], 20_000),
        ("`--priorities`", &["--priorities", &priorities], 20_000),
        ("`--dependencies log`", &["--dependencies", "log"], 20_000),
    ];
    for (name, options, fewest) in replays {
        let mut before: Option<(f64, f64)> = None;
        for jobs in [1, 2, 4].map(|times| times * fewest) {
            let log = model(jobs);
            let waiting = waiting(&log, options);
            let micros = medians(&mut [command(&log, "easy", options)])[0] * 1e6 / f64::from(jobs);
            let exponents = before.map_or(" | ".to_owned(), |(fewer, less)| {
                let growth = (micros / less).log2();
                format!("{growth:.2} | {:.2}", growth / (waiting / fewer).log2())
            });
            println!("| {name} | {jobs} | {waiting:.0} | {micros:.2} | {exponents} |");
            before = Some((waiting, micros));
        }
    }
}

/// Writes a log of the lublin model with more work than the machine can do, in which each job depends on the one that its
/// user submitted before.
fn model(jobs: u32) -> String {
    let path = file(&format!("lublin-{jobs}.swf"), String::new());
    let mut command = Command::new(env!("CARGO_BIN_EXE_batchlab"));
    command.args(["generate", "lublin", "-q", "-o", &path, "--procs", "512", "--jobs", &jobs.to_string()]);
    for setting in ["load=56", "batch.uhi=4.7", "interactive.uhi=3.2", "users=200", "estimates=tsafrir"] {
        command.args(["--set", setting]);
    }
    assert!(command.status().unwrap().success());
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().map(|line| {
        let mut cells: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with(';') || cells.len() < 18 {
            return format!("{line}\n");
        }
        let before = last.insert(cells[11].into(), cells[0].into());
        if let Some(before) = &before {
            (cells[16], cells[17]) = (before, "0");
        }
        cells.join(" ") + "\n"
    });
    let chained: String = lines.collect();
    std::fs::write(&path, chained).unwrap();
    path
}

fn waiting(log: &str, options: &[&str]) -> f64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_batchlab"));
    command.args([
        "replay",
        "-q",
        log,
        "--policy",
        "easy",
        "--format",
        "csv",
        "--metrics",
        "mean_queue_length",
    ]);
    let out = String::from_utf8(command.args(options).output().unwrap().stdout).unwrap();
    out.lines().nth(1).unwrap().split(',').nth(1).unwrap().parse().unwrap()
}

fn openb() -> Option<String> {
    let text = std::fs::read_to_string(shared("logs/gpu/openb_node_list_all_node.csv")?).unwrap();
    let space = |name: &str, unit: &str| {
        format!("[[resource]]\nname = \"{name}\"\nunit = \"{unit}\"\nsharing = \"space\"\n")
    };
    let mut machine = space("memory", "KB") + &space("gpu_milli", "milli");
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (mib, gpus): (i64, i64) = (cells[2].parse().unwrap(), cells[3].parse().unwrap());
        let (procs, memory, gpu) = (cells[1], mib * 1024, gpus * 1000);
        let node = format!("[[nodes]]\ncount = 1\nprocs = {procs}\nmemory = {memory}\ngpu_milli = {gpu}\n");
        machine.push_str(&node);
    }
    Some(machine)
}

/// Runs commands in turns and returns the median of the CPU seconds of each.
fn medians(commands: &mut [Command]) -> Vec<f64> {
    let mut seconds = vec![Vec::new(); commands.len()];
    for _ in 0..RUNS {
        for (command, seconds) in commands.iter_mut().zip(&mut seconds) {
            let done = command.output().unwrap();
            assert!(done.status.success(), "{command:?}");
            let text = String::from_utf8_lossy(&done.stderr).into_owned();
            seconds.push(text.lines().next_back().unwrap().parse::<f64>().unwrap());
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    seconds.into_iter().map(median).collect()
}

/// Returns the replay of a log under a policy, which prints its CPU seconds last.
fn command(log: &str, policy: &str, options: &[&str]) -> Command {
    let mut command = Command::new("/usr/bin/time");
    command.args(["-f", "%U"]).arg(env!("CARGO_BIN_EXE_batchlab"));
    command.args(["replay", "-q", log, "--policy", policy]).args(options);
    command
}

fn file(name: &str, text: String) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn shared(name: &str) -> Option<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if !path.exists() {
        println!("{name} is not at hand");
    }
    path.exists().then(|| path.to_str().unwrap().to_owned())
}
