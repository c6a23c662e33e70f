//! A shell beside the program, which outlives it: when the program has ended, however it ended, the shell kills the process groups
//! of children that still live, and on Linux every process with the program's mark in its environment.
//!
//! A program that is killed ends nothing itself, and a scheduler that waits at a socket of `ZeroMQ` is not told that its peer is gone.
//! The shell waits for the end of its input, which comes with the end of the program. `timeout` and `setsid` take a process out
//! of the group of the child; it keeps the mark.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;

use rustix::process::Pid;

/// Keeps the list of groups that begin and end, and kills what is left of it; then, in rounds, what has the mark.
const SCRIPT: &str = include_str!("guard.sh");

struct Guard {
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "descendants are looked for on Linux only")
    )]
    pid: Pid,
    input: ChildStdin,
}

/// Started before the first child; `None` where no shell can be started.
static GUARD: OnceLock<Option<Guard>> = OnceLock::new();

/// Starts the shell unless it runs already. It is called before each child starts, so that every child has it.
pub fn stand() {
    GUARD.get_or_init(start);
}

/// A group has begun.
pub fn begins(leader: Pid) {
    if let Some(Some(guard)) = GUARD.get() {
        guard.tell("begins", leader);
    }
}

/// All processes of a group have been killed.
pub fn ends(leader: Pid) {
    if let Some(Some(guard)) = GUARD.get() {
        guard.tell("ends", leader);
    }
}

/// Whether a process is the shell, which no child has started.
#[cfg(target_os = "linux")]
pub fn is_guard(pid: Pid) -> bool {
    GUARD.get().is_some_and(|guard| guard.as_ref().is_some_and(|guard| guard.pid == pid))
}

fn start() -> Option<Guard> {
    let mut command = Command::new("/bin/sh");
    let mark = format!("{}-", std::process::id());
    command.args(["-c", SCRIPT, "guard", &mark]).env_clear().current_dir("/").process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    Some(Guard { pid: Pid::from_child(&child), input: child.stdin.take()? })
}

impl Guard {
    /// A line is shorter than what a pipe takes at once. Without a reader the guard is gone, and the program goes on.
    fn tell(&self, what: &str, leader: Pid) {
        let _ = (&self.input).write_all(format!("{what} {}\n", leader.as_raw_nonzero()).as_bytes());
    }
}
