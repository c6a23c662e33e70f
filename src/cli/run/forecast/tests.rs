//! Tests of what a forecast replays; how long that takes is not tested.

use std::cell::Cell;

use batchlab_policies::{Needs, Policy, PolicyError, PolicySpec, Turn};
use batchlab_traces::{Citation, JobId};

use super::*;
use crate::Registry;
use crate::cli::limits::LimitArgs;
use crate::cli::run::planning::Planning;

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
    let planning = Planning::of(text, "f.toml", &registry, &registry, None, &LimitArgs::default());
    let Ok(Planning { plan, workloads, .. }) = planning else { panic!("it can be planned") };
    let tasks: Vec<usize> = (0..plan.tasks.len()).collect();
    COUNTED.set((0, 0));
    CALIBRATING.set(0);
    let Ok(words) = words(&plan, &workloads, &tasks, 64) else { panic!("it can be forecast") };
    Seen { tasks: tasks.len(), counted: COUNTED.get(), calibrating: CALIBRATING.get(), words }
}

#[test]
fn one_unit_is_replayed_at_each_point() {
    let seen = forecast(40, "[0.3, 0.5, 0.7]", "");
    // Three points of five replications, of each of which one is replayed, with its 40 jobs.
    assert_eq!((seen.tasks, seen.counted, seen.calibrating), (15, (3, 120), 0));
    assert!(seen.words.contains(" on 15 threads, "), "never more threads than replays: {}", seen.words);
}

#[test]
fn of_a_large_unit_the_first_jobs_are_replayed() {
    let jobs = |of: usize| forecast(of, "[0.1]", "replications = 1").counted;
    assert_eq!(jobs(WHOLE), (1, WHOLE));
    assert_eq!(jobs(WHOLE + 1), (1, JOBS));
}

#[test]
fn calibration_is_part_of_it() {
    let steps = "steps = '''[[step]]\nkind = \"arrivals\"\nqueue = 2\npolicy = \"calibrating\"\npilots = 1\ntolerance = 0.5\n'''";
    let seen = |loads: &str| forecast(60, loads, steps).calibrating;
    let one = seen("[0.3]");
    assert!(one > 0, "the arrivals of the unit are calibrated again");
    assert!(seen("[0.3, 0.5]") > one, "at each point");
}
