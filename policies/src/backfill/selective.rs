//! Selective reservations: only jobs that have waited long for their length hold a reservation.
//!
//! Srinivasan, Kettimuthu, Subramani, Sadayappan (JSSPP 2002): jobs begin without reservations, and a job
//! gets one when its expected slowdown, the expansion factor x = (wait + estimate) / estimate (the estimate
//! at least a second), crosses a threshold. This project's variant in detail:
//!
//! * At a decision, in queue order, each job with x ≥ `xfactor` is put at its earliest start in the plan; if
//!   that is now it starts, otherwise it gets a reservation. All reservations are recomputed at every
//!   decision.
//! * Then all other jobs are tried in candidate order, and start if the plan has room for their whole stay.
//!   Even the first job of the queue may not delay a reservation.
//! * `adaptive`: the threshold is the mean of x over the jobs that have ended, each taken at its start; 1
//!   before the first end. When other jobs have waited still longer for their length, the threshold rises,
//!   and a job may lose its reservation.
//!
//! `xfactor=1` is `depth:k=inf`: every job holds a reservation. `xfactor=inf` is `first-fit`: no job does.
//! The default is `adaptive`, which needs no tuning to the load. `expr(…)` gives each job its own threshold.
//!
//! A decision at which some job fits costs O(n) for n waiting jobs, and a search of the plan, O(steps), for
//! each reservation and each candidate that fits now.

use batchlab_traces::{Citation, Time};

use super::holes::Holes;
use crate::event::Event;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::{Books, CANDIDATES};
use crate::support::bounds::Bounds;
use crate::support::factor::Factor;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::queue::Rank;
use crate::support::walk::Walk;
use crate::turn::Turn;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "selective",
    family: "backfilling",
    summary: "reserves for jobs whose expansion factor has reached a threshold; all other jobs fill the \
        holes",
    cite: Citation::of(
        "Srinivasan, Kettimuthu, Subramani, Sadayappan, JSSPP 2002; the exact rule: this project's variant",
        &["srinivasan02"],
    ),
    rule: "Jobs whose expansion factor, (wait + estimate) / estimate, has reached the threshold get \
        reservations in queue order, again at every decision; the other jobs start, in candidate order, \
        where the reservations leave room for their whole estimate. The adaptive threshold is the mean \
        expansion factor of the jobs that have ended.",
    params: params![&[XFACTOR, ORDER, CANDIDATES], BOOKED],
    needs: Needs::FORESIGHT,
    build: |params, setting| for_kinds(setting, &Make(params)),
};

const XFACTOR: ParamSpec = ParamSpec {
    name: "xfactor",
    kind: ParamKind::Factor { least: 1.0, words: &["inf", "adaptive"] },
    default: "adaptive",
    help: "expansion factor (wait + estimate) / estimate from which a job holds a reservation; adaptive is the mean so far",
    ..ParamSpec::PLAIN
};

struct Make<'a>(&'a Params);

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        Ok(keeping(Selective::<K> {
            holes: Holes::new(self.0, setting)?,
            bounds: Bounds::default(),
            fixed: Factor::from_params(self.0, XFACTOR.name, setting)?,
            ended: (0.0, 0.0),
        }))
    }
}

struct Selective<const K: usize> {
    holes: Holes<K>,
    bounds: Bounds<K>,
    /// `None` if the threshold adapts.
    fixed: Option<Factor>,
    /// The jobs that have ended: the sum of their expansion factors, and their number.
    ended: (f64, f64),
}

impl<const K: usize> Keeper for Selective<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.holes.books
    }

    /// The threshold that adapts learns from the events of jobs that leave the queue.
    fn forgets(&self) -> bool {
        self.fixed.is_some()
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.learn(turn);
        self.holes.books.settle(turn)?;
        if self.holes.books.queue.is_empty() || !self.holes.anyone_fits(turn) && !turn.is_journalled() {
            return Ok(());
        }
        self.holes.reset(turn);
        self.bounds.clear();
        self.reserve(turn)?;
        self.holes.fill(turn)
    }
}

impl<const K: usize> Selective<K> {
    /// Adds the expansion factors of the jobs that have ended.
    fn learn(&mut self, turn: &Turn<'_>) {
        for &event in turn.events() {
            if let Event::Finished(job) | Event::Killed(job) = event
                && let Some(start) = turn.started(job)
            {
                let view = turn.job(job);
                self.ended.0 += expansion(start - view.submit(), self.holes.books.stay(view));
                self.ended.1 += 1.0;
            }
        }
    }

    /// Walks the queue and reserves for the jobs that have reached the threshold.
    fn reserve(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mean = if self.ended.1 > 0.0 { self.ended.0 / self.ended.1 } else { 1.0 };
        let mut passed_over = false;
        let mut fitting: Option<Rank> = None;
        let mut walk = Walk::new(&self.holes.books.queue);
        while let Some(rank) = walk.next(&self.holes.books.queue) {
            // A job ahead that holds a reservation cannot start now. If no other job fits, none can start.
            if !turn.is_journalled() && fitting.is_none_or(|fitting| !passed_over && fitting < rank) {
                let others = Some(rank).filter(|_| !passed_over);
                fitting = self.holes.first_fitting(turn, others);
                if fitting.is_none() {
                    return Ok(());
                }
            }
            let (job, now) = (rank.job(), turn.now());
            let view = turn.job(job);
            let expected = self.holes.books.estimates.expected(view);
            let threshold = self.fixed.as_mut().map_or(mean, |fixed| fixed.of(view, expected));
            if expansion(now - view.submit(), self.holes.books.stay(view)) < threshold {
                passed_over = true;
                walk.leaves(job);
                continue;
            }
            let stay = self.holes.books.stay(view);
            let reservation = self.bounds.earliest(&self.holes.plan, turn, view, stay)?;
            if reservation.slot.from == now {
                self.holes.start(turn, job, &reservation, Why::Profile)?;
                walk.started(&self.holes.books.queue);
                fitting = None;
            } else {
                walk.leaves(job);
                self.holes.plan.take(view, &reservation);
                turn.promise(job, reservation.slot.from);
            }
        }
        Ok(())
    }
}

/// Returns the expansion factor of a job after a wait.
fn expansion(wait: Time, stay: Time) -> f64 {
    (wait.secs() + stay.secs()) / stay.secs()
}
