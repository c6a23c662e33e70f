//! Messages to a scheduler and its answers, each exchange within its time-out: one `poll` waits for the socket and for the
//! scheduler's other output.

use std::io::Write;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};

use super::socket::{Endpoint, Socket};
use super::zmtp::{SocketRole, Wire};
use crate::process::tail::begins;
use crate::process::watched::{Deadline, LOOK, Watched, read, write};
use batchlab_contract::plugin::Fault;

/// How long to wait before connecting again to a scheduler that does not listen yet.
const AGAIN: Duration = Duration::from_millis(5);

/// The most chunks that are read at once.
const CHUNKS: usize = 64;

/// What a scheduler did that ended its conversation without ending itself.
const WENT_ON: &str = "it closed its socket and went on";

#[derive(Debug)]
pub struct Link {
    child: Watched,
    /// `None` once the scheduler has closed it.
    socket: Option<Socket>,
    wire: Wire,
    chunk: Box<[u8]>,
}

impl Link {
    /// Connects to a scheduler, which may still have to begin to listen.
    pub fn open(mut child: Watched, endpoint: &Endpoint) -> Result<Link, Fault> {
        const DURING: &str = "connect";
        let deadline = child.deadline();
        let mut socket = loop {
            match endpoint.connect() {
                Ok(socket) => break socket,
                Err(error) if !child.is_child() => {
                    let how = format!("no scheduler listens at {endpoint}: {error}");
                    return Err(Fault::Died { during: DURING, how });
                }
                Err(_) => {}
            }
            if child.has_ended() {
                return Err(child.died(DURING, ""));
            }
            child.wait(&[], AGAIN, deadline, DURING)?;
        };
        // A socket that has just been made has room for it.
        let opened = socket.write_all(&Wire::opening(SocketRole::Request));
        let socket = opened.ok().map(|()| socket);
        Ok(Link {
            child,
            socket,
            wire: Wire::new(SocketRole::Request),
            chunk: vec![0; 1 << 16].into_boxed_slice(),
        })
    }

    /// Sends a message and returns the answer, the only one.
    pub fn ask(&mut self, message: &[u8], during: &'static str) -> Result<Vec<u8>, Fault> {
        let deadline = self.child.deadline();
        let answer = |why: String| Fault::Answer { during, why };
        self.hear();
        if let Some(early) = self.wire.message().map_err(answer)? {
            return Err(answer(format!("`{}` was said before it was asked", begins(&early))));
        }
        let framed = Wire::framed(message);
        let mut unsent = framed.as_slice();
        loop {
            if self.wire.is_open() {
                unsent = write(&mut self.socket, unsent);
            }
            if let Some(reply) = self.wire.message().map_err(answer)? {
                if !unsent.is_empty() {
                    return Err(answer(format!("`{}` was said before it was asked", begins(&reply))));
                }
                return match self.wire.message().map_err(answer)? {
                    None => Ok(reply),
                    Some(second) => Err(answer(format!("`{}` is a second answer", begins(&second)))),
                };
            }
            if self.socket.is_none() {
                return Err(self.child.died(during, WENT_ON));
            }
            self.wait(!unsent.is_empty() && self.wire.is_open(), deadline, during)?;
        }
    }

    /// Closes the connection and waits for the end of a scheduler that was started here.
    pub fn close(&mut self, during: &'static str) -> Result<(), Fault> {
        self.socket = None;
        if !self.child.is_child() {
            return Ok(());
        }
        let deadline = self.child.deadline();
        while !self.child.has_ended() {
            self.child.wait(&[], AGAIN, deadline, during)?;
        }
        if self.child.end().is_none_or(|status| !status.success()) {
            return Err(self.child.died(during, ""));
        }
        Ok(())
    }

    /// Waits until the socket is ready, or for a short time, and reads what arrived.
    fn wait(&mut self, sends: bool, deadline: Deadline, during: &'static str) -> Result<(), Fault> {
        let flags = if sends { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
        let pipe = self.socket.as_ref().map(|socket| PollFd::new(socket, flags));
        let is_over = self.child.wait(pipe.as_slice(), LOOK, deadline, during)?;
        self.hear();
        if is_over {
            self.socket = None;
        }
        Ok(())
    }

    /// Reads the bytes on the socket, for a bounded number of chunks.
    fn hear(&mut self) {
        for _ in 0..CHUNKS {
            let Some(socket) = self.socket.as_mut() else { return };
            match read(socket, &mut self.chunk) {
                Some(0) => self.socket = None,
                Some(bytes) => {
                    self.wire.feed(&self.chunk[..bytes]);
                    if bytes < self.chunk.len() {
                        return;
                    }
                }
                None => return,
            }
        }
    }
}
