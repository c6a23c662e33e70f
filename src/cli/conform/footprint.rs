//! The resources that this process holds, as reported by Linux.

use std::time::Duration;
use std::{fs, process, thread};

use crate::conform::Footprint;

/// Assumed size of a page in bytes; if the system's pages are larger, less memory growth is seen.
const PAGE: u64 = 4096;

/// How often to look again for a process that is about to end, and the time between attempts.
const PATIENCE: (u32, Duration) = (20, Duration::from_millis(10));

/// Measures children, threads, open files and memory; what the system does not report is `None`.
pub fn measure() -> Footprint {
    let mut children = children();
    for _ in 0..PATIENCE.0 {
        if children.is_none_or(|children| children == 0) {
            break;
        }
        thread::sleep(PATIENCE.1);
        children = self::children();
    }
    Footprint {
        children,
        threads: entries("/proc/self/task"),
        files: entries("/proc/self/fd"),
        memory: memory(),
    }
}

fn entries(folder: &str) -> Option<u64> {
    Some(fs::read_dir(folder).ok()?.count() as u64)
}

/// Counts the processes whose parent is this one.
fn children() -> Option<u64> {
    let own = process::id();
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let is_own = |name: &str| name.parse::<u32>().is_ok() && parent(name) == Some(own);
    let count = processes.filter(|entry| entry.file_name().to_str().is_some_and(is_own)).count();
    // A system without these files reports no process at all, so the count is unknown.
    parent("self").map(|_| count as u64)
}

/// Returns the parent of a process: the second field after the name, which is in parentheses.
fn parent(process: &str) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn memory() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_was_not_waited_for_is_seen() {
        let before = children().unwrap();
        let mut child = process::Command::new("sleep").arg("30").spawn().unwrap();
        assert!(children().unwrap() > before);
        let held = entries("/proc/self/fd").zip(entries("/proc/self/task")).zip(memory());
        assert!(held.is_some_and(|((files, threads), memory)| files > 2 && threads > 0 && memory > 0));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
