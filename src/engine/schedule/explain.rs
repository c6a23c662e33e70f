//! Explains why a job waited: what blocked it, which jobs overtook it and by which rule, and what it was promised.

mod entry;
mod obstacles;
mod preemption;
mod words;

use batchlab_support::Share;
use batchlab_support::journal::{Act, HeldBy, Journal, Why};
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::capacity::Evicted;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Calendar, JobId, Time, Workload};

use crate::outcome::{Fate, Outcome};
use crate::replay::engine::Scenario;
use crate::schedule::occurrence::{Occurrence, line};
use crate::schedule::snapshot::Snapshot;
pub use entry::Awaited;
pub use preemption::{Preemptions, Taken};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub number: i64,
    pub procs: i64,
    pub estimate: Time,
    /// Time at which it became eligible.
    pub submit: Time,
    /// Submit time in the log, which is earlier if the job was held.
    pub submitted: Time,
    /// End of its wait: its first start, or the event named by [`Explanation::ending`].
    pub start: Time,
    pub ending: Ending,
    /// Its nodes at its start; empty on a pool.
    pub nodes: Vec<Share>,
    /// The rule by which it started.
    pub why: Why,
    pub found: ArrivalState,
    /// The policy's own drawing of its plan after the decision at the job's arrival, if it makes one: a
    /// matrix of rows that share time.
    pub drawing: Option<String>,
    /// What it waited for before it entered the queue, and how long, in that order.
    pub awaited: Vec<(Awaited, Time)>,
    /// Its runs before the last one, whose work was lost.
    pub lost: Vec<Lost>,
    /// How long each obstacle kept it from starting.
    pub kept_by: SortedMap<Obstacle, Time>,
    /// The limits among the obstacles, in words.
    pub limits: SortedMap<HeldBy, String>,
    pub constraint: Option<String>,
    pub is_one_task: bool,
    /// The site's clock, if the log states its epoch.
    pub calendar: Option<Calendar>,
    /// Running jobs that held the most processor-time while it waited and did not fit; at most five.
    pub holders: Vec<Holder>,
    /// Jobs that were submitted later and started earlier, in the order of their starts.
    pub overtakers: Vec<Overtaker>,
    pub preemptions: Preemptions,
    /// Promised starts: the instant at which the promise was made or changed, and the promised start.
    pub promises: Vec<(Time, Time)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Started,
    /// The policy rejected it; with the reason, or empty if it gave none.
    Rejected(&'static str),
    Cancelled,
    Stopped,
    /// The replay was stopped before it was submitted.
    Later,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    pub number: i64,
    pub procs: i64,
    /// How long it held them during the wait.
    pub time: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrivalState {
    pub running: usize,
    pub free: i64,
    pub waiting: usize,
    pub waiting_procs: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    pub from: Time,
    /// The instant at which the job left the machine.
    pub to: Time,
    /// The event because of which it left.
    pub event: Option<Occurrence>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// Fewer processors (or less of another resource) are free than it needs.
    NoRoom,
    /// Enough is free in total, but not on nodes that can take its tasks.
    Scattered,
    /// Enough is free, but not on nodes of its partition that meet its constraint.
    Constraint,
    /// A limit on usage holds it back: the policy does not see it.
    Limit(HeldBy),
    /// It fits, but by its estimate it would still run when these events begin, which leave too little for it; they are
    /// known, and the policy plans around them.
    Foreseen(Vec<Occurrence>),
    /// It would fit if these events had not taken a part of the machine out of service.
    OutOfService(Vec<Occurrence>),
    /// It would fit, but the policy reserves the resources, for the queue order or for a reservation.
    HeldBack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overtaker {
    pub number: i64,
    pub procs: i64,
    pub estimate: Time,
    pub start: Time,
    pub why: Why,
}

/// Explains a job's wait, from a replay with a journal; `job` is the outcome's identity. `foresees` says whether the policy
/// plans around known events, by the estimates of the jobs. O((n + w) log n), where w is the number of changes during the
/// wait times the jobs running then (and, on machines with nodes, times the nodes).
pub fn explain(
    scenario: &Scenario,
    outcome: &Outcome,
    journal: &Journal,
    job: JobId,
    foresees: bool,
) -> Explanation {
    let log = &scenario.workload;
    let scenario = &scenario.of_outcome(outcome);
    let workload = &*scenario.workload;
    let submit = workload.submit(job);
    let (start, ending) = waited_until(workload, outcome, journal, job);
    let mut why = SortedMap::new();
    let mut promises: Vec<(Time, Time)> = Vec::new();
    for entry in &journal.entries {
        match entry.act {
            Act::Started(reason) => {
                why.insert(entry.job, reason);
            }
            Act::Promised(at) if entry.job == job && promises.last().is_none_or(|last| last.1 != at) => {
                promises.push((entry.time, at));
            }
            _ => {}
        }
    }
    let rule_of = |job: JobId| why.get(&job).copied().unwrap_or_default();
    let (kept_by, holders) = obstacles::obstacles(scenario, outcome, journal, job, start, foresees);
    let limits = kept_by.keys().filter_map(|obstacle| match obstacle {
        Obstacle::Limit(limit) => Some((*limit, limit_words(scenario, *limit))),
        _ => None,
    });
    let limits = limits.collect();
    Explanation {
        number: workload.number(job),
        procs: workload.procs(job),
        estimate: workload.estimate(job),
        submitted: workload.submitted(job),
        submit,
        start,
        ending,
        nodes: outcome.places.at(job, start),
        why: rule_of(job),
        found: found(scenario, outcome, job),
        drawing: journal.drawings.iter().find(|(at, _)| *at >= submit).map(|(_, drawing)| drawing.clone()),
        awaited: entry::awaited(log, outcome, job),
        lost: lost(scenario, outcome, job),
        kept_by,
        limits,
        constraint: None,
        is_one_task: workload.layout(job).count() == 1,
        calendar: workload.meanings().calendar,
        holders,
        overtakers: overtakers(workload, outcome, job, start, rule_of),
        preemptions: Preemptions::of(workload, outcome, journal, job),
        promises,
    }
}

/// Returns the later jobs that started while a job waited, in the order of their starts.
fn overtakers(
    workload: &Workload,
    outcome: &Outcome,
    job: JobId,
    start: Time,
    rule_of: impl Fn(JobId) -> Why,
) -> Vec<Overtaker> {
    let wait = workload.submit(job)..start;
    let mut others: Vec<JobId> =
        workload.jobs().filter(|&other| other > job && wait.contains(&outcome.start(other))).collect();
    others.arrange_by_key(|&other| (outcome.start(other), other));
    let overtaker = |other: JobId| Overtaker {
        number: workload.number(other),
        procs: workload.procs(other),
        estimate: workload.estimate(other),
        start: outcome.start(other),
        why: rule_of(other),
    };
    others.into_iter().map(overtaker).collect()
}

/// Returns the end of a job's wait, and how the wait ended.
fn waited_until(workload: &Workload, outcome: &Outcome, journal: &Journal, job: JobId) -> (Time, Ending) {
    let submit = workload.submit(job);
    if let Some(start) = outcome.started(job) {
        return (start, Ending::Started);
    }
    if outcome.fate(job) == Fate::Rejected {
        let rejection = journal.entries.iter().find_map(|entry| match entry.act {
            Act::Rejected(reason) if entry.job == job => Some((entry.time, Ending::Rejected(reason))),
            _ => None,
        });
        return rejection.unwrap_or((submit, Ending::Rejected("")));
    }
    if outcome.fate(job) == Fate::Cancelled {
        return (outcome.end(job), Ending::Cancelled);
    }
    if outcome.took_part(job) { (outcome.start(job), Ending::Stopped) } else { (submit, Ending::Later) }
}

/// Returns a limit in words: `the limit users.toml:4 (running_jobs = 4)`.
fn limit_words(scenario: &Scenario, limit: HeldBy) -> String {
    match limit {
        HeldBy::Param(name) => format!("the limit {name} of the policy"),
        HeldBy::Table(at) => match scenario.limits.as_ref().and_then(|table| table.limits.get(at)) {
            Some(limit) => format!("the limit {} ({})", line(&limit.place), limit.bound),
            None => "a limit".into(),
        },
    }
}

/// Returns the runs of a job whose work was lost, each with the event that began when it ended.
fn lost(scenario: &Scenario, outcome: &Outcome, job: JobId) -> Vec<Lost> {
    let runs = outcome.lost.iter().filter(|run| run.job == job);
    let lost = runs.map(|run| {
        let nodes = outcome.places.at(job, run.from);
        let event = scenario.capacity.as_ref().and_then(|calendar| {
            let first = calendar.closures.partition_point(|closure| closure.from < run.to);
            let mut begun = calendar.closures[first..].iter().take_while(|closure| closure.from == run.to);
            let closure = begun.find(|closure| {
                let is_there =
                    nodes.is_empty() || nodes.iter().any(|share| share.node as usize == closure.node);
                closure.evicted != Evicted::Drained && is_there
            })?;
            Some(Occurrence::of(calendar, closure))
        });
        Lost { from: run.from, to: run.to, event }
    });
    lost.collect()
}

fn found(scenario: &Scenario, outcome: &Outcome, job: JobId) -> ArrivalState {
    let workload = &scenario.workload;
    let capacity = scenario.capacity.as_deref();
    let snapshot = Snapshot::of(workload, &scenario.machine, outcome, capacity, workload.submit(job));
    let ahead = snapshot.waiting.iter().take_while(|&&other| other < job);
    ArrivalState {
        running: snapshot.running.len(),
        free: snapshot.free.procs().max(0),
        waiting: ahead.clone().count(),
        waiting_procs: ahead.map(|&other| workload.procs(other)).sum(),
    }
}
