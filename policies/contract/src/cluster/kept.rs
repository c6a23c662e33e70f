//! Capacity that is kept for some jobs: it is out of service for all others.

use batchlab_traces::capacity::KeptFor;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time};

use super::closures::Closures;
use super::common::Common;
use crate::placement::Placement;
use crate::refused::Reason;

/// The open reservations of a calendar, and the jobs that run in them.
#[derive(Debug, Default)]
pub(super) struct Kept {
    open: SortedMap<usize, Open>,
    /// The loans of reservations to jobs: the reservation, then amounts by node and resource as in the free amounts.
    lent: SortedMap<JobId, (usize, Vec<(usize, i64)>)>,
}

#[derive(Debug)]
struct Open {
    until: Time,
    amounts: SortedMap<usize, Vec<i64>>,
    /// What its jobs hold, by node and resource as in the free amounts.
    used: SortedMap<usize, i64>,
}

impl Kept {
    /// Amounts of a node, which have just gone out of service, are kept for the jobs of a reservation.
    pub(super) fn open(&mut self, kept_for: KeptFor, node: usize, amounts: &[i64]) {
        let new = || Open { until: kept_for.until, amounts: SortedMap::new(), used: SortedMap::new() };
        self.open.entry(kept_for.reservation).or_insert_with(new).amounts.insert(node, amounts.to_vec());
    }

    /// Ends a reservation on a node; `width` is the number of amounts of a node. Returns its jobs there: from now on they hold
    /// capacity that is out of service, like drained jobs. O(jobs in reservations).
    pub(super) fn close(
        &mut self,
        closures: &mut Closures,
        reservation: usize,
        node: usize,
        width: usize,
    ) -> Vec<JobId> {
        if let Some(open) = self.open.get_mut(&reservation) {
            open.amounts.remove(&node);
            open.used.retain(|at, _| at / width != node);
            if open.amounts.is_empty() {
                self.open.remove(&reservation);
            }
        }
        let mut there = Vec::new();
        for (&job, (_, taken)) in self.lent.iter_mut().filter(|(_, (of, _))| *of == reservation) {
            for (at, amount) in taken.extract_if(.., |(at, _)| *at / width == node) {
                closures.owe(at, amount);
                there.push(job);
            }
        }
        there.dedup();
        there
    }

    /// Returns until when a reservation is open, and what its jobs may take on each node. O(nodes).
    pub(super) fn room(
        &self,
        closures: &Closures,
        machine: &Machine,
        reservation: usize,
    ) -> Option<(Time, Vec<Vec<i64>>)> {
        let open = self.open.get(&reservation)?;
        let width = machine.width();
        let mut room = vec![vec![0; width]; machine.nodes()];
        for (&node, amounts) in &open.amounts {
            for (kind, &amount) in amounts.iter().enumerate() {
                let at = node * width + kind;
                let used = open.used.get(&at).copied().unwrap_or(0);
                // Amounts that jobs have held since before the reservation began are not available yet.
                room[node][kind] = (amount - used - closures.owed(at)).max(0);
            }
        }
        Some((open.until, room))
    }

    /// Lends a job the amounts of a reservation that it needs, so that it can be placed there.
    pub(super) fn lend(
        &mut self,
        closures: &Closures,
        common: &mut Common,
        job: JobId,
        reservation: usize,
        placement: &Placement,
    ) -> Result<(), Reason> {
        let machine = common.machine();
        let Some((_, room)) = self.room(closures, machine, reservation) else { return Err(shut()) };
        let mut taken = Vec::new();
        for share in &placement.0 {
            let node = share.node as usize;
            let needs = common.needs_on(job, share);
            for (kind, (&free, need)) in room.get(node).into_iter().flatten().zip(needs).enumerate() {
                if need > free {
                    let resource = machine.name_of(kind).to_owned();
                    return Err(Reason::Oversubscribed { resource, node, need, free });
                }
                taken.push((node * machine.width() + kind, need));
            }
        }
        for &(at, amount) in &taken {
            common.free_more(at, amount);
        }
        self.use_more(reservation, &taken, 1);
        self.lent.insert(job, (reservation, taken));
        Ok(())
    }

    pub(super) fn has(&self, job: JobId) -> bool {
        self.lent.contains_key(&job)
    }

    /// Whether a job runs in a reservation on a node; `width` is the number of amounts of a node.
    pub(super) fn has_on(&self, job: JobId, node: usize, width: usize) -> bool {
        self.lent.get(&job).is_some_and(|(_, taken)| taken.iter().any(|(at, _)| at / width == node))
    }

    /// Takes back the loan of a job, if it has one: it has left the machine or could not be placed.
    pub(super) fn reclaim(&mut self, closures: &mut Closures, job: JobId) {
        let Some((reservation, taken)) = self.lent.remove(&job) else { return };
        self.use_more(reservation, &taken, -1);
        for (at, amount) in taken {
            closures.owe(at, amount);
        }
    }

    fn use_more(&mut self, reservation: usize, taken: &[(usize, i64)], sign: i64) {
        let Some(open) = self.open.get_mut(&reservation) else { return };
        for &(at, amount) in taken {
            *open.used.entry(at).or_default() += sign * amount;
        }
    }
}

pub(super) fn shut() -> Reason {
    Reason::State { state: "may not run in a reservation that is not open" }
}
