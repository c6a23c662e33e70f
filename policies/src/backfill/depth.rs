//! Backfilling with any number of reservations: EASY is depth 1, conservative with `replan` is depth infinity.
//!
//! The walk through the queue stops once no job further back fits now: later reservations cannot start any job, and are
//! made again at the next decision. With a journal it continues, so that promises are complete; starts are the same.

mod kept;

use crate::cluster::Placed;
use crate::event::Event;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::{Books, CANDIDATES};
use crate::support::bounds::Bounds;
use crate::support::front::Room;
use crate::support::hosts::Hosts;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::plan::{Reservation, ReservationPlan};
use crate::support::queue::Rank;
use crate::support::select::{SelectionRule, Selector};
use crate::support::shapes::{Roomless, Shape};
use crate::support::standing::StandingReservations;
use crate::support::walk::Walk;
use crate::turn::Turn;
use batchlab_traces::{Citation, JobId, Time};
use kept::Kept;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "depth",
    family: "backfilling",
    summary: "reserves for the first k jobs that cannot start, again at every decision; other jobs fill the \
        holes",
    cite: Citation::of(
        "Jackson, Snell, Clement, JSSPP 2001 (RESERVATIONDEPTH); k=inf: Mu'alem, Feitelson, TPDS 12(6), 2001, re-planned",
        &["jackson01", "mualem01"],
    ),
    rule: "The queue is walked in order; each job is put at its earliest start beside those before it. If that is now, \
         it starts; else it holds a reservation. After k reservations the others are tried in candidate order, and \
         start if there is room for all of their estimate. Reservations are recomputed at every decision.",
    params: params![&[K_RESERVATIONS, ORDER, CANDIDATES], BOOKED],
    needs: Needs::FORESIGHT,
    build: |params, setting| build(params, setting, params.count("k")),
};

const K_RESERVATIONS: ParamSpec = ParamSpec {
    name: "k",
    kind: ParamKind::Count { least: 1, infinite: true },
    default: "1",
    help: "reservation depth: how many jobs hold a reservation (reservations, not queue positions)",
    ..ParamSpec::PLAIN
};

/// Creates the policy with this number of reservations, `None` for unlimited.
pub(crate) fn build(
    params: &Params,
    setting: &Setting<'_>,
    reservations: Option<u64>,
) -> Result<Box<dyn Policy>, BuildError> {
    for_kinds(setting, &Selecting { params, reservations, rule: SelectionRule::FirstFit })
}

pub(crate) struct Selecting<'a> {
    pub params: &'a Params,
    /// `None` for unlimited.
    pub reservations: Option<u64>,
    pub rule: SelectionRule,
}

impl ForKinds for Selecting<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        Ok(keeping(Depth::<K>::new(self.params, setting, self.reservations, self.rule)?))
    }
}

/// A backfilling policy with a number of reservations; some other policies are this one with their own
/// ranking of the queue.
pub(crate) struct Depth<const K: usize> {
    pub books: Books<K>,
    reservations: u64,
    plan: ReservationPlan<K>,
    selector: Selector<K>,
    /// The reservations that stay until their jobs start; `None` if all are recomputed at every decision.
    kept: Option<Kept<K>>,
    /// The reservations that the next decision would make again; `None` if that is not known.
    standing: Option<StandingReservations<K>>,
    bounds: Bounds<K>,
    /// The shapes for which the plan has no room now.
    full: Roomless<K>,
    /// The result of the last decision, if the next one can continue from it.
    left: Option<Left>,
}

/// The result of a decision on nodes. As long as only submissions follow, no waiting job may start: free resources and
/// running jobs stay the same, and the reservations come nearer.
#[derive(Clone, Copy, Default)]
struct Left {
    /// How many jobs hold reservations in the plan.
    reserved: u64,
    /// The last of these jobs; jobs behind it change no reservation.
    last: Option<Rank>,
}

impl<const K: usize> Keeper for Depth<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.books
    }

    /// Choices by score are counted, and a head that does not fit may stay the head, so that a decision must not end early.
    fn forgets(&self) -> bool {
        self.kept.is_none() && matches!(self.selector, Selector::FirstFit) && !self.books.commits()
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if self.goes_on(turn)? {
            return Ok(());
        }
        self.settle(turn)?;
        self.schedule(turn)
    }
}

impl<const K: usize> Depth<K> {
    /// Returns the policy with this number of reservations (`None` for unlimited), recomputed at every
    /// decision, and with a rule that selects among the candidates.
    pub fn new(
        params: &Params,
        setting: &Setting<'_>,
        reservations: Option<u64>,
        rule: SelectionRule,
    ) -> Result<Depth<K>, BuildError> {
        let books = Books::<K>::new(params, setting)?;
        Ok(Depth {
            standing: (books.hosts.is_none() && books.queue.is_lasting()).then(StandingReservations::default),
            books,
            reservations: reservations.unwrap_or(u64::MAX),
            plan: ReservationPlan::new(params, setting)?,
            selector: Selector::new(rule, params, setting)?,
            kept: None,
            bounds: Bounds::default(),
            full: Roomless::default(),
            left: None,
        })
    }

    /// Keeps reservations until their jobs start.
    pub fn keeping(self) -> Depth<K> {
        Depth { kept: Some(Kept::default()), standing: None, ..self }
    }

    /// Updates the books with the events; a job that left the queue loses its reservation.
    pub fn settle(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if let Some(kept) = &mut self.kept {
            for event in turn.events() {
                if let Event::Killed(job) = event {
                    kept.remove(*job);
                }
            }
        }
        self.books.settle(turn)
    }

    /// Decides about a single submission, if nothing else has happened since the last decision: the job starts if the plan
    /// has room for its whole stay, or waits. Returns whether this is the case.
    fn goes_on(&mut self, turn: &mut Turn<'_>) -> Result<bool, PolicyError> {
        let Some((left, job)) = self.left.take().zip(self.books.newcomer(turn)) else { return Ok(false) };
        let (books, view) = (&mut self.books, turn.job(job));
        let is_behind =
            left.last.is_none_or(|last| last < books.queue.rank(view, books.estimates.expected(view)));
        if !is_behind || books.running.has_overdue(turn.now()) {
            return Ok(false);
        }
        let has_room = books.has_room(turn, job);
        if has_room && left.reserved < self.reservations {
            return Ok(false);
        }
        books.wait(turn, job);
        self.left = Some(left);
        if has_room {
            self.plan.pass(turn.now());
            if let Some(reservation) = now(&self.books, &self.plan, turn, job) {
                self.start(turn, job, &reservation)?;
            }
        }
        Ok(true)
    }

    /// Remembers what this decision leaves, if the next one would reserve the same nodes: the lowest ones with room. A start beside
    /// a reservation may change scores, and with them its nodes or devices.
    fn leave(&mut self, turn: &Turn<'_>, left: Left) {
        let in_order = self.books.hosts.as_ref().is_some_and(Hosts::is_first_fit);
        let lasts = in_order && turn.machine().devices().is_none();
        self.left = (lasts && self.forgets() && !turn.is_journalled()).then_some(left);
    }

    /// Walks the queue in order and puts each job at its earliest start in the profile, until enough of them hold a
    /// reservation; the other jobs start, in candidate order, if the profile has room for their whole stay.
    pub fn schedule(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let held = self.kept.as_ref().map_or(0, Kept::len);
        // With changes of the capacity ahead, heads start by the plan, which has them.
        if held == 0 && turn.foreseen().is_empty() {
            self.books.start_heads(turn)?;
        }
        let waiting = !self.books.queue.is_empty();
        if !waiting || !self.books.anyone_fits(turn, None) && !turn.is_journalled() && self.kept.is_none() {
            self.leave(turn, Left::default());
            return Ok(());
        }
        self.renew(turn)?;
        if let Some(kept) = &mut self.kept {
            kept.renew(turn, &mut self.books, &mut self.plan)?;
        }
        let mut left = Left::default();
        if self.reserve(turn, &mut left)? {
            self.fill(turn)?;
        }
        if let Some(last) = self.standing.as_ref().and_then(StandingReservations::last) {
            let room = Room::unreserved(self.books.free(turn));
            self.books.awaits(turn.now(), last, room);
        }
        self.leave(turn, left);
        Ok(())
    }

    /// Walks the queue and reserves; returns whether jobs are left to be tried as candidates. If a start
    /// changes the order, the walk restarts among the jobs without a reservation. `left` has those that get one.
    fn reserve(&mut self, turn: &mut Turn<'_>, left: &mut Left) -> Result<bool, PolicyError> {
        let standing = self.standing.as_ref().map_or(0, StandingReservations::count);
        let mut reserved = (self.kept.as_ref().map_or(0, Kept::len) + standing) as u64;
        let last = self.standing.as_ref().and_then(StandingReservations::last);
        let mut walk = last.map_or_else(|| Walk::new(&self.books.queue), Walk::after);
        let mut known: Option<(Vec<Room<K>>, Option<Rank>)> = None;
        while let Some(rank) = walk.next(&self.books.queue) {
            if reserved == self.reservations {
                return Ok(true);
            }
            // Once no job further back fits into the holes that begin now, none further back can start: the
            // walk may end, unless the reservations it would make are kept. Holes only shrink as it goes on.
            let passing = self.kept.is_none() && !turn.is_journalled();
            let (mut holes, mut candidate) = match known.take() {
                Some(known) => known,
                None if passing => (self.plan.holes(turn, &self.books), None),
                None => (Vec::new(), None),
            };
            while passing && candidate.is_none_or(|candidate| candidate < rank) {
                let Some(longest) = holes.last() else { return Ok(false) };
                candidate = self.books.first_fitting(turn, Some(rank), longest);
                if candidate.is_none() {
                    holes.pop();
                }
            }
            let longest = holes.last().map_or(Time::MAX, |hole| hole.window);
            let horizon = turn.now().saturating_add(longest);
            if self.kept.as_ref().is_some_and(|kept| kept.has(rank.job())) {
                continue;
            }
            let view = turn.job(rank.job());
            let duration = self.books.stay(view);
            // Kept reservations may leave the plan, and bounds with them.
            let reservation = match self.kept {
                None => self.bounds.earliest(&self.plan, turn, view, duration)?,
                Some(_) => self.plan.earliest(turn, view, duration)?,
            };
            known = Some((holes, candidate)).filter(|_| reservation.slot.from >= horizon);
            if reservation.slot.from == turn.now() {
                self.start(turn, rank.job(), &reservation)?;
                walk.started(&self.books.queue);
            } else {
                self.plan.take(view, &reservation);
                reserved += 1;
                *left = Left { reserved: left.reserved + 1, last: Some(rank) };
                walk.leaves(rank.job());
                turn.promise(rank.job(), reservation.slot.from);
                if let Some(standing) = &mut self.standing {
                    standing.add(rank, reservation.slot, ());
                }
                if let Some(kept) = &mut self.kept {
                    kept.add(rank.job(), reservation);
                }
            }
        }
        Ok(false)
    }

    /// Removes reservations that may change from the plan, and starts the jobs of due standing reservations, in queue order.
    fn renew(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let Some(standing) = &mut self.standing else {
            self.bounds.clear();
            self.plan.reset(turn, &self.books);
            return Ok(());
        };
        standing.start_due(turn, &mut self.books, &mut self.plan, &mut self.bounds, |_| {})
    }

    /// Starts the jobs without a reservation for which the plan has room now, as the selector picks them. A
    /// job with a later reservation cannot start now: with room now, its reservation would begin now (unless
    /// a job that ended within this instant has left room since).
    fn fill(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.full.clear();
        let mut from = None;
        loop {
            // The holes of the plan exclude most jobs that fit now but not for their whole stay.
            let rooms = self.plan.holes(turn, &self.books);
            // A job that leaves its kept reservation gives room to others.
            let only_shrinks = self.kept.is_none();
            let mut full = (self.books.hosts.is_some() && only_shrinks).then_some(&mut self.full);
            let (books, plan) = (&self.books, &self.plan);
            let admits = |rank: Rank| {
                let (job, view) = (rank.job(), turn.job(rank.job()));
                let search = || now(books, plan, turn, job);
                let found = match &mut full {
                    None => search(),
                    Some(_) if !books.nodes_have_room(turn, job) => None,
                    Some(full) => {
                        full.find(Shape::of(turn.machine(), view), books.estimates.expected(view), search)
                    }
                };
                found.is_some()
            };
            let Some(pick) = self.selector.next(books.candidates(), &rooms, from, admits) else {
                return Ok(());
            };
            let rank = pick.told(turn);
            from = Some(rank.next());
            if let Some(reservation) = now(&self.books, &self.plan, turn, rank.job()) {
                self.start(turn, rank.job(), &reservation)?;
                from = self.books.candidates().onward(rank);
            }
        }
    }

    /// Starts a job for which the plan has a reservation; a job that ends within this instant leaves its room to others.
    fn start(
        &mut self,
        turn: &mut Turn<'_>,
        job: JobId,
        reservation: &Reservation<K>,
    ) -> Result<(), PolicyError> {
        if let Some(kept) = self.kept.as_mut().and_then(|kept| kept.remove(job)) {
            self.plan.give(turn.job(job), &kept);
        }
        if self.books.start_in(turn, job, reservation, Why::Profile)? == Placed::Holds {
            self.plan.take(turn.job(job), reservation);
            if let Some(standing) = &mut self.standing {
                standing.started(reservation.slot);
            }
        }
        Ok(())
    }
}

/// Returns a waiting job's reservation from now on, if a plan has room for its whole stay.
fn now<const K: usize>(
    books: &Books<K>,
    plan: &ReservationPlan<K>,
    turn: &Turn<'_>,
    job: JobId,
) -> Option<Reservation<K>> {
    let view = turn.job(job);
    let duration = books.stay(view);
    plan.at(turn.machine(), view, turn.now(), duration)
}
