//! Finds the instant at which two schedules of the same jobs diverge, and the rule that explains it.

use std::fmt;

use batchlab_policies::Share;
use batchlab_policies::support::releases::ExtraRule;
use batchlab_traces::number::counted;
use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::outcome::{Fate, Outcome};
use crate::schedule::NodeList;
use crate::schedule::snapshot::{Room, Snapshot};

/// The first difference between two schedules, A and B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of jobs that start at different instants.
    pub starts: usize,
    /// Number of jobs that end at different instants.
    pub ends: usize,
    /// The instant at which the schedules diverge.
    pub at: Time,
    /// The first job, in the order of submission, that starts (or ends) at that instant in one schedule only.
    pub job: JobId,
    /// Its number in the log.
    pub number: i64,
    /// Its processors.
    pub procs: i64,
    /// Its estimate.
    pub estimate: Time,
    /// Its start in A and in B; [`Time::MAX`] for never.
    pub start: [Time; 2],
    /// Its end in A and in B; [`Time::MAX`] for never.
    pub end: [Time; 2],
    /// Its nodes in A and in B; empty if the schedule does not contain them.
    pub nodes: [Vec<Share>; 2],
    /// The first job that starts earlier, at the same instant in both schedules, but on different nodes.
    pub elsewhere: Option<Elsewhere>,
    /// The state at that instant, after the ends and after all starts that both schedules share.
    pub state: StateThere,
    /// The rule in which they differ.
    pub rule: DifferingRule,
    /// Numbers of the jobs that start at that instant in the other schedule only.
    pub instead: Vec<i64>,
}

/// A job that two schedules start at the same instant on different nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Its number in the log.
    pub number: i64,
    /// Its start.
    pub start: Time,
    /// Its nodes in A and in B.
    pub nodes: [Vec<Share>; 2],
}

/// The state at the instant at which two schedules diverge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateThere {
    /// Running jobs.
    pub running: usize,
    /// Free processors.
    pub free: i64,
    /// Waiting jobs.
    pub waiting: usize,
    /// Number and processors of the waiting job that was submitted first.
    pub head: Option<(i64, i64)>,
    /// Its shadow time and the extra processors, if it does not fit; on machines with nodes those of all
    /// nodes together.
    pub shadow: Option<(Time, i64)>,
}

/// The most jobs listed in [`Difference::instead`].
const INSTEAD: usize = 5;

/// The rule in which two schedules differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferingRule {
    /// The job ends at different instants: the schedules differ in run times, not in decisions.
    RunTime,
    /// One schedule rejects the job.
    Rejected,
    /// Starts and ends agree and nodes differ; or enough processors are free in total, but not on nodes that
    /// can take the job's tasks. Host selection differs.
    Place,
    /// The job is the head and fits, but one schedule does not start it.
    Head,
    /// The job fits only between the ends and arrivals of the instant, or only after all of them:
    /// simultaneous events are handled in a different order, or the schedule is not legal.
    Tie,
    /// The job would end exactly at the shadow time; one schedule accepts that.
    Shadow,
    /// The job needs extra processors that exist only if all ends at the shadow time count.
    TiedEnds,
    /// The job ends after the shadow time and fits into the extra processors; one schedule counts these
    /// differently, or does not use them.
    Extra,
    /// The job ends before the shadow time; one schedule does not backfill it.
    Candidate,
    /// The job may start, and so may the jobs that the other schedule starts instead, but not all of them:
    /// the order of the queue or of the candidates differs.
    Order,
    /// The job delays the head; one schedule does not keep the head's reservation, or uses a different
    /// profile.
    Reservation,
}

impl DifferingRule {
    /// Returns the rule in a word.
    pub fn name(self) -> &'static str {
        match self {
            DifferingRule::RunTime => "run time",
            DifferingRule::Rejected => "turned away",
            DifferingRule::Place => "place",
            DifferingRule::Head => "head",
            DifferingRule::Tie => "tie",
            DifferingRule::Shadow => "shadow",
            DifferingRule::TiedEnds => "tied ends",
            DifferingRule::Extra => "extra",
            DifferingRule::Candidate => "candidate",
            DifferingRule::Order => "order",
            DifferingRule::Reservation => "reservation",
        }
    }

    /// Whether EASY lets the job start.
    fn admits(self) -> bool {
        matches!(
            self,
            DifferingRule::Head
                | DifferingRule::Candidate
                | DifferingRule::Shadow
                | DifferingRule::Extra
                | DifferingRule::TiedEnds
        )
    }

    fn words(self) -> &'static str {
        match self {
            DifferingRule::RunTime => {
                "it runs for another time: what is replayed differs, not what is decided"
            }
            DifferingRule::Rejected => "one schedule turns it away",
            DifferingRule::Place => {
                "it is a matter of nodes: the schedules choose others, or what is free is on nodes that cannot take \
                 its tasks"
            }
            DifferingRule::Head => "it is first in the queue and fits, and one schedule lets it wait",
            DifferingRule::Tie => {
                "whether it fits depends on which ends and arrivals of this instant have been seen: simultaneous \
                 events come in another order, or a schedule is not legal"
            }
            DifferingRule::Shadow => {
                "it is expected to end exactly at the head's shadow time: one schedule takes that as too late"
            }
            DifferingRule::TiedEnds => {
                "it needs extra processors that are there only when all ends at the shadow time count, not just \
                 those up to the one that lets the head fit"
            }
            DifferingRule::Extra => {
                "it is expected to end after the shadow time and fits into the extra processors: one schedule \
                 counts them otherwise, or does not use them"
            }
            DifferingRule::Candidate => {
                "it is expected to end before the shadow time: one schedule does not backfill it"
            }
            DifferingRule::Order => {
                "it may start, and so may what the other schedule starts instead, which leaves no room for it: the queue \
                 or the candidates are taken in another order"
            }
            DifferingRule::Reservation => {
                "it would delay the head: one schedule does not keep that reservation, or plans by another profile"
            }
        }
    }
}

/// Compares two schedules; `None` if all starts and ends agree, and all nodes that both contain. O(n log n).
pub fn diff(workload: &Workload, machine: &Machine, a: &Outcome, b: &Outcome) -> Option<Difference> {
    let other_start = |&job: &JobId| start(a, job) != start(b, job);
    let other_end = |&job: &JobId| end(a, job) != end(b, job);
    let part_at = |job: JobId| {
        if other_start(&job) { start(a, job).min(start(b, job)) } else { end(a, job).min(end(b, job)) }
    };
    let parted = |job: &JobId| other_start(job) || other_end(job);
    let job = workload.jobs().filter(parted).min_by_key(|&job| (part_at(job), !other_start(&job), job));
    let elsewhere = first_elsewhere(a, b, workload, job.map_or(Time::MAX, part_at));
    let mut job = job.or(elsewhere)?;
    let at = if parted(&job) { part_at(job) } else { start(a, job) };
    let mut snapshot = Snapshot::of(workload, machine, a, at);
    let shared: Vec<JobId> =
        snapshot.waiting.iter().copied().filter(|&job| start(a, job) == at && start(b, job) == at).collect();
    for &job in &shared {
        snapshot.start(job);
    }
    let rule = match (other_start(&job), other_end(&job)) {
        _ if [a, b].iter().any(|one| one.fate(job) == Fate::Rejected) => DifferingRule::Rejected,
        (true, _) => {
            let rivals = rivals(a, b, &snapshot, job);
            let parting = parting(workload, a, &snapshot, job, &rivals);
            job = parting.0;
            parting.1
        }
        (false, true) => DifferingRule::RunTime,
        (false, false) => DifferingRule::Place,
    };
    let instead = if other_start(&job) { rivals(a, b, &snapshot, job) } else { Vec::new() };
    Some(Difference {
        starts: workload.jobs().filter(other_start).count(),
        ends: workload.jobs().filter(other_end).count(),
        at,
        job,
        number: workload.number(job),
        procs: workload.procs(job),
        estimate: workload.estimate(job),
        start: [start(a, job), start(b, job)],
        end: [end(a, job), end(b, job)],
        nodes: [a, b].map(|outcome| nodes(outcome, job)),
        elsewhere: elsewhere.filter(|&other| other != job).map(|other| Elsewhere {
            number: workload.number(other),
            start: start(a, other),
            nodes: [a, b].map(|outcome| nodes(outcome, other)),
        }),
        state: state(workload, a, &snapshot),
        rule,
        instead: instead.into_iter().map(|other| workload.number(other)).collect(),
    })
}

/// Returns the jobs that start at this instant only in the schedule in which `job` does not.
fn rivals(a: &Outcome, b: &Outcome, snapshot: &Snapshot<'_>, job: JobId) -> Vec<JobId> {
    let (here, there) = if start(a, job) == snapshot.now { (a, b) } else { (b, a) };
    let only_there =
        |&other: &JobId| start(there, other) == snapshot.now && start(here, other) != snapshot.now;
    snapshot.waiting.iter().copied().filter(only_there).collect()
}

/// Returns the job at which two schedules diverge, and the rule.
///
/// A job that may start alone, but not together with the jobs that the other schedule starts instead, is not
/// the cause: either one of those jobs may not start, or both schedules follow the rules and differ in their
/// order.
fn parting(
    workload: &Workload,
    a: &Outcome,
    snapshot: &Snapshot<'_>,
    job: JobId,
    rivals: &[JobId],
) -> (JobId, DifferingRule) {
    let own = rule(workload, a, snapshot, job);
    let mut after = snapshot.clone();
    for &rival in rivals {
        after.start(rival);
    }
    if rivals.is_empty() || !own.admits() || rule(workload, a, &after, job).admits() {
        return (job, own);
    }
    let of_rivals = rivals.iter().map(|&rival| (rival, rule(workload, a, snapshot, rival)));
    of_rivals.into_iter().find(|(_, rule)| !rule.admits()).unwrap_or((job, DifferingRule::Order))
}

/// Returns the first job, before an instant, that both schedules start at the same time but on different
/// nodes.
fn first_elsewhere(a: &Outcome, b: &Outcome, workload: &Workload, before: Time) -> Option<JobId> {
    if a.places.is_empty() || b.places.is_empty() {
        return None;
    }
    let differs = |job: &JobId| {
        start(a, *job) == start(b, *job) && start(a, *job) < before && nodes(a, *job) != nodes(b, *job)
    };
    workload.jobs().filter(differs).min_by_key(|&job| (start(a, job), job))
}

/// Returns when a job starts, [`Time::MAX`] for never.
fn start(outcome: &Outcome, job: JobId) -> Time {
    outcome.started(job).unwrap_or(Time::MAX)
}

/// Returns when a job ends, [`Time::MAX`] for never.
fn end(outcome: &Outcome, job: JobId) -> Time {
    outcome.ended(job).unwrap_or(Time::MAX)
}

/// Returns the nodes of a job at its start.
fn nodes(outcome: &Outcome, job: JobId) -> Vec<Share> {
    outcome.places.at(job, outcome.start(job))
}

fn state(workload: &Workload, a: &Outcome, snapshot: &Snapshot<'_>) -> StateThere {
    let head = snapshot.head();
    let shadow = head.filter(|&head| workload.procs(head) > snapshot.free.procs());
    let shadow = shadow.and_then(|head| snapshot.shadow(a, head, ExtraRule::All));
    StateThere {
        running: snapshot.running.len(),
        free: snapshot.free.procs(),
        waiting: snapshot.waiting.len(),
        head: head.map(|head| (workload.number(head), workload.procs(head))),
        shadow: shadow.map(|shadow| (shadow.at, shadow.extra[0])),
    }
}

/// Finds the rule of EASY by which a job may or may not start.
fn rule(workload: &Workload, a: &Outcome, snapshot: &Snapshot<'_>, job: JobId) -> DifferingRule {
    let procs = workload.procs(job);
    if procs > snapshot.free.procs() {
        return DifferingRule::Tie;
    }
    if snapshot.free.room(job) == Room::Scattered {
        return DifferingRule::Place;
    }
    let Some(head) = snapshot.head().filter(|&head| head != job) else {
        return if needs_this_instant(workload, a, snapshot, job) {
            DifferingRule::Tie
        } else {
            DifferingRule::Head
        };
    };
    if workload.procs(head) <= snapshot.free.procs() && snapshot.free.room(head) != Room::Scattered {
        // A job before it fits too, so the schedules serve jobs in different orders.
        return DifferingRule::Head;
    }
    let shadow = |rule| snapshot.shadow(a, head, rule);
    let (Some(all), Some(first)) = (shadow(ExtraRule::All), shadow(ExtraRule::First)) else {
        return DifferingRule::Reservation;
    };
    let end = snapshot.now.saturating_add(workload.estimate(job).max(Time::SECOND));
    if end < all.at {
        DifferingRule::Candidate
    } else if end == all.at {
        DifferingRule::Shadow
    } else if procs <= first.extra[0] {
        DifferingRule::Extra
    } else if procs <= all.extra[0] {
        DifferingRule::TiedEnds
    } else {
        DifferingRule::Reservation
    }
}

/// Whether a job fits only with processors freed at this very instant, while the instant has further ends or
/// arrivals: if these are handled one by one, another job may take its place.
fn needs_this_instant(workload: &Workload, a: &Outcome, snapshot: &Snapshot<'_>, job: JobId) -> bool {
    let started_before = workload.jobs().take_while(|&other| workload.submit(other) <= snapshot.now);
    let ending: Vec<JobId> = started_before
        .filter(|&other| a.end(other) == snapshot.now && a.start(other) < snapshot.now)
        .collect();
    let freed: i64 = ending.iter().map(|&other| workload.procs(other)).sum();
    let arrivals = workload.jobs().filter(|&other| workload.submit(other) == snapshot.now).count();
    !ending.is_empty() && ending.len() + arrivals > 1 && workload.procs(job) > snapshot.free.procs() - freed
}

fn told(time: Time) -> String {
    if time == Time::MAX { "never".into() } else { format!("{time} s") }
}

fn in_both([a, b]: &[Vec<Share>; 2]) -> String {
    let named =
        |nodes: &[Share]| if nodes.is_empty() { "not known".into() } else { NodeList(nodes).to_string() };
    format!("{} in A, {} in B", named(a), named(b))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} and {} differ; the schedules part at {} s",
            counted(self.starts, "start"),
            counted(self.ends, "end"),
            self.at
        )?;
        writeln!(
            f,
            "job {} ({} processors, estimate {} s): start {} in A, {} in B; end {} in A, {} in B",
            self.number,
            self.procs,
            self.estimate,
            told(self.start[0]),
            told(self.start[1]),
            told(self.end[0]),
            told(self.end[1])
        )?;
        if self.nodes.iter().any(|nodes| !nodes.is_empty()) {
            writeln!(f, "its nodes (node:processors): {}", in_both(&self.nodes))?;
        }
        if let Some(other) = &self.elsewhere {
            let Elsewhere { number, start, nodes } = other;
            writeln!(
                f,
                "before that, job {number}, started at {start} s, is on other nodes: {}",
                in_both(nodes)
            )?;
        }
        let state = &self.state;
        writeln!(
            f,
            "then, after the ends and what both start: {} running, {} free, {} waiting",
            counted(state.running, "job"),
            counted(state.free, "processor"),
            counted(state.waiting, "job")
        )?;
        if let Some((number, procs)) = state.head {
            write!(f, "head: job {number}, {procs} processors")?;
            if let Some((at, extra)) = state.shadow {
                write!(f, "; shadow time {at} s, {extra} extra processors")?;
            }
            writeln!(f)?;
        }
        if !self.instead.is_empty() {
            let shown: Vec<String> = self.instead.iter().take(INSTEAD).map(ToString::to_string).collect();
            let more = self.instead.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let jobs = if self.instead.len() == 1 { "job" } else { "jobs" };
            writeln!(f, "started then in the other schedule only: {jobs} {}{more}", shown.join(", "))?;
        }
        write!(f, "rule: {}: {}", self.rule.name(), self.rule.words())
    }
}
