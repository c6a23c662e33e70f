//! What the page draws: jobs and schedules as columns, distributions by class.

use batchlab::lab::Failure;
use batchlab::lab::calls::Replays;
use batchlab::metrics::Class;
use batchlab::outcome::{Fate, Outcome};
use batchlab::traces::expr::Vocabulary;
use batchlab::traces::{Field, JobId, Machine, Time, Workload};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Columns, made};

/// The most rectangles of a chart: a million jobs on a few ranges of processors each.
const MOST_RECTANGLES: usize = 4_000_000;

/// What the classes of jobs are by. The bounds are those of Kettimuthu et al. 2005 (`--classes feitelson4x4`), one side each.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassRule {
    /// Processors.
    Processors,
    /// Run time.
    RunTime,
}

/// Names with the conditions under which a job belongs to a class.
type Conditions = [(&'static str, &'static str); 4];

const PROCESSORS: Conditions = [
    ("1 processor", "procs <= 1"),
    ("2 to 8", "procs > 1 and procs <= 8"),
    ("9 to 32", "procs > 8 and procs <= 32"),
    ("more than 32", "procs > 32"),
];

const RUN_TIMES: Conditions = [
    ("up to 10 min", "run <= 10m"),
    ("10 min to 1 h", "run > 10m and run <= 1h"),
    ("1 to 8 h", "run > 1h and run <= 8h"),
    ("more than 8 h", "run > 8h"),
];

impl ClassRule {
    fn classes(self, machine: &Machine) -> Result<Vec<Class>, Failure> {
        let conditions = match self {
            ClassRule::Processors => PROCESSORS,
            ClassRule::RunTime => RUN_TIMES,
        };
        let vocabulary = Vocabulary::jobs(machine);
        let class = |(name, condition)| Class::of(name, condition, &vocabulary);
        let classes: Result<Vec<Class>, _> = conditions.into_iter().map(class).collect();
        classes.map_err(|error| Failure::Usage(error.to_string()))
    }
}

/// Returns the distributions of waits and slowdowns of a policy: of all jobs, and of each class that has jobs.
pub fn distribution(replays: &Replays, at: usize, by: ClassRule) -> Result<Answer, Failure> {
    let workload = replays.outcome(at).workload(&replays.scenario().workload);
    let all = replays.distribution(at, None)?;
    let mut list: Vec<Value> = vec![json!({ "name": "all jobs", "of": all })];
    for class in by.classes(&replays.scenario().machine)? {
        if class.members(workload).contains(&true) {
            list.push(json!({ "name": class.name, "of": replays.distribution(at, Some(&class))? }));
        }
    }
    Ok(made(&json!({ "shares": batchlab::experiment::detail::distribution::shares(), "classes": list })))
}

/// Returns what is known of jobs before they are scheduled, in the order of submission; times are seconds after the first
/// submission.
pub fn jobs(replays: &Replays) -> Answer {
    let workload = &replays.scenario().workload;
    let zero = zero(workload);
    let mut columns = Columns::default();
    columns.floats("number", workload.jobs().map(|job| workload.number(job) as f64));
    columns.floats("submit", workload.jobs().map(|job| (workload.submit(job) - zero).secs()));
    columns.floats("run", workload.jobs().map(|job| workload.run(job).secs()));
    columns.floats("estimate", workload.jobs().map(|job| workload.estimate(job).secs()));
    columns.wholes("procs", workload.jobs().map(|job| workload.procs(job) as u32));
    columns.floats("user", workload.jobs().map(|job| workload.attribute(job, Field::User) as f64));
    let machine = &replays.scenario().machine;
    columns.with(&json!({
        "procs": machine.procs(),
        "nodes": machine.nodes(),
        "is_pool": machine.is_pool(),
        "first_submit": zero.secs(),
    }))
}

fn zero(workload: &Workload) -> Time {
    workload.jobs().map(|job| workload.submit(job)).min().unwrap_or(Time::ZERO)
}

/// Returns the schedule of a policy: starts and ends in the order of submission, and rectangles. A job that did not run has no
/// start (NaN).
pub fn schedule(replays: &Replays, at: usize) -> Answer {
    let outcome = replays.outcome(at);
    let workload = outcome.workload(&replays.scenario().workload);
    let zero = zero(workload);
    let seconds = |time: Option<Time>| time.map_or(f64::NAN, |time| (time - zero).secs());
    let mut columns = Columns::default();
    columns.floats("start", workload.jobs().map(|job| seconds(outcome.started(job))));
    columns.floats("end", workload.jobs().map(|job| seconds(outcome.ended(job))));
    columns.small("fate", workload.jobs().map(|job| fate(outcome, job)));
    let refused = match replays.rectangles(at, MOST_RECTANGLES) {
        Ok(drawn) => {
            columns.wholes("job", drawn.job.into_iter());
            columns.floats("from", drawn.from.into_iter());
            columns.floats("to", drawn.to.into_iter());
            columns.wholes("first", drawn.first.into_iter());
            columns.wholes("count", drawn.count.into_iter());
            columns.small("lost", drawn.is_lost.into_iter().map(u8::from));
            None
        }
        Err(failure) => Some(failure.to_string()),
    };
    columns.with(&json!({ "refused": refused, "decisions": outcome.decisions }))
}

/// 0 finished, 1 killed, 2 any other.
fn fate(outcome: &Outcome, job: JobId) -> u8 {
    match outcome.fate(job) {
        Fate::Finished => 0,
        Fate::Killed => 1,
        _ => 2,
    }
}
