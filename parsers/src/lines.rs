//! Lines out of buffers, whatever ends them.

use batchlab_traces::{Kind, Level};

/// The longest line that is kept, in bytes.
pub const LONGEST: usize = 1 << 20;

/// Lines that no log has.
pub static TOO_LONG: Kind = Kind {
    code: "line-too-long",
    level: Level::Warning,
    what: "{line|lines} of more than one mebibyte",
    done: "left out",
    advice: "look at the file: it may be binary, or have lost its line ends",
};

/// A file that begins with the mark of UTF-8.
pub static BYTE_ORDER_MARK: Kind = Kind {
    code: "byte-order-mark",
    level: Level::Note,
    what: "byte-order {mark|marks} before the first line",
    done: "skipped",
    advice: "nothing; editors on Windows write them",
};

/// The mark of UTF-8 that some editors write before the first line.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

/// One line, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// From 1.
    pub number: u32,
    /// What stands on it; the beginning of it when it was too long.
    pub bytes: &'a [u8],
    /// How it ends.
    pub end: End,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a line feed, or a carriage return and a line feed.
    Feed,
    /// With the file; it may have been cut.
    File,
    /// Not within [`LONGEST`] bytes: the rest was skipped.
    TooLong,
}

/// Takes lines one by one.
pub trait LineSink {
    /// Why it may stop.
    type Error;

    /// Takes a line.
    ///
    /// # Errors
    /// Whatever ends the reading.
    fn line(&mut self, line: &Line<'_>) -> Result<(), Self::Error>;

    /// Takes the line that `rest` begins with, in one go with finding its end, and returns how many bytes it
    /// and its end have; `None` to be given the line by [`LineSink::line`].
    #[inline]
    fn quick(&mut self, _rest: &[u8], _number: u32) -> Option<usize> {
        None
    }
}

impl<E, F: FnMut(&Line<'_>) -> Result<(), E>> LineSink for F {
    type Error = E;

    fn line(&mut self, line: &Line<'_>) -> Result<(), E> {
        self(line)
    }
}

/// Splits buffers into lines, carrying a line over from one buffer to the next.
///
/// Time is linear in the bytes; memory is one line of at most [`LONGEST`] bytes.
#[derive(Default)]
pub struct Lines {
    carry: Vec<u8>,
    number: u32,
    skipping: bool,
    marked: bool,
}

impl Lines {
    /// Returns a splitter at the beginning of a file.
    pub fn new() -> Lines {
        Lines::default()
    }

    /// Hands over every line that ends in this buffer.
    ///
    /// # Errors
    /// The first error of the sink.
    #[inline]
    pub fn push<S: LineSink>(&mut self, buffer: &[u8], sink: &mut S) -> Result<(), S::Error> {
        let mut rest = buffer;
        if self.number == 0 || !self.carry.is_empty() || self.skipping {
            rest = self.push_first(rest, sink)?;
        }
        loop {
            let number = self.number.saturating_add(1);
            if let Some(taken) = sink.quick(rest, number) {
                rest = &rest[taken..];
            } else if let Some(at) = memchr::memchr(b'\n', rest) {
                sink.line(&whole_line(number, &rest[..at]))?;
                rest = &rest[at + 1..];
            } else {
                return self.keep(rest, sink);
            }
            self.number = number;
        }
    }

    /// Hands over the last line, if the file does not end with a line end.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn finish<S: LineSink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let carry = std::mem::take(&mut self.carry);
        if carry.is_empty() {
            return Ok(());
        }
        self.number = self.number.saturating_add(1);
        let bytes = self.unmarked(&carry);
        sink.line(&Line { number: self.number, bytes: without_return(bytes), end: End::File })
    }

    /// Forgets the line that was begun: what is left of a torn file.
    pub fn forget(&mut self) {
        self.carry.clear();
    }

    /// Returns the number of lines seen.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether the file began with a byte-order mark.
    pub fn marked(&self) -> bool {
        self.marked
    }

    /// Ends the line that an earlier buffer began, or the file's first one; returns what follows it.
    fn push_first<'a, S: LineSink>(&mut self, buffer: &'a [u8], sink: &mut S) -> Result<&'a [u8], S::Error> {
        let Some(at) = memchr::memchr(b'\n', buffer) else { return Ok(buffer) };
        if std::mem::take(&mut self.skipping) {
            return Ok(&buffer[at + 1..]);
        }
        let mut carry = std::mem::take(&mut self.carry);
        self.number = self.number.saturating_add(1);
        if carry.is_empty() {
            sink.line(&whole_line(self.number, self.unmarked(&buffer[..at])))?;
        } else {
            carry.extend_from_slice(&buffer[..at]);
            sink.line(&whole_line(self.number, self.unmarked(&carry)))?;
            carry.clear();
        }
        self.carry = carry;
        Ok(&buffer[at + 1..])
    }

    /// Keeps the beginning of a line for the next buffer, unless it is too long already.
    fn keep<S: LineSink>(&mut self, rest: &[u8], sink: &mut S) -> Result<(), S::Error> {
        if self.skipping {
            return Ok(());
        }
        if self.carry.len() + rest.len() <= LONGEST {
            self.carry.extend_from_slice(rest);
            return Ok(());
        }
        self.number = self.number.saturating_add(1);
        self.skipping = true;
        let carry = std::mem::take(&mut self.carry);
        let bytes = if carry.is_empty() { rest } else { &carry };
        sink.line(&Line { number: self.number, bytes, end: End::TooLong })
    }

    /// Takes the byte-order mark off the first line.
    fn unmarked<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        match bytes.strip_prefix(MARK) {
            Some(rest) if self.number == 1 => {
                self.marked = true;
                rest
            }
            _ => bytes,
        }
    }
}

fn whole_line(number: u32, bytes: &[u8]) -> Line<'_> {
    let end = if bytes.len() > LONGEST { End::TooLong } else { End::Feed };
    Line { number, bytes: without_return(bytes), end }
}

/// Takes carriage returns off the end: files that were converted twice have several.
fn without_return(mut bytes: &[u8]) -> &[u8] {
    while let [rest @ .., b'\r'] = bytes {
        bytes = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All lines of the buffers, and how the last one ended.
    fn split(buffers: &[&[u8]]) -> Vec<(u32, Vec<u8>, End)> {
        let mut lines = Lines::new();
        let mut seen = Vec::new();
        let mut keep = |line: &Line<'_>| -> Result<(), ()> {
            seen.push((line.number, line.bytes.to_vec(), line.end));
            Ok(())
        };
        for buffer in buffers {
            lines.push(buffer, &mut keep).unwrap();
        }
        lines.finish(&mut keep).unwrap();
        seen
    }

    fn texts(text: &str) -> Vec<String> {
        split(&[text.as_bytes()]).into_iter().map(|(_, line, _)| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn every_line_end_is_taken_off() {
        assert_eq!(texts("a\nb\r\n\nc\r\r\nd\r"), ["a", "b", "", "c", "d"]);
        assert_eq!(texts("a\n"), ["a"]);
        assert_eq!(texts(""), [""; 0]);
        assert_eq!(texts("\u{feff}; Version\n1"), ["; Version", "1"]);
        assert_eq!(texts("\u{feff}1"), ["1"]);
    }

    #[test]
    fn a_line_without_a_line_end_says_so() {
        assert_eq!(split(&[b"a\nb"])[1], (2, b"b".to_vec(), End::File));
    }

    #[test]
    fn an_endless_line_is_cut_once_and_the_next_one_is_whole() {
        let long = vec![b'x'; LONGEST];
        let seen = split(&[b"a\n", &long, &long, &long, b"\nb\n"]);
        let ends: Vec<(u32, End)> = seen.iter().map(|(number, _, end)| (*number, *end)).collect();
        assert_eq!(ends, [(1, End::Feed), (2, End::TooLong), (3, End::Feed)]);
        assert_eq!(seen[2].1, b"b");
    }

    #[test]
    fn a_long_line_within_one_buffer_is_too_long_as_well() {
        let mut long = vec![b'x'; LONGEST + 1];
        long.extend_from_slice(b"\nb");
        assert_eq!(split(&[&long])[0].2, End::TooLong);
    }

    proptest! {
        #[test]
        fn buffers_may_be_cut_anywhere(
            bytes in prop::collection::vec(prop::sample::select(b"ab\r\n\xef\xbb\xbf".to_vec()), 0..60),
            cuts in prop::collection::vec(0_usize..60, 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let buffers: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(split(&buffers), split(&[&bytes]));
        }
    }
}
