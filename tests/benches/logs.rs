//! Speed of reading each accounting log into records, compared with finding its line ends and with splitting
//! its lines into columns, on one processor in one process.
//!
//! The three are run in turns; a row shows the medians in megabytes per second. The last column is the
//! processor time of the reading thread, if Linux gives it: other load on the machine does not affect it.
//! Most available logs are small, so they are repeated in memory. Formats without a log use the samples of
//! the tests; these consist of unusual records, which cost more to read than regular ones.
//! `cargo bench --bench logs [-- FORMAT]`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod count;
mod median;

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use batchlab::parsers::{FORMATS, FormatSpec, Input, Mapping, Options, read};
use flate2::read::MultiGzDecoder;

use count::Count;
use median::median;

const RUNS: usize = 9;
/// Size up to which a log is repeated.
const BYTES: usize = 20_000_000;

struct Place {
    format: &'static str,
    path: &'static str,
    /// Number of lines at its top that are not jobs and are not repeated.
    heading: usize,
}

const fn place(format: &'static str, path: &'static str, heading: usize) -> Place {
    Place { format, path, heading }
}

/// Logs of the collection, which may be absent.
const COLLECTED: [Place; 12] = [
    place("swf", "../shared/traces/SDSC-BLUE-2000-derived.swf.gz", 0),
    place("sacct", "../shared/logs/slurm/xdmod-pozidriv.sacct.log.gz", 0),
    place("sacct", "../shared/logs/slurm/real/sacct.all-fields.parsable2.txt", 1),
    place("sacct-json", "../shared/logs/slurm/real/sacct.json.gz", 0),
    place("slurm-jobcomp", "../shared/logs/slurm/slurmsim-micro-jobcomp.log", 0),
    place("pbs", "../shared/logs/pbs/xdmod-accounting-logs.log", 0),
    place("lsf", "../shared/logs/lsf/xdmod-accounting-logs.log", 0),
    place("sge", "../shared/logs/sge/xdmod-accounting-logs.log", 0),
    place("uge", "../shared/logs/uge/xdmod-accounting-logs.log", 0),
    place("cerit", "../shared/logs/cerit/cerit-sc-2013.swf.gz", 0),
    place("slurmsim-swf", "../shared/logs/slurm/slurmsim-micro-jobs500.swf", 0),
    place("openb", "../shared/logs/gpu/openb_pod_list_default.csv", 1),
];

/// The samples of the tests, for formats without a log in the collection.
const SAMPLES: [Place; 20] = [
    place("swf", "parsers/tests/samples/swf/small.swf", 0),
    place("sacct", "parsers/tests/samples/sacct/steps.txt", 1),
    place("sacct-json", "parsers/tests/samples/sacct-json/v23.json", 0),
    place("slurm-jobcomp", "parsers/tests/samples/slurm-jobcomp/plain.txt", 0),
    place("pbs", "parsers/tests/samples/pbs/professional.log", 0),
    place("lsf", "parsers/tests/samples/lsf/small.acct", 0),
    place("sge", "parsers/tests/samples/sge/accounting", 0),
    place("uge", "parsers/tests/samples/uge/accounting", 0),
    place("nas", "parsers/tests/samples/nas/october.log", 0),
    place("sdsc-joblog", "parsers/tests/samples/sdsc-joblog/month.csv", 0),
    place("sdsc-blue", "parsers/tests/samples/sdsc-blue/days.txt", 0),
    place("gwf", "parsers/tests/samples/gwf/grid.gwf", 2),
    place("maui", "parsers/tests/samples/maui/trace.log", 1),
    place("cerit", "parsers/tests/samples/cerit/days.swf", 0),
    place("cerit-walltime", "parsers/tests/samples/cerit-walltime/days.txt", 0),
    place("metacentrum", "parsers/tests/samples/metacentrum/year.tsv", 0),
    place("slurmsim-swf", "parsers/tests/samples/slurmsim-swf/small.swf", 0),
    place("openb", "parsers/tests/samples/openb/pods.csv", 1),
    place("sdsc-paragon", "parsers/tests/samples/sdsc-paragon/year.txt", 0),
    place("mapping", "parsers/tests/samples/mapping/site.csv", 2),
];

struct Log {
    name: String,
    times: usize,
    bytes: Vec<u8>,
    /// The mapping, if the format needs one.
    mapping: Option<Arc<Mapping>>,
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    println!(
        "Megabytes per second; logs are repeated in memory up to {} MB, `times` says how often;",
        BYTES / 1_000_000
    );
    println!("`sample` are those of parsers/tests/samples: few lines, most of them odd on purpose.");
    let heading = ["times", "records", "lines", "columns", "read", "cpu"];
    let [times, records, rates @ ..] = heading;
    let rates = rates.map(|word| format!("{word:>8}")).join(" ");
    println!("{:<46} {times:>7} {records:>9} {rates}", "");
    for spec in FORMATS.iter().filter(|spec| wanted.as_deref().is_none_or(|wanted| wanted == spec.name)) {
        let logs = logs(spec.name);
        if logs.is_empty() {
            println!("{}: neither a log nor a sample is at hand", spec.name);
        }
        for log in logs {
            row(spec, &log);
        }
    }
}

fn logs(format: &str) -> Vec<Log> {
    let at_hand = |places: &[Place], kind: &str| -> Vec<Log> {
        places.iter().filter(|place| place.format == format).filter_map(|place| open(place, kind)).collect()
    };
    let mut logs = at_hand(&COLLECTED, "");
    if format == "sacct" {
        logs.push(repeated("sacct: generated", &sacct(80_000), 0, None));
    }
    if logs.is_empty() { at_hand(&SAMPLES, "sample ") } else { logs }
}

fn separator(format: &str) -> u8 {
    match format {
        "sacct" => b'|',
        "sacct-json" | "sdsc-joblog" | "openb" | "mapping" => b',',
        "sge" | "uge" => b':',
        "gwf" | "metacentrum" => b'\t',
        "slurmsim-swf" => b';',
        _ => b' ',
    }
}

fn row(spec: &'static FormatSpec, log: &Log) {
    let megabytes = log.bytes.len() as f64 / 1e6;
    let separator = separator(spec.name);
    let mut records = 0;
    let mut seconds = [const { Vec::new() }; 4];
    for _ in 0..RUNS {
        seconds[0].push(timed(|| memchr_count(&log.bytes, b'\n')).0);
        seconds[1].push(timed(|| columns(&log.bytes, separator)).0);
        let bytes = log.bytes.clone();
        let before = processor_seconds();
        let (taken, count) = timed(|| records_of(spec, log, bytes));
        seconds[2].push(taken);
        seconds[3].push(before.zip(processor_seconds()).map_or(f64::NAN, |(before, after)| after - before));
        records = count;
    }
    let rates = seconds.map(|seconds| format!("{:>8.0}", megabytes / median(seconds))).join(" ");
    println!("{:<46} {:>7} {records:>9} {rates}", log.name, log.times);
}

fn records_of(spec: &'static FormatSpec, log: &Log, bytes: Vec<u8>) -> u64 {
    let mut sink = Count::default();
    let options = Options { format: Some(spec), mapping: log.mapping.clone(), ..Options::default() };
    match read(Input::from_bytes("bench", bytes), &options, &mut sink) {
        Ok(_) => sink.0,
        Err(error) => panic!("{}: {error}", log.name),
    }
}

fn memchr_count(bytes: &[u8], byte: u8) -> u64 {
    memchr::memchr_iter(byte, bytes).count() as u64
}

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

/// Returns the processor time of this thread, if Linux gives it.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

fn open(place: &Place, kind: &str) -> Option<Log> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(place.path);
    let mut bytes = std::fs::read(&path).ok()?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let packed = std::mem::take(&mut bytes);
        MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes).ok()?;
    }
    let mapping = std::fs::read_to_string(path.with_extension("toml")).ok();
    let mapping = mapping.and_then(|text| text.parse().ok()).map(Arc::new);
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    let name = format!("{}: {kind}{}", place.format, path.file_name()?.to_str()?);
    Some(repeated(&name, &bytes, place.heading, mapping))
}

fn repeated(name: &str, bytes: &[u8], heading: usize, mapping: Option<Arc<Mapping>>) -> Log {
    let at = heading.checked_sub(1).and_then(|last| memchr::memchr_iter(b'\n', bytes).nth(last));
    let (heading, jobs) = bytes.split_at(at.map_or(0, |at| at + 1));
    let times = BYTES.div_ceil(jobs.len().max(1));
    Log { name: name.into(), times, bytes: [heading, &jobs.repeat(times)].concat(), mapping }
}

/// Rows as collected by `sacct` for accounting: 26 columns, no heading.
fn sacct(jobs: u64) -> Vec<u8> {
    let mut text = String::new();
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        // The step of a linear congruential generator gives sufficiently varied values.
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
