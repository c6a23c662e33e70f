//! Tests of signals that end the program: Ctrl-C from a terminal, SIGTERM, SIGHUP.

#![cfg(target_os = "linux")]

use std::process::{Child, Command};
use std::time::Duration;

use super::Folder;
use crate::plugins::exec::until;

fn signalled(signal: &str) -> Option<i32> {
    let folder = Folder::new();
    folder.write("out.swf", "old");
    let mut child = Command::new(folder.command().get_program())
        .args(["generate", "lublin", "--jobs", "20000000", "-o", "out.swf"])
        .current_dir(folder.0.path())
        .spawn()
        .unwrap();
    let begun = until(Duration::from_secs(20), || folder.files().len() == 2);
    assert!(begun, "no temporary file: {:?}", folder.files());
    super::send(&child, signal);
    let code = code(&mut child);
    assert_eq!(
        (folder.files(), folder.read("out.swf")),
        (vec!["out.swf".to_owned()], "old".into()),
        "{signal}"
    );
    code
}

#[test]
fn a_signal_ends_with_its_code_and_leaves_nothing_half_written() {
    for (signal, number, code) in [("-INT", 2, 130), ("-TERM", 15, 143), ("-HUP", 1, 129)] {
        if ignores(number) {
            eprintln!("skipped: {signal} is ignored here, as in the background of a script");
            continue;
        }
        assert_eq!(signalled(signal), Some(code), "{signal}");
    }
}

/// The lock of a folder of results is removed with the other files of a program that is stopped.
#[test]
fn a_run_that_is_stopped_leaves_no_lock() {
    for (signal, number, ended) in [("-INT", 2, 130), ("-TERM", 15, 143)] {
        if ignores(number) {
            eprintln!("skipped: {signal} is ignored here, as in the background of a script");
            continue;
        }
        let folder = Folder::new();
        folder.write(
            "e.toml",
            "[experiment]\nname = \"e\"\nreplications = 500\n[[workload]]\nmodel = \"lublin\"\nprocs = 128\njobs = 20000\n[[policy]]\nspec = \"fcfs\"\n",
        );
        let mut child = Command::new(folder.command().get_program())
            .args(["run", "e.toml", "--out", "r", "-q"])
            .current_dir(folder.0.path())
            .spawn()
            .unwrap();
        let lock = folder.path("r/.lock");
        let begun = until(Duration::from_secs(60), || lock.exists());
        assert!(begun, "the run has not begun");
        super::send(&child, signal);
        assert_eq!(code(&mut child), Some(ended));
        assert!(!lock.exists(), "{signal}");
    }
}

/// Under `nohup` a hang-up is ignored, and the program keeps ignoring it.
#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = Folder::new();
    let program = folder.command().get_program().to_owned();
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" generate lublin --jobs 60000 -o out.swf -q"])
        .arg(program)
        .current_dir(folder.0.path())
        .spawn()
        .unwrap();
    assert!(until(Duration::from_secs(20), || !folder.files().is_empty()));
    super::send(&child, "-HUP");
    assert_eq!((code(&mut child), folder.files()), (Some(0), vec!["out.swf".to_owned()]));
}

/// Waits for the end of a child; kills it if it does not end in time.
fn code(child: &mut Child) -> Option<i32> {
    let ended = until(Duration::from_secs(20), || child.try_wait().unwrap().is_some());
    if !ended {
        child.kill().unwrap();
    }
    child.wait().unwrap().code()
}

fn ignores(number: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (number - 1) & 1 == 1
}
