//! Jobs suspended in place: they keep their nodes, give back some resources, and get them again later.
//!
//! Resources that a suspended job gave back are not free: they are lent to jobs that may take them, and owed to the
//! suspended job meanwhile.

use batchlab_traces::machine::Sharing;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::{Cluster, State};
use crate::placement::{Placement, Rate};
use crate::refused::Reason;

/// The suspended jobs, and the resources that such jobs give back.
#[derive(Debug)]
pub(super) struct Suspended {
    /// Whether suspended jobs give back a resource.
    pub(super) releases: Vec<bool>,
    /// The amounts that each of them gave back, by node and resource as in the free amounts.
    jobs: SortedMap<JobId, Vec<(usize, i64)>>,
}

impl Cluster {
    /// Returns the machine with jobs that may be suspended in place; `releases` says which resources they give back.
    ///
    /// On the general path only.
    #[must_use]
    pub fn with_suspension(mut self, releases: &[bool]) -> Cluster {
        let sharing = self.machine.resources().iter().map(|resource| resource.sharing);
        let releases =
            releases.iter().zip(sharing).map(|(&given, sharing)| given || sharing == Sharing::Time);
        self.suspended = Some(Box::new(Suspended { releases: releases.collect(), jobs: SortedMap::new() }));
        // Lent resources are owed.
        self.take_out(0, &[], true);
        self
    }

    /// Returns the suspended jobs, in the order of submission.
    pub fn suspended(&self) -> impl Iterator<Item = JobId> + '_ {
        self.suspended.iter().flat_map(|suspended| suspended.jobs.keys().copied())
    }

    /// Whether a job is suspended in place.
    #[inline]
    pub fn is_suspended(&self, job: JobId) -> bool {
        self.suspended.as_ref().is_some_and(|suspended| suspended.jobs.contains_key(&job))
    }

    /// Returns the amounts that a job on the machine would give back if it were suspended, or gave back if it is, by node
    /// and resource as in the free amounts. O(its nodes).
    pub fn released(&self, job: JobId) -> Vec<(usize, i64)> {
        let Some(suspended) = &self.suspended else { return Vec::new() };
        if let Some(given) = suspended.jobs.get(&job) {
            return given.clone();
        }
        let width = self.machine.width();
        let device = self.machine.devices().map_or(0, |devices| devices.resource());
        let is_released =
            |kind: usize| suspended.releases.get(kind).copied().unwrap_or(suspended.releases[device]);
        let mut given = Vec::new();
        for share in &self.placement(job).0 {
            let node = share.node as usize;
            let mut amounts = vec![0; width];
            let of = (share.procs, share.devices);
            self.workload.hold(job, of, self.machine.capacity(node), self.machine.devices(), &mut amounts);
            let released =
                amounts.into_iter().enumerate().filter(|&(kind, amount)| amount > 0 && is_released(kind));
            given.extend(released.map(|(kind, amount)| (node * width + kind, amount)));
        }
        given
    }

    /// Suspends a running job in place. The resources that it gives back are not free: see [`Cluster::lend_suspended`].
    ///
    /// # Errors
    /// When the job does not run.
    pub fn suspend(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        self.jobs.expect(job, State::Resident)?;
        if self.is_suspended(job) {
            return Err(Reason::State { state: "is suspended already" });
        }
        let given = self.released(job);
        self.rate_general(job, Rate::PAUSED, now)?;
        for &(at, amount) in &given {
            self.free_more(at, -amount);
        }
        if let Some(suspended) = &mut self.suspended {
            suspended.jobs.insert(job, given);
        }
        Ok(())
    }

    /// Resumes a suspended job where it is. The caller ensures that no running job has the resources that it gave back.
    ///
    /// # Errors
    /// When the job is not suspended.
    pub fn resume(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        if !self.forgets_suspension(job) {
            return Err(Reason::State { state: "is not suspended" });
        }
        self.rate_general(job, Rate::FULL, now)
    }

    /// A suspended job resumes, ends or leaves the machine: the resources that it gave back are no longer kept for it.
    /// Returns whether it was suspended.
    pub(super) fn forgets_suspension(&mut self, job: JobId) -> bool {
        let Some(given) = self.suspended.as_mut().and_then(|suspended| suspended.jobs.remove(&job)) else {
            return false;
        };
        for (at, amount) in given {
            self.free_more(at, amount);
        }
        true
    }

    /// Makes room for a job on the nodes of a placement, from the resources that suspended jobs gave back; returns the
    /// amounts that were missing. Once the job is placed, they are owed ([`Cluster::take_back_lent`]).
    pub fn lend_suspended(&mut self, job: JobId, placement: &Placement) -> Vec<(usize, i64)> {
        let width = self.machine.width();
        let mut lent = Vec::new();
        for share in &placement.0 {
            let node = share.node as usize;
            let mut needs = vec![0; width];
            let of = (share.procs, share.devices);
            self.workload.hold(job, of, self.machine.capacity(node), self.machine.devices(), &mut needs);
            for (kind, need) in needs.into_iter().enumerate() {
                let at = node * width + kind;
                let missing = need - self.room.at(at);
                if missing > 0 {
                    self.free_more(at, missing);
                    lent.push((at, missing));
                }
            }
        }
        lent
    }

    /// Takes lent amounts back: at once if they are free, otherwise when their job gives them back.
    pub fn take_back_lent(&mut self, lent: &[(usize, i64)]) {
        for &(at, amount) in lent {
            self.owe_lent(at, amount);
        }
        self.settle_owed();
    }

    /// Returns the amounts that a suspended job may have on each node: those that no running job holds, less those of other
    /// suspended jobs that are `ahead` of it. If it `runs_on`, it may also have capacity that is out of service for new jobs
    /// only. O(nodes + suspended jobs and their nodes).
    pub fn room_to_resume(
        &self,
        job: JobId,
        runs_on: bool,
        mut ahead: impl FnMut(JobId) -> bool,
    ) -> Vec<Vec<i64>> {
        let mut room = self.room_with(|other| other == job || !ahead(other));
        if !runs_on {
            return room;
        }
        for (node, room) in room.iter_mut().enumerate() {
            for (kind, amount) in room.iter_mut().enumerate() {
                *amount += self.draining(node * self.machine.width() + kind);
            }
        }
        room
    }

    /// Returns the amounts that jobs may take on each node if they may take the resources that some suspended jobs gave
    /// back. O(nodes + suspended jobs and their nodes).
    pub fn room_with(&self, mut lends: impl FnMut(JobId) -> bool) -> Vec<Vec<i64>> {
        let width = self.machine.width();
        let mut room: Vec<Vec<i64>> = (0..self.machine.nodes()).map(|node| self.balance(node)).collect();
        for (&job, given) in self.suspended.iter().flat_map(|suspended| &suspended.jobs) {
            if lends(job) {
                for &(at, amount) in given {
                    room[at / width][at % width] += amount;
                }
            }
        }
        room
    }
}
