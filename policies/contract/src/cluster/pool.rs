//! The plain path: a pool whose jobs run from start to end at full speed.

use batchlab_traces::{JobId, Time};

use super::{Cluster, State};
use crate::placement::Rate;
use crate::refused::Reason;

impl Cluster {
    #[inline]
    pub(super) fn place_plain(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        self.expect_state(job, State::Waiting)?;
        let demand = self.workload.demand(job);
        if let Some(kind) = demand.iter().zip(&self.free).position(|(need, free)| need > free) {
            return Err(Reason::Oversubscribed {
                resource: self.machine.resources()[kind].name.clone(),
                node: 0,
                need: demand[kind],
                free: self.free[kind],
            });
        }
        for (free, need) in self.free.iter_mut().zip(demand) {
            *free -= need;
        }
        self.enter(job, Rate::FULL, now);
        Ok(())
    }

    #[inline]
    pub(super) fn give_back_plain(&mut self, job: JobId) {
        self.gifts += 1;
        for (free, need) in self.free.iter_mut().zip(self.workload.demand(job)) {
            *free += need;
        }
    }

    /// Makes room for at least this number of jobs, that no event has named before; amortised O(1) for each.
    pub fn make_room(&mut self, jobs: usize) {
        if jobs > self.states.len() {
            let jobs = jobs.next_power_of_two();
            self.states.resize(jobs, State::Future);
            self.starts.resize(jobs, Time::MAX);
            self.ends.resize(jobs, Time::MAX);
            self.lists.grow(jobs);
        }
    }
}
