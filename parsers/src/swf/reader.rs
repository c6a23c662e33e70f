use batchlab_traces::{Example, Field, Findings, Header, Record, RecordSink, SourcePlace};

use crate::error::{ReadError, Result};
use crate::explain::Explanation;
use crate::formats::FormatSpec;
use crate::lines::{BYTE_ORDER_MARK, End, LONGEST, Line, LineSink, Lines, TOO_LONG};
use crate::pass::Pass;
use crate::reporter::Reporter;
use crate::source::Stream;
use crate::swf::careful::{careful, has_fraction, report_fractions, tokens};
use crate::swf::comments::{Comments, gives_field};
use crate::swf::identities::Identities;
use crate::swf::likeness::likeness;
use crate::swf::{fields, kinds};
use crate::tally::SkippedLines;

/// The format's entry in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "swf",
    summary: "Standard Workload Format 2.2, with optional resource columns",
    cite: "Chapin et al., JSSPP 1999; Parallel Workloads Archive, \"The Standard Workload Format\"",
    looks_like: LOOKS_LIKE,
    likeness,
    read: read_dynamic,
};

const LOOKS_LIKE: &str = "header lines that begin with `;`, and lines of 18 numbers separated by blanks";

/// Reads a log in SWF: returns its header and passes its records to `sink`.
///
/// # Errors
/// A read error of the system, a log without records, and in strict reading the first warning.
pub fn read<S: RecordSink + ?Sized>(
    stream: &mut Stream,
    findings: &mut Findings,
    sink: &mut S,
) -> Result<Header> {
    let mut reader = Reader::new(stream.name(), findings, sink);
    while let Some(buffer) = stream.next_buffer()? {
        reader.push(buffer)?;
    }
    reader.finish(stream.torn().is_some())
}

fn read_dynamic(pass: &mut Pass<'_>) -> Result<Header> {
    pass.refuse_other(&SPEC)?;
    let mut reader = Reader::new(pass.stream.name(), pass.reporter.findings, pass.sink);
    if pass.options.explain > 0 {
        reader.explains(pass.explanation);
    }
    while let Some(buffer) = pass.stream.next_buffer()? {
        reader.push(buffer)?;
    }
    reader.finish(pass.stream.torn().is_some())
}

/// A reader of SWF that receives buffers: the caller runs the loop.
pub struct Reader<'a, S: ?Sized> {
    lines: Lines,
    state: State<'a, S>,
}

impl<'a, S: RecordSink + ?Sized> Reader<'a, S> {
    /// Returns a reader at the beginning of a file; `name` is used in findings.
    pub fn new(name: &str, findings: &'a mut Findings, sink: &'a mut S) -> Reader<'a, S> {
        let state = State {
            reporter: Reporter { findings, file: name.into() },
            sink,
            record: Record::default(),
            comments: Comments::default(),
            later_comments: Vec::new(),
            room: COMMENTS,
            in_header: true,
            explanation: None,
            identities: Identities::default(),
            records: 0,
            lost: SkippedLines::default(),
        };
        Reader { lines: Lines::new(), state }
    }

    /// Asks for the destinations of the columns.
    pub(super) fn explains(&mut self, explanation: &'a mut Explanation) {
        self.state.explanation = Some(explanation);
    }

    /// Reads the lines that end in this buffer.
    pub fn push(&mut self, buffer: &[u8]) -> Result {
        self.lines.push(buffer, &mut self.state)
    }

    /// Reads the last line, unless the file is `torn`: the line may be incomplete then.
    ///
    /// # Errors
    /// A log without records, and in strict reading the first warning.
    pub fn finish(mut self, torn: bool) -> Result<Header> {
        if torn {
            self.lines.forget();
        }
        self.lines.finish(&mut self.state)?;
        let number = self.lines.number();
        if self.lines.marked() {
            let place = Some(SourcePlace { column: 1, ..self.state.reporter.place(1) });
            let example = || Example { place, detail: "UTF-8".into() };
            self.state.reporter.findings.report(&BYTE_ORDER_MARK, example)?;
        }
        self.state.finish(number)
    }
}

/// The most bytes of comments that are kept, in the header and among the jobs.
const COMMENTS: usize = 16 << 20;

/// Bytes that a comment takes besides its text.
const COMMENT: usize = 64;

struct State<'a, S: ?Sized> {
    reporter: Reporter<'a>,
    sink: &'a mut S,
    record: Record,
    comments: Comments,
    later_comments: Vec<(u64, String)>,
    /// Bytes that are left for comments.
    room: usize,
    in_header: bool,
    /// Receives the destinations of the next line's columns while they are wanted.
    explanation: Option<&'a mut Explanation>,
    identities: Identities,
    records: u64,
    lost: SkippedLines,
}

impl<S: RecordSink + ?Sized> LineSink for State<'_, S> {
    type Error = ReadError;

    #[inline]
    fn quick(&mut self, rest: &[u8], number: u32) -> Option<usize> {
        // The number of columns is unknown until the header is complete.
        if self.in_header || self.explanation.is_some() {
            return None;
        }
        let (end, ()) = fields::regular(rest, &mut self.record).ok()?;
        let ([b'\n', after @ ..] | [b'\r', b'\n', after @ ..]) = end else { return None };
        let taken = rest.len() - after.len();
        if has_fraction(&self.record) || taken > LONGEST {
            return None;
        }
        self.deliver(number);
        Some(taken)
    }

    /// Takes a line that is a comment, irregular, the first record, or split between two buffers.
    fn line(&mut self, line: &Line<'_>) -> Result {
        if line.end == End::TooLong {
            self.lost.lose(line.number, 1, self.records);
            return Ok(self.reporter.report(&TOO_LONG, line, line.bytes, |beginning| beginning)?);
        }
        match line.bytes.trim_ascii_start().first() {
            None => return Ok(()),
            Some(b';') => return self.comment(line),
            Some(_) => {}
        }
        if self.in_header {
            self.record.extra.resize(self.comments.resources(), -1);
            let pending = self.comments.resources();
            self.identities.declared(self.comments.resource_names(), pending);
        }
        let regular = fields::regular(line.bytes, &mut self.record).is_ok_and(|(rest, ())| rest.is_empty());
        if !regular && !careful(line, &mut self.record, &mut self.identities, &mut self.reporter)? {
            self.identities.forget();
            self.lost.lose(line.number, 1, self.records);
            return Ok(());
        }
        if std::mem::take(&mut self.in_header) {
            self.comments.settle(&self.reporter.file, self.reporter.findings)?;
        }
        report_fractions(line, &self.record, &mut self.reporter)?;
        let declared = self.record.extra.len();
        self.identities.append(&mut self.record);
        self.deliver(line.number);
        self.record.extra.truncate(declared);
        self.explain(line);
        Ok(())
    }
}

impl<S: RecordSink + ?Sized> State<'_, S> {
    #[inline]
    fn deliver(&mut self, number: u32) {
        self.record.line = number;
        self.records += 1;
        self.sink.record(&self.record);
    }

    /// Records the destinations of the columns, until enough lines are explained.
    fn explain(&mut self, line: &Line<'_>) {
        let Some(explained) = self.explanation.as_mut().and_then(|explanation| explanation.line(line.number))
        else {
            self.explanation = None;
            return;
        };
        let mut names: Vec<&str> = Field::ALL.map(Field::name).to_vec();
        names.extend(self.comments.resource_names());
        for (at, token) in tokens(line.bytes).enumerate() {
            let name = names.get(at).copied();
            explained.cell(name.unwrap_or("more"), token, name.unwrap_or("not used"));
        }
    }

    fn comment(&mut self, line: &Line<'_>) -> Result {
        match self.room.checked_sub(line.bytes.len() + COMMENT) {
            Some(room) => self.room = room,
            None => {
                self.room = 0;
                return Ok(self.reporter.report(&kinds::MANY_COMMENTS, line, line.bytes, |text| text)?);
            }
        }
        let text = match std::str::from_utf8(line.bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                self.reporter.report(&kinds::LATIN1, line, line.bytes, |text| text)?;
                line.bytes.iter().copied().map(char::from).collect()
            }
        };
        if self.in_header {
            self.comments.line(line.number, text, &self.reporter.file, self.reporter.findings)?;
            return Ok(());
        }
        if gives_field(&text) {
            self.reporter.report(&kinds::LATE_HEADER, line, line.bytes, |text| text)?;
        }
        self.later_comments.push((self.records, text));
        Ok(())
    }

    fn finish(mut self, lines: u32) -> Result<Header> {
        self.comments.settle(&self.reporter.file, self.reporter.findings)?;
        let why = match (self.records, lines, self.lost.lines()) {
            (0, 0, _) => Some("the file is empty".into()),
            (0, _, 0) => Some("there is nothing but comments".into()),
            (0, _, lost) => {
                Some(format!("none of its {lost} lines begins with a job number and a submit time"))
            }
            (records, ..) => self.lost.judge(records, &mut self.reporter)?,
        };
        if let Some(why) = why {
            let (name, format) = (self.reporter.file.to_string(), "SWF");
            return Err(ReadError::NotFormat { name, format, why, looked_for: LOOKS_LIKE });
        }
        let mut header = self.comments.into_header();
        self.identities.describe(&mut header);
        header.later_comments = self.later_comments;
        Ok(header)
    }
}
