//! A log as a table for R, pandas and spreadsheets: the fields of SWF between commas below a heading, unknown ones empty. The
//! header is kept in comment lines that begin with `#`, so that the table reads back to the same jobs on the same machine.

use std::io::{self, BufWriter, Write};

use batchlab_traces::field::FIELDS;
use batchlab_traces::{Field, Header, Number, Record, Trace};

use crate::error::{ReadError, Result};
use crate::formats::{FormatSpec, SURE};
use crate::pass::Pass;
use crate::swf::heading;
use crate::swf::reader::Reader;

/// The format's entry in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "csv",
    summary: "the columns of SWF between commas, with a heading: for R, pandas and spreadsheets",
    cite: "this project, after Chapin et al., JSSPP 1999",
    looks_like: "a heading `job,submit,wait,run,...` and lines of 18 and more values between commas",
    likeness,
    read,
};

/// The names of the columns, in the order of the fields: those of mapping files, if they have one.
const NAMES: [&str; FIELDS] = [
    "job",
    "submit",
    "wait",
    "run",
    "allocated",
    "cpu",
    "used_memory",
    "requested",
    "requested_time",
    "requested_memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding",
    "think",
];

/// Writes a trace as a table.
pub fn write(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for line in comments(&trace.header) {
        writeln!(out, "#{line}")?;
    }
    writeln!(out, "{}", names(&trace.header).join(","))?;
    let mut record = Record::default();
    for row in 0..trace.len() {
        trace.record(row, &mut record);
        let extra = record.extra.iter().map(|&value| Number::whole(value));
        for (at, number) in Field::ALL.map(|field| record.get(field)).into_iter().chain(extra).enumerate() {
            let comma = if at > 0 { "," } else { "" };
            if number == Number::UNKNOWN {
                write!(out, "{comma}")?;
            } else {
                write!(out, "{comma}{number}")?;
            }
        }
        writeln!(out)?;
    }
    out.flush()
}

pub(crate) fn comments(header: &Header) -> Vec<String> {
    let later = header.later_comments.iter().map(|(_, text)| text);
    let marked = |line: &String| {
        let is_marked = line.trim_start().starts_with(';');
        format!("{}{}", if is_marked { "" } else { "; " }, line.replace(['\n', '\r'], " "))
    };
    heading::lines(header).iter().chain(later).map(marked).collect()
}

/// Returns the names of the columns: fields, then resources.
pub(crate) fn names(header: &Header) -> Vec<&str> {
    NAMES.into_iter().chain(header.resources.iter().map(|resource| resource.name.as_str())).collect()
}

/// The likeness of a table whose heading is not the first line.
const ROUGH: u8 = 65;

fn likeness(beginning: &[u8]) -> u8 {
    let mut lines = beginning.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"#"));
    match lines.position(is_heading) {
        Some(0) => SURE + 1,
        Some(_) => ROUGH,
        None => 0,
    }
}

fn is_heading(line: &[u8]) -> bool {
    let mut cells = line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    NAMES.iter().all(|name| {
        cells.next().is_some_and(|cell| {
            let unquoted = cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\""));
            unquoted.unwrap_or(cell) == name.as_bytes()
        })
    })
}

fn read(pass: &mut Pass<'_>) -> Result<Header> {
    pass.refuse_other(&SPEC)?;
    let mut reader = Reader::new(pass.stream.name(), pass.reporter.findings, pass.sink);
    if pass.options.explain > 0 {
        reader.explains(pass.explanation);
    }
    let (mut lines, mut swf) = (AsSwf::default(), Vec::new());
    while let Some(buffer) = pass.stream.next_buffer()? {
        swf.clear();
        lines.push(buffer, &mut swf);
        reader.push(&swf)?;
    }
    swf.clear();
    lines.end_cell(&mut swf);
    reader.push(&swf)?;
    reader.finish(pass.stream.torn().is_some()).map_err(|error| match error {
        ReadError::NotFormat { name, why, .. } => {
            ReadError::NotFormat { name, format: SPEC.name, why, looked_for: SPEC.looks_like }
        }
        other => other,
    })
}

/// The part of the table to which the next byte belongs.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Within {
    /// The beginning of a line.
    #[default]
    Start,
    Comment,
    Heading,
    Values,
}

/// Makes lines of SWF from the lines of a table, at the same line numbers.
#[derive(Default)]
struct AsSwf {
    within: Within,
    has_heading: bool,
    /// Whether the current cell has no byte so far.
    is_empty: bool,
}

impl AsSwf {
    fn push(&mut self, table: &[u8], swf: &mut Vec<u8>) {
        for &byte in table {
            match (self.within, byte) {
                (Within::Start, b'\n' | b'\r') => swf.push(byte),
                (Within::Start, b'#') => self.within = Within::Comment,
                // A byte-order mark.
                (Within::Start, 0x80..) if !self.has_heading => swf.push(byte),
                (Within::Start, _) if !self.has_heading => {
                    (self.within, self.has_heading) = (Within::Heading, true);
                }
                (Within::Start, _) => {
                    (self.within, self.is_empty) = (Within::Values, true);
                    self.value(byte, swf);
                }
                (Within::Comment, _) | (Within::Heading, b'\n') => self.copy(byte, swf),
                (Within::Heading, _) => {}
                (Within::Values, _) => self.value(byte, swf),
            }
        }
    }

    fn copy(&mut self, byte: u8, swf: &mut Vec<u8>) {
        swf.push(byte);
        if byte == b'\n' {
            self.within = Within::Start;
        }
    }

    /// Takes a byte of a line of values: an empty cell is unknown.
    fn value(&mut self, byte: u8, swf: &mut Vec<u8>) {
        match byte {
            b'"' | b'\r' => {}
            b',' | b'\n' => {
                self.end_cell(swf);
                self.copy(if byte == b',' { b' ' } else { byte }, swf);
                self.is_empty = true;
            }
            _ => {
                self.is_empty = false;
                swf.push(byte);
            }
        }
    }

    fn end_cell(&mut self, swf: &mut Vec<u8>) {
        if self.within == Within::Values && self.is_empty {
            swf.extend_from_slice(b"-1");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_become_fields_wherever_buffers_end() {
        let table = "\u{feff}#; MaxProcs: 8\r\njob,submit\r\n\r\n7,,\"3\",4.5,\r\n8,1\n,";
        let swf = "\u{feff}; MaxProcs: 8\r\n\n\r\n7 -1 3 4.5 -1\n8 1\n-1 -1";
        for length in 1..=table.len() {
            let (mut lines, mut made) = (AsSwf::default(), Vec::new());
            table.as_bytes().chunks(length).for_each(|part| lines.push(part, &mut made));
            lines.end_cell(&mut made);
            assert_eq!(String::from_utf8(made).unwrap(), swf, "{length} bytes at a time");
        }
    }

    #[test]
    fn the_heading_tells_the_format() {
        let heading = NAMES.join(",");
        for likely in [
            format!("{heading}\n"),
            format!("#; Computer: X\n{heading},memory\r\n1,2\n"),
            heading.replace("job", "\"job\""),
        ] {
            assert!(likeness(likely.as_bytes()) >= SURE, "{likely}");
        }
        assert_eq!(likeness(b"job,submit,wait\n1,2,3\n"), 0);
    }
}
