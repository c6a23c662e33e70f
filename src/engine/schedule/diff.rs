//! Finds the instant at which two schedules of the same jobs diverge, and the rule that explains it.

mod words;

use batchlab_support::Share;
use batchlab_support::releases::ExtraRule;
use batchlab_traces::limits::{Limit, LimitedQuantity};
use batchlab_traces::{JobId, Time, Workload};

use crate::outcome::{Fate, IntervalKind, Outcome};
use crate::replay::engine::Scenario;
use crate::schedule::occurrence::{InstantDisplay, Occurrence, line};
use crate::schedule::snapshot::{FitResult, Snapshot};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of jobs that start at different instants.
    pub starts: usize,
    /// Number of jobs that end at different instants.
    pub ends: usize,
    pub at: Time,
    /// The first job, in the order of submission, that starts (or ends) at that instant in one schedule only.
    pub job: JobId,
    pub number: i64,
    pub procs: i64,
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
    pub rule: DifferingRule,
    /// What the rule is about, in words: the events of the calendar, the jobs that come first, the limit.
    pub about: Option<String>,
    /// Numbers of the jobs that start at that instant in the other schedule only.
    pub instead: Vec<i64>,
}

/// A job that two schedules start at the same instant on different nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    pub number: i64,
    pub start: Time,
    pub nodes: [Vec<Share>; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateThere {
    pub running: usize,
    pub free: i64,
    pub waiting: usize,
    /// Number and processors of the waiting job that was submitted first.
    pub head: Option<(i64, i64)>,
    /// Its shadow time and the extra processors, if it does not fit; on machines with nodes those of all nodes together.
    pub shadow: Option<(Time, i64)>,
}

/// The rule in which two schedules differ, as `told` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferingRule {
    RunTime,
    Suspension,
    Rejected,
    Dependency,
    Calendar,
    Kept,
    Limit,
    Place,
    Head,
    Tie,
    Shadow,
    TiedEnds,
    Extra,
    Candidate,
    Order,
    Reservation,
}

impl DifferingRule {
    fn admits(self) -> bool {
        matches!(
            self,
            DifferingRule::Kept
                | DifferingRule::Head
                | DifferingRule::Candidate
                | DifferingRule::Shadow
                | DifferingRule::Extra
                | DifferingRule::TiedEnds
        )
    }

    pub fn name(self) -> &'static str {
        self.told().0
    }

    /// Returns the rule in a word, and what two schedules do about a job then.
    fn told(self) -> (&'static str, &'static str) {
        match self {
            DifferingRule::RunTime => {
                ("run time", "it runs for another time: what is replayed differs, not what is decided")
            }
            DifferingRule::Suspension => {
                ("suspension", "one schedule suspends it at another instant, or for another time")
            }
            DifferingRule::Rejected => ("turned away", "one schedule turns it away"),
            DifferingRule::Dependency => (
                "dependency",
                "one schedule starts it before the jobs on which it depends let it enter the queue",
            ),
            DifferingRule::Calendar => (
                "calendar",
                "too little is in service for it, now or at an event that is known and that begins before its expected \
                 end: one schedule starts it all the same",
            ),
            DifferingRule::Kept => (
                "kept",
                "it fits into the reservation that the calendar keeps for its class: one schedule lets it wait",
            ),
            DifferingRule::Limit => {
                ("limit", "with it, more is in use than a limit allows: one schedule starts it all the same")
            }
            DifferingRule::Place => (
                "place",
                "it is a matter of nodes: the schedules choose others, or what is free is on nodes that cannot take its \
                 tasks",
            ),
            DifferingRule::Head => {
                ("head", "it is first in the queue and fits, and one schedule lets it wait")
            }
            DifferingRule::Tie => (
                "tie",
                "whether it fits depends on which ends and arrivals of this instant have been seen: simultaneous events \
                 come in another order, or a schedule is not legal",
            ),
            DifferingRule::Shadow => (
                "shadow",
                "it is expected to end exactly at the head's shadow time: one schedule takes that as too late",
            ),
            DifferingRule::TiedEnds => (
                "tied ends",
                "it needs extra processors that are there only when all ends at the shadow time count, not just those up \
                 to the one that lets the head fit",
            ),
            DifferingRule::Extra => (
                "extra",
                "it is expected to end after the shadow time and fits into the extra processors: one schedule counts them \
                 otherwise, or does not use them",
            ),
            DifferingRule::Candidate => (
                "candidate",
                "it is expected to end before the shadow time: one schedule does not backfill it",
            ),
            DifferingRule::Order => (
                "order",
                "it may start, and so may what the other schedule starts instead, which leaves no room for it: the queue \
                 or the candidates are taken in another order",
            ),
            DifferingRule::Reservation => (
                "reservation",
                "it would delay the head: one schedule does not keep that reservation, or plans by another profile",
            ),
        }
    }
}

/// Compares two schedules of a scenario; `None` if all starts and ends agree, and all nodes that both contain. Jobs that
/// depend on others enter the queue when schedule A lets them. O(n log n).
pub fn diff(scenario: &Scenario, a: &Outcome, b: &Outcome) -> Option<Difference> {
    let log = &scenario.workload;
    if !log.is_closed() {
        return diff_of_entered(scenario, log, a, b);
    }
    let a = a.clone().entering(log);
    let b = b.clone().with_identities_of(&a, log);
    diff_of_entered(&scenario.of_outcome(&a), log, &a, &b)
}

/// Compares two schedules of jobs under the same identities; `log` has their conditions.
fn diff_of_entered(scenario: &Scenario, log: &Workload, a: &Outcome, b: &Outcome) -> Option<Difference> {
    let workload = &*scenario.workload;
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
    let mut snapshot = Snapshot::of(workload, &scenario.machine, a, scenario.capacity.as_deref(), at);
    let shared: Vec<JobId> =
        snapshot.waiting.iter().copied().filter(|&job| start(a, job) == at && start(b, job) == at).collect();
    for &job in &shared {
        snapshot.start(job);
    }
    pass_over(scenario, &mut snapshot);
    let (rule, about) = match (other_start(&job), other_end(&job)) {
        _ if [a, b].iter().any(|one| one.fate(job) == Fate::Rejected) => (DifferingRule::Rejected, None),
        (true, _) if workload.submit(job) > at && log.is_closed() => {
            let enters = InstantDisplay(workload.meanings().calendar).at(workload.submit(job));
            (DifferingRule::Dependency, Some(format!("it enters at {enters}")))
        }
        (true, _) => {
            let rivals = rivals(a, b, &snapshot, job);
            let parting = parting(scenario, a, &snapshot, job, &rivals);
            job = parting.0;
            parting.1
        }
        (false, true) => match [a, b].map(|outcome| suspended(outcome, job)) {
            [here, there] if here != there => {
                let words = format!("suspended for {here} s in A, {there} s in B");
                (DifferingRule::Suspension, Some(words))
            }
            _ => (DifferingRule::RunTime, None),
        },
        (false, false) => (DifferingRule::Place, None),
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
        state: state(workload, &snapshot),
        rule,
        about,
        instead: instead.into_iter().map(|other| workload.number(other)).collect(),
    })
}

/// Returns for how long a job is suspended where it is.
fn suspended(outcome: &Outcome, job: JobId) -> Time {
    let own = outcome.intervals.iter().filter(|interval| interval.job == job);
    let paused = own.filter(|interval| interval.kind == IntervalKind::Paused);
    paused.fold(Time::ZERO, |time, interval| time + (interval.to - interval.from))
}

/// Marks the waiting jobs that are not considered: too little is in service for them, or they would exceed a limit.
fn pass_over(scenario: &Scenario, snapshot: &mut Snapshot<'_>) {
    let is_out = |&job: &JobId| {
        snapshot.service().is_some_and(|service| service.without_which_when_empty(job).is_some())
            || exceeded(scenario, snapshot, job).is_some()
    };
    snapshot.passed_over = snapshot.waiting.iter().copied().filter(is_out).collect();
}

fn exceeded<'a>(scenario: &'a Scenario, snapshot: &Snapshot<'_>, job: JobId) -> Option<&'a Limit> {
    let workload = &scenario.workload;
    let now = snapshot.now;
    let amount = |limit: &Limit, (other, started): (JobId, Time)| match limit.quantity {
        LimitedQuantity::Work => {
            let left = started.saturating_add(workload.estimate(other)) - now;
            i128::from(workload.procs(other)) * i128::from(left.max(Time::ZERO).ticks())
        }
        LimitedQuantity::Jobs | LimitedQuantity::Procs | LimitedQuantity::Demand(_) => {
            limit.amount(workload, other)
        }
    };
    scenario.limits.as_ref()?.limits.iter().find(|limit| {
        let class = limit.class(workload, job).filter(|_| limit.binds(workload, job));
        let Some(class) = class else { return false };
        let of_class = snapshot.stays().iter().filter(|stay| limit.class(workload, stay.0) == Some(class));
        let used: i128 = of_class.map(|&stay| amount(limit, stay)).sum();
        used + limit.amount(workload, job) > limit.most
    })
}

/// Returns the jobs that start at this instant only in the schedule in which `job` does not.
fn rivals(a: &Outcome, b: &Outcome, snapshot: &Snapshot<'_>, job: JobId) -> Vec<JobId> {
    let (here, there) = if start(a, job) == snapshot.now { (a, b) } else { (b, a) };
    let only_there =
        |&other: &JobId| start(there, other) == snapshot.now && start(here, other) != snapshot.now;
    snapshot.waiting.iter().copied().filter(only_there).collect()
}

type Ruled = (DifferingRule, Option<String>);

/// Returns the job at which two schedules diverge, and the rule.
///
/// A job that may start alone, but not together with the jobs that the other schedule starts instead, is not the cause: either
/// one of those jobs may not start, or both schedules follow the rules and differ in their order.
fn parting(
    scenario: &Scenario,
    a: &Outcome,
    snapshot: &Snapshot<'_>,
    job: JobId,
    rivals: &[JobId],
) -> (JobId, Ruled) {
    let own = rule(scenario, a, snapshot, job);
    let mut after = snapshot.clone();
    for &rival in rivals {
        after.start(rival);
    }
    if rivals.is_empty() || !own.0.admits() || rule(scenario, a, &after, job).0.admits() {
        return (job, own);
    }
    let of_rivals = rivals.iter().map(|&rival| (rival, rule(scenario, a, snapshot, rival)));
    of_rivals.into_iter().find(|(_, rule)| !rule.0.admits()).unwrap_or((job, (DifferingRule::Order, None)))
}

/// Returns the first job, before an instant, that both schedules start at the same time but on different nodes.
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

fn nodes(outcome: &Outcome, job: JobId) -> Vec<Share> {
    outcome.places.at(job, outcome.start(job))
}

fn state(workload: &Workload, snapshot: &Snapshot<'_>) -> StateThere {
    let head = snapshot.head();
    let shadow = head.filter(|&head| workload.procs(head) > snapshot.free.procs());
    let shadow = shadow.and_then(|head| snapshot.shadow(head, ExtraRule::All));
    StateThere {
        running: snapshot.running.len(),
        free: snapshot.free.procs().max(0),
        waiting: snapshot.waiting.len(),
        head: head.map(|head| (workload.number(head), workload.procs(head))),
        shadow: shadow.map(|shadow| (shadow.at, shadow.extra[0])),
    }
}

/// Finds the rule by which a job may or may not start: that of limits or the calendar, or of EASY.
fn rule(scenario: &Scenario, a: &Outcome, snapshot: &Snapshot<'_>, job: JobId) -> Ruled {
    let workload = &scenario.workload;
    let clock = InstantDisplay(workload.meanings().calendar);
    if let Some(limit) = exceeded(scenario, snapshot, job) {
        let about = format!("{} ({})", line(&limit.place), limit.bound);
        return (DifferingRule::Limit, Some(about));
    }
    if snapshot.is_admitted(job) {
        return (DifferingRule::Kept, None);
    }
    let events = snapshot.service().and_then(|service| {
        if snapshot.free.fits(job) {
            service.known_closure(job, snapshot.now)
        } else {
            service.without_which(job)
        }
    });
    if let Some(events) = events {
        let words: Vec<String> = events.iter().map(|event: &Occurrence| event.words(clock)).collect();
        return (DifferingRule::Calendar, Some(words.join(", and ")));
    }
    (easy_rule(workload, a, snapshot, job), None)
}

/// Finds the rule of EASY by which a job may or may not start.
fn easy_rule(workload: &Workload, a: &Outcome, snapshot: &Snapshot<'_>, job: JobId) -> DifferingRule {
    let procs = workload.procs(job);
    if procs > snapshot.free.procs() {
        return DifferingRule::Tie;
    }
    if snapshot.free.room(job) == FitResult::Scattered {
        return DifferingRule::Place;
    }
    let Some(head) = snapshot.head().filter(|&head| head != job) else {
        return if needs_this_instant(workload, a, snapshot, job) {
            DifferingRule::Tie
        } else {
            DifferingRule::Head
        };
    };
    if workload.procs(head) <= snapshot.free.procs() && snapshot.free.room(head) != FitResult::Scattered {
        // A job before it fits too, so the schedules serve jobs in different orders.
        return DifferingRule::Head;
    }
    let shadow = |rule| snapshot.shadow(head, rule);
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
