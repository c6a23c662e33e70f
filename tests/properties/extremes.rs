//! Logs with the largest numbers that the format allows: the jobs that remain can be replayed and measured.

use batchlab::info::columns::LogColumn;
use batchlab::info::{Info, charts, logs_table};
use batchlab::metrics::{Catalogue, MeasureOptions, lower_bounds, recorded_schedule};
use batchlab::outcome::Fate;
use batchlab::parsers::{Input, Options, read_trace};
use batchlab::replay::RowKind;
use batchlab::replay::comparison::{Comparison, variants};
use batchlab::table::{Style, WRITERS};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::{Estimate, Overrun, parse_duration};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Findings, Machine, Provenance, Reading, Time, Trace, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{all_specs, event_orders, is_gang, overruns};
use crate::lab::{Play, bare, policies, try_play};
use batchlab::Registry;

/// The largest number that the format allows.
const LARGEST: &str = "9223372036853";

fn number() -> impl Strategy<Value = &'static str> {
    select(vec![
        "-1",
        "0",
        "1",
        "60",
        "999999999.999999",
        "1000000000",
        "1000000001",
        "2147483647",
        "1152921504606",
        "1152921504607",
        LARGEST,
        "9223372036853.999999",
        "-9223372036853",
    ])
}

/// A line: regular and extreme ones equally often, so that some jobs remain.
fn line() -> impl Strategy<Value = String> {
    let wild = prop::collection::vec(number(), 9).prop_map(|n| {
        let status = if n[8] == "60" { "2" } else { "1" };
        format!("7 {} {} {} {} -1 {} {} {} {} {status} 1", n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7])
    });
    let tame = (0..90, select(vec!["0", "30", "1000000000"]), 1..9, number()).prop_map(
        |(submit, run, procs, request)| format!("3 {submit} 5 {run} {procs} -1 9 {procs} {request} 9 1 2"),
    );
    prop_oneof![wild, tame].prop_map(|line| line + " -1 -1 -1 -1 -1 -1\n")
}

fn log() -> impl Strategy<Value = Trace> {
    let procs =
        select(vec!["", "; MaxProcs: 8\n", "; MaxProcs: 2147483647\n", "; MaxProcs: 9223372036854775807\n"]);
    (procs, prop::collection::vec(line(), 1..30)).prop_map(|(header, lines)| {
        let text = format!("; UnixStartTime: 9223372036854775807\n{header}{}", lines.concat());
        read_trace(Input::from_bytes("wild.swf", text), &Options::default()).unwrap()
    })
}

fn readings() -> impl Strategy<Value = Reading> {
    let factor = || select(vec![1.0, 1.0, 1e-300, 0.5, 3.0, 1e300]);
    let estimate = prop_oneof![
        3 => Just(Estimate::Requested),
        1 => Just(Estimate::Phi(0.999_999_999)),
        1 => select(vec![1e-300, 1e300]).prop_map(Estimate::Factor),
        1 => select(vec![None, Some(Time::SECOND), Some(Time::MAX)]).prop_map(Estimate::Tsafrir),
    ];
    (factor(), factor(), estimate, overruns()).prop_map(|(load, scale_run, estimate, overrun)| Reading {
        load,
        scale_run,
        estimate,
        overrun,
        ..Reading::default()
    })
}

/// The trace on its machine, with the largest possible memory; `None` if no job remains.
fn scene(trace: &Trace, reading: &Reading) -> Option<Play> {
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let procs = batchlab_traces::workload::machine_size(trace, reading, &mut findings).ok()?;
    let memory = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
    let rich = Machine::new(vec![processors(), memory], &[vec![procs, Machine::MOST]]).unwrap();
    [rich, Machine::pool(procs).unwrap()].into_iter().find_map(|machine| {
        let workload = Workload::read(trace, &machine, reading, &mut findings, &mut provenance).ok()?;
        Some(Play { overrun: reading.overrun, ..Play::new(machine, workload) })
    })
}

fn measure(play: &Play, outcome: &batchlab::Outcome, options: MeasureOptions) {
    let scenario = &play.scenario;
    let metrics: Vec<_> = Catalogue::new(&scenario.machine, &variants()).all().to_vec();
    let registry = Registry::builtin();
    let comparison = Comparison {
        scenario,
        policies: registry.policies(),
        overrun: Overrun::Raise,
        metrics: &metrics,
        classes: &[],
        options,
    };
    let row = comparison.measure("a", RowKind::Policy, outcome).unwrap();
    assert!(row.values.iter().flatten().all(|value| value.is_finite()), "{row:?}");
    lower_bounds(&scenario.workload, &scenario.machine, options, &metrics).unwrap();
}

fn trimmed() -> MeasureOptions {
    MeasureOptions {
        tau: Time::FARTHEST,
        warmup: "1e12".parse().unwrap(),
        cooldown: "1e12".parse().unwrap(),
        prefix: parse_duration("2e12").unwrap(),
    }
}

#[test]
fn nothing_at_all_and_one_job_on_one_processor_are_replayed_and_measured() {
    let one = PlainJob::secs(0, 0, vec![1]);
    for jobs in [vec![], vec![one.clone()], vec![one; 3]] {
        let play = Play::new(Machine::pool(1).unwrap(), Workload::from_jobs(&jobs));
        for spec in policies() {
            for events in ["batch", "submit-first", "finish-first", "periodic:7"] {
                let play = play.events(events);
                let (outcome, _) = try_play(&play, &bare(&spec)).unwrap();
                assert_eq!(outcome.end, vec![Time::ZERO; jobs.len()], "{} in {events}", spec.name);
                measure(&play, &outcome, MeasureOptions::default());
                measure(&play, &outcome, trimmed());
            }
        }
    }
}

/// Runs every description of a log, in every form.
fn describe(trace: &Trace) {
    let info = Info::of(trace);
    let svg = charts::page(trace, &info).to_svg();
    assert!(roxmltree::Document::parse(&svg).is_ok() && svg.len() < 300_000);
    let infos = [info.clone(), info];
    let table = logs_table(&infos, &LogColumn::select("all").unwrap());
    assert!(WRITERS.iter().all(|spec| (spec.write)(&table, &Style::default()).ends_with('\n')));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_policy_replays_the_remaining_jobs_of_a_log_of_extremes(
        trace in log(),
        reading in readings(),
        specs in all_specs(),
        events in event_orders(),
    ) {
        describe(&trace);
        let Some(play) = scene(&trace, &reading) else { return Ok(()) };
        let play = if events == "periodic:7" { play.events("periodic:52w") } else { play.events(events) };
        // Fixed reservations promise nothing if estimates are wrong; lookahead supports only processors.
        let machine = &play.scenario.machine;
        let kinds = machine.kinds();
        let declines = |spec: &str| {
            let dhc = spec.starts_with("dhc:");
            spec.contains("fixed")
                || spec.contains("lookahead") && kinds > 1
                // Every slice is verified separately, and a job may run to the end of representable time.
                || is_gang(spec) || dhc
                // A routine every few seconds until the end of representable time; swapping the largest memory has no end.
                || spec.starts_with("selective-suspension:")
                    && !["interval=none", "interval=0,"].iter().any(|none| spec.contains(none))
                || spec.contains("swap=1KB/s")
        };
        for spec in specs.iter().filter(|spec| !declines(spec)) {
            let Ok((outcome, _)) = try_play(&play, spec) else {
                let limits = spec.contains("-procs=") || spec.contains("share=false");
                prop_assert!(limits, "{} declines without a limit that jobs exceed", spec);
                continue;
            };
            let ended = |job| outcome.fate(job) == Fate::Rejected || outcome.end(job) <= Time::FARTHEST;
            prop_assert!(play.scenario.workload.jobs().all(ended));
            measure(&play, &outcome, MeasureOptions::default());
            measure(&play, &outcome, trimmed());
        }
        if let Ok(recorded) = recorded_schedule(&trace, &play.scenario.workload, &reading) {
            measure(&play, &recorded, trimmed());
        }
    }
}
