//! The obstacles during a job's wait: one walk through everything that changes meanwhile.

use std::cmp::Reverse;

use batchlab_support::journal::{Act, HeldBy, Journal};
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::capacity::{AdvanceReservation, CapacityCalendar, Closure};
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use super::{Holder, Obstacle};
use crate::outcome::Outcome;
use crate::replay::engine::Scenario;
use crate::schedule::snapshot::{CapacityState, FitResult, Free, KeptRoom};

/// The most running jobs that are named.
const HOLDERS: usize = 5;

/// A job's time on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stay {
    job: JobId,
    from: Time,
    to: Time,
}

/// What happens at an instant, in the order in which it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Ends(Stay),
    /// A closure, by its position in the calendar, is over.
    Opens(usize),
    Closes(usize),
    Starts(Stay),
    HeldBack(HeldBy),
    Admitted,
    /// Nothing changes but the instant.
    Passes,
}

/// Adds up the time of each obstacle during a job's wait, which ends at `to`, and the processor-time of running jobs while
/// too little was free.
///
/// O(c log c + c · (running + nodes)) for the c changes during the wait; while the job fits, each change also costs
/// O(running + nodes) for every closure within the job's estimate.
pub(super) fn obstacles(
    scenario: &Scenario,
    outcome: &Outcome,
    journal: &Journal,
    job: JobId,
    to: Time,
    foresees: bool,
) -> (SortedMap<Obstacle, Time>, Vec<Holder>) {
    let workload = &scenario.workload;
    let mut walk = Walk {
        scenario,
        calendar: scenario.capacity.as_deref(),
        job,
        foresees,
        running: SortedSet::new(),
        closed: SortedSet::new(),
        free: Free::new(workload, &scenario.machine, outcome),
        held_by: None,
    };
    let from = workload.submit(job);
    let mut changes = walk.changes(outcome, journal, from, to);
    changes.sort_unstable();
    let mut kept_by = SortedMap::new();
    let mut held: SortedMap<JobId, Time> = SortedMap::new();
    let mut now = from;
    for (at, change) in changes.into_iter().chain([(to, Change::Passes)]) {
        let is_on_machine = walk.running.iter().any(|stay| stay.job == job);
        if at > now && !is_on_machine {
            let obstacle = walk.obstacle(now);
            if matches!(obstacle, Obstacle::NoRoom | Obstacle::Scattered | Obstacle::Constraint) {
                for stay in &walk.running {
                    *held.entry(stay.job).or_insert(Time::ZERO) += at - now;
                }
            }
            *kept_by.entry(obstacle).or_insert(Time::ZERO) += at - now;
        }
        now = now.max(at);
        walk.apply(change);
    }
    let mut holders: Vec<(JobId, Time)> = held.into_iter().collect();
    let area = |&(job, time): &(JobId, Time)| i128::from(workload.procs(job)) * i128::from(time.ticks());
    holders.arrange_by_key(|holder| (Reverse(area(holder)), holder.0));
    holders.truncate(HOLDERS);
    let named = |(job, time)| Holder { number: workload.number(job), procs: workload.procs(job), time };
    (kept_by, holders.into_iter().map(named).collect())
}

/// The state of the machine during a job's wait.
struct Walk<'a> {
    scenario: &'a Scenario,
    calendar: Option<&'a CapacityCalendar>,
    job: JobId,
    /// Whether the policy plans around known closures, by the estimates of the jobs.
    foresees: bool,
    running: SortedSet<Stay>,
    /// The closures that have begun and are not over, by position.
    closed: SortedSet<usize>,
    free: Free<'a>,
    /// The limit that holds the job back.
    held_by: Option<HeldBy>,
}

impl Walk<'_> {
    fn closures(&self) -> &[Closure] {
        self.calendar.map_or(&[], |calendar| &calendar.closures)
    }

    /// Whether a closure is a part of a reservation for the job, which takes nothing from it.
    fn is_holder(&self, closure: &Closure) -> bool {
        let reservation = closure.kept_for.map(|kept| kept.reservation).zip(self.calendar);
        reservation
            .is_some_and(|(at, calendar)| calendar.reservations[at].is_for(&self.scenario.workload, self.job))
    }

    /// Whether another job may use a reservation that is for this job; true of the job itself.
    fn shares_reservation(&self, other: JobId) -> bool {
        let reservations = self.calendar.map_or(&[][..], |calendar| &calendar.reservations);
        let is_for = |reservation: &AdvanceReservation, job| reservation.is_for(&self.scenario.workload, job);
        other == self.job
            || reservations
                .iter()
                .any(|reservation| is_for(reservation, self.job) && is_for(reservation, other))
    }

    /// Returns the changes during the wait, and applies those before it.
    fn changes(&mut self, outcome: &Outcome, journal: &Journal, from: Time, to: Time) -> Vec<(Time, Change)> {
        let workload = &self.scenario.workload;
        let submitted = workload.jobs().take_while(|&other| workload.submit(other) <= to);
        let runs = submitted.map(|job| Stay { job, from: outcome.start(job), to: outcome.end(job) });
        let lost = outcome.lost.iter().map(|run| Stay { job: run.job, from: run.from, to: run.to });
        let inside: SortedSet<(JobId, Time)> = match self.calendar {
            Some(calendar) => KeptRoom::of(workload, &self.scenario.machine, outcome, calendar, to)
                .1
                .into_iter()
                .filter(|&(other, _)| !self.shares_reservation(other))
                .collect(),
            None => SortedSet::new(),
        };
        let mut changes = Vec::new();
        let mut before = Vec::new();
        // A stay of no length holds nothing, and jobs in reservations hold what is out of service for this one anyway.
        let holds = |stay: &Stay| stay.from < stay.to && !inside.contains(&(stay.job, stay.from));
        for stay in runs.chain(lost).filter(holds) {
            if stay.from < from && stay.to > from {
                before.push(Change::Starts(stay));
            } else if (from..to).contains(&stay.from) {
                changes.push((stay.from, Change::Starts(stay)));
            }
            if stay.to > from && stay.to < to {
                changes.push((stay.to, Change::Ends(stay)));
            }
        }
        let estimate = workload.estimate(self.job);
        for (index, closure) in self.closures().iter().enumerate() {
            if closure.from > to.saturating_add(estimate) {
                break;
            }
            if self.is_holder(closure) {
                continue;
            }
            if closure.from <= from && closure.to > from {
                before.push(Change::Closes(index));
            } else if closure.from > from && closure.from < to {
                changes.push((closure.from, Change::Closes(index)));
            }
            if closure.to > from && closure.to < to {
                changes.push((closure.to, Change::Opens(index)));
            }
            let known = self.calendar.map_or(Time::MAX, |calendar| calendar.foreseen_from(closure));
            // From then on the job cannot end before the closure, and from then on the policy knows of it.
            let begins = closure.from - estimate.max(Time::SECOND);
            let instants = [begins.saturating_add(Time::TICK), known];
            changes.extend(
                instants.into_iter().filter(|at| from < *at && *at < to).map(|at| (at, Change::Passes)),
            );
        }
        // The last entry of an instant counts.
        let mut limits: SortedMap<Time, Change> = SortedMap::new();
        for entry in journal.entries.iter().filter(|entry| entry.job == self.job && entry.time < to) {
            match entry.act {
                Act::HeldBack(limit) => drop(limits.insert(entry.time, Change::HeldBack(limit))),
                Act::Admitted => drop(limits.insert(entry.time, Change::Admitted)),
                _ => {}
            }
        }
        changes.extend(limits);
        for change in before {
            self.apply(change);
        }
        changes
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Starts(stay) => {
                self.free.take(stay.job, stay.from);
                self.running.insert(stay);
            }
            Change::Ends(stay) => {
                self.free.give(stay.job, stay.from);
                self.running.remove(&stay);
            }
            Change::Closes(index) => {
                let Some(closure) = self.calendar.map(|calendar| &calendar.closures[index]) else { return };
                self.free.close(closure);
                self.closed.insert(index);
            }
            Change::Opens(index) => {
                let Some(closure) = self.calendar.map(|calendar| &calendar.closures[index]) else { return };
                self.free.open(closure);
                self.closed.remove(&index);
            }
            Change::HeldBack(limit) => self.held_by = Some(limit),
            Change::Admitted => self.held_by = None,
            Change::Passes => {}
        }
    }

    /// Returns what keeps the job from starting from an instant on.
    fn obstacle(&self, now: Time) -> Obstacle {
        let running: Vec<(JobId, Time)> = self.running.iter().map(|stay| (stay.job, stay.from)).collect();
        let closed: Vec<usize> = self.closed.iter().copied().collect();
        let service = self.calendar.map(|calendar| CapacityState {
            workload: &self.scenario.workload,
            calendar,
            free: &self.free,
            running: &running,
            closed: &closed,
        });
        let service = service.as_ref();
        if let Some(events) = service.and_then(|service| service.without_which_when_empty(self.job)) {
            return Obstacle::OutOfService(events);
        }
        if let Some(limit) = self.held_by {
            return Obstacle::Limit(limit);
        }
        let room = self.free.room(self.job);
        if room == FitResult::Enough {
            let known =
                service.filter(|_| self.foresees).and_then(|service| service.known_closure(self.job, now));
            return known.map_or(Obstacle::HeldBack, Obstacle::Foreseen);
        }
        match service.and_then(|service| service.without_which(self.job)) {
            Some(events) => Obstacle::OutOfService(events),
            None if self.free.fits_anywhere(self.job) => Obstacle::Constraint,
            None if room == FitResult::Scattered => Obstacle::Scattered,
            None => Obstacle::NoRoom,
        }
    }
}
