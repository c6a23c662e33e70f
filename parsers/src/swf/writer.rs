//! Writes SWF that reads back to the same trace.

use std::io::{self, Write};

use batchlab_traces::{Field, Number, Record, Trace};

use crate::sink::Output;
use crate::swf::heading;

/// Bytes collected before a write.
const BUFFER: usize = 64 * 1024;

/// Writes a trace to a file, completely or not at all: packed if its name ends in `.gz`; `-` is standard output.
pub fn save(trace: &Trace, path: &str) -> io::Result<()> {
    let mut output = Output::create(path)?;
    write(trace, &mut output)?;
    output.commit()
}

/// Writes a trace: the header, one line per record with the resource columns at its end, and the later comments in their places.
/// Header lines are written as they were read; a changed field is written from its value.
pub fn write(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(2 * BUFFER);
    for line in heading::lines(&trace.header) {
        push_comment(&mut buffer, &line);
    }
    let mut later = trace.header.later_comments.iter().peekable();
    let mut record = Record::default();
    for row in 0..trace.len() {
        while let Some((_, text)) = later.next_if(|(before, _)| *before <= row as u64) {
            push_comment(&mut buffer, text);
        }
        trace.record(row, &mut record);
        push_record(&mut buffer, &record);
        if buffer.len() >= BUFFER {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    for (_, text) in later {
        push_comment(&mut buffer, text);
    }
    out.write_all(&buffer)
}

/// Appends a record as one line.
pub fn push_record(buffer: &mut Vec<u8>, record: &Record) {
    for field in Field::ALL {
        if field != Field::Job {
            buffer.push(b' ');
        }
        push_number(buffer, record.get(field));
    }
    for &value in &record.extra {
        buffer.push(b' ');
        push_whole(buffer, value);
    }
    buffer.push(b'\n');
}

/// Appends a number as [`Number`] prints it.
fn push_number(buffer: &mut Vec<u8>, number: Number) {
    if !number.micro {
        return push_whole(buffer, number.value);
    }
    let (whole, mut rest) =
        (number.value.unsigned_abs() / 1_000_000, number.value.unsigned_abs() % 1_000_000);
    if number.value < 0 {
        buffer.push(b'-');
    }
    push_digits(buffer, whole);
    if rest == 0 {
        return;
    }
    buffer.push(b'.');
    while rest > 0 {
        buffer.push(b'0' + (rest / 100_000) as u8);
        rest = rest % 100_000 * 10;
    }
}

fn push_whole(buffer: &mut Vec<u8>, value: i64) {
    if value < 0 {
        buffer.push(b'-');
    }
    push_digits(buffer, value.unsigned_abs());
}

fn push_digits(buffer: &mut Vec<u8>, mut value: u64) {
    // 20 digits hold every u64.
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    buffer.extend_from_slice(&digits[at..]);
}

/// Appends a comment; any line breaks in it are replaced, so it stays one comment line.
fn push_comment(buffer: &mut Vec<u8>, text: &str) {
    if !text.trim_start().starts_with(';') {
        buffer.extend_from_slice(b"; ");
    }
    buffer.extend(text.trim_end_matches('\r').bytes().map(|byte| if byte == b'\n' { b' ' } else { byte }));
    buffer.push(b'\n');
}
