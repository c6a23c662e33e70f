//! Tests of what a forecast replays; how long that takes is not tested.

use std::cell::Cell;

use batchlab_policies::{Needs, Policy, PolicyError, PolicySpec, Turn};
use batchlab_traces::{Citation, JobId};

use super::*;
use crate::Registry;
use crate::lab::experiments::{ExperimentRun, Planning};

thread_local! {
    /// The replays under `counted` and the jobs that it started.
    static COUNTED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    /// The replays under `calibrating`.
    static CALIBRATING: Cell<usize> = const { Cell::new(0) };
}

/// Starts jobs in the order of submission, and counts them.
struct Counted;

impl Policy for Counted {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        loop {
            let first: Option<JobId> = turn.waiting().next();
            let Some(job) = first.filter(|&job| turn.fits(job)) else { return Ok(()) };
            turn.start(job)?;
            COUNTED.with(|of| of.set((of.get().0, of.get().1 + 1)));
        }
    }
}

const SPEC: PolicySpec = PolicySpec {
    name: "counted",
    family: "test",
    summary: "serves jobs in the order of submission and counts them",
    cite: Citation::foreign("this test"),
    rule: "The first job starts when it fits.",
    params: &[],
    needs: Needs::POOL,
    build: |_, _| {
        COUNTED.with(|of| of.set((of.get().0 + 1, of.get().1)));
        Ok(Box::new(Counted))
    },
};

const CALIBRATION: PolicySpec = PolicySpec {
    name: "calibrating",
    build: |_, _| {
        CALIBRATING.with(|of| of.set(of.get() + 1));
        Ok(Box::new(Counted))
    },
    ..SPEC
};

/// What a forecast did: tasks of the plan, replays and jobs under `counted`, replays of the calibration.
struct Seen {
    tasks: usize,
    counted: (usize, usize),
    calibrating: usize,
    words: String,
}

/// Plans an experiment of five replications of a model under `counted`, and forecasts its time on 64 threads.
fn forecast(jobs: usize, loads: &str, of_workload: &str) -> Seen {
    let mut registry = Registry::builtin();
    registry.register_policy(SPEC).unwrap();
    registry.register_policy(CALIBRATION).unwrap();
    let text = format!(
        "[experiment]\nname = \"f\"\nreplications = 5\n[measure]\nmetrics = [\"mean_wait\"]\n[[workload]]\nmodel = \"lublin\"\n\
         jobs = {jobs}\nprocs = 64\nset = {{ load = \"{{load}}\" }}\n{of_workload}\n[sweep]\nload = {loads}\n[[policy]]\nspec = \
         \"counted\"\n"
    );
    let run = ExperimentRun { experiment: "f.toml".into(), ..ExperimentRun::default() };
    let planning = Planning::of(text, &run, &registry, &registry);
    let Ok(Planning { plan, workloads, .. }) = planning else { panic!("it can be planned") };
    let tasks: Vec<usize> = (0..plan.tasks.len()).collect();
    COUNTED.set((0, 0));
    CALIBRATING.set(0);
    let Ok(words) = words(&plan, &workloads, &tasks, 64) else { panic!("it can be forecast") };
    Seen { tasks: tasks.len(), counted: COUNTED.get(), calibrating: CALIBRATING.get(), words }
}

#[test]
fn three_units_are_replayed_at_each_point() {
    let seen = forecast(40, "[0.3, 0.5, 0.7]", "");
    // Three points of five replications, of each of which three are replayed, with their 40 jobs.
    assert_eq!((seen.tasks, seen.counted, seen.calibrating), (15, (9, 360), 0));
    assert!(seen.words.contains(" on 15 threads, "), "never more threads than replays: {}", seen.words);
}

/// What is asked for, and the time for `jobs` jobs, if each sample takes these milliseconds and all jobs 5 s.
fn asked(jobs: usize, samples: &[u64]) -> (Vec<Option<usize>>, Duration) {
    let mut asked = Vec::new();
    let took = extrapolated(jobs, |sample| {
        asked.push(sample);
        Ok::<_, ()>(Duration::from_millis(sample.map_or(5000, |sample| samples[sample])))
    });
    (asked, took.unwrap())
}

#[test]
fn samples_grow_until_one_takes_long_or_all_jobs_are_replayed() {
    let all = Duration::from_secs(5);
    assert_eq!(asked(1000, &[]), (vec![None], all));
    assert_eq!(asked(1001, &[10]), (vec![Some(0), None], all));
    assert_eq!(asked(8000, &[10, 30, 100]), (vec![Some(0), Some(1), Some(2), None], all));
    assert_eq!(asked(8000, &[10, 600]).0, [Some(0), Some(1)]);
}

#[test]
fn a_time_is_extrapolated_by_the_growth_of_the_last_two_samples() {
    for (samples, jobs, expected) in [
        // Twice as long for twice as many jobs: in proportion.
        (&[200, 400][..], 8000, 1600),
        // Four times as long: with the square.
        (&[100, 400], 8000, 6400),
        // Hardly any time, then a long one: at most with the cube.
        (&[0, 300], 4000, 2400),
        // Less than twice as long: at least in proportion.
        (&[240, 260], 4000, 520),
        // One sample: in proportion.
        (&[300], 3000, 900),
    ] {
        let (_, found) = asked(jobs, samples);
        let expected = Duration::from_millis(expected);
        assert!(found.abs_diff(expected) < Duration::from_micros(1), "{found:?}, not {expected:?}");
    }
}

#[test]
fn units_are_taken_from_the_whole_log() {
    let taken = |units: usize| spread(&(0..units).collect()).collect::<Vec<_>>();
    assert_eq!(taken(1), [0]);
    assert_eq!(taken(2), [0, 1]);
    assert_eq!(taken(3), [0, 1, 2]);
    assert_eq!(taken(12), [2, 6, 10]);
}

#[test]
fn calibration_is_part_of_it() {
    let steps = "steps = '''[[step]]\nkind = \"arrivals\"\nqueue = 2\npolicy = \"calibrating\"\npilots = 1\ntolerance = 0.5\n'''";
    let seen = |loads: &str| forecast(60, loads, steps).calibrating;
    let one = seen("[0.3]");
    assert!(one > 0, "the arrivals of the unit are calibrated again");
    assert!(seen("[0.3, 0.5]") > one, "at each point");
}
