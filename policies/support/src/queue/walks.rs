//! Walks over the waiting jobs in order.

use std::cell::Cell;
use std::ops::ControlFlow;

use batchlab_traces::JobId;

use super::{Queue, Rank};
use crate::amounts::within;
use crate::front::{Front, Need, Room};

impl<const K: usize> Queue<K> {
    /// Calls a function with the jobs with stored ranks in order, as `Tree::visit_where` does.
    fn visit_stored(
        &self,
        from: Option<Rank>,
        may: impl Fn(&Front<K>) -> bool,
        mut visit: impl FnMut(Rank, &Need<K>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &self.lines {
            _ if self.is_covered => ControlFlow::Break(()),
            None => self.tree.visit_where(from, may, visit),
            Some(lines) => lines.visit_where(&self.tree, from, &may, &mut visit),
        }
    }

    /// Appends the next jobs at or after a rank to a list, up to a number.
    pub fn take_from(&self, rank: Rank, most: usize, into: &mut Vec<Rank>) {
        let full = into.len() + most;
        let flow = self.visit_stored(
            Some(rank),
            |_| true,
            |rank, _| {
                into.push(rank);
                if into.len() < full { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        if let (Some(moving), ControlFlow::Continue(())) = (&self.moving, flow) {
            let mut from = Some(rank);
            while into.len() < full
                && let Some(next) = from.and_then(|from| moving.at_or_after(Some(from)))
            {
                into.push(next);
                from = Some(next.next());
            }
        }
    }

    /// Calls a function with every job that has room in one of several places, in order, until it stops the walk. O(n) at worst.
    pub fn for_each_fitting(
        &self,
        rooms: &[Room<K>],
        mut visit: impl FnMut(Rank, &Need<K>) -> ControlFlow<()>,
    ) {
        let may = |front: &Front<K>| rooms.iter().any(|room| front.may_fit(room));
        let mut fitting = |rank, need: &Need<K>| {
            let fits = rooms.iter().any(|room| need.fits(room));
            if fits { visit(rank, need) } else { ControlFlow::Continue(()) }
        };
        let flow = self.visit_stored(None, may, &mut fitting);
        if let (Some(moving), ControlFlow::Continue(())) = (&self.moving, flow) {
            let _ = moving.sorted().visit_where(None, may, &mut fitting);
        }
    }

    /// Calls a function with every job whose demand is within a bound, in order; the function may raise the bound for later
    /// jobs. O(n) at worst.
    pub fn for_each_within(&self, bound: &Cell<[i64; K]>, mut visit: impl FnMut(JobId)) {
        let may = |front: &Front<K>| front.may_fit(&Room::unreserved(bound.get()));
        let mut visit = |rank: Rank, need: &Need<K>| {
            if within(&need.demand, &bound.get()) {
                visit(rank.job());
            }
            ControlFlow::Continue(())
        };
        let flow = self.visit_stored(None, may, &mut visit);
        if let (Some(moving), ControlFlow::Continue(())) = (&self.moving, flow) {
            let _ = moving.sorted().visit_where(None, may, &mut visit);
        }
    }

    /// Returns all jobs in order. O(n).
    pub fn jobs(&self) -> Vec<JobId> {
        let mut jobs = Vec::with_capacity(self.len());
        let mut keep = |rank: Rank, _: &Need<K>| {
            jobs.push(rank.job());
            ControlFlow::Continue(())
        };
        let may = |_: &Front<K>| true;
        let flow = self.visit_stored(None, may, &mut keep);
        if let (Some(moving), ControlFlow::Continue(())) = (&self.moving, flow) {
            let _ = moving.sorted().visit_where(None, may, &mut keep);
        }
        jobs
    }
}
