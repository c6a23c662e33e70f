//! Tests of small logs, with the expected records and findings in files beside them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use batchlab_parsers::{Input, Options, detect, read_trace, swf};

const FORMATS: [&str; 3] = ["sacct", "sacct-json", "slurm-jobcomp"];

fn samples(format: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples")).join(format);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_none_or(|end| end != "expected")).collect();
    files.sort();
    files
}

fn options(sample: &Path) -> Options {
    let (mut zone, mut columns, mut format) = (None, None, None);
    match sample.file_stem().and_then(|stem| stem.to_str()).unwrap() {
        "clocks" => zone = Some("Europe/Stockholm".parse().unwrap()),
        "named" => {
            columns = Some("JobID,User,Submit,Start,End,State,AllocCPUS".to_owned());
            format = batchlab_parsers::format("sacct");
        }
        _ => {}
    }
    Options { zone, columns, format, ..Options::default() }
}

/// Formats the findings with their counts, then the log as SWF with comments.
fn told(sample: &Path) -> String {
    let name = sample.file_name().unwrap().to_str().unwrap();
    let trace =
        read_trace(Input::from_bytes(name, std::fs::read(sample).unwrap()), &options(sample)).unwrap();
    let mut told = String::new();
    for finding in trace.findings.list() {
        writeln!(told, "{} {}", finding.count, finding.kind.code).unwrap();
    }
    let mut records = Vec::new();
    swf::write(&trace, &mut records).unwrap();
    told + "\n" + std::str::from_utf8(&records).unwrap()
}

#[test]
fn every_sample_gives_the_records_and_findings_beside_it() {
    for sample in FORMATS.into_iter().flat_map(samples) {
        let beside = sample.with_extension("expected");
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        let told = told(&sample);
        if std::env::var_os("UPDATE_SAMPLES").is_some() {
            std::fs::write(&beside, &told).unwrap();
            continue;
        }
        assert!(told == expected, "{} should hold\n{told}", beside.display());
    }
}

#[test]
fn every_sample_is_recognised() {
    for format in FORMATS {
        for sample in samples(format) {
            let bytes = std::fs::read(&sample).unwrap();
            let found = detect(&bytes).map(|spec| spec.name);
            let expected = (!sample.ends_with("named.txt")).then_some(format);
            assert_eq!(found, expected, "{}", sample.display());
        }
    }
}

#[test]
fn strict_reading_refuses_anomalies_and_accepts_regular_lines() {
    for sample in FORMATS.into_iter().flat_map(samples) {
        let stem = sample.file_stem().unwrap().to_str().unwrap();
        let options = Options { strict: true, ..options(&sample) };
        let read = read_trace(Input::from_bytes("log", std::fs::read(&sample).unwrap()), &options);
        let plain =
            ["steps", "collected-26", "gpus", "collected-23", "named", "plain", "old", "v22"].contains(&stem);
        assert_eq!(read.is_ok(), plain, "{stem}: {:?}", read.err().map(|error| error.to_string()));
    }
}

#[test]
fn the_first_lines_are_explained_column_by_column() {
    for (format, cell) in [
        ("sacct", ["Submit", "2024-03-04T08:00:00", "submit time"]),
        ("sacct-json", ["time.submission", "1709539200", "submit time"]),
        ("slurm-jobcomp", ["SubmitTime", "2024-03-04T08:00:00", "submit time"]),
    ] {
        let stem = ["steps", "v22", "plain"];
        let sample = samples(format)
            .into_iter()
            .find(|path| stem.iter().any(|stem| path.file_stem().unwrap() == *stem));
        let options = Options { explain: 2, ..Options::default() };
        let input = Input::from_bytes("log", std::fs::read(sample.unwrap()).unwrap());
        let (_, explanation) = batchlab_parsers::read::read_explained(input, &options).unwrap();
        assert_eq!(explanation.lines.len(), 2, "{format}");
        let cells = explanation.lines[0].cells.iter();
        let shown: Vec<[&str; 3]> =
            cells.map(|cell| [cell.column.as_str(), cell.text.as_str(), cell.to.as_str()]).collect();
        assert!(shown.contains(&cell), "{format}: {shown:?}");
    }
}
