//! Tsafrir's estimates on a real log.

use std::collections::BTreeSet;

use batchlab::traces::reading::Estimate;
use batchlab::traces::{Findings, Machine, Provenance, Reading, Time, Trace, Workload};

use crate::lab::Log;

fn read(trace: &Trace, reading: &Reading) -> (Workload, Findings) {
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let machine = Machine::pool(100).unwrap();
    let workload = Workload::read(trace, &machine, reading, &mut findings, &mut provenance).unwrap();
    (workload, findings)
}

fn tsafrir(max: Option<i64>) -> Reading {
    Reading { estimate: Estimate::Tsafrir(max.map(Time::from_secs)), ..Reading::default() }
}

#[test]
fn a_log_is_read_with_few_round_estimates_that_no_job_outlives() {
    let Some(trace) = Log::KTH_CLEANED.trace() else { return };
    let (workload, findings) = read(&trace, &tsafrir(Some(60 * 3600)));
    let estimates: Vec<Time> = workload.jobs().map(|job| workload.estimate(job)).collect();
    assert!(workload.jobs().all(|job| workload.estimate(job) >= workload.run(job)));
    let longest = Time::from_secs(60 * 3600);
    let modelled: BTreeSet<Time> = estimates.iter().copied().filter(|time| *time <= longest).collect();
    // 28,476 jobs: 90 + 18,476 / 60,000 * 250 values; overlong jobs add their own run times.
    let beyond = findings.count("job-beyond-estimates");
    assert!(beyond < 100, "{beyond}");
    assert!((140..=167 + beyond as usize).contains(&modelled.len()), "{}", modelled.len());
    let at_longest =
        estimates.iter().filter(|&&time| time == longest).count() as f64 / estimates.len() as f64;
    assert!((at_longest - 0.217).abs() < 0.005, "{at_longest}");
    assert_eq!(findings.count("job-estimate-modelled"), workload.len() as u64);
}

#[test]
fn the_longest_estimate_is_the_headers_or_the_longest_request_and_is_scaled_with_the_run_times() {
    let Some(trace) = Log::KTH_CLEANED.trace() else { return };
    let said = |trace: &Trace, reading: &Reading| {
        let (_, findings) = read(trace, reading);
        let finding = findings.list().iter().find(|one| one.kind.code == "job-estimate-modelled").unwrap();
        finding.examples[0].detail.clone()
    };
    let mut plain = Trace::clone(&trace);
    plain.header.max_runtime = None;
    assert_eq!(said(&plain, &tsafrir(None)), "the longest is 216000 s, the longest requested time");
    plain.header.max_runtime = Some(7 * 86_400);
    assert_eq!(said(&plain, &tsafrir(None)), "the longest is 604800 s, MaxRuntime of the header");
    let half = Reading { scale_run: 0.5, ..tsafrir(None) };
    assert_eq!(said(&plain, &half), "the longest is 302400 s, MaxRuntime of the header");
    assert_eq!(said(&plain, &tsafrir(Some(9 * 86_400))), "the longest is 777600 s, as given");
}

#[test]
fn jobs_beyond_the_longest_estimate_are_found_and_keep_their_run_time() {
    let Some(trace) = Log::KTH_CLEANED.trace() else { return };
    let (workload, findings) = read(&trace, &tsafrir(Some(4 * 3600)));
    let longest = Time::from_secs(4 * 3600);
    let beyond: Vec<_> = workload.jobs().filter(|&job| workload.run(job) > longest).collect();
    assert!(beyond.len() > 1000);
    assert!(beyond.iter().all(|&job| workload.estimate(job) == workload.run(job)));
    assert!(findings.count("job-beyond-estimates") >= beyond.len() as u64);
}
