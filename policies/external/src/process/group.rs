//! A child process and all processes it starts, which end together: its process group, and on Linux every
//! descendant outside it.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

#[cfg(target_os = "linux")]
use super::descendants::{self, MARK, Of};
use super::guard;

/// The groups that have not been ended. A group stays on the list until its leader has been reaped, so that
/// no number on it can have been reused for a foreign process.
static LIVING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// A lock: while it is held, no child starts and none is reaped.
pub struct Still(#[expect(dead_code, reason = "held, never read")] MutexGuard<'static, Vec<Pid>>);

/// Kills the children of all conversations, with all that they started: for programs that exit in the middle
/// of a replay.
pub fn kill_all() -> Still {
    let living = living();
    // Descendants first, while their parents live and identify them.
    #[cfg(target_os = "linux")]
    if !living.is_empty() {
        descendants::end(Of::All, &living);
    }
    living.iter().for_each(|&leader| kill(leader));
    #[cfg(target_os = "linux")]
    if !living.is_empty() {
        descendants::end(Of::All, &living);
    }
    Still(living)
}

/// The number of conversations begun so far, which makes each child's mark unique.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// A child that leads its own process group. Dropping it kills the group, and on Linux all descendants.
#[derive(Debug)]
pub struct ProcessGroup {
    child: Child,
    leader: Pid,
    /// The mark in the environment of the child and of its descendants.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "descendants are looked for on Linux only")
    )]
    mark: String,
    status: Option<ExitStatus>,
}

impl ProcessGroup {
    pub fn start(command: &mut Command) -> io::Result<ProcessGroup> {
        let mut living = living();
        let mark = format!("{}-{}.", std::process::id(), BEGUN.fetch_add(1, Ordering::Relaxed));
        #[cfg(target_os = "linux")]
        command.env(MARK, &mark);
        guard::stand();
        let child = command.process_group(0).spawn()?;
        let leader = Pid::from_child(&child);
        living.push(leader);
        guard::begins(leader);
        Ok(ProcessGroup { child, leader, mark, status: None })
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Limits the bytes of writable memory that the child, and everything it starts from now on, may allocate; on Linux
    /// only. Addresses are not limited: virtual machines reserve far more than they use.
    pub fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
            let bytes = getrlimit(Resource::Data).maximum.map_or(bytes, |most| most.min(bytes));
            let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
            match prlimit(Some(self.leader), Resource::Data, limit) {
                // It has already ended, which is noticed elsewhere.
                Ok(_) | Err(rustix::io::Errno::SRCH) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let _ = bytes;
        Ok(())
    }

    /// Whether the child has exited by itself. It stays a zombie, so that its number is not reused.
    pub fn has_ended(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.status.is_some() || !matches!(waitid(WaitId::Pid(self.leader), look), Ok(None))
    }

    /// Ends the group, and on Linux all descendants; returns how the child ended, by itself or killed.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut living = living();
            #[cfg(target_os = "linux")]
            descendants::end(Of::Child(self.leader, &self.mark), &living);
            kill(self.leader);
            // Processes started since, and processes that have just lost their parent.
            #[cfg(target_os = "linux")]
            descendants::end(Of::Child(self.leader, &self.mark), &living);
            // The child was killed, so this wait is short. Until it returns, the child is not mistaken for
            // an orphan.
            self.status = self.child.wait().ok();
            living.retain(|&leader| leader != self.leader);
            guard::ends(self.leader);
            #[cfg(target_os = "linux")]
            if living.is_empty() {
                // No other child is left, so an orphan without a mark descends from this one.
                descendants::end(Of::All, &living);
            }
        }
        self.status
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

fn living() -> MutexGuard<'static, Vec<Pid>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills a group; a group that no longer exists is not an error.
fn kill(leader: Pid) {
    let _ = kill_process_group(leader, Signal::KILL);
}
