//! What calendars of capacity and layouts cost: the CPU time of whole replays, each beside its baseline in the same run.
//!
//! `cargo bench --bench machines [-- calendars|layouts]` prints medians of paired runs; it asserts nothing. An exponent of 0
//! is a cost that does not depend on the number of known events, and 1 one that grows as they do.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::path::{Path, PathBuf};
use std::process::Command;

const RUNS: usize = 7;

/// Numbers of known events.
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
    if "layouts".contains(&filter) {
        layouts();
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

/// Replays logs whose records tell layouts, and the same jobs in tasks of one processor.
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

/// Returns a machine file of the nodes of the openb trace.
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

/// Writes a file for the commands.
fn file(name: &str, text: String) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Returns the path of a log, if it is at hand.
fn shared(name: &str) -> Option<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if !path.exists() {
        println!("{name} is not at hand");
    }
    path.exists().then(|| path.to_str().unwrap().to_owned())
}
