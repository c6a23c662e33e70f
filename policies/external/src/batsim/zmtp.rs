//! ZeroMQ's wire protocol, ZMTP 3.0 (ZeroMQ RFC 23), for a request and its reply only: the greeting, the mechanism NULL, and
//! messages of one part behind an empty one.
//!
//! [`Wire`] does no input and output: bytes go in, messages come out.

use batchlab_traces::foreign::line;

/// The most bytes of a message.
pub const LONGEST: usize = 64 << 20;

const GREETING: usize = 64;

/// Bits of the first byte of a frame.
const MORE: u8 = 1;
const LONG: u8 = 2;
const COMMAND: u8 = 4;

/// The most bytes that have been read and stay in front of unread ones.
const SPENT: usize = 1 << 16;

/// Which of the two sockets is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketRole {
    Request,
    Reply,
}

impl SocketRole {
    fn name(self) -> &'static str {
        match self {
            SocketRole::Request => "REQ",
            SocketRole::Reply => "REP",
        }
    }

    /// Returns the sockets that may be at the other end.
    fn peers(self) -> [&'static str; 2] {
        match self {
            SocketRole::Request => ["REP", "ROUTER"],
            SocketRole::Reply => ["REQ", "DEALER"],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Greeting,
    Handshake,
    Traffic,
}

/// The reader of a connection.
#[derive(Debug)]
pub struct Wire {
    role: SocketRole,
    phase: Phase,
    heard: Vec<u8>,
    /// Bytes of `heard` that have been read.
    spent: usize,
    /// Whether the empty part before a message has come.
    is_inside: bool,
}

impl Wire {
    pub fn new(role: SocketRole) -> Wire {
        Wire { role, phase: Phase::Greeting, heard: Vec::new(), spent: 0, is_inside: false }
    }

    /// The first bytes to send: the greeting, and the properties of the socket.
    pub fn opening(role: SocketRole) -> Vec<u8> {
        let mut bytes = vec![0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0];
        bytes.extend(b"NULL");
        bytes.resize(GREETING, 0);
        let mut ready = b"\x05READY\x0bSocket-Type".to_vec();
        let name = role.name().as_bytes();
        ready.extend((name.len() as u32).to_be_bytes());
        ready.extend(name);
        ready.extend(b"\x08Identity\0\0\0\0");
        push_frame(&mut bytes, COMMAND, &ready);
        bytes
    }

    pub fn framed(message: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(message.len() + 11);
        push_frame(&mut bytes, MORE, &[]);
        push_frame(&mut bytes, 0, message);
        bytes
    }

    /// Whether both ends have introduced themselves.
    pub fn is_open(&self) -> bool {
        self.phase == Phase::Traffic
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        if self.spent > SPENT {
            self.heard.drain(..self.spent);
            self.spent = 0;
        }
        self.heard.extend_from_slice(bytes);
    }

    pub fn message(&mut self) -> Result<Option<Vec<u8>>, String> {
        if self.phase == Phase::Greeting && !self.greeted()? {
            return Ok(None);
        }
        while let Some((flags, body)) = self.frame()? {
            if flags & COMMAND != 0 {
                if self.phase == Phase::Handshake {
                    self.introduced(&body)?;
                }
                continue;
            }
            if self.phase == Phase::Handshake {
                return Err("it sends a message before it has introduced its socket".into());
            }
            match (self.is_inside, flags & MORE != 0, body.is_empty()) {
                (false, true, true) => self.is_inside = true,
                (true, false, _) => {
                    self.is_inside = false;
                    return Ok(Some(body));
                }
                (false, ..) => return Err("a message has no empty part before it".into()),
                (true, ..) => return Err("a message has several parts".into()),
            }
        }
        Ok(None)
    }

    /// Reads the greeting; returns whether it is complete.
    fn greeted(&mut self) -> Result<bool, String> {
        let bytes = &self.heard;
        let begins = |at: usize, wanted: u8| bytes.get(at).is_none_or(|&byte| byte == wanted);
        if !begins(0, 0xff) || !begins(9, 0x7f) {
            let said = line(&String::from_utf8_lossy(&bytes[..bytes.len().min(40)]), 20);
            return Err(format!("`{said}` is not ZeroMQ"));
        }
        if let Some(major) = bytes.get(10).filter(|&&major| major < 3) {
            return Err(format!("it speaks version {major} of ZeroMQ's protocol; 3 is wanted"));
        }
        let Some(greeting) = bytes.get(..GREETING) else { return Ok(false) };
        if &greeting[12..32] != b"NULL\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" {
            let mechanism = line(&String::from_utf8_lossy(&greeting[12..32]).replace('\0', ""), 20);
            return Err(format!("it wants the mechanism {mechanism}, and only NULL is spoken here"));
        }
        self.spent = GREETING;
        self.phase = Phase::Handshake;
        Ok(true)
    }

    /// Reads the command that introduces the other socket.
    fn introduced(&mut self, body: &[u8]) -> Result<(), String> {
        if let Some(reason) = body.strip_prefix(b"\x05ERROR") {
            let reason = line(&String::from_utf8_lossy(reason), 80);
            return Err(format!("it refuses the connection: {reason}"));
        }
        let Some(mut rest) = body.strip_prefix(b"\x05READY") else {
            return Err("it does not introduce its socket".into());
        };
        let mut socket = None;
        while let Some((name, value, after)) = property(rest) {
            if name.eq_ignore_ascii_case(b"Socket-Type") {
                socket = Some(String::from_utf8_lossy(value).into_owned());
            }
            rest = after;
        }
        match socket {
            Some(socket) if self.role.peers().contains(&socket.as_str()) => {
                self.phase = Phase::Traffic;
                Ok(())
            }
            Some(socket) => {
                let (socket, wanted) = (line(&socket, 20), self.role.peers()[0]);
                Err(format!("its socket is a {socket}, where a {wanted} is wanted"))
            }
            None => Err("it does not say what its socket is".into()),
        }
    }

    /// Takes the next frame that is complete: its flags and its body.
    fn frame(&mut self) -> Result<Option<(u8, Vec<u8>)>, String> {
        let bytes = &self.heard[self.spent..];
        let Some(&flags) = bytes.first() else { return Ok(None) };
        if flags & !(MORE | LONG | COMMAND) != 0 {
            return Err(format!("a frame begins with {flags:#04x}"));
        }
        let (length, header) = if flags & LONG == 0 {
            let Some(&length) = bytes.get(1) else { return Ok(None) };
            (u64::from(length), 2)
        } else {
            let Some(length) = bytes.get(1..9).and_then(|length| length.try_into().ok()) else {
                return Ok(None);
            };
            (u64::from_be_bytes(length), 9)
        };
        if length > LONGEST as u64 {
            return Err(format!("a message of {length} bytes, where {} MiB are the most", LONGEST >> 20));
        }
        let Some(body) = bytes.get(header..header + length as usize) else { return Ok(None) };
        let body = body.to_vec();
        self.spent += header + length as usize;
        Ok(Some((flags, body)))
    }
}

/// Returns the name and the value of the first property, and the bytes behind it.
fn property(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (&length, rest) = bytes.split_first()?;
    let (name, rest) = rest.split_at_checked(length.into())?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (value, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    Some((name, value, rest))
}

fn push_frame(out: &mut Vec<u8>, flags: u8, body: &[u8]) {
    match u8::try_from(body.len()) {
        Ok(length) => out.extend([flags, length]),
        Err(_) => {
            out.push(flags | LONG);
            out.extend((body.len() as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(body);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(role: SocketRole, other: SocketRole) -> Wire {
        let mut wire = Wire::new(role);
        wire.feed(&Wire::opening(other));
        assert_eq!(wire.message(), Ok(None));
        assert!(wire.is_open());
        wire
    }

    #[test]
    fn messages_come_out_as_they_went_in_however_they_are_cut() {
        let long = vec![7; 70_000];
        let bytes = [
            Wire::opening(SocketRole::Reply),
            Wire::framed(b"one"),
            Wire::framed(b""),
            vec![COMMAND, 5, 4, b'P', b'I', b'N', b'G'],
            Wire::framed(&long),
        ]
        .concat();
        for step in [1, 7, 64, 1 << 20] {
            let mut wire = Wire::new(SocketRole::Request);
            let mut messages = Vec::new();
            for part in bytes.chunks(step) {
                wire.feed(part);
                while let Some(message) = wire.message().unwrap() {
                    messages.push(message);
                }
            }
            assert!(messages == [b"one".to_vec(), Vec::new(), long.clone()], "in steps of {step}");
        }
    }

    #[test]
    fn what_is_not_the_protocol_is_said() {
        let error = |bytes: &[u8]| {
            let mut wire = Wire::new(SocketRole::Request);
            wire.feed(bytes);
            wire.message().unwrap_err()
        };
        assert_eq!(error(b"HTTP/1.1 400 Bad Request"), "`HTTP/1.1 400 Bad Req…` is not ZeroMQ");
        let mut old = Wire::opening(SocketRole::Reply);
        old[10] = 1;
        assert_eq!(error(&old), "it speaks version 1 of ZeroMQ's protocol; 3 is wanted");
        let mut curve = Wire::opening(SocketRole::Reply);
        curve[12..17].copy_from_slice(b"CURVE");
        assert_eq!(error(&curve), "it wants the mechanism CURVE, and only NULL is spoken here");
        assert_eq!(error(&Wire::opening(SocketRole::Request)), "its socket is a REQ, where a REP is wanted");

        let after = |bytes: &[u8]| {
            let mut wire = open(SocketRole::Request, SocketRole::Reply);
            wire.feed(bytes);
            wire.message().unwrap_err()
        };
        assert_eq!(after(&[0, 1, b'x']), "a message has no empty part before it");
        assert_eq!(after(&[MORE, 0, MORE, 1, b'x']), "a message has several parts");
        assert_eq!(after(&[0x80]), "a frame begins with 0x80");
        let huge = [&[LONG][..], &u64::MAX.to_be_bytes()].concat();
        assert!(after(&huge).ends_with("bytes, where 64 MiB are the most"));
    }
}
