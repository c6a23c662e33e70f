//! Jobs suspended in place: they keep their nodes, give back some resources, and get them again later.
//!
//! Resources that a suspended job gave back are not free: they are lent to jobs that may take them, and owed to the
//! suspended job meanwhile.

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedMap;

use super::closures::Closures;
use super::common::Common;
use crate::placement::Placement;

/// The suspended jobs, and the amounts that each of them gave back, by node and resource as in the free amounts.
#[derive(Debug, Default)]
pub(super) struct Suspended(SortedMap<JobId, Vec<(usize, i64)>>);

impl Suspended {
    pub(super) fn jobs(&self) -> impl Iterator<Item = JobId> + '_ {
        self.0.keys().copied()
    }

    /// Returns the amounts that a job gave back, if it is suspended.
    #[inline]
    pub(super) fn given(&self, job: JobId) -> Option<&Vec<(usize, i64)>> {
        self.0.get(&job)
    }

    /// A job that is paused gives amounts back, which are not free.
    pub(super) fn suspend(&mut self, common: &mut Common, job: JobId, given: Vec<(usize, i64)>) {
        for &(at, amount) in &given {
            common.free_more(at, -amount);
        }
        self.0.insert(job, given);
    }

    /// A suspended job resumes, ends or leaves the machine: the resources that it gave back are no longer kept for it.
    /// Returns whether it was suspended.
    pub(super) fn forget(&mut self, common: &mut Common, job: JobId) -> bool {
        let Some(given) = self.0.remove(&job) else { return false };
        for (at, amount) in given {
            common.free_more(at, amount);
        }
        true
    }

    /// Adds the amounts that some suspended jobs gave back to the room of each node; `width` is the number of amounts of a node.
    pub(super) fn add_given(
        &self,
        room: &mut [Vec<i64>],
        width: usize,
        mut lends: impl FnMut(JobId) -> bool,
    ) {
        for (_, given) in self.0.iter().filter(|(job, _)| lends(**job)) {
            for &(at, amount) in given {
                room[at / width][at % width] += amount;
            }
        }
    }
}

/// Makes room for a job on the nodes of a placement, from the resources that suspended jobs gave back; returns the
/// amounts that were missing.
pub(super) fn lend(common: &mut Common, job: JobId, placement: &Placement) -> Vec<(usize, i64)> {
    let mut lent = Vec::new();
    for share in &placement.0 {
        let first = share.node as usize * common.machine().width();
        for (kind, need) in common.needs_on(job, share).into_iter().enumerate() {
            let missing = need - common.room().at(first + kind);
            if missing > 0 {
                common.free_more(first + kind, missing);
                lent.push((first + kind, missing));
            }
        }
    }
    lent
}

/// Takes lent amounts back: at once if they are free, otherwise when their job gives them back.
pub(super) fn take_back(common: &mut Common, closures: &mut Closures, lent: &[(usize, i64)]) {
    for &(at, amount) in lent {
        closures.owe_lent(at, amount);
    }
    closures.settle(common);
}
