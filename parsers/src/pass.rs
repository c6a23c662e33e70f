//! One pass over a log, with everything that a reader needs.

use batchlab_traces::{Findings, Header, Kind, RecordSink};

use crate::clock::LocalClock;
use crate::error::{ReadError, Result};
use crate::explain::Explanation;
use crate::formats::{FormatSpec, SURE};
use crate::lines::{BYTE_ORDER_MARK, End, Line, LineSink, Lines, TOO_LONG};
use crate::normal::Normaliser;
use crate::options::Options;
use crate::reporter::Reporter;
use crate::source::{Input, Stream};
use crate::tally::SkippedLines;

/// One pass over a log: the source of its bytes and the receivers of its records and findings.
pub struct Pass<'a> {
    /// The bytes.
    pub stream: &'a mut Stream,
    /// Receiver of findings.
    pub reporter: Reporter<'a>,
    /// Receiver of records.
    pub sink: &'a mut dyn RecordSink,
    /// The options of reading.
    pub options: &'a Options,
    /// The field that each column was read as, for the first lines.
    pub explanation: &'a mut Explanation,
    pub(crate) seen: Seen,
    /// Logs of the past beside a queue; a format that reads them takes them out.
    pub(crate) histories: Vec<Input>,
}

/// Counts of the lines that [`Pass::lines`] has read.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Lines that are not blank.
    lines: u64,
    last: u32,
    /// Lines that are not records of the format.
    lost: u64,
    /// The number of all findings when the lost lines were last counted.
    findings: u64,
    tally: SkippedLines,
}

impl Seen {
    /// Counts the lines that caused a finding of one of these kinds since the last call.
    fn count(&mut self, kinds: &[&Kind], findings: &Findings) {
        if findings.total() == self.findings {
            return;
        }
        self.findings = findings.total();
        let counts = kinds.iter().map(|kind| findings.count(kind.code));
        let lost = counts.sum::<u64>() + findings.count(TOO_LONG.code);
        if lost > self.lost {
            let more = lost - std::mem::replace(&mut self.lost, lost);
            self.tally.lose(self.last, more, self.kept());
        }
    }

    fn kept(&self) -> u64 {
        self.lines.saturating_sub(self.lost)
    }
}

/// A reader that receives a log line by line.
pub trait LineReader {
    /// Whether the reader needs blank lines; otherwise they are skipped.
    const WANTS_BLANKS: bool = false;

    /// The findings about lines that are not records of the format. A log with more such lines than records is refused.
    const NO_RECORD: &'static [&'static Kind] = &[];

    /// Takes a line.
    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explanation: &mut Explanation)
    -> Result;

    /// Takes the beginning of a line that is too long to be a record; the line is reported and left out.
    fn too_long(
        &mut self,
        line: &Line<'_>,
        reporter: &mut Reporter<'_>,
        _explanation: &mut Explanation,
    ) -> Result {
        Ok(reporter.report(&TOO_LONG, line, line.bytes, |beginning| beginning)?)
    }
}

impl Pass<'_> {
    /// Passes every line to a reader. The last line of a torn file is left out, because it may be cut.
    ///
    /// # Errors
    /// A read error of the system, and the first error of the reader.
    pub fn lines<R: LineReader>(&mut self, reader: &mut R) -> Result {
        let mut lines = Lines::new();
        let (reporter, seen) = (&mut self.reporter, &mut self.seen);
        let mut feed = Feed { reader, reporter, explanation: self.explanation, seen };
        while let Some(buffer) = self.stream.next_buffer()? {
            lines.push(buffer, &mut feed)?;
        }
        if self.stream.torn().is_some() {
            lines.forget();
        }
        lines.finish(&mut feed)?;
        if lines.marked() {
            self.reporter.report_at(&BYTE_ORDER_MARK, 1, || "UTF-8".into())?;
        }
        Ok(())
    }

    /// Refuses a log that the user declared to be of this format if it is certainly of another format and not certainly of this
    /// one: the number of columns, by which this format recognises its records, is not sufficient.
    pub(crate) fn refuse_other(&mut self, format: &'static FormatSpec) -> Result {
        if self.options.format.is_none() {
            return Ok(());
        }
        let beginning = self.stream.peek()?;
        if let Some((other, likeness)) = self.options.formats.likest(beginning)
            && likeness >= SURE
            && other.name != format.name
            && (format.likeness)(beginning) < SURE
        {
            let (name, format) = (self.reporter.file.to_string(), format.name);
            return Err(ReadError::OtherFormat { name, format, other: other.name });
        }
        Ok(())
    }

    /// Passes on the records of a normaliser. A log without entries is refused, and so is one with more lines
    /// that are not records than records ([`LineReader::NO_RECORD`]).
    ///
    /// # Errors
    /// When the log is refused, and in strict reading at the first warning.
    pub fn finish(
        &mut self,
        normaliser: Normaliser,
        clock: Option<&LocalClock>,
        format: &'static FormatSpec,
        why: &str,
    ) -> Result<Header> {
        if let Some(clock) = clock {
            clock.finish(&mut self.reporter)?;
        }
        let why = if normaliser.is_empty() {
            Some(why.into())
        } else {
            self.seen.tally.judge(self.seen.kept(), &mut self.reporter)?
        };
        if let Some(why) = why {
            let (name, looked_for) = (self.reporter.file.to_string(), format.looks_like);
            return Err(ReadError::NotFormat { name, format: format.name, why, looked_for });
        }
        normaliser.finish(&mut self.reporter, self.sink)
    }
}

struct Feed<'a, 'b, R> {
    reader: &'a mut R,
    reporter: &'a mut Reporter<'b>,
    explanation: &'a mut Explanation,
    seen: &'a mut Seen,
}

impl<R: LineReader> LineSink for Feed<'_, '_, R> {
    type Error = ReadError;

    fn line(&mut self, line: &Line<'_>) -> Result {
        let blank = line.bytes.trim_ascii().is_empty();
        self.seen.lines += u64::from(!blank);
        self.seen.last = line.number;
        if line.end == End::TooLong {
            self.reader.too_long(line, self.reporter, self.explanation)?;
        } else if R::WANTS_BLANKS || !blank {
            self.reader.line(line, self.reporter, self.explanation)?;
        }
        self.seen.count(R::NO_RECORD, self.reporter.findings);
        Ok(())
    }
}
