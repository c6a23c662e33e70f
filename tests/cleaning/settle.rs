//! Properties of rules: applied again they change nothing, and every job is either dropped or kept.

use batchlab::traces::clean::Rules;
use batchlab::traces::{Field, Record, Trace};
use proptest::prelude::*;

use super::with_records;

const RULES: &str = include_str!("settle.toml");

fn trace() -> impl Strategy<Value = Trace> {
    let job = (0..200_000_i64, -1..100_i64, -1..9_i64, -1..100_i64, -1..4_i64);
    prop::collection::vec(job, 0..60).prop_map(|jobs| {
        let mut record = Record::default();
        let mut records = Vec::new();
        for ((submit, run, procs, request, user), number) in jobs.into_iter().zip(1..) {
            let fields = [
                (Field::Job, number),
                (Field::Submit, submit),
                (Field::Run, run),
                (Field::Requested, procs),
                (Field::RequestedTime, request),
                (Field::User, user),
            ];
            for (field, value) in fields {
                record.set_whole(field, value);
            }
            records.push(record.clone());
        }
        with_records(&Trace::default(), &records)
    })
}

fn rows(trace: &Trace) -> Vec<Vec<i64>> {
    let row = |row| Field::ALL.iter().map(|&field| trace.get(row, field).to_micro()).collect();
    (0..trace.len()).map(row).collect()
}

proptest! {
    #[test]
    fn rules_applied_twice_change_nothing(trace in trace()) {
        let rules: Rules = RULES.parse().unwrap();
        // Rules that undo each other on some log are refused; applied rules have reached a fixed point.
        if let Ok(once) = rules.apply(&trace) {
            let twice = rules.apply(&once.trace).unwrap();
            prop_assert!(twice.report.rules.iter().all(|rule| rule.count == 0));
            prop_assert_eq!(rows(&once.trace), rows(&twice.trace));
            prop_assert_eq!(&once.trace.header, &twice.trace.header);
            let dropped: u64 = once.report.rules.iter().filter(|rule| rule.action == "drop").map(|rule| rule.count).sum();
            prop_assert_eq!(dropped as usize + once.trace.len(), trace.len());
        }
    }
}
