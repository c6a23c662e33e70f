//! Capacity that is out of service, and the jobs that still hold it.

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use super::{Cluster, State};
use crate::refused::Reason;

/// The amounts that are out of service, by node and resource as in the free amounts.
#[derive(Debug, Default)]
pub(super) struct Closures {
    out: Vec<i64>,
    /// The part of these amounts whose jobs run on until they end.
    draining: Vec<i64>,
    /// The amounts that are out of service and that jobs still hold: they are taken when jobs give resources back. Also the
    /// amounts that jobs hold of resources of suspended jobs.
    owed: Vec<i64>,
    /// The part of these that jobs hold until they end.
    drained: Vec<i64>,
    /// The places with owed amounts.
    owing: SortedSet<usize>,
}

impl Cluster {
    /// Takes amounts of a node out of service: free resources at once, the others when jobs give them back. `drains` says
    /// whether jobs run on.
    pub fn take_out(&mut self, node: usize, amounts: &[i64], drains: bool) {
        let cells = self.room.len();
        let mut closures = self.closures.take().unwrap_or_else(|| {
            let zeros = || vec![0; cells];
            let (out, draining, owed, drained) = (zeros(), zeros(), zeros(), zeros());
            Box::new(Closures { out, draining, owed, drained, owing: SortedSet::new() })
        });
        for (kind, &amount) in amounts.iter().enumerate() {
            let at = node * self.machine.width() + kind;
            closures.out[at] += amount;
            closures.owed[at] += amount;
            if drains {
                closures.drained[at] += amount;
                closures.draining[at] += amount;
            }
            if closures.owed[at] > 0 {
                closures.owing.insert(at);
            }
        }
        self.closures = Some(closures);
        self.settle_owed();
    }

    /// Puts amounts of a node back into service; `drains` as in [`Cluster::take_out`].
    pub fn bring_back(&mut self, node: usize, amounts: &[i64], drains: bool) {
        let Some(mut closures) = self.closures.take() else { return };
        for (kind, &amount) in amounts.iter().enumerate() {
            let at = node * self.machine.width() + kind;
            let owed = amount.min(closures.owed[at]);
            closures.out[at] -= amount;
            if drains {
                closures.draining[at] -= amount;
            }
            closures.owed[at] -= owed;
            closures.drained[at] = closures.drained[at].min(closures.owed[at]).min(closures.out[at]);
            if closures.owed[at] == 0 {
                closures.owing.remove(&at);
            }
            self.free_more(at, amount - owed);
        }
        self.closures = Some(closures);
    }

    /// Takes owed amounts from the free amounts.
    pub(super) fn settle_owed(&mut self) {
        let Some(mut closures) = self.closures.take() else { return };
        let owing: Vec<usize> = closures.owing.iter().copied().collect();
        for at in owing {
            let paid = self.room.at(at).clamp(0, closures.owed[at]);
            self.free_more(at, -paid);
            closures.owed[at] -= paid;
            closures.drained[at] = closures.drained[at].min(closures.owed[at]).min(closures.out[at]);
            if closures.owed[at] == 0 {
                closures.owing.remove(&at);
            }
        }
        self.closures = Some(closures);
    }

    /// Returns the amount of a resource of a node that is out of service and still held by jobs.
    pub(super) fn owed(&self, at: usize) -> i64 {
        self.closures.as_ref().map_or(0, |closures| closures.owed[at])
    }

    /// An amount that is out of service was in use for a while; a job still holds it, or it is free again.
    pub(super) fn owe(&mut self, at: usize, amount: i64) {
        let Some(closures) = &mut self.closures else { return };
        closures.drained[at] += amount;
        self.owe_lent(at, amount);
    }

    /// An amount that a suspended job gave back is held by a job or free again.
    pub(super) fn owe_lent(&mut self, at: usize, amount: i64) {
        let Some(closures) = &mut self.closures else { return };
        closures.owed[at] += amount;
        if closures.owed[at] > 0 {
            closures.owing.insert(at);
        }
    }

    pub(super) fn free_more(&mut self, at: usize, amount: i64) {
        let free = match &mut self.general {
            Some(general) => general.free_more(at, amount),
            None => self.room.at(at) + amount,
        };
        self.room.set(true, [(at, free)].into_iter());
    }

    /// Returns the job that was started last of the jobs that hold resources of a node that are out of service and not drained.
    /// Jobs that are `ending` within this instant give them back anyway, and jobs in a reservation hold what it keeps.
    pub fn in_the_way(&self, node: usize, ending: impl Fn(JobId) -> bool) -> Option<JobId> {
        let closures = self.closures.as_ref()?;
        let width = self.machine.width();
        let urgent = |kind: &usize| {
            let at = node * width + kind;
            closures.owed[at].min(closures.out[at]) > closures.drained[at]
        };
        let urgent: Vec<usize> = (0..width).filter(urgent).collect();
        if urgent.is_empty() {
            return None;
        }
        let holds = |job: &JobId| {
            self.state(*job) == State::Resident
                && !ending(*job)
                && !self.is_lent(*job, node)
                && self.placement(*job).0.iter().any(|share| {
                    share.node as usize == node
                        && urgent.iter().any(|&kind| match self.machine.capacity(node).get(kind) {
                            Some(&capacity) => self.workload.held_on(*job, kind, share.procs, capacity) > 0,
                            None => share.devices >> (kind - self.machine.kinds()) & 1 == 1,
                        })
                })
        };
        self.resident().filter(holds).last()
    }

    /// Takes a resident job off the machine: it loses its work and waits again. Its next start counts as its start.
    ///
    /// # Errors
    /// When the job is not resident.
    pub fn requeue(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        self.jobs.expect(job, State::Resident)?;
        if self.general.is_some() {
            self.displace_general(job, false, now)?;
        } else {
            self.give_back_plain(job);
        }
        self.forgets_suspension(job);
        self.reclaim(job);
        self.settle_owed();
        self.jobs.lose(job, now);
        Ok(())
    }

    /// Turns away a waiting job that the capacity in service can never hold: it has neither start nor end.
    pub fn turn_away(&mut self, job: JobId) {
        self.jobs.turn_away(job);
    }

    /// Returns the amounts of a node that are in service.
    pub fn in_service(&self, node: usize) -> Vec<i64> {
        let mut amounts = self.machine.amounts(node);
        if let Some(closures) = &self.closures {
            let first = node * self.machine.width();
            for (amount, out) in amounts.iter_mut().zip(&closures.out[first..]) {
                *amount -= out;
            }
        }
        amounts
    }

    /// Returns the amount that is out of service for new jobs only, at a node and resource as in the free amounts.
    pub(super) fn draining(&self, at: usize) -> i64 {
        self.closures.as_ref().map_or(0, |closures| closures.draining[at])
    }

    /// Returns the free amounts of a node less the amounts out of service that jobs still hold.
    pub fn balance(&self, node: usize) -> Vec<i64> {
        let mut amounts = self.room(node).to_vec();
        if let Some(closures) = &self.closures {
            let first = node * self.machine.width();
            for (amount, owed) in amounts.iter_mut().zip(&closures.owed[first..]) {
                *amount -= owed;
            }
        }
        amounts
    }
}
