//! The program is ended from outside in the middle of a replay.

#![cfg(target_os = "linux")]

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use super::{folder, marked, nobody_left, program, python, until};

/// Waits in a decision.
const WAITS: &str = "begin()\nhear()\nopen('waits', 'w').close()\n";

/// Starts a replay, and sends it a signal when its child waits in a decision.
fn signalled(child: &str, signal: &str) -> ExitStatus {
    let folder = folder(&format!("{WAITS}{child}"));
    let policy = "exec:(python3 child.py),timeout=300s";
    let mut replay = program(&folder)
        .args(["replay", "a.swf", "-q", "--policy", policy])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let waits = until(Duration::from_secs(60), || folder.files().contains(&"waits".to_owned()));
    assert!(waits, "the child waits for no decision");
    assert_eq!(marked(&folder).len(), 2, "{:?}", marked(&folder));
    let sent = Command::new("kill").args([signal, &replay.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let status = ended(&mut replay);
    nobody_left(&folder);
    status
}

fn ended(replay: &mut Child) -> ExitStatus {
    if !until(Duration::from_secs(20), || replay.try_wait().unwrap().is_some()) {
        replay.kill().unwrap();
    }
    replay.wait().unwrap()
}

#[test]
fn ctrl_c_ends_a_child_that_ignores_everything() {
    let ignored = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = ignored.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    if mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> 1 & 1 == 1)
    {
        eprintln!("skipped: interrupts are ignored here, as in the background of a script");
        return;
    }
    if !python() {
        return;
    }
    let deaf = "for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(each, signal.SIG_IGN)\n\
                while True: time.sleep(1000)\n";
    assert_eq!(signalled(deaf, "-INT").code(), Some(130));
}

/// By SIGKILL no handler runs, and no destructor: a child that reads finds the end of its input.
#[test]
fn a_child_ends_with_its_input() {
    if !python() {
        return;
    }
    assert_eq!(signalled("hear()\n", "-TERM").code(), Some(143));
    assert_eq!(signalled("hear()\n", "-KILL").signal(), Some(9));
}
