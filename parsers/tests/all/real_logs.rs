//! Tests on the archive's logs, if they are present.

use batchlab_parsers::{Input, Options, read_trace, swf};
use batchlab_traces::header::SwfPreemption;
use batchlab_traces::trace::TraceBuilder;
use batchlab_traces::{Findings, Record, RecordSink, Trace};

use crate::helpers::{read_shared, records, shared};

/// Each log with its number of records and of processors.
const LOGS: [(&str, usize, i64); 8] = [
    ("KTH-SP2-1996-2.1-cln", 28_476, 100),
    ("KTH-SP2-1996-2", 28_489, 100),
    ("KTH-SP2-1996-derived", 28_481, 100),
    ("LANL-CM5-1994-4.1-cln", 122_060, 1024),
    ("NASA-iPSC-1993-3.1-cln", 18_239, 128),
    ("RICC-2010-2", 447_794, 8192),
    ("SDSC-BLUE-2000-derived", 232_542, 1152),
    ("SDSC-SP2-1998-derived", 54_006, 128),
];

fn read(name: &str) -> Option<Trace> {
    read_shared(&format!("traces/{name}.swf.gz"))
}

#[test]
fn every_log_reads_in_full_without_a_finding_and_round_trips() {
    for (name, jobs, procs) in LOGS {
        let Some(path) = shared(&format!("traces/{name}.swf.gz")) else { continue };
        let input = Input::open(&path).unwrap();
        let trace = read_trace(input, &Options { strict: true, ..Options::default() }).unwrap();
        assert_eq!(trace.len(), jobs, "{name}");
        assert_eq!(trace.findings.list(), [], "{name}");
        assert_eq!(trace.header.max_procs.as_ref().map(|procs| procs.count), Some(procs), "{name}");
        assert_eq!(trace.provenance.source.bytes, std::fs::metadata(&path).unwrap().len(), "{name}");
        let mut written = Vec::new();
        swf::write(&trace, &mut written).unwrap();
        let again = read_trace(Input::from_bytes(name, written), &Options::default()).unwrap();
        assert_eq!(again.header, trace.header, "{name}");
        assert!(records(&again) == records(&trace), "{name}");
    }
}

#[test]
fn a_header_is_typed_with_its_continuation_lines_and_remarks() {
    let Some(Trace { header, .. }) = read("LANL-CM5-1994-4.1-cln") else { return };
    assert_eq!(header.version.as_deref(), Some("2.2"));
    assert_eq!(header.information, ["http://www.lanl.gov/ http://www.cs.huji.ac.il/labs/parallel/workload/"]);
    assert_eq!((header.max_jobs, header.preemption), (Some(201_387), Some(SwfPreemption::No)));
    assert_eq!((header.unix_start_time, header.time_zone), (Some(781_275_672), Some(-25_200)));
    assert_eq!(header.time_zone_string.as_deref(), Some("US/Mountain"));
    assert_eq!((header.max_queues, header.queue.len()), (Some(18), 18));
    assert_eq!((header.queue[10].number, header.queue[10].name.as_str()), (10, "benchmark"));
    assert!(header.notes[2].ends_with("user=38 and (job>=178585 and job<=192710) (11568 jobs removed)"));
}

#[test]
fn queues_may_have_no_name() {
    let Some(Trace { header, .. }) = read("RICC-2010-2") else { return };
    let queues: Vec<(i64, &str)> =
        header.queue.iter().map(|queue| (queue.number, queue.name.as_str())).collect();
    assert_eq!(queues, [(1, ""), (2, "0")]);
    assert_eq!(header.version, None);
}

#[test]
fn a_million_jobs_of_the_fullest_log_fit_in_100_megabytes() {
    let Some(trace) = read("LANL-CM5-1994-4.1-cln") else { return };
    let (mut builder, mut record) = (TraceBuilder::new(), Record::default());
    for row in 0..1_000_000 {
        trace.record(row % trace.len(), &mut record);
        builder.record(&record);
    }
    let million = builder.finish(trace.header, trace.provenance.source, Findings::lenient()).unwrap();
    assert!(million.heap_bytes() <= 100_000_000, "{} bytes", million.heap_bytes());
}
