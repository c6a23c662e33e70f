//! The plan of conservative backfilling on nodes: each reservation is a placement.

mod openings;

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::due::Due;
use super::ledger::ReservationTable;
use crate::policy::PolicyError;
use crate::spec::{ParamError, Params, Setting};
use crate::support::closures::OutOfService;
use crate::support::hosts::Choice;
use crate::support::plan::{Reservation, ReservationPlan};
use crate::support::profile::Slot;
use crate::turn::Turn;
use crate::view::JobView;
use openings::Openings;

/// The nodes that jobs hold, and when.
///
/// A walk over the queue first asks for each waiting job whether one of its tasks has room that was given back since it last
/// asked; only then it searches the window.
#[derive(Debug)]
pub struct NodePlan<const K: usize> {
    plan: ReservationPlan<K>,
    reserved: SortedMap<JobId, Reserved<K>>,
    running: SortedMap<JobId, Reservation<K>>,
    starts: Due,
    openings: Openings,
    /// Whether the nodes of a reservation that keeps its start are chosen again.
    rechooses: bool,
    closed: OutOfService,
}

/// A reservation at the earliest start, given the openings before a number.
#[derive(Debug)]
struct Reserved<const K: usize> {
    reservation: Reservation<K>,
    seen: u64,
}

impl<const K: usize> NodePlan<K> {
    pub fn new(params: &Params, setting: &Setting<'_>, rechooses: bool) -> Result<NodePlan<K>, ParamError> {
        Ok(NodePlan {
            plan: ReservationPlan::of_empty(params, setting)?,
            reserved: SortedMap::new(),
            running: SortedMap::new(),
            starts: Due::default(),
            openings: Openings::default(),
            rechooses,
            closed: OutOfService::default(),
        })
    }

    fn take(&mut self, job: JobView<'_>, reservation: Reservation<K>) {
        self.starts.add(job.id(), reservation.slot.from);
        self.hold(job, reservation);
    }

    /// Adds a reservation to the plan, without making it fall due.
    fn hold(&mut self, job: JobView<'_>, reservation: Reservation<K>) {
        self.plan.take(job, &reservation);
        self.reserved.insert(job.id(), Reserved { reservation, seen: self.openings.count() });
    }

    /// Lifts a reservation out and puts it back at its earliest start, on newly chosen nodes; returns the start if it is earlier.
    fn rechoose(&mut self, turn: &Turn<'_>, job: JobView<'_>) -> Option<Time> {
        let from = self.reserved.get(&job.id())?.reservation.slot.from;
        self.put_back_by(turn, job, (turn.now(), from.saturating_add(Time::from_ticks(1))))
    }

    /// Lifts a reservation out and puts it back at its earliest start within a window, or in its old place; returns the
    /// start if it is earlier. A reservation that never falls due does so only if it moves.
    fn put_back_by(&mut self, turn: &Turn<'_>, job: JobView<'_>, window: (Time, Time)) -> Option<Time> {
        let Reserved { reservation: own, .. } = self.reserved.remove(&job.id())?;
        let from = own.slot.from;
        let falls_due = self.starts.remove(job.id());
        self.plan.give(job, &own);
        let found = self.plan.earlier(turn, job, own.slot.to - from, window);
        let moved = found.as_ref().map(|found| found.slot.from).filter(|&at| at < from);
        if moved.is_some() {
            self.openings.add(&own);
        }
        self.hold(job, found.unwrap_or(own));
        if let Some(at) = moved.or(falls_due.then_some(from)) {
            self.starts.add(job.id(), at);
        }
        moved
    }

    fn lift(&mut self, job: JobView<'_>) -> Option<Reservation<K>> {
        let Reserved { reservation, .. } = self.reserved.remove(&job.id())?;
        self.starts.remove(job.id());
        self.plan.give(job, &reservation);
        Some(reservation)
    }

    /// Returns the earliest instant, from now on and before a job's reservation, at which room that was given back since may
    /// let it start: one of its tasks has this room for its whole stay. With devices, any instant counts.
    fn opened(&self, turn: &Turn<'_>, job: JobView<'_>, own: &Reserved<K>) -> Option<Time> {
        let Slot { from, to, .. } = own.reservation.slot;
        let (stay, tick) = (to - from, Time::from_ticks(1));
        if turn.machine().devices().is_some() {
            return (turn.now() < from).then_some(turn.now());
        }
        let mut first = from;
        for opening in self.openings.since(own.seen) {
            let begin = turn.now().max(opening.from - stay + tick);
            let last = (opening.to - tick).min(first - tick);
            if begin <= last {
                let held = if own.reservation.has(opening.node) { from } else { Time::MAX };
                let on = (opening.node, held);
                let found = self.plan.first_task(turn.machine(), job, on, (begin, last), stay);
                first = found.unwrap_or(first);
            }
        }
        (first < from).then_some(first)
    }
}

impl<const K: usize> ReservationTable<K> for NodePlan<K> {
    fn advance(&mut self, turn: &Turn<'_>) -> bool {
        let now = turn.now();
        self.plan.advance(now);
        self.openings.advance(now);
        let overdue = self.running.iter().filter(|(_, reservation)| reservation.slot.to <= now);
        let overdue: Vec<JobId> = overdue.map(|(&job, _)| job).collect();
        for &job in &overdue {
            self.runs_until(turn.job(job), now + Time::SECOND, now);
        }
        !overdue.is_empty()
    }

    fn reserve(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError> {
        let reservation = self.plan.earliest(turn, job, stay)?;
        let from = reservation.slot.from;
        self.take(job, reservation);
        Ok(from)
    }

    fn rechooses(&self) -> bool {
        self.rechooses
    }

    fn move_up(&mut self, turn: &Turn<'_>, job: JobView<'_>) -> Option<Time> {
        if self.rechooses {
            return self.rechoose(turn, job);
        }
        let own = self.reserved.get(&job.id())?;
        let (from, first) = (own.reservation.slot.from, self.opened(turn, job, own));
        if let Some(first) = first {
            return self.put_back_by(turn, job, (first, from));
        }
        self.reserved.get_mut(&job.id())?.seen = self.openings.count();
        None
    }

    /// No bound is known: every waiting job is tried.
    fn most_opened(&mut self) -> [i64; K] {
        [i64::MAX; K]
    }

    fn opened(&self) -> [i64; K] {
        [i64::MAX; K]
    }

    fn settled(&mut self) {
        self.openings.clear();
    }

    fn is_overdrawn(&mut self, until: Time) -> bool {
        self.starts.first().is_some_and(|from| from < until) && self.plan.is_overdrawn(until)
    }

    /// No opening: what leaves the plan comes back, or [`NodePlan::make_again`] gives it.
    fn set_aside(&mut self, job: JobView<'_>) -> bool {
        let Some(reserved) = self.reserved.get(&job.id()) else { return false };
        self.plan.give(job, &reserved.reservation);
        true
    }

    fn put_back(&mut self, job: JobView<'_>, now: Time) -> bool {
        let Some(Reserved { reservation, .. }) = self.reserved.get(&job.id()) else { return false };
        let holds = reservation.slot.from >= now && self.plan.has_room(job, reservation);
        if holds {
            self.plan.take(job, reservation);
        }
        holds
    }

    fn make_again(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError> {
        if let Some(Reserved { reservation, .. }) = self.reserved.remove(&job.id()) {
            self.starts.remove(job.id());
            self.openings.add(&reservation);
        }
        self.reserve(turn, job, stay)
    }

    fn never_due(&mut self, job: JobView<'_>) {
        self.starts.remove(job.id());
    }

    fn cancel(&mut self, job: JobView<'_>) {
        if let Some(reservation) = self.lift(job) {
            self.openings.add(&reservation);
        }
    }

    fn reservation(&self, job: JobId) -> Option<Reservation<K>> {
        self.reserved.get(&job).map(|reserved| reserved.reservation.clone())
    }

    fn starts(&mut self, job: JobView<'_>, now: Time) {
        let Some(Reservation { slot, hosts }) = self.lift(job) else { return };
        if slot.from != now {
            self.openings.add(&Reservation { slot, hosts: hosts.clone() });
        }
        let running = Slot { from: now, to: now.saturating_add(slot.to - slot.from), ..slot };
        let reservation = Reservation { slot: running, hosts };
        self.plan.take(job, &reservation);
        self.running.insert(job.id(), reservation);
    }

    fn takes_over(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) {
        self.cancel(job);
        let now = turn.now();
        let slot = Slot { from: now, to: now.saturating_add(stay), amount: job.demands() };
        let hosts = Choice { placement: turn.placement(job.id()), choices: 0, ties: 0 };
        let reservation = Reservation { slot, hosts: Some(hosts) };
        self.plan.take(job, &reservation);
        self.running.insert(job.id(), reservation);
    }

    fn runs_until(&mut self, job: JobView<'_>, to: Time, now: Time) {
        let Some(reservation) = self.running.get_mut(&job.id()) else { return };
        reservation.slot.from = now;
        self.plan.give(job, reservation);
        self.openings.add(reservation);
        reservation.slot.to = to;
        self.plan.take(job, reservation);
    }

    fn leaves(&mut self, job: JobView<'_>, now: Time) -> bool {
        if let Some(reservation) = self.lift(job) {
            self.openings.add(&reservation);
            return true;
        }
        let Some(mut reservation) = self.running.remove(&job.id()) else { return false };
        reservation.slot.from = now;
        self.plan.give(job, &reservation);
        self.openings.add(&reservation);
        reservation.slot.to > now
    }

    fn is_new(&self, turn: &Turn<'_>) -> bool {
        !self.closed.still_holds(turn)
    }

    fn close(&mut self, turn: &Turn<'_>) {
        let out = OutOfService::new(turn);
        self.plan.reopen(self.closed.list(), turn.now());
        self.plan.close(out.list(), turn.now());
        self.closed = out;
    }

    fn due(&mut self, now: Time) -> Vec<JobId> {
        self.starts.by(now)
    }

    fn next_start(&mut self) -> Option<Time> {
        self.starts.first()
    }
}
