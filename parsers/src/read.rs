//! Reads the records of an input of any format.

use std::io;

use batchlab_traces::provenance::Source;
use batchlab_traces::trace::TraceBuilder;
use batchlab_traces::{Example, Findings, Header, RecordSink, SourcePlace, Trace, kinds};

use crate::error::{ReadError, Result};
use crate::explain::Explanation;
use crate::formats::{FormatSpec, Formats, LIKELY};
use crate::neighbour::{Neighbour, certain_neighbour, neighbour};
use crate::options::Options;
use crate::pass::{Pass, Seen};
use crate::reporter::Reporter;
use crate::source::{Input, Stream};
use crate::swf;
use crate::table::MAPPING;

kinds! {
    GZIP_TORN: Loud "gzip-torn",
        "packed {file|files} that cannot be unpacked to {its|their} end",
        "the records before the damage are used",
        "fetch the file again and compare its checksum";
}

/// The properties of a log besides its records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSummary {
    /// The log's header.
    pub header: Header,
    /// The findings about the log.
    pub findings: Findings,
    /// The source file.
    pub source: Source,
    /// The destination of each column, for the lines that [`Options::explain`] asked for.
    pub explanation: Explanation,
}

/// Reads a log and passes its records to `sink` one by one; memory does not grow with the log.
///
/// # Errors
/// When the input cannot be read, has no known format or has no record; in strict reading also at the first warning.
pub fn read(input: Input, options: &Options, sink: &mut dyn RecordSink) -> Result<LogSummary> {
    read_beside(input, Vec::new(), options, sink)
}

/// As [`read()`], with histories beside a queue.
fn read_beside(
    input: Input,
    histories: Vec<Input>,
    options: &Options,
    sink: &mut dyn RecordSink,
) -> Result<LogSummary> {
    let mut stream = input.stream()?;
    let spec = match options.format {
        Some(spec) => spec,
        None if options.mapping.is_some() => &MAPPING,
        None => detect_stream(&mut stream, &options.formats)?,
    };
    let mut findings = if options.strict { Findings::strict() } else { Findings::lenient() };
    let mut explanation = Explanation::of_first(options.explain);
    let reporter = Reporter { findings: &mut findings, file: stream.name().into() };
    let (stream_of, seen) = (&mut stream, Seen::default());
    let mut pass =
        Pass { stream: stream_of, reporter, sink, options, explanation: &mut explanation, seen, histories };
    let other = certain_neighbour(pass.stream.peek()?);
    if let Some(found) = other.filter(|_| spec.name.ends_with("-json") && options.format.is_some()) {
        return Err(ReadError::Neighbour { name: pass.reporter.file.to_string(), found });
    }
    let header = (spec.read)(&mut pass).map_err(|error| named(error, other));
    if let (Ok(_), false) = (&header, pass.histories.is_empty()) {
        let (name, format) = (stream.name().to_owned(), spec.name);
        return Err(ReadError::NoHistory { name, format });
    }
    let log = finish(&stream, spec, header, findings)?;
    Ok(LogSummary { explanation, ..log })
}

/// Reads a log into memory; the calendar is derived from its header.
pub fn read_trace(input: Input, options: &Options) -> Result<Trace> {
    Ok(read_explained(input, options)?.0)
}

/// Reads a queue of Slurm and accounting of the past as one log: users, accounts and partitions are the same in both.
///
/// Jobs of the past that had not ended are left out, since the queue states which jobs run and wait. A job in both counts once.
///
/// # Errors
/// The errors of [`read()`], and if the log is of another batch system.
pub fn read_with_history(input: Input, histories: Vec<Input>, options: &Options) -> Result<Trace> {
    let mut builder = TraceBuilder::new();
    let LogSummary { header, findings, source, .. } = read_beside(input, histories, options, &mut builder)?;
    Ok(builder.finish(header, source, findings)?)
}

/// Reads a log into memory and returns the destination of each column.
pub fn read_explained(input: Input, options: &Options) -> Result<(Trace, Explanation)> {
    let mut builder = TraceBuilder::new();
    let LogSummary { header, findings, source, explanation } = read(input, options, &mut builder)?;
    Ok((builder.finish(header, source, findings)?, explanation))
}

/// Reads a log known to be SWF, without a dynamic call per record.
pub fn read_swf(input: Input, strict: bool, sink: &mut impl RecordSink) -> Result<LogSummary> {
    let mut stream = input.stream()?;
    let mut findings = if strict { Findings::strict() } else { Findings::lenient() };
    let header = swf::read(&mut stream, &mut findings, sink);
    finish(&stream, &swf::SPEC, header, findings)
}

fn detect_stream(stream: &mut Stream, formats: &Formats) -> Result<&'static FormatSpec> {
    let likest = formats.likest(stream.peek()?);
    if let Some((spec, _)) = likest.filter(|(_, likeness)| *likeness >= LIKELY) {
        return Ok(spec);
    }
    let empty = stream.peek()?.is_empty();
    let name = stream.name().to_owned();
    match stream.torn() {
        Some(why) => Err(unpackable(name, why)),
        None if empty => Err(ReadError::Empty { name }),
        None => {
            if let Some(found) = neighbour(stream.peek()?) {
                return Err(ReadError::Neighbour { name, found });
            }
            let nearest = likest.map(|(spec, _)| spec.name);
            Err(ReadError::UnknownFormat { name, formats: formats.specs().count(), nearest })
        }
    }
}

/// Adds the kind of a file to the error that it is not of the format.
fn named(error: ReadError, other: Option<Neighbour>) -> ReadError {
    match (error, other) {
        (ReadError::NotFormat { name, format, why, looked_for }, Some(found)) => {
            ReadError::NotFormat { name, format, why: format!("{why}; it is {found}"), looked_for }
        }
        (error, _) => error,
    }
}

fn unpackable(name: String, why: &str) -> ReadError {
    let why = format!("it is packed and cannot be unpacked: {why}");
    ReadError::Io { name, source: io::Error::new(io::ErrorKind::InvalidData, why) }
}

fn finish(
    stream: &Stream,
    spec: &FormatSpec,
    header: Result<Header>,
    mut findings: Findings,
) -> Result<LogSummary> {
    let source = stream.source(spec.name);
    let header = match (header, stream.torn()) {
        // The missing part of a torn file is the reason, not the part that is present.
        (Err(ReadError::NotFormat { name, .. }), Some(why)) => return Err(unpackable(name, why)),
        (header, _) => header?,
    };
    if let Some(why) = stream.torn() {
        findings.report(&GZIP_TORN, || Example {
            place: Some(SourcePlace { file: source.name.as_str().into(), line: 0, column: 0 }),
            detail: why.into(),
        })?;
    }
    Ok(LogSummary { header, findings, source, explanation: Explanation::default() })
}
