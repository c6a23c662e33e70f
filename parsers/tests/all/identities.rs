//! Tests of identities in SWF: large numbers, words, and several preceding jobs.

use batchlab_parsers::{Input, Mapping, Options, read_trace};
use batchlab_traces::trace::StatedDependencies;
use batchlab_traces::{Field, Trace};

use crate::helpers::column;
use crate::samples::{findings, written};

fn read(text: &str) -> Trace {
    read_trace(Input::from_bytes("log.swf", text.to_owned()), &Options::default()).unwrap()
}

#[test]
fn large_identities_are_kept_as_they_are() {
    let text = "212017152786432 0 -1 10 4 -1 -1 4 10 -1 1 92605928607567 77085908864199 -1 1 9300000000000 -1 -1\n\
                212017186340864 1 -1 10 4 -1 -1 4 10 -1 1 29946708553445 77085908864199 -1 1 -1 212017152786432 0\n\
                3 2 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 -1 -1 -1\n";
    let trace = read(text);
    assert_eq!((findings(&trace).as_str(), written(&trace).as_str()), ("", text));
}

#[test]
fn words_and_larger_numbers_are_numbered_by_first_appearance() {
    let line = |job: &str, user: &str, before: &str| {
        format!("{job} 0 -1 10 4 -1 -1 4 10 -1 1 {user} staff a.out batch gpu {before} -1\n")
    };
    let first = line("job-a", "ann", "-1");
    let text = first + &line("f/2", "18446744073709551615", "job-a") + &line("3", "ann", "f/2");
    let trace = read(&text);
    let base = 9_000_000_000_000_000;
    assert_eq!(column(&trace, Field::Job), [base + 1, base + 2, 3]);
    assert_eq!(column(&trace, Field::User), [base + 1, base + 2, base + 1]);
    assert_eq!(column(&trace, Field::Preceding), [-1, base + 1, base + 2]);
    assert_eq!(trace.header.lines[0], "; Queue: 9000000000000001 batch");
    assert_eq!(findings(&trace), "swf-named*19");
    let again = read(&written(&trace));
    assert_eq!((written(&again), again.header.queue), (written(&trace), trace.header.queue));
}

#[test]
fn a_table_may_name_its_jobs_by_words_and_large_numbers() {
    let mapping: Mapping = "separator = \",\"\nzero = \"own\"\ncolumn = [{ at = 1, to = \"job\" }, \
        { at = 2, to = \"submit\", format = \"seconds\" }, { at = 3, to = \"requested\" }]"
        .parse()
        .unwrap();
    let options = Options { mapping: Some(mapping.into()), ..Options::default() };
    let text = "wf-1,0,4\n212017152786432,5,4\nwf-2,6,4\n";
    let trace = read_trace(Input::from_bytes("a.csv", text), &options).unwrap();
    let expected = [9_000_000_000_000_001, 212_017_152_786_432, 9_000_000_000_000_002];
    assert_eq!(column(&trace, Field::Job), expected);
}

#[test]
fn several_preceding_jobs_are_kept_and_written() {
    let line = |job: i64, before: &str, think: &str| {
        format!("{job} 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 -1 {before} {think}\n")
    };
    let header = "; Computer: x\n";
    let text = header.to_owned()
        + &[line(1, "-1", "-1"), line(2, "-1", "-1"), line(3, "-1", "-1")].concat()
        + &line(4, "1&2&3", "0")
        + &line(5, "4", "7")
        + &line(6, "1,2", "30");
    let trace = read(&text);
    assert_eq!(findings(&trace), "swf-several-before*2");
    let stated = |trace: &Trace, row: usize| -> Vec<(i64, f64)> {
        StatedDependencies::of(trace).get(row).map(|one| (one.on, one.delay.secs())).collect()
    };
    for trace in [&trace, &read(&written(&trace))] {
        assert_eq!(column(trace, Field::Preceding), [-1, -1, -1, 1, 4, 1]);
        assert_eq!(stated(trace, 3), [(2, 0.0), (3, 0.0)]);
        assert_eq!(stated(trace, 4), []);
        assert_eq!(stated(trace, 5), [(2, 30.0)]);
    }
}

#[test]
fn many_preceding_jobs_are_kept_up_to_a_bound_that_is_told() {
    let before: Vec<String> = (1..=100).map(|job| job.to_string()).collect();
    let first: Vec<String> =
        (1..=100).map(|job| format!("{job} 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 -1 -1 -1\n")).collect();
    let last = format!("101 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 -1 {} -1\n", before.join("&"));
    let trace = read(&(first.concat() + &last));
    assert_eq!(StatedDependencies::of(&trace).get(100).count(), 80);
    assert_eq!(findings(&trace), "swf-many-before*19 swf-several-before");
}
