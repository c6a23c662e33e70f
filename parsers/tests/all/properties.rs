//! Properties for any input: nothing panics or hangs, and written traces read back the same.

use std::io::Cursor;

use batchlab_parsers::{Input, Options, ReadError, format, read_trace, swf};
use batchlab_traces::header::{ColumnScope, Named, RemarkedCount, ResourceDeclaration, SwfPreemption};
use batchlab_traces::provenance::Source;
use batchlab_traces::trace::TraceBuilder;
use batchlab_traces::{Field, Findings, Header, Number, Record, RecordSink, Trace};
use proptest::prelude::*;

use crate::helpers::{Drip, content as rows};

fn read(bytes: Vec<u8>, strict: bool) -> Result<Trace, ReadError> {
    let options = Options { strict, format: format("swf"), ..Options::default() };
    read_trace(Input::from_bytes("bytes", bytes), &options)
}

fn written(trace: &Trace) -> Vec<u8> {
    let mut bytes = Vec::new();
    swf::write(trace, &mut bytes).unwrap();
    bytes
}

fn line() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        6 => Just("-1".to_owned()),
        6 => (0..100_000_000_i64).prop_map(|value| value.to_string()),
        1 => (-1_000_000..1_000_000_i64, 0..10_000_u32).prop_map(|(whole, part)| format!("{whole}.{part}")),
        1 => any::<i64>().prop_map(|value| value.to_string()),
    ];
    let gap = prop_oneof![8 => Just(" "), 1 => Just("    "), 1 => Just("\t"), 1 => Just(" \t  ")];
    prop::collection::vec((gap, token), 18..=18)
        .prop_map(|parts| parts.into_iter().flat_map(|(gap, token)| [gap.to_owned(), token]).collect())
}

/// A log with some bytes changed, inserted or removed.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let lines = prop::collection::vec(line(), 1..20);
    let strange = prop::sample::select(b"\0\n\r\t ;.-+eE19x\xff\xef\xbb\xbf\x1f\x8b".to_vec());
    let changes = prop::collection::vec((any::<prop::sample::Index>(), strange, 0..3_u8), 0..12);
    (lines, changes).prop_map(|(lines, changes)| {
        let header = "; Version: 2.2\n; MaxProcs: 64\n; Resource: 1 memory KB\n; Note: a\n;    b\n";
        let mut bytes = format!("{header}{}\n", lines.join("\n")).into_bytes();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        bytes
    })
}

/// A value that survives writing: whole, in millionths, or unknown.
fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        4 => Just(Number::UNKNOWN),
        4 => (0..3_000_000_000_i64).prop_map(Number::whole),
        1 => (-9_000_000_000_000_i64..=9_000_000_000_000).prop_map(Number::whole),
        1 => any::<i64>().prop_map(|micro| Number::from_micro(micro / 2)),
    ]
}

prop_compose! {
    fn record(resources: usize)(
        numbers in prop::collection::vec(number(), 18),
        extra in prop::collection::vec(-1..1_000_000_000_i64, resources),
    ) -> Record {
        let mut record = Record { extra, ..Record::default() };
        for (field, number) in Field::ALL.into_iter().zip(numbers) {
            record.set(field, number);
        }
        record
    }
}

fn words() -> impl Strategy<Value = String> {
    "[A-Za-z][a-z0-9./-]{0,8}( [a-z0-9:;./-]{1,8}){0,3}"
}

fn named() -> impl Strategy<Value = Vec<Named>> {
    let one = (0..100_i64, prop_oneof![Just(String::new()), words()]);
    prop::collection::vec(one.prop_map(|(number, name)| Named { number, name }), 0..4)
}

/// A header without lines, as a model or a converter makes it.
fn header(resources: usize) -> impl Strategy<Value = Header> {
    let texts = prop::collection::vec(words(), 0..3);
    let text = prop::option::of(words());
    let counts = prop::collection::vec(prop::option::of(0..1_000_000_000_i64), 8);
    let kinds = [SwfPreemption::No, SwfPreemption::Parts, SwfPreemption::Double, SwfPreemption::TimeSlicing];
    let preemption = prop::option::of(prop::sample::select(kinds.to_vec()));
    (texts, text, counts, preemption, any::<Option<bool>>(), named(), words()).prop_map(
        move |(texts, text, counts, preemption, allow_overuse, queue, remark)| Header {
            version: Some("2.2".into()),
            computer: text.clone(),
            queues: text,
            acknowledge: texts.clone(),
            notes: texts,
            max_jobs: counts[0],
            max_records: counts[1],
            unix_start_time: counts[2],
            time_zone: counts[3].map(|zone| -zone),
            max_nodes: counts[4].map(|count| RemarkedCount { count, remark: remark.clone() }),
            max_procs: counts[5].map(|count| RemarkedCount { count, remark: String::new() }),
            max_runtime: counts[6],
            max_memory: counts[7],
            preemption,
            allow_overuse,
            partition: queue.clone(),
            queue,
            resources: (0..resources).map(resource).collect(),
            unknown: vec![("Maintainer".into(), remark)],
            later_comments: vec![(1, "; first".into()), (1, ";".into()), (1, ";third".into())],
            ..Header::default()
        },
    )
}

fn resource(index: usize) -> ResourceDeclaration {
    let unit = if index == 0 { "KB" } else { "" }.into();
    let (capacity, scope) = ((index > 0).then_some(640), ColumnScope::NAMES[index % 3].0);
    ResourceDeclaration { name: format!("r{index}"), unit, capacity, scope }
}

fn trace() -> impl Strategy<Value = Trace> {
    (0..3_usize).prop_flat_map(|resources| {
        (header(resources), prop::collection::vec(record(resources), 1..20)).prop_map(|(header, records)| {
            let mut builder = TraceBuilder::new();
            for record in &records {
                builder.record(record);
            }
            builder.finish(header, Source::default(), Findings::lenient()).unwrap()
        })
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..3000), strict in any::<bool>()) {
        let _ = read(bytes, strict);
    }

    #[test]
    fn arbitrary_bytes_that_claim_to_be_packed_never_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let start = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        let _ = read([&start[..], &bytes].concat(), false);
    }

    #[test]
    fn changed_logs_never_panic_and_what_is_read_of_them_round_trips(bytes in mutated()) {
        let Ok(trace) = read(bytes, false) else { return Ok(()) };
        // Millionths of large identities are not representable: a column with decimals does not hold them.
        let is_saturated = |field| {
            let column = trace.column(field);
            !column.is_whole() && column.iter().any(|number| number.value == i64::MAX)
        };
        if Field::ALL.into_iter().any(is_saturated) {
            return Ok(());
        }
        let again = read(written(&trace), false).unwrap();
        prop_assert_eq!(rows(&again), rows(&trace));
        prop_assert_eq!(again.header, trace.header);
    }

    #[test]
    fn strict_reading_accepts_only_logs_that_lenient_reading_does_not_correct(bytes in mutated()) {
        if let Ok(strict) = read(bytes.clone(), true) {
            let lenient = read(bytes, false).unwrap();
            prop_assert_eq!(rows(&strict), rows(&lenient));
            prop_assert_eq!(strict.findings.list(), lenient.findings.list());
        }
    }

    #[test]
    fn it_does_not_matter_how_the_bytes_arrive(bytes in mutated(), drip in 1..40_usize) {
        let whole = read(bytes.clone(), false);
        let options = Options { format: format("swf"), ..Options::default() };
        let dripped = read_trace(Input::from_reader("bytes", Drip(Cursor::new(bytes), drip)), &options);
        match (whole, dripped) {
            (Ok(whole), Ok(dripped)) => {
                prop_assert_eq!(rows(&dripped), rows(&whole));
                prop_assert_eq!(dripped.findings, whole.findings);
                prop_assert_eq!(dripped.provenance, whole.provenance);
            }
            (Err(whole), Err(dripped)) => prop_assert_eq!(whole.to_string(), dripped.to_string()),
            (whole, dripped) => prop_assert!(false, "{whole:?}, {dripped:?}"),
        }
    }

    #[test]
    fn written_logs_read_the_same_without_a_warning(trace in trace()) {
        let again = read(written(&trace), true).unwrap();
        prop_assert_eq!(rows(&again), rows(&trace));
        let header = Header { lines: Vec::new(), ..again.header.clone() };
        prop_assert_eq!(&header, &trace.header);
        prop_assert_eq!(written(&again), written(&trace));
    }

    #[test]
    fn a_header_that_was_changed_is_written_as_changed(log in mutated(), trace in trace()) {
        // As after a shaping step: the lines are those of the log, the values are new.
        let Ok(log) = read(log, false) else { return Ok(()) };
        let mut changed = trace;
        changed.header.lines = log.header.lines;
        changed.header.later_comments.clear();
        let again = read(written(&changed), false).unwrap();
        prop_assert_eq!(rows(&again), rows(&changed));
        let expected = Header { lines: again.header.lines.clone(), ..changed.header };
        prop_assert_eq!(again.header, expected);
    }
}
