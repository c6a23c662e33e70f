//! Shared libraries: the plug-ins of `policies/abi/c`, built for the test run.

mod hostile;
mod modules;
mod once;
mod usage;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use batchlab::Outcome;
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Time, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use crate::lab::{Play, play, try_play};
use crate::properties::samples::{Sample, event_orders, fractions, overruns, samples};

/// The plug-ins in C, as libraries and, if a compiler can make them, as modules; `None`, with the reason
/// printed, if there is no C compiler.
pub fn built() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        if Command::new("cc").arg("--version").output().is_err() {
            eprintln!("skipped: there is no C compiler, `cc`");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins-in-c");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/c/make.sh");
        let made = Command::new("bash").arg(script).arg(&folder).env("CC", "cc").output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Some(folder)
    });
    folder.as_deref()
}

fn spec(name: &str) -> Option<String> {
    Some(format!("so:({}/{name}.so)", built()?.display()))
}

fn times(scene: &Play, spec: &str) -> (Vec<Time>, Vec<Time>) {
    let (outcome, _) = play(scene, spec);
    (outcome.start, outcome.end)
}

/// Gives every job an expected run time above zero: only a job expected to take no time could end before the
/// answer that started it is complete.
fn lasting(sample: &Sample) -> Sample {
    let last = |job: &PlainJob| PlainJob { estimate: job.estimate.max(Time::SECOND), ..job.clone() };
    Sample { jobs: sample.jobs.iter().map(last).collect(), ..sample.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn fcfs_in_c_is_the_built_in_one(
        sample in samples(),
        kinds in 1usize..4,
        events in event_orders(),
        overrun in overruns(),
        fractions in fractions(),
    ) {
        let Some(spec) = spec("fcfs") else { return Ok(()) };
        let scene = sample.with_fractions(&fractions).play_with(overrun, kinds).events(events);
        prop_assert_eq!(times(&scene, &spec), times(&scene, "fcfs"));
    }

    #[test]
    fn easy_in_c_is_the_built_in_one(
        sample in samples(),
        events in select(vec!["batch", "periodic:7"]),
        overrun in overruns(),
        fractions in fractions(),
    ) {
        let Some(spec) = spec("easy") else { return Ok(()) };
        for sample in [sample.clone(), sample.with_fractions(&fractions)] {
            let scene = sample.play(overrun).events(events);
            prop_assert_eq!(times(&scene, &spec), times(&scene, "easy"));
        }
    }

    #[test]
    fn easy_in_c_is_the_built_in_one_wherever_jobs_take_time(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let Some(spec) = spec("easy") else { return Ok(()) };
        let scene = lasting(&sample).play(overrun).events(events);
        prop_assert_eq!(times(&scene, &spec), times(&scene, "easy"));
    }

    #[test]
    fn an_order_in_c_is_the_built_in_one(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        key in select(vec!["order", "candidates"]),
    ) {
        let Some(sjf) = spec("sjf") else { return Ok(()) };
        let scene = sample.play(overrun).events(events);
        let (ours, theirs) = (format!("easy:{key}=({sjf})"), format!("easy:{key}=sjf"));
        prop_assert_eq!(times(&scene, &ours), times(&scene, &theirs));
    }

    /// Every replay is checked as it is made.
    #[test]
    fn everything_ends_by_turns(
        sample in samples(),
        slice in select(vec!["1", "7", "0.5", "1h"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let Some(spec) = spec("round_robin") else { return Ok(()) };
        let scene = sample.play(overrun).events(events);
        let (outcome, _) = play(&scene, &format!("{spec},slice={slice}"));
        prop_assert!(outcome.end.iter().all(|end| *end < Time::MAX));
    }
}

fn on_four(jobs: &[(i64, i64, i64)]) -> Play {
    let job = |&(submit, run, procs): &(i64, i64, i64)| PlainJob {
        user: 1,
        ..PlainJob::secs(submit, run, vec![procs])
    };
    let jobs: Vec<PlainJob> = jobs.iter().map(job).collect();
    Play::new(Machine::pool(4).unwrap(), Workload::from_jobs(&jobs))
}

/// The intervals in which a job ran, in seconds.
fn ran(outcome: &Outcome, job: u32) -> Vec<(f64, f64)> {
    let own = outcome.intervals.iter().filter(|interval| interval.job == JobId(job) && interval.rate > 0.0);
    own.map(|interval| (interval.from.secs(), interval.to.secs())).collect()
}

/// The first job fills row 0, the next two fill row 1; the last job waits until row 1 has two processors, at
/// 35 s, in the middle of that row's slice. From 45 s on row 0 is empty.
#[test]
fn two_rows_take_turns() {
    let Some(spec) = spec("round_robin") else { return };
    let scene = on_four(&[(0, 25, 4), (0, 15, 3), (0, 5, 1), (5, 10, 2)]);
    let (outcome, _) = play(&scene, &format!("{spec},slice=10"));
    assert_eq!(ran(&outcome, 0), [(0.0, 10.0), (20.0, 30.0), (40.0, 45.0)]);
    assert_eq!(ran(&outcome, 1), [(10.0, 20.0), (30.0, 35.0)]);
    assert_eq!(ran(&outcome, 2), [(10.0, 15.0)]);
    assert_eq!(ran(&outcome, 3), [(35.0, 40.0), (45.0, 50.0)]);
}

/// A single row runs without interruption; its slice begins when another job starts to wait for it.
#[test]
fn a_row_alone_is_not_interrupted() {
    let Some(spec) = spec("round_robin") else { return };
    let scene = on_four(&[(0, 30, 3), (12, 4, 2)]);
    let (outcome, _) = play(&scene, &format!("{spec},slice=10"));
    assert_eq!(ran(&outcome, 0), [(0.0, 22.0), (26.0, 34.0)]);
    assert_eq!(ran(&outcome, 1), [(22.0, 26.0)]);
}

#[test]
fn a_policy_that_counts_only_processors_says_so() {
    for name in ["easy", "round_robin"] {
        let Some(spec) = spec(name) else { return };
        let twice = Sample { procs: 4, jobs: Vec::new() }.play_with(Overrun::Raise, 2);
        let error = try_play(&twice, &spec).unwrap_err().to_string();
        assert!(error.contains("the plug-in gave up: it counts processors only"), "{error}");
    }
}

/// Each replay has its own instance of the policy, in any thread.
#[test]
fn replays_at_the_same_time_do_not_meet() {
    let Some(spec) = spec("easy") else { return };
    let scenes: Vec<Play> = (1..9i64)
        .map(|step| {
            let jobs: Vec<(i64, i64, i64)> =
                (0..400).map(|job| (job, 1 + job * step % 37, 1 + job * step % 4)).collect();
            on_four(&jobs)
        })
        .collect();
    std::thread::scope(|scope| {
        for scene in &scenes {
            scope.spawn(|| assert_eq!(times(scene, &spec), times(scene, "easy")));
        }
    });
}
