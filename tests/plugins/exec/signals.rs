//! Tests of signals that end the program in the middle of a replay.

#![cfg(target_os = "linux")]

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use super::{folder, marked, none_left, program, python, until};

pub(super) const WAITS: &str = "begin()\nhear()\nopen('waits', 'w').close()\n";

/// Starts a replay, and sends it a signal when its child waits in a decision and this many processes exist;
/// asserts that none is left. Returns the replay's exit status.
pub(super) fn signalled(child: &str, signal: &str, processes: usize) -> ExitStatus {
    let folder = folder(child);
    let policy = "exec:(python3 child.py),timeout=300s";
    let mut replay = program(&folder)
        .args(["replay", "a.swf", "-q", "--policy", policy])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let waits = until(Duration::from_secs(60), || folder.files().contains(&"waits".to_owned()));
    assert!(waits, "the child waits for no decision");
    // A process between its fork and its end, or its program, counts too.
    let are_there = until(Duration::from_secs(60), || marked(&folder).len() == processes);
    assert!(are_there, "{:?}", marked(&folder));
    crate::cmd::send(&replay, signal);
    let status = ended(&mut replay);
    none_left(&folder);
    status
}

fn ended(replay: &mut Child) -> ExitStatus {
    if !until(Duration::from_secs(20), || replay.try_wait().unwrap().is_some()) {
        replay.kill().unwrap();
    }
    replay.wait().unwrap()
}

/// Whether this process, and therefore its children, ignores a signal; prints the reason if so.
pub(super) fn is_ignored(signal: &str) -> bool {
    let (number, why) = match signal {
        "-HUP" => (1, "hang-ups are ignored here, as under nohup"),
        "-INT" => (2, "interrupts are ignored here, as in the background of a script"),
        _ => return false,
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let are_ignored = mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1);
    if are_ignored {
        eprintln!("skipped: {why}");
    }
    are_ignored
}

#[test]
fn ctrl_c_ends_a_child_that_ignores_everything() {
    if is_ignored("-INT") {
        return;
    }
    if !python() {
        return;
    }
    let deaf = "for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(each, signal.SIG_IGN)\n\
                while True: time.sleep(1000)\n";
    assert_eq!(signalled(&format!("{WAITS}{deaf}"), "-INT", 2).code(), Some(130));
}

/// SIGKILL runs no handler and no destructor: a child that reads sees the end of its input.
#[test]
fn a_child_ends_with_its_input() {
    if !python() {
        return;
    }
    let reads = format!("{WAITS}hear()\n");
    assert_eq!(signalled(&reads, "-TERM", 2).code(), Some(143));
    assert_eq!(signalled(&reads, "-KILL", 2).signal(), Some(9));
}
