//! All processes that a child has started, directly or indirectly, inside or outside its process group:
//! found through `/proc`, on Linux.
//!
//! A descendant is recognised by its ancestors, or by the mark in its environment, which it inherits. The
//! parent of a daemon has ended: such an orphan goes to the nearest process that adopts orphans (a *child
//! subreaper*). The program is one once it has called [`adopt`]; the orphan is then among the program's own
//! children.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::guard::is_guard;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};

/// The environment variable whose value marks the children of a conversation.
pub const MARK: &str = "BATCHLAB_CHILD";

/// Whether this program adopts orphans.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Rounds of searching and killing: a process may start another one during the search.
const ROUNDS: usize = 200;

/// Between two rounds, killed processes get the time to exit.
const PAUSE: Duration = Duration::from_millis(1);

/// Makes orphans of children (daemons, for example) children of this program, which ends them. To be called
/// by programs whose only children are those of plug-ins.
pub fn adopt() {
    if set_child_subreaper(Some(getpid())).is_ok() {
        ADOPTS.store(true, Ordering::Relaxed);
    }
}

#[derive(Clone, Copy)]
pub enum Of<'a> {
    /// The child has this mark; descendants of other children live on.
    Child(Pid, &'a str),
    All,
}

/// Kills descendants until none is found; `leaders` are the children that are killed and waited for
/// elsewhere.
pub fn end(of: Of<'_>, leaders: &[Pid]) {
    for _ in 0..ROUNDS {
        let found = find(of, leaders);
        for &pid in &found {
            // A process that has already exited needs no killing.
            let _ = kill_process(pid, Signal::KILL);
        }
        if found.is_empty() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

struct Process {
    pid: Pid,
    parent: i32,
    /// Ended, and not yet waited for.
    is_zombie: bool,
}

/// The living descendants, without the leaders; reaps adopted ones that have ended.
fn find(of: Of<'_>, leaders: &[Pid]) -> Vec<Pid> {
    let all = processes();
    let (own, adopts) = (getpid(), ADOPTS.load(Ordering::Relaxed));
    let below = |root: Pid| {
        let (mut family, mut at) = (vec![root.as_raw_nonzero().get()], 0);
        while at < family.len() {
            let children = all.iter().filter(|process| process.parent == family[at]);
            family.extend(children.map(|process| process.pid.as_raw_nonzero().get()).collect::<Vec<_>>());
            at += 1;
        }
        family
    };
    let ours = below(own);
    let of_child = match of {
        Of::Child(leader, _) => below(leader),
        Of::All => Vec::new(),
    };
    let mut found = Vec::new();
    for process in all.iter().filter(|process| !leaders.contains(&process.pid) && !is_guard(process.pid)) {
        let number = process.pid.as_raw_nonzero().get();
        let is_child = of_child.contains(&number);
        if number == own.as_raw_nonzero().get() || !(is_child || ours.contains(&number)) {
            continue;
        }
        if process.is_zombie {
            // Only an adopting program may assume that a child of its own that is not a leader is an orphan.
            if adopts && process.parent == own.as_raw_nonzero().get() {
                let _ = waitpid(Some(process.pid), WaitOptions::NOHANG);
            }
            continue;
        }
        let is_meant = match of {
            Of::Child(_, mark) => is_child || carries(process.pid, mark),
            Of::All => adopts || carries(process.pid, &own_mark()),
        };
        if is_meant {
            found.push(process.pid);
        }
    }
    found
}

/// The common prefix of the marks of all children of this program.
pub fn own_mark() -> String {
    format!("{}-", getpid().as_raw_nonzero())
}

/// Whether the environment that a process was started with contains a mark, or one with this prefix.
fn carries(pid: Pid, mark: &str) -> bool {
    let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    let wanted = format!("{MARK}={mark}");
    environment.split(|&byte| byte == 0).any(|variable| variable.starts_with(wanted.as_bytes()))
}

fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let process = |entry: fs::DirEntry| {
        let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let stat = fs::read(entry.path().join("stat")).ok()?;
        // The name, in parentheses, may contain any characters, including parentheses.
        let behind = stat.iter().rposition(|&byte| byte == b')')? + 1;
        let text = std::str::from_utf8(&stat[behind..]).ok()?;
        let mut fields = text.split_ascii_whitespace();
        let state = fields.next()?;
        Some(Process { pid, parent: fields.next()?.parse().ok()?, is_zombie: matches!(state, "Z" | "X") })
    };
    entries.filter_map(process).collect()
}
