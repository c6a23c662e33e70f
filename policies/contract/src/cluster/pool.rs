//! The plain path: a pool whose jobs run from start to end at full speed.

use batchlab_traces::{JobId, Time};

use super::{Cluster, State};
use crate::placement::Rate;
use crate::refused::Reason;

impl Cluster {
    #[inline]
    pub(super) fn place_plain(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        self.jobs.expect(job, State::Waiting)?;
        let demand = self.workload.demand(job);
        if let Err(kind) = self.room.take(demand) {
            return Err(Reason::Oversubscribed {
                resource: self.machine.resources()[kind].name.clone(),
                node: 0,
                need: demand[kind],
                free: self.room.at(kind),
            });
        }
        self.jobs.enter(job, Rate::FULL, now);
        Ok(())
    }

    #[inline]
    pub(super) fn give_back_plain(&mut self, job: JobId) {
        self.room.give(self.workload.demand(job));
    }

    /// Makes room for at least this number of jobs, that no event has named before; amortised O(1) for each.
    pub fn make_room(&mut self, jobs: usize) {
        self.jobs.make_room(jobs);
    }
}
