//! Speed of reading SWF, compared with a hand-written byte loop and with unpacking alone.
//!
//! Each row compares two ways of doing the same work, run in turns in one process; the result is the median
//! of the ratios of the pairs, which other load on the machine affects least. A packed log is unpacked and
//! parsed on two threads: that row needs two idle processors. `cargo bench --bench parse`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod count;
mod median;

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{Read, Write};
use std::time::Instant;

use batchlab::parsers::{Input, Options, read_swf, read_trace, swf};
use batchlab::traces::{Findings, Record, RecordSink};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use count::Count;
use median::median;

const PAIRS: usize = 31;

fn main() {
    let (name, packed) = log();
    let plain = unpack(&packed);
    let jobs = by_hand(&plain, &mut Count::default());
    println!("{name}: {jobs} jobs, {} bytes, {} packed", plain.len(), packed.len());
    println!("{:<42} {:>9} {:>12} {:>7}", "", "ms", "jobs/s", "ratio");
    let memory = || parse_memory(&plain);
    let packed_log = || count(packed.clone());
    compare(
        jobs,
        "hand-written loop, in memory",
        || by_hand(&plain, &mut Count::default()),
        "nom, in memory",
        memory,
    );
    compare(
        jobs,
        "unpacking alone",
        || unpack_in_buffers(&packed),
        "packed log, records counted",
        packed_log,
    );
    compare(jobs, "packed log, records counted", packed_log, "packed log into a trace", || {
        trace(packed.clone())
    });
    compare(
        jobs,
        "plain log, records counted",
        || count(plain.clone()),
        "plain log into a trace",
        || trace(plain.clone()),
    );
}

/// Runs the two in turns, checks that they agree, and prints a line for each.
fn compare(jobs: u64, base_name: &str, base: impl Fn() -> u64, name: &str, run: impl Fn() -> u64) {
    let (mut bases, mut runs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let (base_seconds, _) = timed(&base);
        let (seconds, count) = timed(&run);
        assert_eq!(count, jobs, "{name}");
        bases.push(base_seconds);
        runs.push(seconds);
        ratios.push(seconds / base_seconds);
    }
    for (name, seconds, ratio) in
        [(base_name, median(bases), None), (name, median(runs), Some(median(ratios)))]
    {
        let ratio = ratio.map(|ratio| format!("{ratio:.3}")).unwrap_or_default();
        println!("{name:<42} {:>9.2} {:>12.0} {ratio:>7}", seconds * 1e3, jobs as f64 / seconds);
    }
}

fn timed(run: impl Fn() -> u64) -> (f64, u64) {
    let start = Instant::now();
    let result = black_box(run());
    (start.elapsed().as_secs_f64(), result)
}

/// SDSC-BLUE if it is present, else a log of the same size and shape.
fn log() -> (String, Vec<u8>) {
    let name = "SDSC-BLUE-2000-derived.swf.gz";
    let path = format!("{}/../shared/traces/{name}", env!("CARGO_MANIFEST_DIR"));
    match std::fs::read(path) {
        Ok(packed) => (name.into(), packed),
        Err(_) => ("generated".into(), generated(232_542)),
    }
}

fn generated(jobs: u64) -> Vec<u8> {
    let mut text = String::from("; Version: 2.2\n; MaxProcs: 1152\n");
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        // The step of a linear congruential generator gives sufficiently varied digits.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for job in 1..=jobs {
        let (submit, run, procs, user) = (job * 120 + draw(120), draw(36_000), draw(144) * 8 + 8, draw(400));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{job} {submit} -1 {run} {procs} -1 -1 {procs} 36000 -1 -1 {user} -1 -1 -1 -1 -1 -1"
        );
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).unwrap_or_default()
}

fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match MultiGzDecoder::new(packed).read_to_end(&mut plain) {
        Ok(_) => plain,
        Err(error) => panic!("{error}"),
    }
}

fn unpack_in_buffers(packed: &[u8]) -> u64 {
    let mut decoder = flate2::bufread::MultiGzDecoder::new(packed);
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        match decoder.read(&mut buffer) {
            Ok(0) => return bytes,
            Ok(count) => bytes += count as u64,
            Err(error) => panic!("{error}"),
        }
    }
}

fn parse_memory(plain: &[u8]) -> u64 {
    let (mut findings, mut sink) = (Findings::lenient(), Count::default());
    let mut reader = swf::Reader::new("bench", &mut findings, &mut sink);
    let read = reader.push(plain).and_then(|()| reader.finish(false));
    assert!(read.is_ok());
    sink.0
}

fn count(bytes: Vec<u8>) -> u64 {
    let mut sink = Count::default();
    assert!(read_swf(Input::from_bytes("bench", bytes), true, &mut sink).is_ok());
    sink.0
}

fn trace(bytes: Vec<u8>) -> u64 {
    read_trace(Input::from_bytes("bench", bytes), &Options::default()).map_or(0, |trace| trace.len() as u64)
}

/// The same work by hand: blanks, signs, decimals, comments and line numbers, in one pass over the bytes.
///
/// It has no findings: a line that is not eighteen plain numbers is skipped.
fn by_hand(bytes: &[u8], sink: &mut impl RecordSink) -> u64 {
    let (mut at, mut line, mut records) = (0, 0, 0);
    let mut record = Record::default();
    while at < bytes.len() {
        line += 1;
        let complete = bytes[at] != b';' && fields_by_hand(bytes, &mut at, &mut record);
        if complete {
            record.line = line;
            sink.record(&record);
            records += 1;
        }
        while at < bytes.len() && bytes[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    records
}

fn fields_by_hand(bytes: &[u8], at: &mut usize, record: &mut Record) -> bool {
    record.micro = 0;
    for index in 0..record.values.len() {
        while *at < bytes.len() && matches!(bytes[*at], b' ' | b'\t') {
            *at += 1;
        }
        let negative = *at < bytes.len() && bytes[*at] == b'-';
        *at += usize::from(negative);
        let first = *at;
        let mut value = 0_i64;
        while *at < bytes.len() && bytes[*at].is_ascii_digit() {
            value = value.wrapping_mul(10).wrapping_add(i64::from(bytes[*at] - b'0'));
            *at += 1;
        }
        if *at == first || *at - first > 12 {
            return false;
        }
        if *at < bytes.len() && bytes[*at] == b'.' {
            let (mut scale, mut micro) = (1_000_000, 0);
            *at += 1;
            while *at < bytes.len() && bytes[*at].is_ascii_digit() {
                scale /= 10;
                micro += scale * i64::from(bytes[*at] - b'0');
                *at += 1;
            }
            if micro != 0 {
                value = value * 1_000_000 + micro;
                record.micro |= 1 << index;
            }
        }
        record.values[index] = if negative { -value } else { value };
    }
    *at == bytes.len() || matches!(bytes[*at], b'\n' | b'\r' | b' ' | b'\t')
}
