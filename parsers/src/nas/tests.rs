//! Compares the published extract of the log with the archive's own conversion of it.

use std::path::Path;

use batchlab_traces::{Field, Trace};

use crate::{Input, Options, detect, read_trace};

/// Lines of the log as published, with the number that the archive's conversion gives each job and its zero of time.
const EXTRACT: &str = "\
user8    cmd33    1   31 10/19/93 18:06:10
sysadmin pwd      1   16 10/19/93 18:06:57
sysadmin pwd      1    5 10/19/93 18:08:27
intel0   cmd11   64  165 10/19/93 18:11:36
user2    cmd2     1   19 10/19/93 18:11:59
user2    cmd2     1   11 10/19/93 18:12:28
user2    nsh      0   10 10/19/93 18:16:23
user2    cmd1    32 2482 10/19/93 18:16:37
intel0   cmd11   32  221 10/19/93 18:20:12
user2    cmd2     1   11 10/19/93 18:23:47
user6    cmd8    32  167 10/19/93 18:30:45
user6    cmd8    32  336 10/19/93 18:38:58
";
const FIRST: i64 = 8265;
const ZERO: i64 = 749_458_803;

fn extract() -> Trace {
    read_trace(Input::from_bytes("nas.log", EXTRACT), &Options { strict: true, ..Options::default() })
        .unwrap()
}

/// Submit time, run time, processors and group of each job, by the archive's job number.
fn rows(trace: &Trace, number: i64, zero: i64) -> Vec<(i64, [i64; 4])> {
    let values = |row: usize| {
        let get = |field| trace.get(row, field).truncated();
        let job = (get(Field::Submit) + zero, get(Field::Run), get(Field::Allocated), get(Field::Group));
        (get(Field::Job) + number, [job.0, job.1, job.2, job.3])
    };
    (0..trace.len()).map(values).collect()
}

#[test]
fn the_extract_equals_the_archives_conversion() {
    assert_eq!(detect(EXTRACT.as_bytes()).map(|spec| spec.name), Some("nas"));
    let trace = extract();
    let zero = trace.header.unix_start_time.unwrap() - ZERO;
    let expected = [
        (8265, [1_620_367, 31, 1, 1]),
        (8266, [1_620_414, 16, 1, 2]),
        (8267, [1_620_504, 5, 1, 2]),
        (8268, [1_620_693, 165, 64, 2]),
        (8269, [1_620_716, 19, 1, 1]),
        (8270, [1_620_745, 11, 1, 1]),
        (8271, [1_620_994, 2482, 32, 1]),
        (8272, [1_621_209, 221, 32, 2]),
        (8273, [1_621_424, 11, 1, 1]),
        (8274, [1_621_842, 167, 32, 1]),
        (8275, [1_622_335, 336, 32, 1]),
    ];
    assert_eq!(rows(&trace, FIRST - 1, zero), expected);
    let unknown =
        [Field::Wait, Field::Cpu, Field::Requested, Field::RequestedTime, Field::Status, Field::Queue];
    for field in unknown {
        assert_eq!(trace.column(field).constant().map(|value| value.value), Some(-1), "{}", field.name());
    }
    let codes: Vec<&str> = trace.findings.list().iter().map(|finding| finding.kind.code).collect();
    assert_eq!(codes, ["nas-special-record"]);
    assert_eq!(
        trace.header.later_comments,
        [(6, "; special record (line 7): user2 nsh, 0 nodes, 10 s from 10/19/93 18:16:23".into())]
    );
}

#[test]
fn the_extract_is_in_the_archives_log() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces/NASA-iPSC-1993-3.1-cln.swf.gz");
    if !Path::new(path).exists() {
        #[expect(clippy::print_stderr, reason = "tests say why they skip")]
        {
            eprintln!("skipped: NASA-iPSC-1993-3.1-cln is not in ../shared/traces");
        }
        return;
    }
    let archive = read_trace(Input::open(path).unwrap(), &Options::default()).unwrap();
    assert_eq!(archive.header.unix_start_time, Some(ZERO));
    let known = rows(&archive, 0, 0);
    let trace = extract();
    let ours = rows(&trace, FIRST - 1, trace.header.unix_start_time.unwrap() - ZERO);
    let (there, cleaned): (Vec<_>, Vec<_>) = ours.into_iter().partition(|row| known.contains(row));
    // The archive removed the two pings by system staff.
    assert_eq!(there.len(), 9);
    assert_eq!(cleaned.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [8266, 8267]);
}
