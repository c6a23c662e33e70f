//! A child process and whatever it starts, which ends as a whole: its process group, and on Linux every descendant that
//! has left it.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

#[cfg(target_os = "linux")]
use super::descendants::{self, MARK, Of};

/// The groups that have not been ended. A group is on the list for as long as its leader has not been reaped, so no
/// number on it can have become that of a stranger.
static LIVING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// While it is held no child starts, and none is found to have ended.
pub struct Still(#[expect(dead_code, reason = "held, never read")] MutexGuard<'static, Vec<Pid>>);

/// Kills the children of all conversations, with all that they started: for programs that are about to exit in the
/// middle of a replay.
pub fn kill_all() -> Still {
    let living = living();
    // First, while their parents live and tell whose they are.
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

/// Conversations begun so far: each child's mark is another one.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// A child that leads a process group of its own. Dropping it kills the group, and on Linux all descendants.
#[derive(Debug)]
pub struct Group {
    child: Child,
    leader: Pid,
    /// What the environment of the child and of its descendants is marked with.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "descendants are looked for on Linux only")
    )]
    mark: String,
    status: Option<ExitStatus>,
}

impl Group {
    /// Starts a command as the leader of a new group.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        let mut living = living();
        let mark = format!("{}-{}.", std::process::id(), BEGUN.fetch_add(1, Ordering::Relaxed));
        #[cfg(target_os = "linux")]
        command.env(MARK, &mark);
        let child = command.process_group(0).spawn()?;
        let leader = Pid::from_child(&child);
        living.push(leader);
        Ok(Group { child, leader, mark, status: None })
    }

    /// Returns the child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Lets the child allocate at most so many bytes, and everything that it starts from now on; on Linux only.
    ///
    /// What counts is memory that can be written to: virtual machines reserve far more addresses than they use.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
            let bytes = getrlimit(Resource::Data).maximum.map_or(bytes, |most| most.min(bytes));
            let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
            match prlimit(Some(self.leader), Resource::Data, limit) {
                // It has ended already, and will be found to have.
                Ok(_) | Err(rustix::io::Errno::SRCH) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let _ = bytes;
        Ok(())
    }

    /// Whether the child has ended by itself. It stays a zombie, and its number its own.
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
            // Those that were started since, and those that have lost their parent by it.
            #[cfg(target_os = "linux")]
            descendants::end(Of::Child(self.leader, &self.mark), &living);
            // The child was killed, so this wait is short. Until it returns, the child is not taken for an orphan.
            self.status = self.child.wait().ok();
            living.retain(|&leader| leader != self.leader);
            #[cfg(target_os = "linux")]
            if living.is_empty() {
                // No other child is left, so an orphan without a mark descends from this one.
                descendants::end(Of::All, &living);
            }
        }
        self.status
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

fn living() -> MutexGuard<'static, Vec<Pid>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A group that is no more needs no killing.
fn kill(leader: Pid) {
    let _ = kill_process_group(leader, Signal::KILL);
}
