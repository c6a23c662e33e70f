use batchlab_traces::capacity::Closure;
use batchlab_traces::machine::has_room;
use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::outcome::Outcome;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitResult {
    Enough,
    /// Enough is free in total, but not on nodes that can take its tasks.
    Scattered,
    TooLittle,
}

/// The free resources while jobs start and end.
#[derive(Clone, Debug)]
pub struct Free<'a> {
    workload: &'a Workload,
    machine: &'a Machine,
    outcome: &'a Outcome,
    totals: Vec<i64>,
    /// Free amounts on each node; empty if the places of jobs are unknown.
    nodes: Vec<Vec<i64>>,
}

impl<'a> Free<'a> {
    /// Returns the free resources of the empty machine.
    pub fn new(workload: &'a Workload, machine: &'a Machine, outcome: &'a Outcome) -> Free<'a> {
        let known = if outcome.places.is_empty() { 0 } else { machine.nodes() };
        Free {
            workload,
            machine,
            outcome,
            totals: (0..machine.kinds()).map(|kind| machine.total(kind)).collect(),
            nodes: (0..known).map(|node| machine.amounts(node)).collect(),
        }
    }

    pub fn nothing(workload: &'a Workload, machine: &'a Machine, outcome: &'a Outcome) -> Free<'a> {
        let mut free = Free::new(workload, machine, outcome);
        free.totals.iter_mut().chain(free.nodes.iter_mut().flatten()).for_each(|amount| *amount = 0);
        free
    }

    /// Whether jobs hold more than there is of a resource, in total or on a node.
    pub fn is_overdrawn(&self) -> bool {
        self.totals.iter().chain(self.nodes.iter().flatten()).any(|&amount| amount < 0)
    }

    pub fn procs(&self) -> i64 {
        self.totals[0]
    }

    pub fn take(&mut self, job: JobId, started: Time) {
        self.change(job, started, -1);
    }

    pub fn give(&mut self, job: JobId, started: Time) {
        self.change(job, started, 1);
    }

    /// Takes what goes out of service; less than nothing is free of what jobs still hold.
    pub fn close(&mut self, closure: &Closure) {
        self.serve(closure, -1);
    }

    /// Returns what is in service again.
    pub fn open(&mut self, closure: &Closure) {
        self.serve(closure, 1);
    }

    fn serve(&mut self, closure: &Closure, sign: i64) {
        for (free, amount) in self.totals.iter_mut().zip(&closure.amounts) {
            *free += sign * amount;
        }
        for (free, amount) in self.nodes.get_mut(closure.node).into_iter().flatten().zip(&closure.amounts) {
            *free += sign * amount;
        }
    }

    /// Keeps, of each resource on each node, what is free here and in `other`: what a job can hold throughout.
    pub fn throughout(&mut self, other: &Free<'_>) {
        let own = self.totals.iter_mut().chain(self.nodes.iter_mut().flatten());
        for (free, other) in own.zip(other.totals.iter().chain(other.nodes.iter().flatten())) {
            *free = (*free).min(*other);
        }
    }

    pub fn fits(&self, job: JobId) -> bool {
        self.room(job) == FitResult::Enough
    }

    /// Whether a job would fit if every node took it.
    pub fn fits_anywhere(&self, job: JobId) -> bool {
        self.room_on(job, |_| true) == FitResult::Enough
    }

    pub fn room(&self, job: JobId) -> FitResult {
        self.room_on(job, |node| self.workload.admits(self.machine, job, node))
    }

    fn room_on(&self, job: JobId, takes: impl Fn(usize) -> bool) -> FitResult {
        let demand = self.workload.demand(job);
        if demand.iter().zip(&self.totals).any(|(need, free)| need > free) {
            return FitResult::TooLittle;
        }
        if self.nodes.is_empty() {
            return FitResult::Enough;
        }
        if has_room(self.machine, demand, &self.workload.layout(job), takes, &self.nodes) {
            FitResult::Enough
        } else {
            FitResult::Scattered
        }
    }

    fn change(&mut self, job: JobId, started: Time, sign: i64) {
        for (free, amount) in self.totals.iter_mut().zip(self.workload.demand(job)) {
            *free += sign * amount;
        }
        if self.nodes.is_empty() {
            return;
        }
        // A job that moved is counted on its first nodes.
        for share in self.outcome.places.at(job, started.max(Time::ZERO)) {
            // A schedule of another tool may name nodes that do not exist.
            let Some(free) = self.nodes.get_mut(share.node as usize) else { continue };
            let capacity = self.machine.capacity(share.node as usize);
            let mut held = vec![0; self.machine.width()];
            let at = (share.procs, share.devices);
            self.workload.hold(job, at, capacity, self.machine.devices(), &mut held);
            for (free, held) in free.iter_mut().zip(held) {
                *free += sign * held;
            }
        }
    }
}
