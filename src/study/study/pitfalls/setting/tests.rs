use batchlab_parsers::{Input, Options, read_trace};
use batchlab_traces::machine::MachineChoice;
use batchlab_traces::reading::Estimate;
use batchlab_traces::shape::{Context, Steps};
use batchlab_traces::{Findings, Reading, Trace, Workload, models};

use super::*;

const LOG: &str = "\
; MaxProcs: 8
1   0  5  50 4 -1 100 4 100  64 1 1 1 -1 1 -1 -1 -1
2  10  0 200 1 -1  -1 1 100  64 0 2 1 -1 1 -1 -1 -1
3  20  0   0 3 -1  -1 3 100  -1 5 1 1 -1 1 -1 -1 -1
4  30  0  10 6 -1  -1 6 100  -1 1 3 1 -1 1 -1 -1 -1
";

fn trace(log: &'static str) -> Trace {
    read_trace(Input::from_bytes("dir/a.swf", log), &Options::default()).unwrap()
}

/// Prepares a trace for a machine (`None`: the header's) under a reading.
fn prepared(trace: &Trace, procs: Option<i64>, reading: &Reading) -> WorkloadSetting {
    let mut findings = Findings::lenient();
    let machine = MachineChoice { procs, ..MachineChoice::default() };
    let machine = machine.machine(trace, reading, &mut findings).unwrap();
    let mut provenance = trace.provenance.clone();
    let workload = Workload::read(trace, &machine, reading, &mut findings, &mut provenance).unwrap();
    let measure = MeasureOptions::default();
    let events = EventOrder::SubmitFirst;
    let (machine, workload, provenance, measure) = (&machine, &workload, &provenance, &measure);
    let findings = &findings;
    let preparation =
        Preparation { trace, workload, machine, reading, provenance, findings, measure, events };
    WorkloadSetting::of(2, &preparation)
}

#[test]
fn a_log_is_told_as_it_was_read() {
    let setting = prepared(&trace(LOG), None, &Reading::default());
    assert_eq!((setting.workload, setting.jobs, setting.is_model), (2, 4, false));
    let machine = MachineSize { procs: 8, header: Some(8), largest_job: Some(6), peak: Some(11), dropped: 0 };
    assert_eq!(setting.machine, machine);
    let raised = Overruns { jobs: 1, rule: Overrun::Raise };
    assert_eq!((setting.overruns, setting.zero_runs), (raised, 1));
    let statuses: Vec<(i64, u64)> =
        setting.statuses.iter().map(|status| (status.code, status.count)).collect();
    assert_eq!(statuses, [(0, 1), (1, 2), (5, 1)]);
    assert_eq!(setting.ignored, ["memory (given for 2 jobs)"]);
    assert_eq!((setting.cleaning.name.as_str(), setting.cleaning.is_clean()), ("a.swf", false));
    // The estimate of the job that overran is its run time.
    let EstimateFacts { exact, modal, multiple, missing, .. } = setting.estimates;
    assert_eq!((exact, modal, multiple, missing), (0.25, 1.0, None, 0));
    assert_eq!((setting.events, setting.arrivals.are_at_once), (EventOrder::SubmitFirst, false));
    assert!(setting.arrivals.daily.is_none() && setting.arrivals.cv == Some(0.0));
}

#[test]
fn options_of_the_replay_are_seen() {
    let reading = Reading {
        estimate: Estimate::Factor(1.5),
        load: 1.25,
        scale_run: 2.0,
        statuses: vec![1, 5],
        ..Reading::default()
    };
    let setting = prepared(&trace(LOG), Some(5), &reading);
    assert_eq!((setting.machine.procs, setting.machine.header, setting.machine.dropped), (5, Some(8), 1));
    assert_eq!((setting.shaping.load, setting.shaping.runs), (1.25, 2.0));
    assert_eq!((setting.estimates.multiple, setting.wanted_statuses), (Some(1.5), vec![1, 5]));
    assert_eq!((setting.jobs, setting.overruns.jobs), (2, 0));
}

#[test]
fn steps_before_the_replay_are_seen_too() {
    let steps =
        "[[step]]\nkind = \"scale\"\nload = 1.5\nrun = 0.5\n\n[[step]]\nkind = \"scale\"\ninterarrival = 2\n";
    let context = Context {
        seed: 1,
        log: &|name| Err(format!("there is no {name}")),
        measure: &|_, _| Err("nothing is measured".into()),
    };
    let shaped = Steps::parse(steps, "steps.toml").unwrap().apply(trace(LOG), &context).unwrap();
    let setting = prepared(&shaped.logs[0].trace, None, &Reading::default());
    assert_eq!(setting.shaping, Shaping { load: 0.75, runs: 0.5 });
}

#[test]
fn rules_clean_a_log() {
    let rules: batchlab_traces::clean::Rules =
        "[[rule]]\nid = \"first\"\nbecause = \"a test\"\ndrop = \"job = 1\"\n".parse().unwrap();
    let cleaned = rules.apply(&trace(LOG)).unwrap().trace;
    let setting = prepared(&cleaned, None, &Reading::default());
    assert!(setting.cleaning.rules == ["first"] && setting.cleaning.is_clean());
    let named = Cleaning { name: "A-2.1-cln.swf".into(), rules: Vec::new() };
    assert!(named.is_clean());
}

#[test]
fn a_model_is_none_of_the_archives_logs() {
    let trace = models::find("lublin").unwrap().generate::<&str>(500, 64, 1, &[]).unwrap();
    let setting = prepared(&trace, None, &Reading::default());
    assert!(setting.is_model && setting.machine.header == Some(64) && setting.machine.peak.is_none());
    assert!(setting.arrivals.cv.is_some_and(|cv| cv > 1.0));
}

#[test]
fn jobs_at_one_instant_and_jobs_without_requests_are_seen() {
    const LIST: &str = "; MaxProcs: 8\n1 7 -1 50 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n\
                        2 7 -1 60 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n";
    let setting = prepared(&trace(LIST), None, &Reading::default());
    assert!(setting.arrivals.are_at_once);
    assert_eq!((setting.estimates.exact, setting.estimates.missing), (1.0, 2));
}
