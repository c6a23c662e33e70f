//! The log's own schedule beside the policies.

use batchlab::metrics::{NotRecorded, recorded_schedule};
use batchlab::traces::finding::Findings;
use batchlab::traces::header::Header;
use batchlab::traces::provenance::{Provenance, Source};
use batchlab::traces::trace::TraceBuilder;
use batchlab::traces::{Field, Machine, Reading, Record, RecordSink, Time, Trace, Workload};

fn log(jobs: &[(i64, i64, i64)]) -> Trace {
    let mut builder = TraceBuilder::new();
    for (row, &(submit, wait, run)) in jobs.iter().enumerate() {
        let mut record = Record::default();
        let fields = [
            (Field::Job, row as i64 + 1),
            (Field::Submit, submit),
            (Field::Wait, wait),
            (Field::Run, run),
            (Field::Requested, 1),
            (Field::RequestedTime, 100),
        ];
        for (field, value) in fields {
            record.set_whole(field, value);
        }
        builder.record(&record);
    }
    builder.finish(Header::default(), Source::default(), Findings::lenient()).unwrap()
}

fn read(trace: &Trace, reading: &Reading) -> Workload {
    let machine = Machine::pool(4).unwrap();
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    Workload::read(trace, &machine, reading, &mut findings, &mut provenance).unwrap()
}

#[test]
fn starts_are_submit_plus_wait_also_in_a_log_out_of_order() {
    let trace = log(&[(50, 7, 10), (0, 20, 30)]);
    let reading = Reading::default();
    let workload = read(&trace, &reading);
    let outcome = recorded_schedule(&trace, &workload, &reading).unwrap();
    assert_eq!(outcome.start, [20, 57].map(Time::from_secs));
    assert_eq!(outcome.end, [50, 67].map(Time::from_secs));
}

#[test]
fn a_log_without_waits_is_refused_with_counts() {
    let trace = log(&[(0, 5, 10), (1, -1, 10), (2, -1, 10)]);
    let reading = Reading::default();
    let error = recorded_schedule(&trace, &read(&trace, &reading), &reading).unwrap_err();
    let words = "waits (field 3) are missing for 2 of 3 jobs";
    assert_eq!(error.to_string(), words);
}

#[test]
fn a_scaled_replay_has_no_recorded_schedule() {
    let trace = log(&[(0, 5, 10)]);
    let reading = Reading { load: 1.2, ..Reading::default() };
    let error = recorded_schedule(&trace, &read(&trace, &reading), &reading).unwrap_err();
    assert_eq!(error, NotRecorded::Scaled { load: 1.2, scale_run: 1.0 });
}
