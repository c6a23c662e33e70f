//! Splits buffers into lines, with any line ending.

use batchlab_traces::kinds;

/// The most bytes of a line that are kept.
pub const LONGEST: usize = 1 << 20;

kinds! {
    TOO_LONG: Warning "line-too-long",
        "{line|lines} of more than one mebibyte",
        "left out",
        "look at the file: it may be binary, or have lost its line ends";
    BYTE_ORDER_MARK: Note "byte-order-mark",
        "byte-order {mark|marks} before the first line",
        "skipped",
        "nothing; editors on Windows write them";
}

/// The byte-order mark of UTF-8 that some editors write before the first line.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

/// One line, without its line ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Number of the line, from 1.
    pub number: u32,
    /// The bytes of the line; only its beginning if the line was too long.
    pub bytes: &'a [u8],
    /// The way the line ends.
    pub end: End,
}

/// The way a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a line feed, or a carriage return and a line feed.
    Feed,
    /// With the end of the file; the line may have been cut.
    File,
    /// Not within [`LONGEST`] bytes; the remaining bytes were skipped.
    TooLong,
}

/// A receiver of lines.
pub trait LineSink {
    /// The error that stops the reading.
    type Error;

    /// Takes a line.
    fn line(&mut self, line: &Line<'_>) -> Result<(), Self::Error>;

    /// Takes the line that `rest` begins with, finding its end in the same pass, and returns the number of
    /// bytes of the line with its ending; `None` to receive the line through [`LineSink::line`] instead.
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

/// Splits buffers into lines and carries an unfinished line over to the next buffer.
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

    /// Passes on every line that ends in this buffer.
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

    /// Passes on the last line, if the file does not end with a line ending.
    pub fn finish<S: LineSink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let carry = std::mem::take(&mut self.carry);
        if carry.is_empty() {
            return Ok(());
        }
        self.number = self.number.saturating_add(1);
        let bytes = self.unmarked(&carry);
        sink.line(&Line { number: self.number, bytes: without_return(bytes), end: End::File })
    }

    /// Drops the unfinished line at the end of a torn file.
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

    /// Completes the line that an earlier buffer began, or the first line of the file; returns the bytes after it.
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

    /// Keeps the beginning of a line for the next buffer, unless the line is already too long.
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

    /// Removes the byte-order mark from the first line.
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

/// Removes carriage returns from the end: files that were converted twice have several.
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

    /// All lines of the buffers, each with the way it ended.
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
