#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};
use std::time::Duration;

use super::{SMALL, lines, small, tree};

/// Instants at which the run is killed, in milliseconds after its start: spread over the run by the golden ratio.
fn moments(most: u64) -> Vec<u64> {
    (1..=20u64).map(|at| ((at as f64 * 0.618_034).fract() * most as f64) as u64).collect()
}

#[test]
fn a_run_killed_twenty_times_ends_with_the_same_bytes() {
    let folder = small();
    let long = SMALL.replace("jobs = 60", "jobs = 400").replace("replications = 5", "replications = 12");
    folder.write("long.toml", &long);
    let began = std::time::Instant::now();
    folder.run(&["run", "long.toml", "--out", "whole", "-q", "--threads", "2"]).succeeded();
    let whole = tree(&folder, "whole");
    let most = u64::try_from(began.elapsed().as_millis()).unwrap();
    let mut interrupted = 0;
    for moment in moments(most) {
        let mut child = Command::new(folder.command().get_program())
            .args(["run", "long.toml", "--out", "r", "-q", "--resume", "--threads", "2"])
            .current_dir(folder.0.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        // SIGKILL: the run cannot clean up.
        child.kill().unwrap();
        interrupted += usize::from(!child.wait().unwrap().success());
        // Any results file that exists is complete.
        if folder.path("r/results.csv").exists() {
            assert_eq!(lines(&folder, "r/results.csv").len(), lines(&folder, "whole/results.csv").len());
        }
    }
    assert!(interrupted > 0, "the run was faster than every kill");
    folder.run(&["run", "long.toml", "--out", "r", "-q", "--resume"]).succeeded();
    // Temporary files left by kills are gone too.
    assert_eq!(tree(&folder, "r"), whole);
}
