//! Tests that a log read as a wrong format is refused, and that a damaged one is not.

use batchlab_parsers::{FORMATS, FormatSpec, Input, Options, ReadError, read_trace};
use batchlab_traces::Trace;

use crate::every_format::{read_as, rows};
use crate::samples::{Sample, samples};

/// Formats that share one reader.
const KIN: [[&str; 2]; 2] = [["sge", "uge"], ["pbs", "cobalt"]];

/// The samples whose format can be detected from the content; `in_lines` returns those made of lines.
fn known() -> Vec<Sample> {
    samples().into_iter().filter(|sample| !sample.is_named()).collect()
}

fn in_lines() -> impl Iterator<Item = Sample> {
    samples()
        .into_iter()
        .filter(|sample| !sample.format.name.ends_with("-json") && sample.format.name != "batsim")
}

fn forced(sample: &Sample, format: &'static FormatSpec) -> Result<Trace, ReadError> {
    let options = Options { format: Some(format), ..Options::default() };
    read_trace(Input::from_bytes("log", sample.bytes.clone()), &options)
}

#[test]
fn no_log_is_read_as_another_format() {
    for sample in known() {
        let own = sample.format.name;
        for spec in FORMATS.iter().filter(|spec| spec.name != own) {
            if KIN.iter().any(|kin| kin.contains(&spec.name) && kin.contains(&own)) {
                assert!(forced(&sample, spec).is_ok(), "{} as {}", sample.name(), spec.name);
                continue;
            }
            match forced(&sample, spec) {
                Ok(trace) => panic!("{} as {}: {} jobs", sample.name(), spec.name, trace.len()),
                Err(ReadError::OtherFormat { other, .. }) => assert_eq!(other, own),
                Err(ReadError::NotFormat { .. } | ReadError::NeedsMapping { .. }) => {}
                Err(error) => panic!("{} as {}: {error}", sample.name(), spec.name),
            }
        }
    }
}

#[test]
fn a_table_refuses_a_log_of_another_format_by_its_name() {
    for (own, tables) in [
        ("sacct", &["maui", "openb", "cerit", "swf"][..]),
        ("sacct-json", &["cerit"]),
        ("cerit", &["maui", "swf"]),
        ("swf", &["maui", "gwf", "cerit"]),
    ] {
        let sample = known().into_iter().find(|sample| sample.format.name == own).unwrap();
        for table in tables {
            let error = forced(&sample, batchlab_parsers::format(table).unwrap()).unwrap_err().to_string();
            let advice = format!("read it with --from {own}");
            assert!(error.ends_with(&advice), "{own} as {table}: {error}");
        }
    }
}

/// A line that is not a record of any format.
const NOISE: &str = "the quick brown fox\n";

/// Returns a sample with lines of noise before each of its lines.
fn diluted(sample: &Sample, noise: usize) -> Vec<u8> {
    let lines = sample.bytes.split_inclusive(|byte| *byte == b'\n');
    lines
        .enumerate()
        .flat_map(|(at, line)| [format!("{at} {NOISE}").repeat(noise).as_bytes(), line].concat())
        .collect()
}

#[test]
fn more_than_half_of_the_lines_may_not_be_strange() {
    // Here a job continues over lines: a line below may belong to it.
    let continued = ["sacct", "slurm-jobcomp", "slurm-show-job"];
    for sample in in_lines().filter(|sample| !continued.contains(&sample.format.name)) {
        let refused = read_as(&sample, diluted(&sample, 3), false);
        assert!(matches!(refused, Err(ReadError::NotFormat { .. })), "{}: {refused:?}", sample.name());
    }
}

#[test]
fn a_damaged_end_is_a_finding_with_its_place_however_long_it_is() {
    // The last row of that sample is cut: a line below a row may belong to it.
    for sample in in_lines().filter(|sample| sample.name() != "sacct/texts.txt") {
        let whole = read_as(&sample, sample.bytes.clone(), false).unwrap();
        let end: &[u8] = if sample.bytes.ends_with(b"\n") { b"" } else { b"\n" };
        let lines = sample.bytes.split(|byte| *byte == b'\n').count() - 1 + end.len();
        let many = 3 * lines.max(200);
        let damaged = [&sample.bytes, end, NOISE.repeat(many).as_bytes()].concat();
        let name = sample.name();
        let trace = read_as(&sample, damaged, false).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(rows(&trace), rows(&whole), "{name}");
        let tail = trace.findings.list().iter().find(|finding| finding.kind.code == "damaged-tail");
        let tail = tail.unwrap_or_else(|| panic!("{name}: {:?}", trace.findings));
        let place = tail.examples[0].place.as_ref().unwrap();
        let (first, count) = (place.line as usize, tail.count as usize);
        assert_eq!(first + count, lines + 1 + many, "{name}");
        // The last line of a sample may not be a record either; a row of Slurm takes up to 256 lines below it.
        assert!((lines..=lines + 257).contains(&first), "{name}: {place}, {lines} lines");
    }
}
