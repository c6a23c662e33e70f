//! Time of the whole command compared with `zcat FILE | wc -l`, in pairs, and its peak memory on a million jobs.
//!
//! `cargo bench --bench command` prints medians of 20 pairs of runs; it asserts nothing.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "a bench may fail loudly")]

mod median;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use median::median;

const RUNS: usize = 20;

fn main() {
    paired();
    memory();
}

/// Times `batchlab replay FILE --policy easy` and `zcat FILE | wc -l` in turn.
fn paired() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces/SDSC-BLUE-2000-derived.swf.gz");
    if !file.exists() {
        return println!("SDSC-BLUE-2000-derived is not at hand");
    }
    let file = file.to_str().unwrap();
    let replay = || seconds(batchlab().args(["replay", file, "--policy", "easy"]));
    let count = || seconds(Command::new("sh").args(["-c", &format!("zcat '{file}' | wc -l")]));
    replay();
    count();
    let pairs: Vec<(f64, f64)> = (0..RUNS).map(|_| (replay(), count())).collect();
    let ours = median(pairs.iter().map(|pair| pair.0).collect());
    let theirs = median(pairs.iter().map(|pair| pair.1).collect());
    let ratio = median(pairs.iter().map(|pair| pair.0 / pair.1).collect());
    println!("## Whole command on SDSC-BLUE (232,542 jobs), medians of {RUNS} paired runs\n");
    println!("| `batchlab replay FILE --policy easy` | `zcat FILE \\| wc -l` | ratio |\n|---:|---:|---:|");
    println!("| {:.0} ms | {:.0} ms | {ratio:.2} |", ours * 1e3, theirs * 1e3);
}

fn memory() {
    let file = std::env::temp_dir().join("batchlab-million.swf.gz");
    let name = file.to_str().unwrap();
    let settings = ["estimates=phi:0.2", "users=200", "load=0.9"].map(|setting| ["--set", setting]).concat();
    let mut generate = batchlab();
    assert!(
        generate
            .args(["generate", "lublin", "--jobs", "1000000", "--procs", "512", "-o", name, "-q"])
            .args(settings)
            .status()
            .unwrap()
            .success()
    );
    println!("\n## Peak resident memory of the whole command, a million jobs of the lublin model\n");
    println!("| policies | peak MiB | s |\n|---|---:|---:|");
    for policies in [&["fcfs"][..], &["easy"], &["fcfs", "easy"]] {
        let mut command = Command::new("/usr/bin/time");
        command.arg("-v").arg(program()).args(["replay", name]);
        command.args(policies.iter().flat_map(|spec| ["--policy", spec]));
        let begin = Instant::now();
        let done = command.output();
        let Ok(done) = done else { return println!("/usr/bin/time is not at hand") };
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let line = text.lines().find(|line| line.contains("Maximum resident set size")).unwrap();
        let kib: f64 = line.rsplit(' ').next().unwrap().parse().unwrap();
        println!("| {} | {:.0} | {:.1} |", policies.join(", "), kib / 1024.0, begin.elapsed().as_secs_f64());
    }
    std::fs::remove_file(file).unwrap();
}

fn seconds(command: &mut Command) -> f64 {
    let begin = Instant::now();
    assert!(command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    begin.elapsed().as_secs_f64()
}

fn batchlab() -> Command {
    Command::new(program())
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_batchlab"))
}
