//! One pass over a log: what every reader is given.

use batchlab_traces::{Header, RecordSink};

use crate::clock::LocalClock;
use crate::desk::Desk;
use crate::error::ReadError;
use crate::explain::Explanation;
use crate::lines::{BYTE_ORDER_MARK, End, Line, LineSink, Lines, TOO_LONG};
use crate::normal::Normaliser;
use crate::read::Options;
use crate::source::Stream;

/// One pass over a log: where its bytes come from, where its records and findings go.
pub struct Pass<'a> {
    /// The bytes.
    pub stream: &'a mut Stream,
    /// Where findings go.
    pub desk: Desk<'a>,
    /// Where records go.
    pub sink: &'a mut dyn RecordSink,
    /// How to read.
    pub options: &'a Options,
    /// Which column went where, for the first lines.
    pub explanation: &'a mut Explanation,
}

/// A reader of lines that is given the pass with each.
pub trait LineReader {
    /// Whether blank lines mean something to it; else they are skipped.
    const WANTS_BLANKS: bool = false;

    /// Takes a line.
    ///
    /// # Errors
    /// Whatever ends the reading.
    fn line(
        &mut self,
        line: &Line<'_>,
        desk: &mut Desk<'_>,
        explanation: &mut Explanation,
    ) -> Result<(), ReadError>;

    /// Takes the beginning of a line that is too long to be one: it is told and left out.
    ///
    /// # Errors
    /// Whatever ends the reading.
    fn too_long(
        &mut self,
        line: &Line<'_>,
        desk: &mut Desk<'_>,
        _explanation: &mut Explanation,
    ) -> Result<(), ReadError> {
        Ok(desk.report(&TOO_LONG, line, line.bytes, |beginning| beginning)?)
    }
}

impl Pass<'_> {
    /// Hands every line to a reader. The last line of a torn file, which may be cut, is left out.
    ///
    /// # Errors
    /// When the system refuses to read on, and the first error of the reader.
    pub fn lines(&mut self, reader: &mut impl LineReader) -> Result<(), ReadError> {
        let mut lines = Lines::new();
        let mut feed = Feed { reader, desk: &mut self.desk, explanation: self.explanation };
        while let Some(buffer) = self.stream.next_buffer()? {
            lines.push(buffer, &mut feed)?;
        }
        if self.stream.torn().is_some() {
            lines.forget();
        }
        lines.finish(&mut feed)?;
        if lines.marked() {
            self.desk.report_at(&BYTE_ORDER_MARK, 1, || "UTF-8".into())?;
        }
        Ok(())
    }

    /// Hands the records of a normaliser on; a log without entries is refused.
    ///
    /// # Errors
    /// When there is no entry, and on a strict refusal.
    pub fn finish(
        &mut self,
        normaliser: Normaliser,
        clock: Option<&LocalClock>,
        format: &'static crate::FormatSpec,
        why: &str,
    ) -> Result<Header, ReadError> {
        if let Some(clock) = clock {
            clock.finish(&mut self.desk)?;
        }
        if normaliser.is_empty() {
            let (name, looked_for) = (self.desk.file.to_string(), format.looks_like);
            return Err(ReadError::NotFormat { name, format: format.name, why: why.into(), looked_for });
        }
        normaliser.finish(&mut self.desk, self.sink)
    }
}

struct Feed<'a, 'b, R> {
    reader: &'a mut R,
    desk: &'a mut Desk<'b>,
    explanation: &'a mut Explanation,
}

impl<R: LineReader> LineSink for Feed<'_, '_, R> {
    type Error = ReadError;

    fn line(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        if line.end == End::TooLong {
            return self.reader.too_long(line, self.desk, self.explanation);
        }
        if !R::WANTS_BLANKS && line.bytes.trim_ascii().is_empty() {
            return Ok(());
        }
        self.reader.line(line, self.desk, self.explanation)
    }
}
