//! Provides bytes to the JSON parser, which requests them one at a time.

use std::cell::{Cell, RefCell};
use std::io::{self, Read};
use std::rc::Rc;

use crate::error::ReadError;
use crate::lines::MARK;
use crate::source::Stream;

/// The most bytes of one string, number or word: the parser keeps a token in memory.
pub(super) const LONGEST_TOKEN: usize = 16 << 20;

/// The most brackets that may be open: the parser keeps track of each.
const DEEPEST: u32 = 1000;

#[derive(Default)]
pub(super) struct Position {
    /// Current line, from 1 once something was read.
    pub(super) line: Cell<u32>,
    /// Whether the position of the next opening brace is to be recorded.
    pub(super) waiting: Cell<bool>,
    /// The line of that brace.
    pub(super) begun: Cell<u32>,
    /// Whether any byte except blanks was read since this was cleared.
    pub(super) touched: Cell<bool>,
    pub(super) error: RefCell<Option<ReadError>>,
}

pub(super) struct Bytes<'a> {
    stream: &'a mut Stream,
    buffer: Vec<u8>,
    at: usize,
    first: bool,
    tokens: Tokens,
    position: Rc<Position>,
}

/// Tracks the tokens of a document as far as needed to limit their length and nesting.
#[derive(Default)]
struct Tokens {
    length: usize,
    depth: u32,
    string: Option<Escape>,
}

/// State of the escapes within a string.
enum Escape {
    No,
    /// After a backslash.
    Next,
}

impl Tokens {
    fn byte(&mut self, byte: u8) -> Result<(), &'static str> {
        self.length += 1;
        match (&self.string, byte) {
            (Some(Escape::Next), _) => self.string = Some(Escape::No),
            (Some(Escape::No), b'\\') => self.string = Some(Escape::Next),
            (Some(Escape::No), b'"') => (self.string, self.length) = (None, 0),
            (None, b'"') => (self.string, self.length) = (Some(Escape::No), 0),
            (None, b'{' | b'[') => (self.depth, self.length) = (self.depth + 1, 0),
            (None, b'}' | b']') => (self.depth, self.length) = (self.depth.saturating_sub(1), 0),
            (None, b',' | b':' | b' ' | b'\t' | b'\r' | b'\n') => self.length = 0,
            _ => {}
        }
        if self.length > LONGEST_TOKEN {
            return Err("a string or number of more than 16 MiB");
        }
        if self.depth > DEEPEST {
            return Err("more than 1,000 brackets are open");
        }
        Ok(())
    }
}

impl<'a> Bytes<'a> {
    pub(super) fn new(stream: &'a mut Stream, position: Rc<Position>) -> Bytes<'a> {
        position.line.set(1);
        Bytes { stream, buffer: Vec::new(), at: 0, first: true, tokens: Tokens::default(), position }
    }

    /// Fetches the next buffer; returns whether there was one.
    #[cold]
    fn refill(&mut self) -> io::Result<bool> {
        self.buffer.clear();
        self.at = 0;
        match self.stream.next_buffer() {
            Ok(Some(bytes)) => {
                let bytes = if self.first { bytes.strip_prefix(MARK).unwrap_or(bytes) } else { bytes };
                self.buffer.extend_from_slice(bytes);
                self.first = false;
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => {
                *self.position.error.borrow_mut() = Some(error);
                Err(io::Error::other("the stream failed"))
            }
        }
    }
}

impl Read for Bytes<'_> {
    #[inline]
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.buffer.len() {
            if !self.refill()? {
                return Ok(0);
            }
        }
        let count = into.len().min(self.buffer.len() - self.at);
        let bytes = &self.buffer[self.at..self.at + count];
        into[..count].copy_from_slice(bytes);
        for &byte in bytes {
            self.tokens.byte(byte).map_err(io::Error::other)?;
            match byte {
                b'\n' => self.position.line.set(self.position.line.get().saturating_add(1)),
                b'{' if self.position.waiting.replace(false) => {
                    self.position.begun.set(self.position.line.get());
                }
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                self.position.touched.set(true);
            }
        }
        self.at += count;
        Ok(count)
    }
}
