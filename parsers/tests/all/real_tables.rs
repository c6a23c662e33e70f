//! Tests on real tables, if they are present: every row becomes a record, with known findings. The sums were
//! computed from the files by other means.

use std::io::Read;
use std::path::Path;

use batchlab_parsers::table::takes_mapping;
use batchlab_parsers::{Input, Options, format, read_trace, swf};
use batchlab_traces::header::ColumnScope;
use batchlab_traces::{Field, Number, Trace};
use flate2::read::MultiGzDecoder;

use crate::helpers::{SHARED, column, content, files, read_shared};
use crate::samples::findings;

/// Each table with its format, number of rows and findings.
const TABLES: [(&str, &str, usize, &str); 3] = [
    ("cerit/cerit-sc-2013.swf.gz", "cerit", 17_900, CERIT),
    ("slurm/slurmsim-micro-jobs500.swf", "slurmsim-swf", 500, "archive-one-name*2"),
    ("gpu/openb_pod_list_default.csv", "openb", 8152, "archive-zero-unknown"),
];

/// 702 jobs ran longer than they asked for, 106 of them by more than a minute. Two have no end, and therefore
/// a run time far below zero, and a requested time of zero.
const CERIT: &str = "archive-run-above-request*702 archive-run-far-above-request*106 \
                     archive-run-far-below-zero*2 archive-zero-unknown*2 archive-one-name*3";

fn table(name: &str) -> Option<Trace> {
    read_shared(&format!("logs/{name}"))
}

fn sum(trace: &Trace, field: Field) -> i64 {
    column(trace, field).into_iter().map(|value| value.max(0)).sum()
}

fn known(trace: &Trace, field: Field) -> usize {
    trace.column(field).iter().filter(|number| !number.is_unknown()).count()
}

#[test]
fn every_row_is_a_record_and_what_is_odd_is_counted() {
    for (name, format, rows, odd) in TABLES {
        let Some(trace) = table(name) else { continue };
        assert_eq!(trace.provenance.source.format, format, "{name}");
        assert_eq!((trace.len(), findings(&trace).as_str()), (rows, odd), "{name}");
    }
}

#[test]
fn tables_are_written_and_read_again_as_swf() {
    for (name, ..) in TABLES {
        let Some(trace) = table(name) else { continue };
        let mut written = Vec::new();
        swf::write(&trace, &mut written).unwrap();
        let strict = Options { strict: true, ..Options::default() };
        let again = read_trace(Input::from_bytes(name, written), &strict).unwrap();
        assert!(content(&again) == content(&trace), "{name}");
        assert_eq!(again.header.resources, trace.header.resources, "{name}");
    }
}

#[test]
fn the_jobs_of_cerit_keep_nodes_memory_and_numbers() {
    let Some(trace) = table("cerit/cerit-sc-2013.swf.gz") else { return };
    let of = |scope| {
        let columns = trace.header.resources.iter().filter(move |column| column.scope == scope);
        columns.map(|column| column.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(ColumnScope::Pool), ["memory"]);
    assert_eq!(of(ColumnScope::Job), ["nodes", "ppn", "exclusive", "constraint"]);
    assert_eq!(trace.header.resources[0].name, "memory");
    // The first row: 1:ppn=64, 64 GB. The seventh: 8:ppn=8, 8 GB for each node.
    for (row, expected) in [(0, [1, 64, 64 << 20]), (6, [8, 8, 64 << 20])] {
        let values = ["nodes", "ppn", "memory"].map(|name| trace.resource(name).unwrap().whole(row));
        assert_eq!(values, expected, "row {row}");
    }
    assert_eq!((trace.get(17_899, Field::Job).truncated(), known(&trace, Field::Run)), (17_899, 17_898));
    assert_eq!(trace.header.queue.len(), 11);
    assert_eq!((sum(&trace, Field::Run), sum(&trace, Field::Allocated)), (897_261_525, 149_386));
}

#[test]
fn pods_that_waited_for_ever_have_neither_wait_nor_run() {
    let Some(trace) = table("gpu/openb_pod_list_default.csv") else { return };
    assert_eq!((known(&trace, Field::Wait), known(&trace, Field::Run)), (8152 - 897, 8152 - 897));
    let cancelled = trace.column(Field::Status).iter().filter(|status| status.value == 5).count();
    assert_eq!(cancelled, 897);
    assert_eq!(trace.header.unix_start_time, None);
    assert_eq!((sum(&trace, Field::Requested), sum(&trace, Field::Wait)), (85_436_012, 444_748));
    let all = |name: &str| trace.resource(name).unwrap().iter().map(Number::truncated).sum::<i64>();
    assert_eq!((all("gpu_milli"), all("memory")), (6_086_800, 310_831_320_064));
}

#[test]
fn no_other_log_looks_like_a_table_or_a_classic_log() {
    let logs = ["logs", "traces"].map(|folder| files(&Path::new(SHARED).join(folder))).concat();
    if logs.is_empty() {
        eprintln!("skipped: there are no logs in ../shared");
    }
    for path in logs {
        let mut beginning = vec![0; 1 << 16];
        let file = std::fs::File::open(&path).unwrap();
        let packed = path.extension().is_some_and(|extension| extension == "gz");
        let mut reader: Box<dyn Read> =
            if packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
        let mut len = 0;
        while let Ok(more @ 1..) = reader.read(&mut beginning[len..]) {
            len += more;
        }
        let own = TABLES.iter().find(|(name, ..)| path.ends_with(name)).map(|(_, format, ..)| *format);
        let classic = ["nas", "sdsc-joblog", "sdsc-blue"].map(|name| format(name).unwrap());
        for spec in batchlab_parsers::FORMATS.iter().filter(|spec| takes_mapping(spec.name)).chain(classic) {
            let likeness = (spec.likeness)(&beginning[..len]);
            let expected = if own == Some(spec.name) { 90..=100 } else { 0..=0 };
            assert!(expected.contains(&likeness), "{} is {} by {likeness}", path.display(), spec.name);
        }
    }
}
