//! Each way in which a log can be broken: records, findings, and the result of strict reading.

use std::collections::BTreeSet;

use batchlab_parsers::{Input, Options, ReadError, format, read_trace};
use batchlab_traces::{Field, Level, Trace};

use crate::helpers::{column, records};
use crate::samples::findings as found;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/broken");

/// Returns each file with the number of its records and its findings as `code` or `code*count`, or with `-` and words of the error.
fn files() -> impl Iterator<Item = (&'static str, Option<usize>, &'static str)> {
    include_str!("broken_logs.txt").lines().map(|line| {
        let mut parts = line.splitn(3, ' ');
        let (name, records) = (parts.next().unwrap(), parts.next().unwrap());
        (name, records.parse().ok(), parts.next().unwrap_or_default())
    })
}

fn path(name: &str) -> String {
    format!("{FOLDER}/{name}")
}

fn read(name: &str, strict: bool) -> Result<Trace, ReadError> {
    read_trace(Input::open(path(name)).unwrap(), &Options { strict, ..Options::default() })
}

#[test]
fn the_table_lists_every_file_of_the_folder() {
    let listed: BTreeSet<String> = files().map(|(name, ..)| name.to_owned()).collect();
    let there: BTreeSet<String> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.'))
        .collect();
    assert_eq!(listed, there);
}

#[test]
fn lenient_reading_keeps_readable_values_and_reports_anomalies() {
    for (name, records, words) in files() {
        match (read(name, false), records) {
            (Ok(trace), Some(records)) => {
                assert_eq!((trace.len(), found(&trace).as_str()), (records, words), "{name}");
            }
            (Err(error), None) => assert!(error.to_string().contains(words), "{name}: {error}"),
            (read, _) => panic!("{name}: {:?}", read.map(|trace| trace.len())),
        }
    }
}

#[test]
fn a_strict_reading_refuses_at_the_first_warning_and_lets_notes_pass() {
    for (name, records, _) in files() {
        let Some(records) = records else { continue };
        let lenient = read(name, false).unwrap();
        let first = lenient.findings.list().iter().find(|finding| finding.kind.level > Level::Note);
        match (read(name, true), first) {
            (Ok(trace), None) => assert_eq!(trace.len(), records, "{name}"),
            (Err(ReadError::Refused(refusal)), Some(first)) => {
                assert_eq!(refusal.0.kind.code, first.kind.code, "{name}");
                assert_eq!((refusal.0.count, &refusal.0.examples[0]), (1, &first.examples[0]), "{name}");
            }
            (strict, first) => panic!("{name}: {strict:?} but {first:?}"),
        }
    }
}

#[test]
fn every_finding_says_where() {
    let place = |name: &str| {
        let trace = read(name, false).unwrap();
        let place = trace.findings.list()[0].examples[0].place.clone().unwrap();
        (place.line, place.column)
    };
    assert_eq!(place("garbage-token.swf"), (5, 8));
    assert_eq!(place("garbage-job-number.swf"), (5, 1));
    assert_eq!(place("long-line.swf"), (5, 49));
    assert_eq!(place("short-line.swf"), (5, 0));
    assert_eq!(place("bad-header.swf"), (2, 13));
    assert_eq!(place("truncated-gzip.swf"), (0, 0));
}

#[test]
fn a_finding_reads_well() {
    let trace = read("garbage-token.swf", false).unwrap();
    let text = trace.findings.list()[0].to_string();
    let expected = "warning[swf-bad-token]: 1 field that is not a number: it counts as unknown\n  \
                    FOLDER/garbage-token.swf:5:8: `1oo` as run time\n  \
                    help: correct the log, or the tool that wrote it";
    assert_eq!(text.replace(FOLDER, "FOLDER"), expected);
}

#[test]
fn missing_and_unusable_values_count_as_unknown() {
    let row = |name: &str, row: usize| records(&read(name, false).unwrap()).swap_remove(row);
    assert_eq!(row("short-line.swf", 1).values[..7], [2, 20, 0, 100, 4, -1, -1]);
    assert_eq!(row("torn-last-line.swf", 2).values[..4], [3, 30, 0, -1]);
    assert_eq!(row("garbage-token.swf", 1).get(Field::Run).to_micro(), -1_000_000);
    assert_eq!(row("garbage-token.swf", 1).get(Field::User).to_micro(), 1_000_000);
    assert_eq!(row("out-of-range.swf", 0).get(Field::Run).value, -1);
    assert_eq!(row("decimals.swf", 1).get(Field::Run).to_micro(), 250_000);
    assert_eq!(row("decimals.swf", 2).get(Field::Run).to_micro(), 7_000_000);
    assert_eq!(row("exponents.swf", 0).get(Field::Run).to_micro(), 100_000_000_000);
    assert_eq!(row("seven-decimals.swf", 0).get(Field::Run).to_micro(), 333_333);
    assert_eq!(row("resources.swf", 1).extra, [128, -1]);
    assert_eq!(row("resource-missing.swf", 1).extra, [-1]);
    assert_eq!(row("nul-bytes.swf", 1).line, 6);
}

#[test]
fn parts_of_a_checkpointed_job_are_rows_of_their_own() {
    let trace = read("checkpointed-job.swf", true).unwrap();
    assert_eq!(column(&trace, Field::Status), [1, 2, 2, 3, 1]);
    assert_eq!(trace.get(2, Field::Submit).truncated(), -1);
}

#[test]
fn a_forced_format_says_why_it_does_not_fit() {
    for (name, why) in [
        ("page.swf", "none of its 3 lines begins with a job number and a submit time"),
        ("picture.swf", "begins with a job number"),
        ("empty.swf", "the file is empty"),
    ] {
        let options = Options { format: format("swf"), ..Options::default() };
        let error = read_trace(Input::open(path(name)).unwrap(), &options).unwrap_err().to_string();
        assert!(error.contains("not an SWF log") && error.contains(why), "{error}");
    }
}

#[test]
fn a_missing_file_and_a_folder_are_named() {
    for path in [path("no-such-file.swf"), FOLDER.to_owned()] {
        let error = Input::open(&path).err().unwrap().to_string();
        assert!(error.starts_with(&format!("cannot read {path}: ")), "{error}");
    }
}
