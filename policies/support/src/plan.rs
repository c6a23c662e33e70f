//! Where and when waiting jobs could run: reservations on a pool or on nodes, behind one interface.
//!
//! With this interface a policy with reservations is written once: `depth` is the model. On nodes `easy` is `depth` with
//! one reservation, a placement fixed at the shadow time; on pools `easy` has a faster path, and a property test checks
//! that a machine of one node gives the same starts as a pool.

use batchlab_traces::{Machine, Time};

use super::amounts::minus;
use super::books::Books;
use super::closures::Out;
use super::foreseen::CapacityStep;
use super::front::Room;
use super::hosts::{Choice, Hosts, free_now};
use super::profile::{Profile, Slot};
use super::window::Window;
use crate::policy::PolicyError;
use crate::spec::{ParamError, Params, Setting};
use crate::turn::Turn;
use crate::view::{JobView, padded};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation<const K: usize> {
    /// The interval, and the amounts of the pool.
    pub slot: Slot<K>,
    /// The nodes, on machines with nodes.
    pub hosts: Option<Choice>,
}

impl<const K: usize> Reservation<K> {
    /// Whether it is on a node. O(log nodes).
    pub fn has(&self, node: usize) -> bool {
        let shares = self.hosts.as_ref().map_or(&[][..], |hosts| &hosts.placement.0);
        shares.binary_search_by_key(&node, |share| share.node as usize).is_ok()
    }
}

/// The expected free amounts over time: a profile of the pool, or an availability window over nodes.
#[derive(Clone, Debug)]
pub enum ReservationPlan<const K: usize> {
    Pool(Profile<K>),
    /// A profile per node, and the rule by which nodes are chosen.
    Nodes(Box<Window<K>>, Hosts),
}

impl<const K: usize> ReservationPlan<K> {
    /// Returns an empty plan for the machine of a setting; the nodes are chosen by the parameter `place`.
    pub fn new(params: &Params, setting: &Setting<'_>) -> Result<ReservationPlan<K>, ParamError> {
        Ok(if setting.by_node {
            ReservationPlan::Nodes(Box::default(), Hosts::from_params(params)?)
        } else {
            ReservationPlan::Pool(Profile::new(Time::ZERO, [0; K]))
        })
    }

    /// Returns the plan of the empty machine of a setting.
    pub fn of_empty(params: &Params, setting: &Setting<'_>) -> Result<ReservationPlan<K>, ParamError> {
        let mut plan = ReservationPlan::new(params, setting)?;
        let capacity = |node| padded(&setting.machine.amounts(node));
        match &mut plan {
            ReservationPlan::Pool(profile) => profile.reset(Time::ZERO, capacity(0)),
            ReservationPlan::Nodes(window, _) => {
                let free: Vec<[i64; K]> = (0..setting.machine.nodes()).map(capacity).collect();
                window.reset(setting.machine, Time::ZERO, &free);
            }
        }
        Ok(plan)
    }

    /// Drops what lies before an instant.
    pub fn advance(&mut self, now: Time) {
        match self {
            ReservationPlan::Pool(profile) => profile.advance(now),
            ReservationPlan::Nodes(window, _) => window.advance(now),
        }
    }

    /// Moves the present forward, to before the next end or begin in the plan. O(1).
    pub fn pass(&mut self, now: Time) {
        if let ReservationPlan::Nodes(window, _) = self {
            window.pass(now);
        }
    }

    /// Resets the plan to the free resources and the releases of running jobs at their expected ends.
    pub fn reset(&mut self, turn: &Turn<'_>, books: &Books<K>) {
        let now = turn.now();
        match self {
            ReservationPlan::Pool(profile) => {
                of_pool(profile, turn, books);
            }
            ReservationPlan::Nodes(window, _) => {
                let foresees = turn.has_closures();
                let balance = |node| padded(&turn.balance(node));
                let free = || (0..turn.machine().nodes()).map(balance).collect();
                window.reset(turn.machine(), now, &if foresees { free() } else { free_now(turn) });
                let mut last = now;
                books.running.for_each_job(now, |end, job| {
                    window.release(end, turn.job(job), &turn.shares(job));
                    last = last.max(end);
                });
                if foresees {
                    window.foresee(turn, last);
                }
            }
        }
    }

    pub fn close(&mut self, out: &[Out], now: Time) {
        self.change(out, now, -1);
    }

    pub fn reopen(&mut self, out: &[Out], now: Time) {
        self.change(out, now, 1);
    }

    fn change(&mut self, out: &[Out], now: Time, sign: i64) {
        for out in out.iter().filter(|out| out.to > now) {
            let amount: [i64; K] = padded(&out.amounts).map(|amount: i64| sign * amount);
            let slot = Slot { from: out.from.max(now), to: out.to, amount };
            match self {
                ReservationPlan::Pool(profile) => drop(profile.give(slot)),
                ReservationPlan::Nodes(window, _) => window.change(out.node, slot),
            }
        }
    }

    /// Returns the holes that begin now, the shortest first: the amounts that are free from now on, and until when. On
    /// nodes, the free amounts now.
    pub fn holes(&self, turn: &Turn<'_>, books: &Books<K>) -> Vec<Room<K>> {
        match self {
            ReservationPlan::Pool(profile) => profile.holes(),
            ReservationPlan::Nodes(..) => vec![Room::unreserved(books.free(turn))],
        }
    }

    /// Returns the earliest reservation, from now on, of a job with a given stay.
    pub fn earliest(
        &self,
        turn: &Turn<'_>,
        job: JobView<'_>,
        stay: Time,
    ) -> Result<Reservation<K>, PolicyError> {
        self.earliest_from(turn, job, stay, turn.now())
    }

    /// As [`ReservationPlan::earliest`], from another instant on if that is later than now.
    pub fn earliest_from(
        &self,
        turn: &Turn<'_>,
        job: JobView<'_>,
        stay: Time,
        from: Time,
    ) -> Result<Reservation<K>, PolicyError> {
        let (now, machine) = (from.max(turn.now()), turn.machine());
        let found = match self {
            ReservationPlan::Pool(profile) => profile.earliest(now, job.demands(), stay).map(|at| (at, None)),
            ReservationPlan::Nodes(window, hosts) => {
                window.earliest(machine, hosts, job, now, stay).map(|(at, choice)| (at, Some(choice)))
            }
        };
        let Some((at, hosts)) = found else {
            return Err(PolicyError::Books { job: job.id(), what: "it never fits" });
        };
        Ok(reservation(job, at, stay, hosts))
    }

    /// Returns the earliest reservation, from an instant on and before another, of a job with a given stay, if there is one.
    pub fn earlier(
        &self,
        turn: &Turn<'_>,
        job: JobView<'_>,
        stay: Time,
        (from, than): (Time, Time),
    ) -> Option<Reservation<K>> {
        let last = than - Time::from_ticks(1);
        let found = match self {
            ReservationPlan::Pool(profile) => {
                profile.search(from, last, job.demands(), stay).ok().map(|at| (at, None))
            }
            ReservationPlan::Nodes(window, hosts) => window
                .search(turn.machine(), hosts, job, (from, last), stay)
                .map(|(at, choice)| (at, Some(choice))),
        };
        found.map(|(at, hosts)| reservation(job, at, stay, hosts))
    }

    /// Returns the earliest instant of a window from which a node has room for a task of a job throughout a stay, on nodes
    /// as [`Window::first_task`]; on a pool, the beginning of the window.
    pub fn first_task(
        &self,
        machine: &Machine,
        job: JobView<'_>,
        on: (usize, Time),
        window: (Time, Time),
        stay: Time,
    ) -> Option<Time> {
        match self {
            ReservationPlan::Pool(_) => Some(window.0),
            ReservationPlan::Nodes(nodes, _) => nodes.first_task(machine, job, on, window, stay),
        }
    }

    /// Returns a reservation that begins at an instant, if there is room for the whole stay.
    pub fn at(&self, machine: &Machine, job: JobView<'_>, at: Time, stay: Time) -> Option<Reservation<K>> {
        match self {
            ReservationPlan::Pool(profile) => {
                let reservation = reservation(job, at, stay, None);
                profile.has_room(reservation.slot).then_some(reservation)
            }
            ReservationPlan::Nodes(window, hosts) => window
                .at(machine, hosts, job, at, stay)
                .map(|choice| reservation(job, at, stay, Some(choice))),
        }
    }

    /// Whether something is promised twice at some instant before another.
    pub fn is_overdrawn(&self, until: Time) -> bool {
        match self {
            ReservationPlan::Pool(profile) => {
                profile.least(profile.begin(), until).iter().any(|&free| free < 0)
            }
            ReservationPlan::Nodes(window, _) => window.is_overdrawn(until),
        }
    }

    /// Whether a job's reservation is free for its whole duration.
    pub fn has_room(&self, job: JobView<'_>, reservation: &Reservation<K>) -> bool {
        match (self, &reservation.hosts) {
            (ReservationPlan::Nodes(window, _), Some(hosts)) => {
                window.has_room(reservation.slot.from, reservation.slot.to, job, &hosts.placement)
            }
            (ReservationPlan::Pool(profile), _) => profile.has_room(reservation.slot),
            (ReservationPlan::Nodes(..), None) => false,
        }
    }

    pub fn take(&mut self, job: JobView<'_>, reservation: &Reservation<K>) {
        match (self, &reservation.hosts) {
            (ReservationPlan::Nodes(window, _), Some(hosts)) => {
                window.take(reservation.slot.from, reservation.slot.to, job, &hosts.placement);
            }
            (ReservationPlan::Pool(profile), _) => {
                profile.take(reservation.slot);
            }
            (ReservationPlan::Nodes(..), None) => {}
        }
    }

    pub fn give(&mut self, job: JobView<'_>, reservation: &Reservation<K>) {
        match (self, &reservation.hosts) {
            (ReservationPlan::Nodes(window, _), Some(hosts)) => {
                window.give(reservation.slot.from, reservation.slot.to, job, &hosts.placement);
            }
            (ReservationPlan::Pool(profile), _) => {
                profile.give(reservation.slot);
            }
            (ReservationPlan::Nodes(..), None) => {}
        }
    }
}

/// Makes a profile of the free amounts of a pool, of the releases of running jobs at their expected ends, and of known closures.
pub fn of_pool<const K: usize>(profile: &mut Profile<K>, turn: &Turn<'_>, books: &Books<K>) {
    let now = turn.now();
    if !turn.has_closures() {
        profile.reset(now, books.free(turn));
        books.running.for_each(now, |end, holds| profile.release(end, holds));
        return;
    }
    profile.reset(now, padded(&turn.balance(0)));
    let foreseen = &books.foreseen;
    let (mut before, mut last) = (foreseen.out(now), now);
    let mut changes = foreseen.after(now).iter().peekable();
    let mut change = |profile: &mut Profile<K>, &(at, out): &CapacityStep<K>| {
        if out != before {
            profile.release(at, minus(before, out));
            before = out;
        }
    };
    books.running.for_each(now, |end, holds| {
        while let Some(step) = changes.next_if(|step| step.0 <= end) {
            change(profile, step);
        }
        profile.release(end, holds);
        last = end;
    });
    // When no running job is expected any more, all plans have the same future.
    let begin = foreseen.rest().map_or(Time::MAX, |rest| rest.begin_after(last));
    while let Some(step) = changes.next_if(|step| step.0 < begin) {
        change(profile, step);
    }
    profile.raise_to_zero();
    if let Some(rest) = foreseen.rest() {
        profile.follow(rest, begin);
    }
}

fn reservation<const K: usize>(
    job: JobView<'_>,
    at: Time,
    stay: Time,
    hosts: Option<Choice>,
) -> Reservation<K> {
    Reservation { slot: Slot { from: at, to: at.saturating_add(stay), amount: job.demands() }, hosts }
}
