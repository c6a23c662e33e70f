//! A child, its output beside messages, and the time-out of its answers: the common part of every carrier that starts processes.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;

use super::group::ProcessGroup;
use super::tail::Tail;
use batchlab_contract::plugin::Fault;

/// How often to check whether a silent child still lives: a process that it started may keep the pipes open.
pub const LOOK: Duration = Duration::from_millis(50);

/// How long a child that has closed its output may take to end, so that its exit status can be reported.
const LINGER: Duration = Duration::from_millis(500);

/// The time-out of answers.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Of an answer; `None` waits forever.
    pub limit: Option<Duration>,
    /// Of all answers together.
    pub total: Option<Duration>,
    /// Both as the user wrote them.
    pub text: [String; 2],
}

/// A child with the streams that carry no messages.
#[derive(Debug)]
pub struct Watched {
    /// `None` for a process that was not started here.
    group: Option<ProcessGroup>,
    /// Streams that are read and discarded, except for their last lines.
    noise: Vec<File>,
    patience: Patience,
    begun: Instant,
    said: Tail,
    chunk: Box<[u8]>,
}

impl Watched {
    pub fn new(
        group: Option<ProcessGroup>,
        noise: impl IntoIterator<Item = OwnedFd>,
        patience: Patience,
    ) -> io::Result<Watched> {
        let noise: Vec<File> = noise.into_iter().map(File::from).collect();
        noise.iter().try_for_each(|pipe| ioctl_fionbio(pipe, true))?;
        Ok(Watched {
            group,
            noise,
            patience,
            begun: Instant::now(),
            said: Tail::default(),
            chunk: vec![0; 1 << 16].into_boxed_slice(),
        })
    }

    /// The instant until which an answer may take from now on.
    pub fn deadline(&self) -> Deadline {
        let answer = self.patience.limit.and_then(|limit| Instant::now().checked_add(limit));
        Deadline(answer.into_iter().chain(self.end_of_all()).min())
    }

    fn end_of_all(&self) -> Option<Instant> {
        self.patience.total.and_then(|total| self.begun.checked_add(total))
    }

    pub fn has_ended(&self) -> bool {
        self.group.as_ref().is_some_and(ProcessGroup::has_ended)
    }

    pub fn end(&mut self) -> Option<ExitStatus> {
        self.group.as_mut().and_then(ProcessGroup::end)
    }

    pub fn is_child(&self) -> bool {
        self.group.is_some()
    }

    /// Waits until a pipe is ready, or for a short time, and reads output beside messages. Returns whether nothing came
    /// and the child has ended.
    pub fn wait(
        &mut self,
        pipes: &[PollFd<'_>],
        look: Duration,
        deadline: Deadline,
        during: &'static str,
    ) -> Result<bool, Fault> {
        let left = deadline.left();
        if left == Some(Duration::ZERO) {
            let is_all = self.end_of_all().is_some_and(|end| end <= Instant::now());
            let (limit, option) =
                (self.patience.text[usize::from(is_all)].clone(), if is_all { "total=" } else { "timeout=" });
            return Err(Fault::Endless { during, limit, option });
        }
        let closed = pipes.is_empty() && self.noise.is_empty();
        let look = if closed { LOOK / 50 } else { look };
        let look = left.map_or(look, |left| left.min(look));
        let mut waits: Vec<PollFd<'_>> = pipes.to_vec();
        waits.extend(self.noise.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let pause = Timespec { tv_sec: 0, tv_nsec: look.subsec_nanos().into() };
        // After an interrupting signal, everything is checked again.
        let silent = matches!(poll(&mut waits, Some(&pause)), Ok(0));
        let grumbles = waits[pipes.len()..].iter().any(|pipe| !pipe.revents().is_empty());
        drop(waits);
        if grumbles {
            self.listen();
        }
        Ok(silent && self.has_ended())
    }

    /// Ends the child and returns how it ended, as a fault; `went_on` describes its behaviour if it did not end by itself.
    pub fn died(&mut self, during: &'static str, went_on: &str) -> Fault {
        let deadline = Deadline(Some(Instant::now() + LINGER));
        while self.is_child() && !self.has_ended() && self.wait(&[], LOOK, deadline, during).is_ok() {}
        let by_itself = self.has_ended();
        self.listen();
        let how = match self.end() {
            _ if !by_itself => went_on.into(),
            Some(status) => match status.code() {
                Some(code) => format!("it ended with code {code}"),
                None => format!("it was ended by {}", status.to_string().replace(": ", " ")),
            },
            None => "how it ended is unknown".into(),
        };
        Fault::Died { during, how: how + &self.said.words() }
    }

    /// Reads output beside messages, for a bounded number of chunks.
    fn listen(&mut self) {
        let (said, chunk) = (&mut self.said, &mut self.chunk);
        self.noise.retain_mut(|pipe| {
            for _ in 0..64 {
                match read(pipe, chunk) {
                    Some(0) => return false,
                    Some(bytes) => said.push(&chunk[..bytes]),
                    None => return true,
                }
            }
            true
        });
    }
}

/// Writes as much as a pipe takes now; returns the remaining bytes. A pipe that was closed becomes `None`.
pub fn write<'a>(to: &mut Option<impl Write>, mut unsent: &'a [u8]) -> &'a [u8] {
    while let Some(pipe) = to.as_mut().filter(|_| !unsent.is_empty()) {
        match pipe.write(unsent) {
            Ok(written) => unsent = &unsent[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return unsent,
            Err(_) => *to = None,
        }
    }
    unsent
}

/// Reads available bytes: 0 at the end of the stream, `None` if nothing is available yet.
pub fn read(pipe: &mut impl Read, chunk: &mut [u8]) -> Option<usize> {
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
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    fn left(self) -> Option<Duration> {
        self.0.map(|at| at.saturating_duration_since(Instant::now()))
    }
}
