//! Tests of how bytes come in and go out: pipes, packed files, progress, complete files.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;

use batchlab_parsers::{Input, Options, ReadError, read, read_swf, read_trace, swf};
use batchlab_traces::{Record, RecordSink};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::helpers::Drip;

const LOG: &str = "; MaxProcs: 16\n1 10 0 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1\n";

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the line is dead"))
    }
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[derive(Default)]
struct Lines(Vec<u32>);

impl RecordSink for Lines {
    fn record(&mut self, record: &Record) {
        self.0.push(record.line);
    }
}

#[test]
fn a_packed_log_may_arrive_byte_by_byte() {
    let input = Input::from_reader("pipe", Drip(io::Cursor::new(packed(LOG)), 1));
    let trace = read_trace(input, &Options { strict: true, ..Options::default() }).unwrap();
    assert_eq!((trace.len(), trace.line(0)), (1, 2));
    assert_eq!(trace.provenance.source.bytes, packed(LOG).len() as u64);
}

#[test]
fn a_pipe_that_breaks_is_an_error_even_within_a_packed_log() {
    for bytes in [LOG.as_bytes().to_vec(), packed(LOG)[..20].to_vec(), Vec::new()] {
        let input = Input::from_reader("pipe", Drip(io::Cursor::new(bytes), 1).chain(Broken));
        let error = read_trace(input, &Options::default()).unwrap_err();
        assert_eq!(error.to_string(), "cannot read pipe: the line is dead");
    }
}

#[test]
fn the_provenance_names_the_file_as_it_lies_on_disk() {
    let log = read_swf(Input::from_bytes("a.swf", LOG), false, &mut Lines::default()).unwrap();
    assert_eq!((log.source.name.as_str(), log.source.format.as_str()), ("a.swf", "swf"));
    assert_eq!(log.source.bytes, LOG.len() as u64);
    assert_eq!(log.source.sha256.len(), 64);
    let same = read(Input::from_bytes("a.swf", LOG), &Options::default(), &mut Lines::default()).unwrap();
    assert_eq!(same, log);
    let again = read_swf(Input::from_bytes("a.swf", packed(LOG)), true, &mut Lines::default()).unwrap();
    assert_ne!(again.source.sha256, log.source.sha256);
}

#[test]
fn progress_grows_to_the_size_of_the_file() {
    let text = format!("{LOG}{}", "2 20 0 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1\n".repeat(40_000));
    let seen = Rc::new(RefCell::new(Vec::new()));
    let teller = Rc::clone(&seen);
    let input = Input::from_bytes("a.swf", text.clone())
        .with_progress(move |read, total| teller.borrow_mut().push((read, total)));
    let mut lines = Lines::default();
    read_swf(input, true, &mut lines).unwrap();
    assert_eq!((lines.0.len(), lines.0[40_000]), (40_001, 40_002));
    let seen = seen.borrow();
    assert!(seen.len() > 2 && seen.is_sorted(), "{seen:?}");
    let size = text.len() as u64;
    assert_eq!(seen.last(), Some(&(size, Some(size))));
}

#[test]
fn an_unread_rest_of_a_pipe_does_not_block() {
    // Strict reading stops at the first line and never reads the rest.
    let endless = io::repeat(b'x').take(u64::MAX);
    let input = Input::from_reader("pipe", io::Cursor::new(format!("{LOG}x\n")).chain(endless));
    let read = read_trace(input, &Options { strict: true, ..Options::default() });
    assert!(matches!(read, Err(ReadError::Refused(_))));
}

#[test]
fn an_endless_line_takes_no_memory() {
    let endless = io::repeat(b' ').take(100 << 20);
    let input = Input::from_reader("pipe", io::Cursor::new(LOG).chain(endless).chain(&b"\n"[..]));
    let trace = read_trace(input, &Options::default()).unwrap();
    assert_eq!((trace.len(), trace.findings.count("line-too-long")), (1, 1));
}

#[test]
fn a_trace_is_saved_packed_and_reads_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.swf.gz");
    let path = path.to_str().unwrap();
    let trace = read_trace(Input::from_bytes("a.swf", LOG), &Options::default()).unwrap();
    swf::save(&trace, path).unwrap();
    assert!(std::fs::read(path).unwrap().starts_with(&[0x1f, 0x8b]));
    let again = read_trace(Input::open(path).unwrap(), &Options::default()).unwrap();
    assert_eq!((again.len(), &again.header), (1, &trace.header));
}
