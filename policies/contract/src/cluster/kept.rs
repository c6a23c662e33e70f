//! Capacity that is kept for some jobs: it is out of service for all others.

use batchlab_traces::capacity::KeptFor;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::Cluster;
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
    /// The amounts of each of its nodes.
    amounts: SortedMap<usize, Vec<i64>>,
    /// What its jobs hold, by node and resource as in the free amounts.
    used: SortedMap<usize, i64>,
}

impl Cluster {
    /// Amounts of a node, which have just gone out of service, are kept for the jobs of a reservation.
    pub fn keep(&mut self, kept_for: KeptFor, node: usize, amounts: &[i64]) {
        let kept = self.kept.get_or_insert_with(Box::default);
        let new = || Open { until: kept_for.until, amounts: SortedMap::new(), used: SortedMap::new() };
        kept.open.entry(kept_for.reservation).or_insert_with(new).amounts.insert(node, amounts.to_vec());
    }

    /// Ends a reservation on a node. Returns its jobs there: from now on they hold capacity that is out of service, like
    /// drained jobs. O(jobs in reservations).
    pub fn keep_no_longer(&mut self, reservation: usize, node: usize) -> Vec<JobId> {
        let Some(mut kept) = self.kept.take() else { return Vec::new() };
        let width = self.machine.width();
        if let Some(open) = kept.open.get_mut(&reservation) {
            open.amounts.remove(&node);
            open.used.retain(|at, _| at / width != node);
            if open.amounts.is_empty() {
                kept.open.remove(&reservation);
            }
        }
        let mut there = Vec::new();
        for (&job, (of, taken)) in &mut kept.lent {
            if *of != reservation {
                continue;
            }
            for (at, amount) in taken.extract_if(.., |(at, _)| *at / width == node) {
                self.owe(at, amount);
                there.push(job);
            }
        }
        there.dedup();
        self.kept = Some(kept);
        there
    }

    /// Returns until when a reservation is open, and what its jobs may take on each node. O(nodes).
    pub fn room_kept(&self, reservation: usize) -> Option<(Time, Vec<Vec<i64>>)> {
        let open = self.kept.as_ref()?.open.get(&reservation)?;
        let width = self.machine.width();
        let mut room = vec![vec![0; width]; self.machine.nodes()];
        for (&node, amounts) in &open.amounts {
            for (kind, &amount) in amounts.iter().enumerate() {
                let at = node * width + kind;
                let used = open.used.get(&at).copied().unwrap_or(0);
                // Amounts that jobs have held since before the reservation began are not available yet.
                room[node][kind] = (amount - used - self.owed(at)).max(0);
            }
        }
        Some((open.until, room))
    }

    /// Lends a job the amounts of a reservation that it needs, so that it can be placed there.
    ///
    /// # Errors
    /// When the reservation is not open, or has less room on one of the nodes.
    pub fn lend(&mut self, job: JobId, reservation: usize, placement: &Placement) -> Result<(), Reason> {
        let shut = Reason::State { state: "may not run in a reservation that is not open" };
        let Some((_, room)) = self.room_kept(reservation) else { return Err(shut) };
        let width = self.machine.width();
        let mut taken = Vec::new();
        for share in &placement.0 {
            let node = share.node as usize;
            let (capacity, devices) = (self.machine.capacity(node), self.machine.devices());
            let mut needs = vec![0; width];
            self.workload.hold(job, (share.procs, share.devices), capacity, devices, &mut needs);
            for (kind, (&free, need)) in room.get(node).into_iter().flatten().zip(needs).enumerate() {
                if need > free {
                    let resource = self.machine.name_of(kind).to_owned();
                    return Err(Reason::Oversubscribed { resource, node, need, free });
                }
                taken.push((node * width + kind, need));
            }
        }
        for &(at, amount) in &taken {
            self.free_more(at, amount);
        }
        if let Some(kept) = &mut self.kept {
            kept.use_more(reservation, &taken, 1);
            kept.lent.insert(job, (reservation, taken));
        }
        Ok(())
    }

    /// Whether a job was lent room of a reservation.
    pub fn is_reserved_for(&self, job: JobId) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.lent.contains_key(&job))
    }

    /// Whether a job runs in a reservation on a node.
    pub(super) fn is_lent(&self, job: JobId, node: usize) -> bool {
        let lent = self.kept.as_ref().and_then(|kept| kept.lent.get(&job));
        lent.is_some_and(|(_, taken)| taken.iter().any(|(at, _)| at / self.machine.width() == node))
    }

    /// Takes back the loan of a job that has left the machine or could not be placed.
    pub fn reclaim(&mut self, job: JobId) {
        let Some(kept) = &mut self.kept else { return };
        let Some((reservation, taken)) = kept.lent.remove(&job) else { return };
        kept.use_more(reservation, &taken, -1);
        for (at, amount) in taken {
            self.owe(at, amount);
        }
        self.settle_owed();
    }
}

impl Kept {
    fn use_more(&mut self, reservation: usize, taken: &[(usize, i64)], sign: i64) {
        let Some(open) = self.open.get_mut(&reservation) else { return };
        for &(at, amount) in taken {
            *open.used.entry(at).or_default() += sign * amount;
        }
    }
}
