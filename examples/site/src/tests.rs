//! Tests of all three on the sample log, `harbour.log`, and of the policy with any patience.

use batchlab::Outcome;
use batchlab::metrics::{Catalogue, MeasureOptions, Measurement, Metric};
use batchlab::parsers::{Input, Options, read_trace};
use batchlab::replay::comparison::{ComparedPolicy, Comparison};
use batchlab::replay::engine::Scenario;
use batchlab::schedule::verify;
use batchlab::traces::machine::MachineChoice;
use batchlab::traces::reading::Overrun;
use batchlab::traces::{Field, Findings, Provenance, Reading, Trace, Workload};
use proptest::prelude::*;

use crate::registry;

fn read(log: &'static str) -> Trace {
    let options = Options { formats: registry().unwrap().formats().clone(), ..Options::default() };
    read_trace(Input::from_bytes("harbour.log", log), &options).unwrap()
}

/// Replays a policy on the sample and passes the result to `look`, with a metric.
fn replayed<T>(
    policy: &str,
    metric: &str,
    look: impl FnOnce(&Scenario, &Outcome, &Measurement<'_>, &Metric) -> T,
) -> T {
    let (trace, reading) = (read(include_str!("../harbour.log")), Reading::default());
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let machine = MachineChoice::default().machine(&trace, &reading, &mut findings).unwrap();
    let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    let scenario = Scenario::new(machine, workload);
    let (registry, options) = (registry().unwrap(), MeasureOptions::default());
    let metrics = Catalogue::of(registry.metrics(), &scenario.machine, &[]).select(metric).unwrap();
    let comparison = Comparison {
        scenario: &scenario,
        policies: registry.policies(),
        overrun: Overrun::default(),
        metrics: &metrics,
        classes: &[],
        options,
    };
    let compared = ComparedPolicy { policy: registry.choose(policy).unwrap(), clairvoyant: false };
    let outcome = comparison.replay(&compared, &|_| ()).unwrap();
    let measurement = Measurement::new(&scenario.workload, &scenario.machine, &outcome, options).unwrap();
    look(&scenario, &outcome, &measurement, &metrics[0])
}

fn measured(policy: &str, metric: &str) -> f64 {
    replayed(policy, metric, |_, _, measurement, metric| metric.value(measurement).unwrap())
}

#[test]
fn the_log_is_detected_from_its_content_and_read_exactly() {
    let trace = read(include_str!("../harbour.log"));
    assert_eq!((trace.len(), trace.provenance.source.format.as_str()), (12, "harbour"));
    assert_eq!(trace.findings.list(), []);
    let of_second = |field| trace.get(1, field).truncated();
    assert_eq!([Field::Requested, Field::RequestedTime, Field::Status].map(of_second), [64, 3600, 1]);
}

#[test]
fn a_line_that_is_no_job_is_a_finding() {
    let trace = read("job=1 cores=2 submit=9 start=9 end=19 exit=1\njob=2 cores=2 submit=10\njob=3 co");
    assert_eq!((trace.len(), trace.findings.count("harbour-no-job")), (2, 1));
}

#[test]
fn patience_bounds_how_long_the_wide_job_waits() {
    assert_eq!(measured("narrow-first", "max_wait"), 16_940.0);
    // The job waits for an hour of patience, and then until all 64 cores are free.
    assert_eq!(measured("narrow-first:patience=1h", "max_wait"), 8_400.0);
}

proptest! {
    #[test]
    fn every_schedule_keeps_to_the_rules_of_the_machine(patience in 0..40_000_u32) {
        let policy = format!("narrow-first:patience={patience}");
        let broken = replayed(&policy, "max_wait", |scenario, outcome, _, _| verify::verify(scenario, outcome));
        prop_assert_eq!(broken, []);
    }
}

#[test]
fn jobs_that_start_within_a_minute_are_counted() {
    assert_eq!(measured("fcfs", "prompt_starts"), 1.0 / 11.0);
    assert_eq!(measured("narrow-first", "prompt_starts"), 5.0 / 11.0);
}
