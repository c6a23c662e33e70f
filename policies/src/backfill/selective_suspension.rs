//! Selective suspension: a job that has waited long for its length takes the place of jobs that have not.
//!
//! Kettimuthu, Subramani, Srinivasan, Gopalsamy, Panda, Sadayappan (ICPP 2002, IJHPCN 3(2/3), 2005). The priority of a job
//! is its expansion factor x = (time in the queue + estimate) / estimate, the estimate at least a second. It grows while
//! the job waits, for the first time or suspended, and is constant while the job runs. Only the abstract of the paper was
//! available; rules marked (M) are from memory, rules marked (P) are this project's.
//!
//! * Jobs start as soon as they fit, in queue order, and nothing is reserved: a job that is passed over
//!   reaches a factor that eventually lets it suspend others (M). The queue order is that of x, the highest
//!   first; any other order can be named.
//! * Every `interval`, a minute in the paper (M), at multiples of it from the trace's zero (P), idle jobs
//!   are examined by descending x. A job that does not fit may suspend running jobs if its x is at least
//!   `sf` times theirs and, with `width=half`, if they have at most twice its processors (M): narrow jobs
//!   shall not stop wide ones. Victims are taken by ascending x until enough is free, among equal x the
//!   latest submission first; victims that turn out to be unnecessary are spared, from the highest x down
//!   (P). A job that has neither waited nor run for any time at this instant neither suspends nor is
//!   suspended (P). `interval=none` does this at every decision and at the exact instants at which ratios
//!   reach `sf`.
//! * A job whose x is above a limit is not suspended. `limit=` sets the limit for all jobs or, by an
//!   expression, for each. `tss=1.5` is the tunable scheme: the factor times the mean bounded slowdown (τ =
//!   10 s) of the ended jobs of its category (M), so far (P), and no limit before the first such end. The
//!   sixteen categories are estimates up to 10 min, 1 h, 8 h and more, times 1, up to 8, up to 32 and more
//!   processors (M).
//! * `hold=swap`: a suspended job leaves the machine, keeps its progress, and comes back as any waiting job
//!   does, on any processors (in the paper on the same ones (M); on a pool they cannot be distinguished). Costs
//!   of swapping belong to the scenario: if its memory takes time to leave, the jobs that take its place
//!   wait for it, and no other job gets the processors they need. `hold=memory`: it keeps its memory and its
//!   nodes, and resumes there when its processors are free.
//!
//! An `sf` of at least 1.1 prevents equal jobs from swapping places forever: with it, two equal jobs as wide
//! as the machine swap at most 7 times, since each swap takes a factor of 1.1 and both start with 1.
//! `sf=inf` is `first-fit` in the order of the expansion factor.
//!
//! A decision costs O(n log n) for n waiting jobs if one may start, and O(n · running) at worst to find the next instant at
//! which a job may be suspended; the policy asks for no wake-up at which nothing can be suspended.

mod limits;
mod lives;
mod search;
mod space;
mod standing;

use batchlab_traces::{Citation, JobId, Time};

use crate::cluster::{Placed, State};
use crate::event::Event;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::Books;
use crate::support::costs::{SWAP, SWAP_IN_FIRST};
use crate::support::front::Room;
use crate::support::hosts::PLACE;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::{NAMES, ORDER};
use crate::support::params::{ORDERED, params};
use crate::support::queue::Rank;
use crate::turn::Turn;
use limits::{LIMIT, SuspensionLimits, TSS};
use lives::Lives;
use search::Candidate;
use space::{Space, StartPlace};
use standing::{ExpansionFactor, Ratio, sort_lowest_first};

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "selective-suspension",
    family: "backfilling",
    summary: "starts every job that fits; a job that has waited sf times as long for its length suspends \
        running jobs",
    cite: Citation::of(
        "Kettimuthu, Subramani, Srinivasan, Gopalsamy, Panda, Sadayappan, ICPP 2002; IJHPCN 3(2/3), 2005",
        &["kettimuthu02", "kettimuthu05"],
    ),
    rule: "Jobs start when they fit, by descending expansion factor, (time in the queue + estimate) / estimate; nothing \
           is reserved. Every interval, an idle job that does not fit suspends the running jobs of the lowest factors, \
           until it fits, if its factor is at least sf times theirs and they have at most twice its processors. \
           Suspended jobs wait again, and go on where they stopped. A job above its limit is not suspended.",
    params: params![&[SF, INTERVAL, WIDTH, LIMIT, TSS, HOLD, SWAP, SWAP_IN_FIRST, OWN_ORDER, PLACE], ORDERED],
    needs: Needs::TIME_SHARING,
    build: |params, setting| for_kinds(setting, &Make(params)),
};

const SF: ParamSpec = ParamSpec {
    name: "sf",
    kind: ParamKind::NumberOr { least: 1.1, words: &["inf"] },
    default: "2",
    help: "suspension factor: how many times the factor of a running job an idle one must have to suspend it",
    ..ParamSpec::PLAIN
};

const INTERVAL: ParamSpec = ParamSpec {
    name: "interval",
    kind: ParamKind::Duration,
    default: "60",
    help: "how often suspending is tried, at multiples from the trace's zero; none is at every instant",
    ..ParamSpec::PLAIN
};

const WIDTH: ParamSpec = ParamSpec {
    name: "width",
    kind: ParamKind::Choice(&["half", "any"]),
    default: "half",
    help: "a job suspends jobs of at most twice its processors, or of any number",
    ..ParamSpec::PLAIN
};

const HOLD: ParamSpec = ParamSpec {
    name: "hold",
    kind: ParamKind::Choice(&["swap", "memory"]),
    default: "swap",
    help: "suspended jobs are swapped out and resume anywhere, or keep memory and nodes and resume there",
    ..ParamSpec::PLAIN
};

const OWN_ORDER: ParamSpec = ParamSpec {
    kind: ParamKind::OrderOr("factor", NAMES),
    default: "factor",
    help: "queue order: which of the jobs that fit starts first; factor is the highest expansion factor",
    ..ORDER
};

struct Make<'a>(&'a Params);

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        let params = self.0;
        Ok(keeping(Suspension::<K> {
            books: Books::new(params, setting)?,
            by_factor: params.is(&OWN_ORDER, OWN_ORDER.default)?,
            sf: params.number(SF.name).filter(|sf| sf.is_finite()).map(Ratio::new),
            interval: params.duration(INTERVAL.name).filter(|&interval| interval > Time::ZERO),
            in_cycles: setting.periodic,
            half: params.is(&WIDTH, "half")?,
            in_memory: params.is(&HOLD, "memory")?,
            limits: SuspensionLimits::from_params(params, setting)?,
            lives: Lives::default(),
            claims: Vec::new(),
            asked: None,
            wake: None,
            next_to_suspend: None,
        }))
    }
}

#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct Suspension<const K: usize> {
    books: Books<K>,
    /// Whether the queue order is that of the expansion factors.
    by_factor: bool,
    /// `None` if no job is ever suspended.
    sf: Option<Ratio>,
    /// `None` for every instant.
    interval: Option<Time>,
    /// Whether decisions come only at multiples of a cycle.
    in_cycles: bool,
    half: bool,
    in_memory: bool,
    limits: SuspensionLimits,
    lives: Lives,
    /// Jobs for which other jobs were suspended, as long as they wait for these to leave the machine.
    claims: Vec<(JobId, StartPlace<K>)>,
    /// When the last decision was.
    asked: Option<Time>,
    wake: Option<Time>,
    /// The job for which this wake-up was requested, because it may suspend others then.
    next_to_suspend: Option<JobId>,
}

impl<const K: usize> Keeper for Suspension<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.books
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.learn(turn);
        self.books.settle(turn)?;
        self.start_claims(turn)?;
        // The order matters to jobs that fit, and to jobs for which others are suspended.
        if self.next_that_may_fit(None, &Space::now(turn, &self.claims)).is_some() {
            self.rank(turn);
            self.fill(turn)?;
        }
        if let Some(sf) = self.sf {
            if self.is_due(turn.now()) && self.suspend_for_others(turn, sf)? {
                self.fill(turn)?;
            }
            self.plan_wake(turn, sf)?;
        }
        self.asked = Some(turn.now());
        Ok(())
    }
}

impl<const K: usize> Suspension<K> {
    fn learn(&mut self, turn: &Turn<'_>) {
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => self.lives.submitted(turn.job(job)),
                Event::Displaced(job) => self.lives.has_left(job),
                Event::Released(job) => self.lives.is_gone(job),
                Event::Finished(job) | Event::Killed(job) => {
                    self.claims.retain(|(claimant, _)| *claimant != job);
                    if let (Some(queued), Some(end)) = (self.lives.ended(job), turn.ended(job)) {
                        self.limits.ended(turn.job(job), end, queued);
                    }
                }
                _ => {}
            }
        }
    }

    /// Ranks the queue by expansion factor, if that is its order.
    fn rank(&mut self, turn: &Turn<'_>) {
        if self.by_factor && !self.books.queue.is_empty() {
            let idle = self.lives.idle(turn);
            self.books.queue.rank_by(idle.map(|(job, standing)| (job, -standing.factor())));
        }
    }

    /// Whether suspension is tried at an instant: with an interval, at the first decision at or after each multiple.
    fn is_due(&self, now: Time) -> bool {
        let Some(interval) = self.interval.map(Time::ticks) else { return true };
        match self.asked.filter(|_| self.in_cycles) {
            Some(asked) => now.ticks().div_euclid(interval) > asked.ticks().div_euclid(interval),
            None => self.in_cycles || now.ticks().rem_euclid(interval) == 0,
        }
    }

    fn is_claimant(&self, job: JobId) -> bool {
        self.claims.iter().any(|(claimant, _)| *claimant == job)
    }

    /// Starts the jobs for which other jobs were suspended, as soon as these have left.
    fn start_claims(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        for (job, place) in std::mem::take(&mut self.claims) {
            if place.is_free(&self.books, turn, job) {
                self.start(turn, job, &place, Why::Suspending)?;
            } else {
                self.claims.push((job, place));
            }
        }
        Ok(())
    }

    /// Starts every job that fits, in queue order.
    fn fill(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut from = None;
        let mut space = Space::now(turn, &self.claims);
        while let Some(rank) = self.next_that_may_fit(from, &space) {
            from = Some(rank.next());
            let job = rank.job();
            if self.is_claimant(job) {
                continue;
            }
            if let Some(place) = self.place(turn, job, &space) {
                self.start(turn, job, &place, Why::FirstFit)?;
                space = Space::now(turn, &self.claims);
                from = self.books.queue.onward(rank);
            }
        }
        Ok(())
    }

    /// Returns the next job of the queue that may fit. Jobs in memory need less than at their first start.
    fn next_that_may_fit(&self, from: Option<Rank>, space: &Space<K>) -> Option<Rank> {
        if !self.lives.any_in_memory() {
            return self.books.queue.find(from, &Room::unreserved(space.total()));
        }
        match from {
            Some(from) => self.books.queue.at_or_after(from),
            None => self.books.queue.first(),
        }
    }

    /// Returns where a waiting or suspended job could run now, if anywhere.
    fn place(&self, turn: &Turn<'_>, job: JobId, space: &Space<K>) -> Option<StartPlace<K>> {
        if self.lives.is_in_memory(job) {
            return space.has_time_for(turn, job).then_some(StartPlace::Here);
        }
        space.reservation(turn, self.books.hosts.as_ref(), job).map(StartPlace::Reservation)
    }

    fn start(
        &mut self,
        turn: &mut Turn<'_>,
        job: JobId,
        place: &StartPlace<K>,
        why: Why,
    ) -> Result<(), PolicyError> {
        let placed = match place {
            StartPlace::Here => self.books.resume(turn, job)?,
            StartPlace::Reservation(reservation) => self.books.start_in(turn, job, reservation, why)?,
        };
        self.lives.placed(job, turn.now());
        if placed == Placed::Passing {
            self.lives.is_gone(job);
        }
        Ok(())
    }

    /// Suspends jobs for idle jobs with sufficient factors; returns whether any suspended job is still on
    /// the machine. Each suspended job that has left is reported by [`Event::Displaced`] at this very
    /// instant and must be inserted in the queue again.
    fn suspend_for_others(&mut self, turn: &mut Turn<'_>, sf: Ratio) -> Result<bool, PolicyError> {
        let (mut any, mut stay) = (false, false);
        let mut candidates = self.candidates(turn, |placed| placed < turn.now());
        let Some(first) = candidates.first().map(|candidate| candidate.standing) else { return Ok(false) };
        let reaching = |policy: &Self, turn: &Turn<'_>, reach: bool| {
            let idle = policy.idle(turn, |since| since < turn.now());
            let mut idle: Vec<_> =
                idle.filter(|&(_, standing)| sf.is_reached(standing, first) == reach).collect();
            sort_lowest_first(&mut idle);
            idle.reverse();
            idle
        };
        let mut idle = reaching(self, turn, true);
        if idle.is_empty() {
            return Ok(false);
        }
        let (mut next, mut all) = (0, false);
        self.rank(turn);
        loop {
            if next == idle.len() {
                // Jobs that suspend none were already tried; try them again only if processors were freed since.
                if !any || all {
                    break;
                }
                all = true;
                idle.extend(reaching(self, turn, false));
                continue;
            }
            let (job, standing) = idle[next];
            next += 1;
            let reaches = |candidate: &Candidate<K>| sf.is_reached(standing, candidate.standing);
            if !any && !candidates.first().is_some_and(reaches) {
                continue;
            }
            let Some(found) = self.search(turn, job, &candidates, reaches) else { continue };
            any |= !found.victims.is_empty();
            for &victim in &found.victims {
                let victim = candidates[victim].job;
                self.suspend(turn, victim)?;
                stay |= turn.state(victim) == State::Resident;
            }
            let mut index = 0..;
            candidates.retain(|_| !index.next().is_some_and(|index| found.victims.contains(&index)));
            self.claims.push((job, found.place));
            self.start_claims(turn)?;
        }
        Ok(stay)
    }

    fn suspend(&mut self, turn: &mut Turn<'_>, job: JobId) -> Result<(), PolicyError> {
        if self.in_memory {
            self.books.pause(turn, job)?;
            self.lives.stays_in_memory(job, turn.now());
        } else {
            turn.displace(job, true)?;
            self.lives.leaves(job, turn.now());
        }
        Ok(())
    }

    /// Requests a decision at the next instant at which a job may be suspended.
    fn plan_wake(&mut self, turn: &mut Turn<'_>, sf: Ratio) -> Result<(), PolicyError> {
        let candidates = self.candidates(turn, |_| true);
        if candidates.is_empty() {
            return Ok(());
        }
        let soonest = turn.now() + Time::from_ticks(1);
        let (mut next, mut latest) = (Time::MAX, Time::MAX - Time::from_ticks(1));
        let mut earliest = None;
        // Any order gives the same earliest instant; the job that was first at the last wake-up is likely to be first again.
        let likely = self.next_to_suspend.filter(|&job| self.lives.is_idle(job) && !self.is_claimant(job));
        let likely = likely.map(|job| (job, self.lives.standing(turn, job)));
        for (job, standing) in likely.into_iter().chain(self.idle(turn, |_| true)) {
            // Only instants that lead to an earlier wake-up matter.
            let in_time = |candidate: &Candidate<K>| {
                sf.is_reached_in(latest - turn.now(), standing, candidate.standing)
            };
            if !in_time(&candidates[0]) {
                continue;
            }
            let found = self.search(turn, job, &candidates, in_time);
            let Some(last) = found.and_then(|found| found.last) else { continue };
            let at = turn.now().saturating_add(sf.until(standing, candidates[last].standing)).max(soonest);
            next = self.interval.map_or(at, |interval| next_multiple(at, interval));
            earliest = Some(job);
            latest = next - self.interval.unwrap_or(Time::from_ticks(1));
            if latest < soonest {
                break;
            }
        }
        self.next_to_suspend = earliest;
        if next < Time::MAX && self.wake != Some(next) {
            self.wake = Some(next);
            turn.wake_at(next)?;
        }
        Ok(())
    }

    /// Returns the idle jobs that have been idle since an instant that `meant` accepts.
    fn idle<'a>(
        &'a self,
        turn: &'a Turn<'_>,
        meant: impl Fn(Time) -> bool + 'a,
    ) -> impl Iterator<Item = (JobId, ExpansionFactor)> + 'a {
        self.lives.idle_since(turn, meant).filter(|&(job, _)| !self.is_claimant(job))
    }
}

/// Returns the first multiple of an interval at or after an instant.
fn next_multiple(at: Time, interval: Time) -> Time {
    let rest = at.ticks().rem_euclid(interval.ticks());
    if rest == 0 { at } else { at.saturating_add(Time::from_ticks(interval.ticks() - rest)) }
}
