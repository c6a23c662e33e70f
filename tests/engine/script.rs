//! Policies as closures.

use batchlab::Outcome;
use batchlab::outcome::IntervalKind;
use batchlab::policies::policy::PolicyError;
use batchlab::policies::{Journal, Needs, Policy, Turn};
use batchlab::replay::engine::ReplayError;
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Time, Workload};

use crate::lab::Play;

pub type Decided = Result<(), PolicyError>;

struct Script<F>(F);

impl<F: FnMut(&mut Turn<'_>) -> Decided + Send> Policy for Script<F> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Decided {
        (self.0)(turn)
    }
}

pub fn run(
    scene: &Play,
    needs: Needs,
    decide: impl FnMut(&mut Turn<'_>) -> Decided + Send,
) -> Result<(Outcome, Journal), ReplayError> {
    scene.with(needs, &mut Script(decide))
}

/// Replays a closure that shares time; the replay must end.
pub fn share(scene: &Play, decide: impl FnMut(&mut Turn<'_>) -> Decided + Send) -> Outcome {
    run(scene, Needs::TIME_SHARING, decide).unwrap().0
}

/// Jobs as (submit, run, processors) on a pool.
pub fn pool(procs: i64, jobs: &[(i64, i64, i64)]) -> Play {
    on(Machine::pool(procs).unwrap(), jobs)
}

/// Jobs as (submit, run, processors) on any machine with processors only.
pub fn on(machine: Machine, jobs: &[(i64, i64, i64)]) -> Play {
    let jobs: Vec<PlainJob> =
        jobs.iter().map(|&(submit, run, procs)| job(submit, run, vec![procs])).collect();
    Play::new(machine, Workload::from_jobs(&jobs))
}

/// Jobs as (submit, run, processors, memory) on nodes of the given (processors, memory).
pub fn with_memory(nodes: &[(i64, i64)], jobs: &[(i64, i64, i64, i64)]) -> Play {
    let memory = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
    let nodes: Vec<Vec<i64>> = nodes.iter().map(|&(procs, memory)| vec![procs, memory]).collect();
    let jobs: Vec<PlainJob> =
        jobs.iter().map(|&(submit, run, procs, memory)| job(submit, run, vec![procs, memory])).collect();
    Play::new(Machine::new(vec![processors(), memory], &nodes).unwrap(), Workload::from_jobs(&jobs))
}

fn job(submit: i64, run: i64, demand: Vec<i64>) -> PlainJob {
    PlainJob { submit: secs(submit), run: secs(run), estimate: secs(run), demand, user: 1, partition: -1 }
}

pub fn secs(seconds: i64) -> Time {
    Time::from_secs(seconds)
}

/// Starts and ends in seconds, job by job.
pub fn times(outcome: &Outcome) -> Vec<(f64, f64)> {
    outcome.start.iter().zip(&outcome.end).map(|(start, end)| (start.secs(), end.secs())).collect()
}

/// A job's intervals as (from, to, rate); checks that each interval's kind matches its rate.
pub fn intervals(outcome: &Outcome, job: u32) -> Vec<(f64, f64, f64)> {
    let own = outcome.intervals.iter().filter(|interval| interval.job == JobId(job));
    own.map(|interval| {
        assert_eq!(interval.kind == IntervalKind::Paused, interval.rate == 0.0);
        (interval.from.secs(), interval.to.secs(), interval.rate)
    })
    .collect()
}

pub fn start_all(turn: &mut Turn<'_>) -> Decided {
    let waiting: Vec<JobId> = turn.waiting().collect();
    for job in waiting {
        if turn.fits(job) {
            turn.start(job)?;
        }
    }
    Ok(())
}
