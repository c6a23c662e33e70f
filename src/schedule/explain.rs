//! Explains why a job waited: what blocked it, which jobs overtook it and by which rule, and what it was
//! promised.

mod words;

use std::collections::BTreeMap;

use batchlab_policies::Share;
use batchlab_policies::journal::{Act, Journal, Why};
use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::outcome::{Fate, Outcome};
use crate::schedule::snapshot::{Free, Room, Snapshot};

/// The explanation of one job's wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The job's number in the log.
    pub number: i64,
    /// Its processors.
    pub procs: i64,
    /// Its estimate.
    pub estimate: Time,
    /// Time at which it became eligible.
    pub submit: Time,
    /// Submit time in the log, which is earlier if the job was held.
    pub submitted: Time,
    /// End of its wait: its first start, or the event named by [`Explanation::ending`].
    pub start: Time,
    /// How its wait ended.
    pub ending: Ending,
    /// Its nodes at its start; empty on a pool.
    pub nodes: Vec<Share>,
    /// The rule by which it started.
    pub why: Why,
    /// The state when it arrived.
    pub found: Found,
    /// The policy's own drawing of its plan after the decision at the job's arrival, if it makes one: a
    /// matrix of rows that share time.
    pub drawing: Option<String>,
    /// How long each obstacle kept it from starting.
    pub kept_by: BTreeMap<Obstacle, Time>,
    /// Running jobs that held the most processor-time while it waited and did not fit; at most five.
    pub holders: Vec<Holder>,
    /// Jobs that were submitted later and started earlier, in the order of their starts.
    pub overtakers: Vec<Overtaker>,
    /// Promised starts: the instant at which the promise was made or changed, and the promised start.
    pub promises: Vec<(Time, Time)>,
}

/// How a job's wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It started.
    Started,
    /// The policy rejected it; with the reason, or empty if it gave none.
    Rejected(&'static str),
    /// Its user cancelled it while it waited.
    Cancelled,
    /// The replay was stopped while it waited.
    Stopped,
    /// The replay was stopped before it was submitted.
    Later,
}

/// A job that ran while another waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its number in the log.
    pub number: i64,
    /// Its processors.
    pub procs: i64,
    /// How long it held them during the wait.
    pub time: Time,
}

/// The state when a job arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Running jobs.
    pub running: usize,
    /// Free processors.
    pub free: i64,
    /// Jobs that were already waiting.
    pub waiting: usize,
    /// Their processors.
    pub waiting_procs: i64,
}

/// An obstacle that keeps a job from starting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// Fewer processors (or less of another resource) are free than it needs.
    NoRoom,
    /// Enough is free in total, but not on nodes that can take its tasks.
    Scattered,
    /// It would fit, but the policy reserves the resources, for the queue order or for a reservation.
    HeldBack,
}

/// A job that was submitted later and started earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overtaker {
    /// Its number in the log.
    pub number: i64,
    /// Its processors.
    pub procs: i64,
    /// Its estimate.
    pub estimate: Time,
    /// Its start.
    pub start: Time,
    /// The rule by which it started.
    pub why: Why,
}

/// Explains a job's wait, from a replay with a journal. O((n + w) log n), where w is the number of starts and
/// ends during the wait times the jobs running then (and, on machines with nodes, times the nodes).
pub fn explain(
    workload: &Workload,
    machine: &Machine,
    outcome: &Outcome,
    journal: &Journal,
    job: JobId,
) -> Explanation {
    let submit = workload.submit(job);
    let (start, ending) = waited_until(workload, outcome, journal, job);
    let mut why = BTreeMap::new();
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
    let mut overtakers: Vec<JobId> = workload
        .jobs()
        .filter(|&other| other > job && outcome.start(other) < start && outcome.start(other) >= submit)
        .collect();
    overtakers.sort_by_key(|&other| (outcome.start(other), other));
    let (kept_by, holders) = obstacles(workload, machine, outcome, job, start);
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
        found: found(workload, machine, outcome, job),
        drawing: journal.drawings.iter().find(|(at, _)| *at >= submit).map(|(_, drawing)| drawing.clone()),
        kept_by,
        holders,
        overtakers: overtakers
            .into_iter()
            .map(|other| Overtaker {
                number: workload.number(other),
                procs: workload.procs(other),
                estimate: workload.estimate(other),
                start: outcome.start(other),
                why: rule_of(other),
            })
            .collect(),
        promises,
    }
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

fn found(workload: &Workload, machine: &Machine, outcome: &Outcome, job: JobId) -> Found {
    let snapshot = Snapshot::of(workload, machine, outcome, workload.submit(job));
    let ahead = snapshot.waiting.iter().take_while(|&&other| other < job);
    Found {
        running: snapshot.running.len(),
        free: snapshot.free.procs(),
        waiting: ahead.clone().count(),
        waiting_procs: ahead.map(|&other| workload.procs(other)).sum(),
    }
}

/// Walks through the starts and ends during a job's wait and adds up the time of each obstacle, and the
/// processor-time of running jobs while the job did not fit.
fn obstacles(
    workload: &Workload,
    machine: &Machine,
    outcome: &Outcome,
    job: JobId,
    to: Time,
) -> (BTreeMap<Obstacle, Time>, Vec<Holder>) {
    let from = workload.submit(job);
    let mut running: Vec<JobId> = Vec::new();
    let mut changes: Vec<(Time, bool, JobId)> = Vec::new();
    for other in workload.jobs().take_while(|&other| workload.submit(other) <= to) {
        let (start, end) = (outcome.start(other), outcome.end(other));
        if start == end {
            // The job held nothing for any length of time.
            continue;
        }
        if start < from && end > from {
            running.push(other);
        } else if start >= from && start < to {
            changes.push((start, true, other));
        }
        if end > from && end < to {
            changes.push((end, false, other));
        }
    }
    changes.sort_unstable();
    let mut free = Free::new(workload, machine, outcome);
    for &other in &running {
        free.take(other);
    }
    let mut kept_by = BTreeMap::new();
    let mut held: BTreeMap<JobId, Time> = BTreeMap::new();
    let mut now = from;
    for (at, starts, other) in changes.into_iter().chain([(to, true, job)]) {
        if at > now {
            let obstacle = match free.room(job) {
                Room::Enough => Obstacle::HeldBack,
                Room::Scattered => Obstacle::Scattered,
                Room::TooLittle => Obstacle::NoRoom,
            };
            *kept_by.entry(obstacle).or_insert(Time::ZERO) += at - now;
            if obstacle != Obstacle::HeldBack {
                for &other in &running {
                    *held.entry(other).or_insert(Time::ZERO) += at - now;
                }
            }
            now = at;
        }
        if starts {
            free.take(other);
            running.push(other);
        } else {
            free.give(other);
            running.retain(|&running| running != other);
        }
    }
    let mut holders: Vec<(JobId, Time)> = held.into_iter().collect();
    let area = |&(job, time): &(JobId, Time)| i128::from(workload.procs(job)) * i128::from(time.ticks());
    holders.sort_by_key(|holder| (std::cmp::Reverse(area(holder)), holder.0));
    holders.truncate(5);
    let named = |(job, time)| Holder { number: workload.number(job), procs: workload.procs(job), time };
    (kept_by, holders.into_iter().map(named).collect())
}
