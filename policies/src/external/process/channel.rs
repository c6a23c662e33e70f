//! Lines to and from a child, each exchange within its time-out.
//!
//! All pipes are non-blocking, and one `poll` waits for all of them. Thus the same deadline applies to a
//! child that does not read, floods its standard error or is silent, and a message needs no switch of
//! threads.

use std::io::{self, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;

use super::group::ProcessGroup;
use super::tail::{Tail, begins};
use crate::external::fault::Fault;

/// The most bytes of a line.
pub const LONGEST: usize = 64 << 20;

/// The advice for a child that mixes up its streams.
pub const STREAMS: &str =
    "standard output is for messages, one to an answer, and standard error for everything else";

/// How often to check whether a silent child still lives: a process that it started may keep the pipes open.
const LOOK: Duration = Duration::from_millis(50);

/// How long a child that has closed its output may take to end, so that its exit status can be reported.
const LINGER: Duration = Duration::from_millis(500);

/// The time-out of answers.
#[derive(Clone, Debug)]
pub struct Patience {
    /// The time-out; `None` waits forever.
    pub limit: Option<Duration>,
    /// The time-out as the user wrote it.
    pub text: String,
}

/// A child and its pipes.
#[derive(Debug)]
pub struct Channel {
    group: ProcessGroup,
    /// `None` once the child no longer reads.
    input: Option<ChildStdin>,
    /// `None` once the child can no longer write.
    output: Option<ChildStdout>,
    errors: Option<ChildStderr>,
    patience: Patience,
    heard: Vec<u8>,
    /// Bytes of `heard` already searched without finding the end of a line.
    searched: usize,
    said: Tail,
    chunk: Box<[u8]>,
}

impl Channel {
    /// Returns the channel to a child whose three streams are pipes.
    ///
    /// # Errors
    /// When the system refuses to make them non-blocking.
    pub fn new(mut group: ProcessGroup, patience: Patience) -> io::Result<Channel> {
        let child = group.child();
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        input.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        output.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        errors.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        let (heard, chunk) = (Vec::new(), vec![0; 1 << 16].into_boxed_slice());
        let said = Tail::default();
        Ok(Channel { group, input, output, errors, patience, heard, searched: 0, said, chunk })
    }

    /// Sends a message, which ends with its newline, and returns the line of the answer without its newline.
    ///
    /// # Errors
    /// When no answer comes in time or at all, or more than one comes.
    pub fn ask(&mut self, message: &[u8], during: &'static str) -> Result<&[u8], Fault> {
        self.heard.clear();
        self.searched = 0;
        self.hear();
        if !self.heard.is_empty() {
            return Err(self.stray(during, "was said before it was asked"));
        }
        let deadline = Deadline::of(&self.patience);
        let mut unsent = message;
        loop {
            unsent = self.send(unsent);
            if let Some(end) = self.end_of_line().filter(|_| unsent.is_empty()) {
                if end + 1 < self.heard.len() {
                    return Err(self.stray(during, "has another line behind it"));
                }
                return Ok(&self.heard[..end]);
            }
            if self.heard.len() > LONGEST {
                return Err(Fault::Answer {
                    during,
                    why: format!("a line of more than {} MiB", LONGEST >> 20),
                });
            }
            if self.output.is_none() {
                return Err(self.died(during));
            }
            self.wait(!unsent.is_empty(), deadline, during)?;
        }
    }

    /// Sends a last message, closes the child's input and waits for its end; returns its remaining output.
    ///
    /// # Errors
    /// When it does not end in time, or with an error.
    pub fn bye(&mut self, message: &[u8], during: &'static str) -> Result<&[u8], Fault> {
        self.heard.clear();
        let deadline = Deadline::of(&self.patience);
        let mut unsent = message;
        while !unsent.is_empty() {
            unsent = self.send(unsent);
            if !unsent.is_empty() {
                self.wait(true, deadline, during)?;
            }
        }
        self.input = None;
        while !self.group.has_ended() {
            self.wait(false, deadline, during)?;
            self.heard.truncate(LONGEST);
        }
        if self.group.end().is_none_or(|status| !status.success()) {
            return Err(self.died(during));
        }
        self.hear();
        Ok(&self.heard)
    }

    /// Ends the child and returns how it ended, as a fault.
    fn died(&mut self, during: &'static str) -> Fault {
        let deadline = Deadline(Some(Instant::now() + LINGER));
        while !self.group.has_ended() && self.wait(false, deadline, during).is_ok() {}
        let by_itself = self.group.has_ended();
        self.listen();
        let how = match self.group.end() {
            _ if !by_itself => "it closed its standard output and went on".into(),
            Some(status) => match status.code() {
                Some(code) => format!("it ended with code {code}"),
                None => format!("it was ended by {}", status.to_string().replace(": ", " ")),
            },
            None => "how it ended is unknown".into(),
        };
        Fault::Died { during, how: how + &self.said.words() }
    }

    /// Returns the fault of a line that answers no message.
    fn stray(&self, during: &'static str, what: &str) -> Fault {
        let line = self.heard.split(|&byte| byte == b'\n').next().unwrap_or_default();
        Fault::Answer { during, why: format!("`{}` {what}; {STREAMS}", begins(line)) }
    }

    /// Writes as much as the pipe takes now; returns the rest, or nothing if the child no longer reads.
    fn send<'a>(&mut self, mut unsent: &'a [u8]) -> &'a [u8] {
        while let Some(input) = self.input.as_mut().filter(|_| !unsent.is_empty()) {
            match input.write(unsent) {
                Ok(written) => unsent = &unsent[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return unsent,
                Err(_) => self.input = None,
            }
        }
        &[]
    }

    /// Waits until a pipe is ready, or for a short time, and reads what arrived.
    fn wait(&mut self, sends: bool, deadline: Deadline, during: &'static str) -> Result<(), Fault> {
        let left = deadline.left();
        if left == Some(Duration::ZERO) {
            let limit = self.patience.text.clone();
            return Err(Fault::Endless { during, limit, option: "timeout=" });
        }
        let closed = self.output.is_none() && self.errors.is_none();
        let look = if closed { LOOK / 50 } else { LOOK };
        let look = left.map_or(look, |left| left.min(look));
        let mut waits: Vec<PollFd<'_>> = Vec::with_capacity(3);
        waits.extend(self.output.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        waits.extend(self.errors.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        waits.extend(self.input.as_ref().filter(|_| sends).map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        let pause = Timespec { tv_sec: 0, tv_nsec: look.subsec_nanos().into() };
        // After an interrupting signal, everything is checked again.
        let silent = matches!(poll(&mut waits, Some(&pause)), Ok(0));
        let errors = waits.iter().skip(usize::from(self.output.is_some()));
        let grumbles = errors.take(1).any(|pipe| !pipe.revents().is_empty());
        drop(waits);
        if silent && self.group.has_ended() {
            self.hear();
            self.output = None;
            return Ok(());
        }
        if grumbles {
            self.listen();
        }
        self.hear();
        Ok(())
    }

    /// Reads what is on the standard output, up to slightly more than the longest line.
    fn hear(&mut self) {
        while let Some(output) = self.output.as_mut().filter(|_| self.heard.len() <= LONGEST) {
            match read(output, &mut self.chunk) {
                Some(0) => self.output = None,
                Some(bytes) => {
                    self.heard.extend_from_slice(&self.chunk[..bytes]);
                    if bytes < self.chunk.len() {
                        return;
                    }
                }
                None => return,
            }
        }
    }

    /// Reads what is on the standard error, for a bounded number of chunks.
    fn listen(&mut self) {
        for _ in 0..64 {
            let Some(errors) = self.errors.as_mut() else { return };
            match read(errors, &mut self.chunk) {
                Some(0) => self.errors = None,
                Some(bytes) => self.said.push(&self.chunk[..bytes]),
                None => return,
            }
        }
    }

    fn end_of_line(&mut self) -> Option<usize> {
        let found = self.heard[self.searched..].iter().position(|&byte| byte == b'\n');
        let end = found.map(|at| self.searched + at);
        self.searched = end.unwrap_or(self.heard.len());
        end
    }
}

/// Reads what is available: 0 bytes at the end of the stream, `None` if nothing is available yet.
fn read(pipe: &mut impl Read, chunk: &mut [u8]) -> Option<usize> {
    loop {
        match pipe.read(chunk) {
            Ok(bytes) => return Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
            Err(_) => return Some(0),
        }
    }
}

/// The instant at which the time-out ends; `None` for never.
#[derive(Clone, Copy)]
struct Deadline(Option<Instant>);

impl Deadline {
    fn of(patience: &Patience) -> Deadline {
        Deadline(patience.limit.and_then(|limit| Instant::now().checked_add(limit)))
    }

    fn left(self) -> Option<Duration> {
        self.0.map(|at| at.saturating_duration_since(Instant::now()))
    }
}
