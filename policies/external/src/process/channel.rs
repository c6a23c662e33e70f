//! Lines to and from a child, each exchange within its time-out.
//!
//! All pipes are non-blocking, and one `poll` waits for all of them. Thus the same deadline applies to a
//! child that does not read, floods its standard error or is silent, and a message needs no switch of
//! threads.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{ChildStdin, ChildStdout};

use rustix::event::{PollFd, PollFlags};
use rustix::io::ioctl_fionbio;

use super::group::ProcessGroup;
use super::tail::begins;
use super::watched::{Deadline, LOOK, Patience, Watched, read, write};
use batchlab_contract::plugin::Fault;

/// The most bytes of a line.
pub const LONGEST: usize = 64 << 20;

/// The advice for a child that mixes up its streams.
pub const STREAMS: &str =
    "standard output is for messages, one to an answer, and standard error for everything else";

/// What a child did that ended its conversation without ending itself.
const WENT_ON: &str = "it closed its standard output and went on";

#[derive(Debug)]
pub struct Channel {
    child: Watched,
    /// `None` once the child no longer reads.
    input: Option<ChildStdin>,
    /// `None` once the child can no longer write.
    output: Option<ChildStdout>,
    heard: Vec<u8>,
    /// Bytes of `heard` already searched without finding the end of a line.
    searched: usize,
    chunk: Box<[u8]>,
}

impl Channel {
    /// The three streams of the child are pipes.
    pub fn new(mut group: ProcessGroup, patience: Patience) -> io::Result<Channel> {
        let child = group.child();
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        input.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        output.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        let child = Watched::new(Some(group), errors.map(OwnedFd::from), patience)?;
        let chunk = vec![0; 1 << 16].into_boxed_slice();
        Ok(Channel { child, input, output, heard: Vec::new(), searched: 0, chunk })
    }

    /// Sends a message, which ends with its newline, and returns the line of the answer, the only one, without its
    /// newline.
    pub fn ask(&mut self, message: &[u8], during: &'static str) -> Result<&[u8], Fault> {
        self.heard.clear();
        self.searched = 0;
        self.hear();
        if !self.heard.is_empty() {
            return Err(self.stray(during, "was said before it was asked"));
        }
        let deadline = self.child.deadline();
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
                return Err(self.child.died(during, WENT_ON));
            }
            self.wait(!unsent.is_empty(), deadline, during)?;
        }
    }

    /// Sends a last message, closes the child's input and waits for its end; returns its remaining output.
    pub fn bye(&mut self, message: &[u8], during: &'static str) -> Result<&[u8], Fault> {
        self.heard.clear();
        let deadline = self.child.deadline();
        let mut unsent = message;
        while !unsent.is_empty() {
            unsent = self.send(unsent);
            if !unsent.is_empty() {
                self.wait(true, deadline, during)?;
            }
        }
        self.input = None;
        while !self.child.has_ended() {
            self.wait(false, deadline, during)?;
            self.heard.truncate(LONGEST);
        }
        if self.child.end().is_none_or(|status| !status.success()) {
            return Err(self.child.died(during, WENT_ON));
        }
        self.hear();
        Ok(&self.heard)
    }

    /// Returns the fault of a line that answers no message.
    fn stray(&self, during: &'static str, what: &str) -> Fault {
        let line = self.heard.split(|&byte| byte == b'\n').next().unwrap_or_default();
        Fault::Answer { during, why: format!("`{}` {what}; {STREAMS}", begins(line)) }
    }

    /// Returns the bytes that remain, none if the child no longer reads.
    fn send<'a>(&mut self, unsent: &'a [u8]) -> &'a [u8] {
        let rest = write(&mut self.input, unsent);
        if self.input.is_some() { rest } else { &[] }
    }

    /// Waits until a pipe is ready, or for a short time, and reads what arrived.
    fn wait(&mut self, sends: bool, deadline: Deadline, during: &'static str) -> Result<(), Fault> {
        let mut pipes: Vec<PollFd<'_>> = Vec::with_capacity(2);
        pipes.extend(self.output.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        pipes.extend(self.input.as_ref().filter(|_| sends).map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        let is_over = self.child.wait(&pipes, LOOK, deadline, during)?;
        self.hear();
        if is_over {
            self.output = None;
        }
        Ok(())
    }

    /// Reads the standard output, up to slightly more than the longest line.
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

    fn end_of_line(&mut self) -> Option<usize> {
        let found = self.heard[self.searched..].iter().position(|&byte| byte == b'\n');
        let end = found.map(|at| self.searched + at);
        self.searched = end.unwrap_or(self.heard.len());
        end
    }
}
