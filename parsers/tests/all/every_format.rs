//! Tests for every format: detection of its samples, and equal records however the bytes arrive.

use std::io::{Cursor, Write};
use std::path::Path;

use batchlab_parsers::format::LIKELY;
use batchlab_parsers::{FORMATS, Input, Options, ReadError, detect, format, read_trace};
use batchlab_traces::{Level, Trace};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::helpers::{Drip, SHARED, files};
use crate::samples::{Sample, findings, samples, written};

pub fn read_as(sample: &Sample, bytes: Vec<u8>, strict: bool) -> Result<Trace, ReadError> {
    let options = Options { strict, format: Some(sample.format), ..sample.options() };
    read_trace(Input::from_bytes("log", bytes), &options)
}

pub fn rows(trace: &Trace) -> Vec<String> {
    written(trace).lines().filter(|line| !line.starts_with(';')).map(str::to_owned).collect()
}

/// Asserts that modified bytes of a sample give the same rows as the sample; returns the trace.
fn same_rows(sample: &Sample, bytes: Vec<u8>, what: &str) -> Trace {
    let plain = read_as(sample, sample.bytes.clone(), false).unwrap();
    let changed =
        read_as(sample, bytes, false).unwrap_or_else(|error| panic!("{}: {what}: {error}", sample.name()));
    assert_eq!(rows(&changed), rows(&plain), "{}: {what}", sample.name());
    changed
}

/// Formats whose files are one document of a stricter grammar instead of lines: JSON is UTF-8 and allows no
/// other text between its parts.
const DOCUMENTS: [&str; 3] = ["sacct-json", "squeue-json", "batsim"];

/// The formats that have a section of their own in FORMATS.md, in order; their names are quoted in headings.
fn documented() -> Vec<&'static str> {
    let headings = include_str!("../../FORMATS.md").lines().filter_map(|line| line.strip_prefix("## `"));
    let names = headings.filter_map(|heading| heading.split_once("`:"));
    names.flat_map(|(names, _)| names.split("`, `")).collect()
}

#[test]
fn every_format_is_documented_in_the_order_of_the_list() {
    let names: Vec<&str> = FORMATS.iter().map(|spec| spec.name).collect();
    assert_eq!(documented(), names);
}

fn is_lines(sample: &Sample) -> bool {
    !DOCUMENTS.contains(&sample.format.name)
}

fn replaced(bytes: &[u8], from: &str, to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() * 2);
    let mut rest = bytes;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from.as_bytes()) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    out.extend_from_slice(rest);
    out
}

#[test]
fn lines_may_end_as_on_any_system() {
    for sample in samples() {
        same_rows(&sample, replaced(&sample.bytes, "\n", b"\r\n"), "carriage returns");
        let end = sample.bytes.iter().rposition(|byte| *byte != b'\n').unwrap();
        same_rows(&sample, sample.bytes[..=end].to_vec(), "no line end after the last line");
        same_rows(&sample, [&sample.bytes[..], b"\n\n \n"].concat(), "blank lines at the end");
    }
}

#[test]
fn a_byte_order_mark_is_skipped_and_reported() {
    for sample in samples() {
        let marked = same_rows(&sample, [b"\xef\xbb\xbf", &sample.bytes[..]].concat(), "a byte-order mark");
        assert_eq!(marked.findings.count("byte-order-mark"), 1, "{}", sample.name());
        let told = detect(&[b"\xef\xbb\xbf", &sample.bytes[..]].concat()).map(|spec| spec.name);
        assert!(told == Some(sample.format.name) || sample.is_named(), "{}: {told:?}", sample.name());
    }
}

#[test]
fn names_may_be_in_any_encoding() {
    for sample in samples().iter().filter(|sample| is_lines(sample)) {
        for name in [&b"\xe4nn"[..], "änn".as_bytes()] {
            same_rows(sample, replaced(&sample.bytes, "ann", name), "a name in another encoding");
        }
    }
}

#[test]
fn an_endless_line_is_reported_and_costs_no_record() {
    for sample in samples() {
        let long = vec![b'x'; 3 << 20];
        let trace = same_rows(&sample, [&sample.bytes[..], b"\n", &long, b"\n"].concat(), "an endless line");
        let told = trace.findings.list().iter().any(|finding| finding.kind.level > Level::Note);
        assert!(told, "{}: {}", sample.name(), findings(&trace));
    }
}

/// Packs without compression, so that cutting off bytes removes equally many bytes of content.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_torn_packed_log_gives_the_records_before_the_tear() {
    // A workload of Batsim is read as a whole: its run times are behind its jobs.
    for sample in samples().into_iter().filter(|sample| sample.format.name != "batsim") {
        let packed = stored(&sample.bytes);
        let cut = packed.len() * 3 / 4;
        let torn = packed[..cut].to_vec();
        let name = sample.name();
        let trace = read_as(&sample, torn.clone(), false).unwrap_or_else(|error| panic!("{name}: {error}"));
        let loud = trace.findings.list().iter().find(|finding| finding.kind.code == "gzip-torn");
        assert_eq!(loud.map(|finding| (finding.kind.level, finding.count)), Some((Level::Loud, 1)), "{name}");
        assert!(matches!(read_as(&sample, torn, true), Err(ReadError::Refused(_))), "{name}");
        // Ten bytes are the header of the packed file, five that of its block.
        let prefix = &sample.bytes[..cut - 15];
        let last = prefix.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if let Ok(whole_lines) = read_as(&sample, prefix[..last].to_vec(), false) {
            assert_eq!(rows(&trace), rows(&whole_lines), "{name}");
        }
    }
}

#[test]
fn it_does_not_matter_how_the_bytes_arrive() {
    for sample in samples() {
        let options = Options { format: Some(sample.format), ..sample.options() };
        let whole = read_as(&sample, sample.bytes.clone(), false).unwrap();
        let drip = Drip(Cursor::new(sample.bytes.clone()), 7);
        let dripped = read_trace(Input::from_reader("log", drip), &options).unwrap();
        assert_eq!((rows(&dripped), dripped.findings), (rows(&whole), whole.findings), "{}", sample.name());
    }
}

#[test]
fn strict_reading_refuses_corrections_and_otherwise_reads_the_same() {
    for sample in samples() {
        let lenient = read_as(&sample, sample.bytes.clone(), false).unwrap();
        let mended = lenient.findings.list().iter().find(|finding| finding.kind.level > Level::Note);
        match (read_as(&sample, sample.bytes.clone(), true), mended) {
            (Ok(strict), None) => assert_eq!(rows(&strict), rows(&lenient), "{}", sample.name()),
            (Err(ReadError::Refused(refusal)), Some(_)) => assert!(refusal.0.kind.level > Level::Note),
            (strict, mended) => panic!("{}: {strict:?}, {mended:?}", sample.name()),
        }
    }
}

#[test]
fn every_finding_of_a_sample_reads_well() {
    for sample in samples() {
        let trace = read_as(&sample, sample.bytes.clone(), false).unwrap();
        for finding in trace.findings.list() {
            for count in [1, 2] {
                let (what, done) = (finding.kind.what(count), finding.kind.done(count));
                assert!(!what.contains(['{', '}']), "{what}");
                assert!(!done.contains(['{', '}']), "{done}");
            }
        }
    }
}

#[test]
fn the_columns_of_a_first_line_are_explained() {
    for sample in samples().iter().filter(|sample| !sample.is_named() && sample.format.name != "swf") {
        let options = Options { explain: 1, ..sample.options() };
        let input = Input::from_bytes("log", sample.bytes.clone());
        let (_, explanation) = batchlab_parsers::read::read_explained(input, &options).unwrap();
        let cells = explanation.lines.first().map_or(0, |line| line.cells.len());
        assert!(explanation.lines.len() == 1 && cells > 4, "{}: {cells}", sample.name());
    }
}

/// Inserts lines of text between the lines of a sample.
fn diluted(bytes: &[u8]) -> Vec<u8> {
    let noise = b"the quick brown fox\njumps over\nthe lazy dog, and\nso on\n";
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.flat_map(|line| [&noise[..], &noise[..], line].concat()).collect()
}

#[test]
fn a_file_that_resembles_a_log_gets_the_nearest_format_in_the_error() {
    let swf = format("swf").unwrap();
    for sample in samples().iter().filter(|sample| is_lines(sample)).filter(|sample| !sample.is_named()) {
        let name = sample.name();
        let nearest = match read_trace(Input::from_bytes("log", diluted(&sample.bytes)), &Options::default())
        {
            Ok(trace) => trace.provenance.source.format,
            Err(ReadError::UnknownFormat { nearest, .. }) => nearest.unwrap_or_default().to_owned(),
            // The format is likely enough to be tried, but most lines are not records.
            Err(ReadError::NotFormat { format, .. }) => format.to_lowercase(),
            Err(error) => panic!("{name}: {error}"),
        };
        // A few lines do not distinguish SWF from a related format with other columns.
        let is_kin = nearest == "swf" && (swf.likeness)(&sample.bytes) >= LIKELY;
        assert!(is_kin || nearest == sample.format.name, "{name}: {nearest}");
    }
}

#[test]
fn a_log_whose_lines_are_cut_is_named_after_the_nearest_kind() {
    for name in ["pbs", "lsf", "sge", "uge"] {
        let sample = samples().into_iter().find(|sample| sample.format.name == name).unwrap();
        let cut: Vec<u8> = sample.bytes.split(|byte| *byte == b'\n').fold(Vec::new(), |mut cut, line| {
            // Removes a few bytes from the front, or half of the line, so that it no longer begins as the
            // format's lines do.
            let from = if matches!(name, "pbs" | "lsf") { 3.min(line.len()) } else { 0 };
            cut.extend_from_slice(&line[from..line.len() / 2 + from / 2]);
            cut.push(b'\n');
            cut
        });
        match read_trace(Input::from_bytes("log", cut), &Options::default()) {
            Err(ReadError::UnknownFormat { nearest, .. }) => assert_eq!(nearest, Some(name)),
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// The expected format of genuine logs, by the beginning of their path; the first match is used. `None`: not
/// a batch system's own log.
const GENUINE: [(&str, Option<&str>); 14] = [
    ("traces/", Some("swf")),
    ("logs/pbs/", Some("pbs")),
    ("logs/lsf/", Some("lsf")),
    ("logs/sge/", Some("sge")),
    ("logs/uge/", Some("uge")),
    ("logs/slurm/real/jobcomp", Some("slurm-jobcomp")),
    ("logs/slurm/real/sacct.json", Some("sacct-json")),
    ("logs/slurm/real/sacct.default-columns", None),
    ("logs/slurm/real/sacct", Some("sacct")),
    ("logs/slurm/xdmod-", Some("sacct")),
    ("logs/slurm/slurmsim-sacct_", Some("sacct")),
    ("logs/slurm/slurmsim-micro-jobcomp", Some("slurm-jobcomp")),
    ("logs/slurm/", None),
    ("logs/", None),
];

fn told(path: &Path) -> Option<&'static str> {
    let mut stream = Input::open(path).unwrap().stream().unwrap();
    detect(stream.peek().unwrap()).map(|spec| spec.name)
}

#[test]
fn genuine_logs_are_detected_by_their_content() {
    let found = ["traces", "logs"].map(|folder| files(&Path::new(SHARED).join(folder))).concat();
    if found.is_empty() {
        eprintln!("skipped: there are no logs in ../shared");
    }
    for path in found {
        let name = path.strip_prefix(SHARED).unwrap().to_str().unwrap();
        let (_, expected) = GENUINE.iter().find(|(prefix, _)| name.starts_with(prefix)).unwrap();
        let told = told(&path);
        match expected {
            Some(expected) if format(expected).is_some() => assert_eq!(told, Some(*expected), "{name}"),
            _ => assert!(!matches!(told, Some("pbs" | "lsf" | "sge" | "uge")), "{name}: {told:?}"),
        }
    }
}

#[test]
fn a_broken_log_of_one_format_is_not_detected_as_another() {
    for path in files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/broken"))) {
        let told = told(&path);
        assert!(matches!(told, None | Some("swf")), "{}: {told:?}", path.display());
    }
}

#[test]
fn a_sample_looks_like_its_own_format_beyond_doubt_and_like_no_other() {
    for sample in samples().iter().filter(|sample| !sample.is_named()) {
        let own = (sample.format.likeness)(&sample.bytes);
        for spec in FORMATS {
            let likeness = (spec.likeness)(&sample.bytes);
            let is_own = spec.name == sample.format.name;
            assert!(is_own || likeness < own, "{} as {}: {likeness}, own {own}", sample.name(), spec.name);
        }
    }
}
