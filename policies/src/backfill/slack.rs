//! Slack-based backfilling: every job has a planned start, and may be delayed beyond it by up to a slack.
//!
//! Talby, Feitelson (IPPS/SPDP 1999) give each waiting job a slack, the additional time that it may have to
//! wait, and search for the cheapest schedule in which no job exceeds its slack. This is this project's
//! variant, without priorities, and with the candidate order instead of the search for the cheapest
//! schedule:
//!
//! * At a decision every waiting job is put, in queue order, at its earliest start t in the plan (as in
//!   `conservative:variant=replan`); jobs whose t is now start. A decision at which no job has arrived and
//!   no job fits plans nothing.
//! * Let b be the least t that a job has had. Its slack is `factor` times the mean wait of all jobs that had
//!   ended when it was first planned (`of=wait`, the default; 0 before the first end), or `factor` times its
//!   own estimate (`of=estimate`). Its limit is d = max(t, b + slack).
//! * Then the remaining jobs are tried in candidate order. One that fits now starts if the plan that
//!   includes it, rebuilt for all waiting jobs, starts each of them by its limit; jobs which that plan
//!   starts now start with it.
//!
//! With exact estimates of at least a second, the queue order `fcfs` and decisions at every event, a job
//! starts by its first b + slack. `factor=0` is `conservative:variant=replan` on a pool: every job that may
//! start without delaying another has started already. On nodes it may start more: a reservation can make
//! room by moving to other nodes.
//!
//! A decision costs O(n·s) for n waiting jobs and s steps of the plan (on a pool only if something did not go
//! as planned), and again O(n·s) for each candidate that fits now and is not planned to start now; less if a
//! job early in the queue exceeds its limit.

use std::collections::BTreeMap;

use batchlab_traces::Citation;
use batchlab_traces::{JobId, Time};

use super::holes::Holes;
use crate::cluster::Placed;
use crate::event::Event;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::{Books, CANDIDATES};
use crate::support::bounds::Bounds;
use crate::support::factor::Factor;
use crate::support::front::Room;
use crate::support::keeper::Keeper;
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::plan::{Reservation, ReservationPlan};
use crate::support::score::scaled;
use crate::support::standing::StandingReservations;
use crate::support::walk::Walk;
use crate::turn::Turn;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "slack",
    family: "backfilling",
    summary: "every job has a planned start; later jobs may pass as long as no job is delayed beyond its \
        slack",
    cite: Citation::of(
        "Talby, Feitelson, IPPS/SPDP 1999; without priorities and search: this project's variant",
        &["talby99"],
    ),
    rule: "All jobs are planned in queue order, and jobs that are planned for now start. A job's limit is \
        its earliest planned start so far plus its slack. Then others are tried in candidate order: a job \
        that fits starts if, in the plan with it, every job starts by its limit; the jobs that this plan \
        starts now start with it.",
    params: params![&[FACTOR, OF, ORDER, CANDIDATES], BOOKED],
    needs: Needs::FORESIGHT,
    build: |params, setting| for_kinds(setting, &Make(params)),
};

const FACTOR: ParamSpec = ParamSpec {
    name: "factor",
    kind: ParamKind::Factor { least: 0.0, words: &[] },
    default: "1",
    help: "slack factor: how far a job may be delayed beyond its planned start, as a multiple; 0 is conservative, replanned",
    ..ParamSpec::PLAIN
};

const OF: ParamSpec = ParamSpec {
    name: "of",
    kind: ParamKind::Choice(&["wait", "estimate"]),
    default: "wait",
    help: "what the slack is a multiple of: the mean wait of all jobs that have ended, or the job's own estimate",
    ..ParamSpec::PLAIN
};

struct Make<'a>(&'a Params);

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        let holes = Holes::new(self.0, setting)?;
        let queue = &holes.books.queue;
        Ok(Box::new(Slack::<K> {
            standing: (!setting.by_node && queue.is_lasting()).then(StandingReservations::default),
            planned: ReservationPlan::new(self.0, setting)?,
            bounds: Bounds::default(),
            bounds_with: Bounds::default(),
            holes,
            factor: Factor::from_params(self.0, FACTOR.name, setting)?.unwrap_or(Factor::Same(0.0)),
            of_estimate: self.0.is(&OF, "estimate")?,
            waits: (0, 0),
            terms: BTreeMap::new(),
        }))
    }
}

struct Slack<const K: usize> {
    /// The books, and the plan with a candidate.
    holes: Holes<K>,
    /// The plan without candidates.
    planned: ReservationPlan<K>,
    /// The reservations that the next decision would make again, with the limits of their jobs; `None` if
    /// that is not known.
    standing: Option<StandingReservations<K, Time>>,
    bounds: Bounds<K>,
    /// Those of the plan with a candidate.
    bounds_with: Bounds<K>,
    factor: Factor,
    of_estimate: bool,
    /// The jobs that have ended: the sum of their waits in ticks, and their number.
    waits: (i128, i128),
    /// The least planned start and the slack of every waiting job.
    terms: BTreeMap<JobId, (Time, Time)>,
}

/// A waiting job and the latest start at which it may be planned.
type Limit = (JobId, Time);

impl<const K: usize> Keeper for Slack<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.holes.books
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let arrived = self.learn(turn);
        self.holes.books.settle(turn)?;
        if self.holes.books.queue.is_empty() || !arrived && !self.holes.anyone_fits(turn) {
            return Ok(());
        }
        let limits = self.plan(turn)?;
        self.use_slack(turn, limits)
    }
}

impl<const K: usize> Slack<K> {
    /// Adds the waits of jobs that have ended; returns whether a job has arrived.
    fn learn(&mut self, turn: &Turn<'_>) -> bool {
        let mut arrived = false;
        for &event in turn.events() {
            match event {
                Event::Submitted(_) | Event::Displaced(_) => arrived = true,
                Event::Finished(job) | Event::Killed(job) => {
                    self.terms.remove(&job);
                    if let Some(start) = turn.started(job) {
                        self.waits.0 += i128::from((start - turn.job(job).submit()).ticks());
                        self.waits.1 += 1;
                    }
                }
                Event::Released(_)
                | Event::Suspended(_)
                | Event::Resumed(_)
                | Event::Loaded(_)
                | Event::Woke(_)
                | Event::Capacity(_) => {}
            }
        }
        arrived
    }

    /// Plans all waiting jobs in queue order; returns those that keep waiting, with their limits.
    fn plan(&mut self, turn: &mut Turn<'_>) -> Result<Vec<Limit>, PolicyError> {
        self.renew(turn)?;
        let mut limits = Vec::with_capacity(self.holes.books.queue.len());
        let standing = self.standing.iter().flat_map(StandingReservations::iter);
        limits.extend(standing.map(|&(rank, _, limit)| (rank.job(), limit)));
        let last = self.standing.as_ref().and_then(StandingReservations::last);
        let mut walk = last.map_or_else(|| Walk::new(&self.holes.books.queue), Walk::after);
        while let Some(rank) = walk.next(&self.holes.books.queue) {
            let job = rank.job();
            let view = turn.job(job);
            let reservation = self.bounds.earliest(&self.planned, turn, view, self.holes.stay(view))?;
            if reservation.slot.from == turn.now() {
                self.start(turn, job, &reservation, Why::Profile)?;
                walk.started(&self.holes.books.queue);
                continue;
            }
            walk.leaves(job);
            self.planned.take(view, &reservation);
            let limit = self.limit(turn, job, reservation.slot.from);
            turn.promise(job, limit);
            limits.push((job, limit));
            if let Some(standing) = &mut self.standing {
                standing.add(rank, reservation.slot, limit);
            }
        }
        Ok(limits)
    }

    /// Removes from the plan what may change, and starts the jobs whose standing reservations are due.
    fn renew(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let Some(standing) = &mut self.standing else {
            self.bounds.clear();
            self.planned.reset(turn, &self.holes.books);
            return Ok(());
        };
        standing.start_due(turn, &mut self.holes.books, &mut self.planned, &mut self.bounds, |job| {
            self.terms.remove(&job);
        })
    }

    /// Starts a job in its reservation in the plan without candidates.
    fn start(
        &mut self,
        turn: &mut Turn<'_>,
        job: JobId,
        reservation: &Reservation<K>,
        why: Why,
    ) -> Result<(), PolicyError> {
        self.terms.remove(&job);
        if self.holes.books.start_in(turn, job, reservation, why)? == Placed::Holds {
            self.planned.take(turn.job(job), reservation);
            if let Some(standing) = &mut self.standing {
                standing.started(reservation.slot);
            }
        }
        Ok(())
    }

    /// Returns a job's limit, given its planned start at this decision.
    fn limit(&mut self, turn: &Turn<'_>, job: JobId, planned: Time) -> Time {
        let (waited, jobs) = self.waits;
        let (of, holes, factor) = (self.of_estimate, &self.holes, &mut self.factor);
        let (least, slack) = self.terms.entry(job).or_insert_with(|| {
            let (view, mean) = (turn.job(job), Time::from_ticks((waited / jobs.max(1)) as i64));
            let factor = factor.of(view, holes.books.estimates.expected(view));
            (planned, scaled(if of { holes.stay(view) } else { mean }, factor))
        });
        *least = planned.min(*least);
        least.saturating_add(*slack).max(planned)
    }

    /// Starts, in candidate order, each job that delays no other job beyond its limit.
    fn use_slack(&mut self, turn: &mut Turn<'_>, mut limits: Vec<Limit>) -> Result<(), PolicyError> {
        let mut from = None;
        loop {
            let room = Room::unreserved(self.holes.books.free(turn));
            let Some(rank) = self.holes.books.first_candidate(turn, from, &room) else { return Ok(()) };
            from = Some(rank.next());
            let job = rank.job();
            self.holes.reset(turn);
            let Some(reservation) = self.holes.now(turn, job) else { continue };
            self.holes.plan.take(turn.job(job), &reservation);
            let Some(due) = self.keeps(turn, job, &limits)? else { continue };
            for (job, reservation) in std::iter::once((job, reservation)).chain(due) {
                self.terms.remove(&job);
                limits.retain(|limit| limit.0 != job);
                self.holes.books.start_in(turn, job, &reservation, Why::WithinSlack)?;
            }
            if let Some(standing) = &mut self.standing {
                standing.clear();
            }
            from = self.holes.books.candidates().onward(rank);
        }
    }

    /// Plans all other waiting jobs in queue order into the rest of the plan; returns the jobs that start
    /// now, or `None` if a job would start after its limit.
    fn keeps(
        &mut self,
        turn: &Turn<'_>,
        but: JobId,
        limits: &[Limit],
    ) -> Result<Option<Vec<(JobId, Reservation<K>)>>, PolicyError> {
        let mut due = Vec::new();
        self.bounds_with.clear();
        for &(job, limit) in limits.iter().filter(|limit| limit.0 != but) {
            let view = turn.job(job);
            let reservation =
                self.bounds_with.earliest(&self.holes.plan, turn, view, self.holes.stay(view))?;
            if reservation.slot.from > limit {
                return Ok(None);
            }
            self.holes.plan.take(turn.job(job), &reservation);
            if reservation.slot.from == turn.now() {
                due.push((job, reservation));
            }
        }
        Ok(Some(due))
    }
}
