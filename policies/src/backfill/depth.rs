//! Backfilling with any number of reservations: EASY is depth 1, re-planned conservative is depth infinity.

use std::collections::BTreeSet;

use crate::cluster::Placed;
use crate::journal::Why;
use crate::policy::{Late, Needs, Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::{Books, CANDIDATES};
use crate::support::estimates::{CORRECTOR, PREDICTOR};
use crate::support::front::Room;
use crate::support::hosts::PLACE;
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::{HALF_LIFE, LOG0, ORDER, ORIGIN, SRTF};
use crate::support::plan::{Berth, Plan};
use crate::support::queue::{Rank, THRESHOLD};
use crate::turn::Turn;
use batchlab_traces::{JobId, Time};

/// What the policy says about itself.
pub const SPEC: PolicySpec = PolicySpec {
    name: "depth",
    family: "backfilling",
    summary: "reserves for the first k jobs that cannot start, anew at every decision; others fill the holes",
    cite: "Jackson, Snell, Clement, JSSPP 2001 (RESERVATIONDEPTH); k=inf: Mu'alem, Feitelson, TPDS 12(6), 2001, re-planned",
    params: &[
        K_RESERVATIONS,
        ORDER,
        CANDIDATES,
        THRESHOLD,
        PREDICTOR,
        CORRECTOR,
        PLACE,
        ORIGIN,
        LOG0,
        HALF_LIFE,
        SRTF,
    ],
    needs: Needs::NONE,
    build: |params, setting| for_kinds(setting, &Make(params, params.count("k"))),
};

const K_RESERVATIONS: ParamSpec = ParamSpec {
    name: "k",
    kind: ParamKind::Count { least: 1, infinite: true },
    default: "1",
    help: "reservation depth: how many jobs hold a reservation (reservations, not queue positions)",
};

pub(super) struct Make<'a>(pub &'a Params, pub Option<u64>);

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        Ok(Box::new(Depth::<K> {
            books: Books::new(self.0, setting),
            reservations: self.1.unwrap_or(u64::MAX),
            plan: Plan::new(self.0, setting),
        }))
    }
}

struct Depth<const K: usize> {
    books: Books<K>,
    reservations: u64,
    plan: Plan<K>,
}

impl<const K: usize> Policy for Depth<K> {
    /// Walks the queue in order, each job at its earliest start in the profile, until enough of them hold a
    /// reservation; the rest start, in candidate order, where the profile has room for all of them.
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.books.settle(turn);
        self.books.start_heads(turn)?;
        let waiting = !self.books.queue.is_empty();
        if !waiting || !self.anyone_fits(turn, None) && !turn.is_journalled() {
            return Ok(());
        }
        self.plan.reset(turn, &self.books);
        if self.reserve(turn)? {
            self.fill(turn)?;
        }
        Ok(())
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.books.expired(late)
    }
}

impl<const K: usize> Depth<K> {
    /// Walks the queue and reserves; returns whether jobs are left for the candidates' turn. Where a start changes the
    /// order, the walk begins anew among those without a reservation.
    fn reserve(&mut self, turn: &mut Turn<'_>) -> Result<bool, PolicyError> {
        let fluid = self.books.queue.order().is_fluid();
        let mut holders = BTreeSet::new();
        let mut reserved = 0;
        let mut from = self.books.queue.first();
        while let Some(rank) = from.and_then(|from| self.books.queue.at_or_after(from)) {
            if reserved == self.reservations {
                return Ok(true);
            }
            // Once nobody further back fits, nobody further back can start: the walk may end.
            if !turn.is_journalled() && !self.anyone_fits(turn, Some(rank)) {
                return Ok(false);
            }
            from = Some(rank.next());
            if fluid && holders.contains(&rank.job()) {
                continue;
            }
            let view = turn.job(rank.job());
            let duration = self.books.estimates.expected(view).max(Time::SECOND);
            let berth = self.plan.earliest(turn, view, duration)?;
            if berth.slot.from == turn.now() {
                self.start(turn, rank.job(), &berth)?;
                from = self.books.queue.onward(rank).or_else(|| self.books.queue.first());
            } else {
                self.plan.take(view, &berth);
                reserved += 1;
                if fluid {
                    holders.insert(rank.job());
                }
                turn.promise(rank.job(), berth.slot.from);
            }
        }
        Ok(false)
    }

    /// Tries the jobs without a reservation in candidate order. One that holds a reservation later cannot
    /// start now: had it room now, it would have been reserved now.
    fn fill(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut from = None;
        loop {
            let room = Room::unreserved(self.books.free(turn));
            let Some(rank) = self.books.candidates().find(from, &room) else { return Ok(()) };
            from = Some(rank.next());
            let view = turn.job(rank.job());
            let duration = self.books.estimates.expected(view).max(Time::SECOND);
            if let Some(berth) = self.plan.at(turn.machine(), view, turn.now(), duration) {
                self.start(turn, rank.job(), &berth)?;
                from = self.books.candidates().onward(rank);
            }
        }
    }

    /// Starts a job for which the plan has a berth; one that is gone at once leaves the room to others.
    fn start(&mut self, turn: &mut Turn<'_>, job: JobId, berth: &Berth<K>) -> Result<(), PolicyError> {
        if self.books.start_in(turn, job, berth, Why::Profile)? == Placed::Holds {
            self.plan.take(turn.job(job), berth);
        }
        Ok(())
    }

    fn anyone_fits(&self, turn: &Turn<'_>, from: Option<Rank>) -> bool {
        self.books.queue.find(from, &Room::unreserved(self.books.free(turn))).is_some()
    }
}
