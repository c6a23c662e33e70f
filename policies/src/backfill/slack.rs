//! Slack-based backfilling: every job has a planned start, and may be delayed beyond it by up to a slack.
//!
//! Talby, Feitelson (IPPS/SPDP 1999) give each waiting job a slack, the additional time that it may have to wait, and
//! search for the cheapest schedule in which no job exceeds its slack. This is this project's variant, without priorities,
//! and with the candidate order instead of the search for the cheapest schedule:
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
//! # Complexity
//!
//! A decision costs O(n) for n waiting jobs if all went as planned on a pool, else O(n·s) for s steps of the plan. A
//! candidate that fits now and is not planned to start now is tried on a pool in O(j·s), for j jobs from the first whose slot
//! it takes to the first that would start too late; it costs O(1) if a smaller one that was refused at this decision refuses it.
//! On nodes each candidate costs O(n·s). An accepted candidate changes the plan, which stands for the next decision.
//!
//! What bounds a replay of an overloaded log is that nearly all candidates are refused, late and each for itself. Counted in a
//! model of this policy apart from the program, with equal schedules: of 20,000 jobs of the lublin model at a load of 8, with
//! exact estimates, 1.18 million candidates fit when they are tried. 851 of them start, 651,000 are refused by another one, and
//! the plans of 529,000 have 420 jobs on the average from the first that loses its slot to the one that is late: 222 million, of
//! which two of three get another slot. A late job has room until the job just before it is planned, since jobs of a
//! size move from hole to hole until one finds none, so that no shorter plan shows it. Compared with the most similar
//! plan of candidates tried just before, half of the jobs that move still have another slot (10,000 jobs). With estimates of four
//! times the run time most candidates are refused by the first job whose slot they take; all jobs are planned again at every
//! second decision.

mod trials;

use batchlab_traces::{Citation, JobId, Time};

use super::holes::Holes;
use crate::cluster::Placed;
use crate::event::Event;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::{Books, CANDIDATES};
use crate::support::bounds::Bounds;
use crate::support::by_job::ByJob;
use crate::support::factor::Factor;
use crate::support::front::Room;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::plan::{Reservation, ReservationPlan};
use crate::support::profile::Slot;
use crate::support::queue::Rank;
use crate::support::score::scaled;
use crate::support::standing::StandingReservations;
use crate::support::walk::Walk;
use crate::turn::Turn;
use trials::{PlannedStart, Trials};

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
        Ok(keeping(Slack::<K> {
            standing: (!setting.by_node && queue.is_lasting()).then(StandingReservations::default),
            planned: ReservationPlan::new(self.0, setting)?,
            bounds: Bounds::default(),
            bounds_with: Bounds::default(),
            holes,
            factor: Factor::from_params(self.0, FACTOR.name, setting)?.unwrap_or(Factor::Same(0.0)),
            of_estimate: self.0.is(&OF, "estimate")?,
            waits: (0, 0),
            terms: ByJob::default(),
            trials: Trials::new(),
            is_astray: false,
        }))
    }
}

struct Slack<const K: usize> {
    /// The books, and the plan with a candidate.
    holes: Holes<K>,
    /// The plan without candidates.
    planned: ReservationPlan<K>,
    /// The reservations that the next decision would make again, with the limits of their jobs; `None` if
    /// that is not known. The limit of a job is not recorded if a candidate has moved its reservation.
    standing: Option<StandingReservations<K, Option<Time>>>,
    bounds: Bounds<K>,
    bounds_with: Bounds<K>,
    factor: Factor,
    of_estimate: bool,
    /// The jobs that have ended: the sum of their waits in ticks, and their number.
    waits: (i128, i128),
    /// The least planned start and the slack of every waiting job.
    terms: ByJob<(Time, Time)>,
    trials: Trials<K>,
    /// Whether a job that has started at this decision holds something other than its reservation.
    is_astray: bool,
}

/// The most candidates that are tried together. A trial refuses larger candidates, too, so small ones are tried first.
const TOGETHER: usize = 64;

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
        self.is_astray = false;
        let jobs = self.plan(turn)?;
        if self.holes.books.hosts.is_some() {
            self.use_slack_on_nodes(turn, jobs)
        } else {
            self.use_slack(turn, jobs)
        }
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
                    self.terms.remove(job);
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

    /// Plans all waiting jobs in queue order; returns the jobs that keep waiting, with their limits.
    fn plan(&mut self, turn: &mut Turn<'_>) -> Result<Vec<PlannedStart<K>>, PolicyError> {
        self.renew(turn)?;
        let mut jobs = Vec::with_capacity(self.holes.books.queue.len());
        if let Some(mut standing) = self.standing.take() {
            for (rank, slot, limit) in standing.iter_mut() {
                let (job, slot) = (rank.job(), *slot);
                let latest = *limit.get_or_insert_with(|| self.limit(turn, job, slot.from));
                jobs.push(PlannedStart { job, latest, slot });
            }
            self.standing = Some(standing);
        }
        let last = self.standing.as_ref().and_then(StandingReservations::last);
        let mut walk = last.map_or_else(|| Walk::new(&self.holes.books.queue), Walk::after);
        while let Some(rank) = walk.next(&self.holes.books.queue) {
            let job = rank.job();
            let view = turn.job(job);
            let reservation = self.bounds.earliest(&self.planned, turn, view, self.holes.books.stay(view))?;
            if reservation.slot.from == turn.now() {
                self.start(turn, job, &reservation, Why::Profile)?;
                walk.started(&self.holes.books.queue);
                continue;
            }
            walk.leaves(job);
            self.planned.take(view, &reservation);
            let slot = reservation.slot;
            let latest = self.limit(turn, job, slot.from);
            turn.promise(job, latest);
            jobs.push(PlannedStart { job, latest, slot });
            if let Some(standing) = &mut self.standing {
                standing.add(rank, slot, Some(latest));
            }
        }
        Ok(jobs)
    }

    /// Removes reservations that may change from the plan, and starts the jobs whose standing reservations are due.
    fn renew(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let Some(standing) = &mut self.standing else {
            self.bounds.clear();
            self.planned.reset(turn, &self.holes.books);
            return Ok(());
        };
        standing.start_due(turn, &mut self.holes.books, &mut self.planned, &mut self.bounds, |job| {
            self.terms.remove(job);
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
        self.terms.remove(job);
        self.is_astray |= turn.executed(job) > Time::ZERO;
        if self.holes.books.start_in(turn, job, reservation, why)? == Placed::Holds {
            self.planned.take(turn.job(job), reservation);
            if let Some(standing) = &mut self.standing {
                standing.started(reservation.slot);
            }
        }
        Ok(())
    }

    fn limit(&mut self, turn: &Turn<'_>, job: JobId, planned: Time) -> Time {
        if let Some((least, slack)) = self.terms.get_mut(job) {
            *least = planned.min(*least);
            return least.saturating_add(*slack).max(planned);
        }
        let (waited, jobs) = self.waits;
        let (view, mean) = (turn.job(job), Time::from_ticks((waited / jobs.max(1)) as i64));
        let factor = self.factor.of(view, self.holes.books.estimates.expected(view));
        let slack = scaled(if self.of_estimate { self.holes.books.stay(view) } else { mean }, factor);
        self.terms.insert(job, (planned, slack));
        planned.saturating_add(slack).max(planned)
    }

    /// Starts on a pool, in candidate order, each job that delays no other job beyond its limit.
    fn use_slack(&mut self, turn: &mut Turn<'_>, mut jobs: Vec<PlannedStart<K>>) -> Result<(), PolicyError> {
        let (mut from, mut is_ready) = (None, false);
        loop {
            let candidates = self.candidates(turn, from);
            let Some(&last) = candidates.last() else { return Ok(()) };
            if !is_ready {
                self.begin_trials(turn, &mut jobs)?;
                is_ready = true;
            }
            let Some(rank) = self.first_accepted(turn, &mut jobs, &candidates)? else {
                from = Some(last.next());
                continue;
            };
            self.start_within_slack(turn, rank.job(), &mut jobs)?;
            is_ready = false;
            from = self.holes.books.candidates().onward(rank);
        }
    }

    /// Returns the next candidates that fit into the free resources, in candidate order.
    fn candidates(&self, turn: &Turn<'_>, mut from: Option<Rank>) -> Vec<Rank> {
        let room = Room::unreserved(self.holes.books.free(turn));
        let mut candidates = Vec::new();
        while candidates.len() < TOGETHER
            && let Some(rank) = self.holes.books.first_candidate(turn, from, &room)
        {
            candidates.push(rank);
            from = Some(rank.next());
        }
        candidates
    }

    fn begin_trials(&mut self, turn: &Turn<'_>, jobs: &mut [PlannedStart<K>]) -> Result<(), PolicyError> {
        self.holes.reset(turn);
        let ReservationPlan::Pool(running) = &self.holes.plan else { return Ok(()) };
        self.is_astray |= self.standing.as_ref().is_some_and(|standing| !standing.expects(running));
        if self.is_astray {
            self.bounds_with.clear();
            for planned in jobs {
                let view = turn.job(planned.job);
                let stay = self.holes.books.stay(view);
                let reservation = self.bounds_with.earliest(&self.holes.plan, turn, view, stay)?;
                self.holes.plan.take(view, &reservation);
                planned.slot = reservation.slot;
            }
            self.holes.reset(turn);
        }
        let ReservationPlan::Pool(running) = &self.holes.plan else { return Ok(()) };
        self.trials.begin(running);
        Ok(())
    }

    /// Tries candidates, small ones first, and returns the first of their order that delays no job beyond its limit. Its plan
    /// becomes that of the jobs.
    fn first_accepted(
        &mut self,
        turn: &Turn<'_>,
        jobs: &mut Vec<PlannedStart<K>>,
        candidates: &[Rank],
    ) -> Result<Option<Rank>, PolicyError> {
        let slot = |rank: Rank| {
            let view = turn.job(rank.job());
            let to = turn.now().saturating_add(self.holes.books.stay(view));
            Slot { from: turn.now(), to, amount: view.demands() }
        };
        let slots: Vec<Slot<K>> = candidates.iter().map(|&rank| slot(rank)).collect();
        let mut order: Vec<(Time, i64, usize)> =
            slots.iter().enumerate().map(|(at, slot)| (slot.to, slot.amount[0], at)).collect();
        order.sort_unstable();
        let mut accepted: Option<(usize, Vec<PlannedStart<K>>)> = None;
        for (_, _, at) in order {
            if accepted.as_ref().is_some_and(|(first, _)| *first < at) {
                continue;
            }
            let (holes, job) = (&self.holes, candidates[at].job());
            let stay = |job| holes.books.stay(turn.job(job));
            let mut planned = Vec::new();
            if self.trials.accepts(turn, jobs, (job, slots[at]), stay, &mut planned)? {
                accepted = Some((at, planned));
            }
        }
        let Some((at, planned)) = accepted else { return Ok(None) };
        *jobs = planned;
        Ok(Some(candidates[at]))
    }

    /// Starts a candidate, and the jobs that the plan with it starts now.
    fn start_within_slack(
        &mut self,
        turn: &mut Turn<'_>,
        candidate: JobId,
        jobs: &mut Vec<PlannedStart<K>>,
    ) -> Result<(), PolicyError> {
        let now = turn.now();
        let due = jobs.iter().filter(|planned| planned.job != candidate && planned.slot.from == now);
        let first = jobs.iter().filter(|planned| planned.job == candidate);
        for planned in first.chain(due) {
            self.terms.remove(planned.job);
            self.is_astray |= turn.executed(planned.job) > Time::ZERO;
            let reservation = Reservation { slot: planned.slot, hosts: None };
            let placed = self.holes.books.start_in(turn, planned.job, &reservation, Why::WithinSlack)?;
            self.is_astray |= placed != Placed::Holds;
        }
        if let Some(standing) = &mut self.standing {
            if self.is_astray {
                standing.clear();
            } else {
                standing.change(now, jobs.iter().map(|planned| planned.slot), &mut self.planned);
                self.bounds.clear();
            }
        }
        jobs.retain(|planned| planned.job != candidate && planned.slot.from > now);
        Ok(())
    }

    /// Starts on nodes, in candidate order, each job that delays no other job beyond its limit.
    fn use_slack_on_nodes(
        &mut self,
        turn: &mut Turn<'_>,
        mut jobs: Vec<PlannedStart<K>>,
    ) -> Result<(), PolicyError> {
        let mut from = None;
        loop {
            let room = Room::unreserved(self.holes.books.free(turn));
            let Some(rank) = self.holes.books.first_candidate(turn, from, &room) else { return Ok(()) };
            from = Some(rank.next());
            let job = rank.job();
            self.holes.reset(turn);
            let Some(reservation) = self.holes.now(turn, job) else { continue };
            self.holes.plan.take(turn.job(job), &reservation);
            let Some(due) = self.keeps(turn, job, &jobs)? else { continue };
            for (job, reservation) in std::iter::once((job, reservation)).chain(due) {
                self.terms.remove(job);
                jobs.retain(|planned| planned.job != job);
                self.holes.books.start_in(turn, job, &reservation, Why::WithinSlack)?;
            }
            from = self.holes.books.candidates().onward(rank);
        }
    }

    /// Plans all other waiting jobs in queue order beside the candidate; returns the jobs that start now, or `None` if a job
    /// would start after its limit.
    fn keeps(
        &mut self,
        turn: &Turn<'_>,
        candidate: JobId,
        jobs: &[PlannedStart<K>],
    ) -> Result<Option<Vec<(JobId, Reservation<K>)>>, PolicyError> {
        let mut due = Vec::new();
        self.bounds_with.clear();
        for &PlannedStart { job, latest, .. } in jobs.iter().filter(|planned| planned.job != candidate) {
            let view = turn.job(job);
            let reservation =
                self.bounds_with.earliest(&self.holes.plan, turn, view, self.holes.books.stay(view))?;
            if reservation.slot.from > latest {
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
