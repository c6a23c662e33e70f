//! The use of a limit by running jobs, by class.

use std::sync::Arc;

use batchlab_traces::limits::{Limit, LimitedQuantity};
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time, Workload};

use super::groups::Stand;

#[derive(Clone, Copy)]
pub(super) struct Stay {
    pub end: Time,
    pub nodes: i64,
}

pub(super) struct LimitUsage {
    /// Its position in the table.
    pub at: usize,
    pub limit: Arc<Limit>,
    pub classes: Vec<LimitClass>,
}

/// The use of a class, and its groups of waiting jobs.
#[derive(Clone, Default)]
pub(super) struct LimitClass {
    used: i128,
    /// For processor-time: the running jobs by expected end, with their processors; `used` is Σ processors × end.
    pub ends: SortedMap<(Time, JobId), i64>,
    /// Σ processors of `ends`.
    pub procs: i128,
    /// The groups of waiting jobs that the policy sees, by amount.
    pub shown: SortedSet<(i128, usize)>,
    /// The groups of waiting jobs that have no room in this class, by amount.
    pub parked: SortedSet<(i128, usize)>,
}

impl LimitClass {
    /// Returns the use by running jobs at an instant.
    pub fn used(&self, now: Time) -> i128 {
        self.used - self.procs * i128::from(now.ticks())
    }

    /// Removes jobs that have outlived their estimate: they may use nothing more.
    pub fn retire(&mut self, now: Time) {
        while let Some((&(end, job), &procs)) =
            self.ends.first_key_value().filter(|((end, _), _)| *end <= now)
        {
            self.ends.remove(&(end, job));
            self.drop_work(end, procs);
        }
    }

    /// Returns when running jobs will have used so much of their processor-time that a job has room, beside them, if none ends
    /// before; the first expected end if it comes earlier. `None` if no job runs.
    pub fn has_room_at(&mut self, amount: i128, most: i128, now: Time) -> Option<Time> {
        self.retire(now);
        let &(first_end, _) = self.ends.keys().next()?;
        let excess = self.used(now) + amount - most;
        let ticks = (excess + self.procs - 1).div_euclid(self.procs.max(1)).max(1);
        let at = now.saturating_add(Time::from_ticks(i64::try_from(ticks).unwrap_or(i64::MAX)));
        Some(at.min(first_end))
    }

    fn drop_work(&mut self, end: Time, procs: i64) {
        self.used -= i128::from(procs) * i128::from(end.ticks());
        self.procs -= i128::from(procs);
    }
}

impl LimitUsage {
    pub fn new(at: usize, limit: &Limit) -> LimitUsage {
        LimitUsage {
            at,
            limit: Arc::new(limit.clone()),
            classes: vec![LimitClass::default(); limit.count_classes()],
        }
    }

    /// Returns how a job stands under the limit; `None` if the limit does not apply to it.
    pub fn stand(&self, workload: &Workload, job: JobId) -> Option<Stand> {
        let class = self.limit.class(workload, job)?;
        let (amount, binds) = (self.limit.amount(workload, job), self.limit.binds(workload, job));
        Some(Stand { class, amount, binds })
    }

    /// Returns how much the jobs of a class may still use.
    pub fn room(&mut self, class: usize, now: Time) -> i128 {
        self.classes[class].retire(now);
        self.limit.most - self.classes[class].used(now)
    }

    pub fn begins(&mut self, workload: &Workload, job: JobId, Stay { end, nodes }: Stay) {
        let Some(class) = self.limit.class(workload, job) else { return };
        let amount = self.limit.amount_on(workload, job, nodes);
        let class = &mut self.classes[class];
        if self.limit.quantity == LimitedQuantity::Work {
            let procs = workload.procs(job);
            class.ends.insert((end, job), procs);
            class.used += i128::from(procs) * i128::from(end.ticks());
            class.procs += i128::from(procs);
        } else {
            class.used += amount;
        }
    }

    /// A job that was expected to end at an instant has left its nodes.
    pub fn ends(&mut self, workload: &Workload, job: JobId, Stay { end, nodes }: Stay) {
        let Some(class) = self.limit.class(workload, job) else { return };
        let class = &mut self.classes[class];
        if self.limit.quantity == LimitedQuantity::Work {
            if let Some(procs) = class.ends.remove(&(end, job)) {
                class.drop_work(end, procs);
            }
        } else {
            class.used -= self.limit.amount_on(workload, job, nodes);
        }
    }
}
