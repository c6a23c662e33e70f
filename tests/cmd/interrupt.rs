//! Ctrl-C, sent as the signal that a terminal sends.

#![cfg(target_os = "linux")]

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use super::Folder;

#[test]
fn ctrl_c_ends_with_130_and_leaves_nothing_half_written() {
    if ignores_interrupts() {
        eprintln!("skipped: interrupts are ignored here, as in the background of a script");
        return;
    }
    let folder = Folder::new();
    folder.write("out.swf", "old");
    let mut child = Command::new(folder.command().get_program())
        .args(["generate", "lublin", "--jobs", "40000000", "-o", "out.swf"])
        .current_dir(folder.0.path())
        .spawn()
        .unwrap();
    let begun = until(Duration::from_secs(20), || folder.files().len() == 2);
    assert!(begun, "no temporary file: {:?}", folder.files());
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(code(&mut child), Some(130));
    assert_eq!((folder.files(), folder.read("out.swf")), (vec!["out.swf".to_owned()], "old".into()));
}

/// Waits for the end of a child, which is killed when it does not come.
fn code(child: &mut Child) -> Option<i32> {
    let ended = until(Duration::from_secs(20), || child.try_wait().unwrap().is_some());
    if !ended {
        child.kill().unwrap();
    }
    child.wait().unwrap().code()
}

fn until(patience: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// Whether SIGINT, the second signal, is in the mask of ignored ones.
fn ignores_interrupts() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> 1 & 1 == 1)
}
