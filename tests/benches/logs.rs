//! How fast every accounting log is read into records: beside finding its line ends, and beside splitting its
//! lines into columns, on one processor in one process.
//!
//! The three are run in turns; a row shows the medians, in megabytes per second. Last comes what the reading
//! thread itself used of its processor, where Linux tells: other load on the machine does not touch that.
//! `cargo bench --bench logs [-- FORMAT]`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Read;
use std::time::Instant;

use batchlab::parsers::{FORMATS, FormatSpec, Input, Options, read};
use batchlab::traces::{Record, RecordSink};
use flate2::read::MultiGzDecoder;

/// Runs of each kind.
const RUNS: usize = 9;
/// Bytes that a log is repeated up to.
const BYTES: usize = 64 << 20;

/// A log to read.
struct Log {
    name: &'static str,
    /// What its columns are separated by.
    separator: u8,
    bytes: Vec<u8>,
}

/// Takes records and throws them away, unseen by the optimiser.
#[derive(Default)]
struct Count(u64);

impl RecordSink for Count {
    fn record(&mut self, record: &Record) {
        black_box(record);
        self.0 += 1;
    }
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let heading = ["MB/s", "MB", "records", "lines", "columns", "read", "cpu"];
    let [name, size, records, rest @ ..] = heading;
    let rest = rest.map(|word| format!("{word:>8}")).join(" ");
    println!("{name:<34} {size:>8} {records:>9} {rest}");
    for spec in FORMATS.iter().filter(|spec| wanted.as_deref().is_none_or(|wanted| wanted == spec.name)) {
        for log in logs(spec.name) {
            row(spec, &log);
        }
    }
}

/// Returns the logs of a format: those at hand, and generated ones.
fn logs(format: &str) -> Vec<Log> {
    let log = |name, separator, bytes: Option<Vec<u8>>| {
        bytes.map(|bytes| Log { name, separator, bytes: repeated(&bytes) })
    };
    let logs = match format {
        "sacct" => vec![
            log("xdmod-pozidriv", b'|', shared("slurm/xdmod-pozidriv.sacct.log.gz")),
            log("sacct of all columns", b'|', shared("slurm/real/sacct.all-fields.parsable2.txt")),
            log("generated", b'|', Some(sacct(20_000))),
        ],
        "sacct-json" => {
            let json =
                |jobs: Option<Vec<u8>>| Some(Log { name: "sacct.json", separator: b',', bytes: jobs? });
            vec![json(shared("slurm/real/sacct.json.gz").map(|bytes| bytes.repeat(8)))]
        }
        "slurm-jobcomp" => {
            vec![log("slurmsim-micro-jobcomp", b' ', shared("slurm/slurmsim-micro-jobcomp.log"))]
        }
        _ => Vec::new(),
    };
    logs.into_iter().flatten().collect()
}

fn row(spec: &'static FormatSpec, log: &Log) {
    let megabytes = log.bytes.len() as f64 / 1e6;
    let mut records = 0;
    let mut seconds = [const { Vec::new() }; 4];
    for _ in 0..RUNS {
        seconds[0].push(timed(|| memchr_count(&log.bytes, b'\n')).0);
        seconds[1].push(timed(|| columns(&log.bytes, log.separator)).0);
        let bytes = log.bytes.clone();
        let before = processor_seconds();
        let (taken, count) = timed(|| records_of(spec, bytes));
        seconds[2].push(taken);
        seconds[3].push(before.zip(processor_seconds()).map_or(f64::NAN, |(before, after)| after - before));
        records = count;
    }
    let rates = seconds.map(|seconds| format!("{:>8.0}", megabytes / median(seconds))).join(" ");
    let name = format!("{}: {}", spec.name, log.name);
    println!("{name:<34} {megabytes:>8.1} {records:>9} {rates}");
}

fn records_of(spec: &'static FormatSpec, bytes: Vec<u8>) -> u64 {
    let mut sink = Count::default();
    let options = Options { format: Some(spec), ..Options::default() };
    match read(Input::from_bytes("bench", bytes), &options, &mut sink) {
        Ok(_) => sink.0,
        Err(error) => panic!("{error}"),
    }
}

fn memchr_count(bytes: &[u8], byte: u8) -> u64 {
    memchr::memchr_iter(byte, bytes).count() as u64
}

/// Finds every line and every column of it.
fn columns(bytes: &[u8], separator: u8) -> u64 {
    let mut ends: Vec<u32> = Vec::new();
    let (mut from, mut sum) = (0, 0);
    for end in memchr::memchr_iter(b'\n', bytes) {
        ends.clear();
        ends.extend(memchr::memchr_iter(separator, &bytes[from..end]).map(|at| at as u32));
        sum += black_box(&ends).len() as u64;
        from = end + 1;
    }
    sum
}

fn timed(run: impl FnOnce() -> u64) -> (f64, u64) {
    let start = Instant::now();
    let result = black_box(run());
    (start.elapsed().as_secs_f64(), result)
}

/// Returns how long this thread has had a processor, where Linux tells.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns a log of the collection, unpacked, if it is at hand.
fn shared(name: &str) -> Option<Vec<u8>> {
    let path = format!("{}/../shared/logs/{name}", env!("CARGO_MANIFEST_DIR"));
    let packed = std::fs::read(path).ok()?;
    if !packed.starts_with(&[0x1f, 0x8b]) {
        return Some(packed);
    }
    let mut plain = Vec::new();
    MultiGzDecoder::new(&packed[..]).read_to_end(&mut plain).ok()?;
    Some(plain)
}

fn repeated(bytes: &[u8]) -> Vec<u8> {
    bytes.repeat((BYTES / bytes.len().max(1)).max(1))
}

/// Rows as `sacct` collects them for accounting: 26 columns, no heading.
fn sacct(jobs: u64) -> Vec<u8> {
    let mut text = String::new();
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        // The mixing step of a linear congruential generator is enough for values that vary.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for job in 1..=jobs {
        let (day, hour, run, cpus) = (draw(28) + 1, draw(22), draw(3600), draw(64) + 1);
        let time = |hour: u64, second: u64| {
            format!("2024-02-{day:02}T{hour:02}:{:02}:{:02}", second / 60, second % 60)
        };
        let (submit, start) = (time(hour, 0), time(hour, 5));
        let end = time(hour + (run + 5) / 3600, (run + 5) % 3600);
        let (elapsed, user) = (format!("00:{:02}:{:02}", run / 60, run % 60), draw(300));
        let tres = format!("billing={cpus},cpu={cpus},mem={}M,node=1", cpus * 2000);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{job}|{job}|c|p{}|normal|a{}|g|100|u{user}|{user}|{submit}|{submit}|{start}|{end}|{elapsed}|0:0|\
             COMPLETED|1|{cpus}|{cpus}|2000Mc|{tres}|{tres}|1-00:00:00|n{:04}|job{}",
            draw(5),
            draw(40),
            draw(900),
            draw(2000)
        );
    }
    text.into_bytes()
}
