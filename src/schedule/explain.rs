//! Why a job waited: what stood in its way, who overtook it and by which rule, what it was promised.

mod words;

use std::collections::BTreeMap;

use batchlab_policies::Share;
use batchlab_policies::journal::{Act, Journal, Why};
use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::outcome::{Fate, Outcome};
use crate::schedule::snapshot::{Free, Room, Snapshot};

/// Why one job waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The job's number in the log.
    pub number: i64,
    /// Its processors.
    pub procs: i64,
    /// Its estimate.
    pub estimate: Time,
    /// Submission.
    pub submit: Time,
    /// When it was submitted: earlier, if it was held back.
    pub submitted: Time,
    /// Until when it waited: its first start, else what [`Explanation::ending`] says.
    pub start: Time,
    /// How its wait ended.
    pub ending: Ending,
    /// Its nodes at its start; empty on a pool.
    pub nodes: Vec<Share>,
    /// The rule by which it started.
    pub why: Why,
    /// What it found when it arrived.
    pub found: Found,
    /// What the policy drew of its plan after the decision at its arrival, if it draws: a matrix of rows that take
    /// turns.
    pub drawing: Option<String>,
    /// How long each thing kept it from starting.
    pub kept_by: BTreeMap<Obstacle, Time>,
    /// Running jobs that held most processor-time while it waited and did not fit; at most five.
    pub holders: Vec<Holder>,
    /// Jobs that were submitted later and started earlier, in the order of their starts.
    pub overtakers: Vec<Overtaker>,
    /// Promised starts: when the promise was made or changed, and the start promised.
    pub promises: Vec<(Time, Time)>,
}

/// How a job's wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It started.
    Started,
    /// The policy turned it away, for a reason; empty when it gave none.
    Rejected(&'static str),
    /// The replay was stopped, and it still waited.
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
    /// For how long it held them meanwhile.
    pub time: Time,
}

/// What a job found when it arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Running jobs.
    pub running: usize,
    /// Free processors.
    pub free: i64,
    /// Jobs that waited already.
    pub waiting: usize,
    /// Their processors.
    pub waiting_procs: i64,
}

/// What keeps a job from starting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// Fewer processors (or less of another resource) are free than it needs.
    NoRoom,
    /// Enough is free in all, and not on nodes that can take its tasks.
    Scattered,
    /// It would fit, and the policy holds the room back: for the queue order or a reservation.
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

/// Explains a job's wait from a replay with its journal. O((n + w) log n), w being the starts and ends
/// during the wait times the jobs that run then, and on machines with nodes the nodes.
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
        nodes: outcome.places.at(job, start).to_vec(),
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

/// Returns until when a job waited, and how its wait ended.
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

/// Walks the starts and ends during a job's wait and sums up what kept it, and who held processors while
/// there was no room.
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
            // It held nothing for any length of time.
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
