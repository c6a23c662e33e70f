use std::io::Cursor;

use batchlab_parsers::{Input, Options, ReadError, format, read_trace};
use batchlab_traces::Trace;
use proptest::prelude::*;

use crate::helpers::{Drip, records as rows};

fn read(bytes: &[u8], name: &str, strict: bool, drip: usize) -> Result<Trace, ReadError> {
    let options = Options { strict, format: format(name), ..Options::default() };
    read_trace(Input::from_reader("log", Drip(Cursor::new(bytes.to_vec()), drip)), &options)
}

const NAMES: [&str; 3] = ["sacct", "sacct-json", "slurm-jobcomp"];

const SAMPLES: [(&str, &str); 7] = [
    ("sacct", include_str!("../../samples/sacct/steps.txt")),
    ("sacct", include_str!("../../samples/sacct/texts.txt")),
    ("sacct", include_str!("../../samples/sacct/odd.txt")),
    ("sacct", include_str!("../../samples/sacct/collected-26.txt")),
    ("sacct-json", include_str!("../../samples/sacct-json/v22.json")),
    ("sacct-json", include_str!("../../samples/sacct-json/v23.json")),
    ("slurm-jobcomp", include_str!("../../samples/slurm-jobcomp/plain.txt")),
];

/// A sample with some bytes, words and lines changed, removed or doubled.
fn mutated() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let short = [
        "|", "\n", "||||||||", "\"", "{", "}", "[", "]", ",", "=", "_[1-", "-1", "T", "\r", "\u{0}", "None",
        "1.batch|",
    ];
    let long = ["9999999999999999999", " JobState=", "UNLIMITED", "JobID|Submit|Start\n"];
    let junk = prop::sample::select([&short[..], &long].concat());
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4_u8, junk);
    (prop::sample::select(SAMPLES.to_vec()), prop::collection::vec(change, 0..6)).prop_map(
        |((name, text), changes)| {
            let mut bytes = text.as_bytes().to_vec();
            for (at, length, how, junk) in changes {
                if bytes.is_empty() {
                    break;
                }
                let from = at.index(bytes.len());
                let to = (from + length.index(40)).min(bytes.len());
                match how {
                    0 => drop(bytes.splice(from..from, junk.bytes())),
                    1 => drop(bytes.drain(from..to)),
                    2 => {
                        let copy = bytes[from..to].to_vec();
                        drop(bytes.splice(from..from, copy));
                    }
                    _ => bytes[from] = junk.as_bytes()[0],
                }
            }
            (name, bytes)
        },
    )
}

fn count(bytes: &[u8], name: &str) -> usize {
    read(bytes, name, false, 1 << 16).map_or(0, |trace| trace.len())
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..2000),
        which in 0..NAMES.len(),
        strict in any::<bool>(),
    ) {
        let _ = read(&bytes, NAMES[which], strict, 1 << 16);
    }

    #[test]
    fn arbitrary_rows_below_a_heading_never_panic(text in "([0-9|_\\[\\]A-Za-z:.,=+%-]{0,60}\n){0,30}") {
        let log = format!("JobID|JobName|Submit|Start|End|State|ReqTRES|SubmitLine|Elapsed\n{text}");
        let _ = read(log.as_bytes(), "sacct", false, 1 << 16);
    }

    #[test]
    fn changed_logs_never_panic_however_they_arrive((name, bytes) in mutated(), drip in 1..50_usize) {
        match (read(&bytes, name, false, 1 << 16), read(&bytes, name, false, drip)) {
            (Ok(whole), Ok(dripped)) => {
                prop_assert_eq!(rows(&whole), rows(&dripped));
                prop_assert_eq!(whole.findings, dripped.findings);
            }
            (Err(whole), Err(dripped)) => prop_assert_eq!(whole.to_string(), dripped.to_string()),
            (whole, dripped) => prop_assert!(false, "{whole:?}, {dripped:?}"),
        }
    }

    #[test]
    fn strict_reading_accepts_only_logs_that_lenient_reading_does_not_correct((name, bytes) in mutated()) {
        if let Ok(strict) = read(&bytes, name, true, 1 << 16) {
            let lenient = read(&bytes, name, false, 1 << 16).unwrap();
            prop_assert_eq!(rows(&strict), rows(&lenient));
            prop_assert_eq!(strict.findings.list(), lenient.findings.list());
        }
    }

    #[test]
    fn a_damaged_line_costs_no_other_job(line in 2..8_usize, junk in "[ -~]{0,60}") {
        // Overwrites one line of a log whose rows are one line each: at most that line's job is lost.
        let log = include_str!("../../samples/sacct/steps.txt").replace("steps", "");
        let jobs = count(log.as_bytes(), "sacct");
        let mut lines: Vec<&str> = log.lines().collect();
        lines[line] = &junk;
        let left = count(lines.join("\n").as_bytes(), "sacct");
        prop_assert!(left + 1 >= jobs, "{left} of {jobs}");
    }

    #[test]
    fn a_cut_document_gives_the_jobs_before_the_cut(cut in 0..4000_usize) {
        let text = include_str!("../../samples/sacct-json/v22.json");
        let cut = cut.min(text.len());
        let jobs = count(&text.as_bytes()[..cut], "sacct-json");
        let complete = ["\"ann\"},\n    {", "\"bob\"}\n  ]"].map(|end| text.find(end).unwrap() + 6);
        prop_assert_eq!(jobs, complete.iter().filter(|&&end| end <= cut).count());
    }
}

#[test]
fn a_corrupt_row_swallows_no_more_than_its_bound() {
    let mut log = String::from("JobID|Submit|SubmitLine|State\n1|2024-01-01T00:00:00|begun\n");
    log.push_str(&"no row at all\n".repeat(1000));
    log.extend((2..1200).map(|job| format!("{job}|2024-01-01T00:00:00|run|COMPLETED\n")));
    let trace = read(log.as_bytes(), "sacct", false, 1 << 16).unwrap();
    assert_eq!(trace.len(), 1199);
    assert_eq!(trace.findings.count("slurm-short-row"), 1);
    assert_eq!(trace.findings.count("slurm-not-a-job"), 745);
}

#[test]
fn many_separators_do_not_take_for_ever() {
    let bars = "|".repeat(200_000);
    let log = format!("JobID|JobName|Submit|Comment|State\n1|a{bars}|2024-01-01T00:00:00||COMPLETED\n");
    let trace = read(log.as_bytes(), "sacct", false, 1 << 16).unwrap();
    assert_eq!((trace.len(), trace.findings.count("slurm-bars-unclear")), (1, 1));
    let keys = format!("JobId=1 Name={} JobState=FAILED ProcCnt=1\n", " QOS=1 JobState=2".repeat(40_000));
    assert_eq!(read(keys.as_bytes(), "slurm-jobcomp", false, 1 << 16).unwrap().len(), 1);
}

#[test]
fn an_odd_first_row_without_a_heading_is_not_lost() {
    let log = include_str!("../../samples/sacct/collected-26.txt").replacen("2017-02-01", "soon", 1);
    let trace = read(log.as_bytes(), "sacct", false, 1 << 16).unwrap();
    assert_eq!((trace.len(), trace.findings.count("slurm-odd-value")), (3, 1));
}

#[test]
fn unusable_logs_get_advice() {
    for (log, words) in [
        ("JobID|JobName|State\n1|a|COMPLETED\n", "none of the columns Submit, Start and End"),
        ("1|2024-01-01T00:00:00|x\n", "--log-columns"),
        ("JobID|Submit\n", "no line below its heading"),
        ("       JobID    JobName  Partition\n", "fixed widths"),
    ] {
        let error = read(log.as_bytes(), "sacct", false, 1 << 16).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let empty = read(b"{\"jobs\": []}", "sacct-json", false, 1 << 16).unwrap_err().to_string();
    assert!(empty.contains("an empty one"), "{empty}");
    let torn = read(b"{\"jobs\": [{\"jo", "sacct-json", false, 1 << 16).unwrap_err().to_string();
    assert!(torn.contains("EOF"), "{torn}");
}

/// Two runs of a real Slurm, whose jobs ask for features: `[rack1|rack2|rack3]`, `old|big`.
#[test]
fn constraints_with_bars_are_divided_from_the_columns_behind_them() {
    for run in ["features-1", "features-2"] {
        let path = format!("{}/../tests/slurm/runs/{run}/sacct.txt.gz", env!("CARGO_MANIFEST_DIR"));
        let trace = read_trace(Input::open(&path).unwrap(), &Options::default()).unwrap();
        let count = |code| trace.findings.count(code);
        assert_eq!([count("slurm-bars-in-text"), count("slurm-bars-unclear")], [60, 0], "{run}");
        let names: Vec<String> = trace.header.noted("constraint").map(|named| named.name).collect();
        for asked in ["[rack1|rack2|rack3]", "old|big", "old"] {
            assert!(names.iter().any(|name| name == asked), "{run}: {asked} is not among {names:?}");
        }
        assert!(!names.iter().any(|name| name.contains("oracle")), "{run}: {names:?}");
        assert_eq!(trace.header.computer.as_deref(), Some("oracle"), "{run}");
    }
}
