//! Tests of accounting whose times count from a zero of its own.

use batchlab_parsers::{Input, Mapping, Options, format, read_trace};
use batchlab_traces::{Field, Trace};

use crate::samples::findings;

fn column(trace: &Trace, field: Field) -> Vec<i64> {
    (0..trace.len()).map(|row| trace.get(row, field).truncated()).collect()
}

fn read(text: &str, options: &Options) -> Trace {
    read_trace(Input::from_bytes("log", text.to_owned()), options).unwrap()
}

fn sacct(rows: &[(i64, i64, i64)]) -> Trace {
    let row = |(at, &(submit, start, end)): (usize, &(i64, i64, i64))| {
        format!("{at}|ann|4|COMPLETED|{submit}|{start}|00:05:00|{end}\n")
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    read(&format!("JobID|User|NCPUS|State|Submit|Start|Elapsed|End\n{rows}"), &Options::default())
}

#[test]
fn small_instants_of_sacct_are_times_if_no_instant_is_a_date() {
    let trace = sacct(&[(0, 100, 400), (20_000, 20_100, 20_400), (100_000, 100_100, 100_400)]);
    assert_eq!(column(&trace, Field::Submit), [0, 20_000, 100_000]);
    assert_eq!(column(&trace, Field::Wait), [100, 100, 100]);
    assert!(findings(&trace).contains("archive-own-zero"), "{}", findings(&trace));
    assert_eq!(trace.header.unix_start_time, None);
}

#[test]
fn small_instants_beside_dates_stay_markers_of_missing_ones() {
    let zero = 1_700_000_000;
    let trace = sacct(&[(0, 0, 0), (zero, zero + 5, zero + 305), (zero + 10, 0, 0)]);
    assert_eq!(trace.header.unix_start_time, Some(zero));
    assert_eq!(column(&trace, Field::Submit), [0, 0, 10]);
    assert_eq!(column(&trace, Field::Wait), [-1, 5, -1]);
    assert!(!findings(&trace).contains("archive-own-zero"));
    assert!(findings(&trace).contains("archive-submit-from-predecessor"), "{}", findings(&trace));
}

/// Three jobs of 29 columns that count from zero.
fn gwf() -> String {
    let line = |job: i64, submit: i64, wait: i64| {
        format!(
            "{job} {submit} {wait} 100 2 -1 -1 2 3600 -1 1 U1 G1 X1 Q1 P1 S1 S1 UNITARY{}\n",
            " -1".repeat(10)
        )
    };
    [line(1, 0, 5), line(2, 50, 0), line(3, 70_000, 10)].concat()
}

#[test]
fn a_grid_log_that_counts_from_zero_is_known_and_read() {
    for named in [None, format("gwf")] {
        let trace = read(&gwf(), &Options { format: named, ..Options::default() });
        assert_eq!(trace.provenance.source.format, "gwf");
        assert_eq!(column(&trace, Field::Submit), [0, 50, 70_000]);
        assert_eq!(column(&trace, Field::Wait), [5, 0, 10]);
    }
}

#[test]
fn a_mapping_that_says_so_gives_the_same_without_a_finding() {
    let mapping = |zero: &str| -> Mapping {
        let columns = "column = [{ at = 1, to = \"job\" }, { at = 2, to = \"submit\", format = \"seconds\" }, \
            { at = 3, to = \"start\", format = \"seconds\" }, { at = 4, to = \"end\", format = \"seconds\" }]";
        format!("separator = \"|\"\n{zero}{columns}").parse().unwrap()
    };
    let text = "1|0|0|60\n2|30|60|90000\n";
    let read = |zero| read(text, &Options { mapping: Some(mapping(zero).into()), ..Options::default() });
    let (own, found) = (read("zero = \"own\"\n"), read(""));
    for trace in [&own, &found] {
        assert_eq!(column(trace, Field::Submit), [0, 30]);
        assert_eq!((column(trace, Field::Wait), column(trace, Field::Run)), (vec![0, 30], vec![60, 89_940]));
    }
    assert_eq!((findings(&own).as_str(), findings(&found).as_str()), ("", "archive-own-zero"));
}
