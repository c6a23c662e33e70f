//! The state that an order sees besides the job it ranks: the machine, and what users hold or have used.

use batchlab_traces::Machine;
use batchlab_traces::sorted::SortedMap;

use crate::view::JobView;

/// The state at an order's last look.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// Capacity of the whole machine, per resource.
    totals: Vec<i64>,
    /// Free amounts over all nodes, per resource, as fractions of the capacity.
    free: Vec<f64>,
    pub memory: Option<usize>,
    /// Dominant share or usage of each user with any.
    pub users: SortedMap<i64, f64>,
    /// The weight of a unit of work relative to the alignment.
    pub work_weight: f64,
}

impl Sight {
    pub fn new(machine: &Machine, memory: Option<usize>) -> Sight {
        let totals: Vec<i64> = (0..machine.kinds()).map(|kind| machine.total(kind)).collect();
        Sight { free: vec![0.0; totals.len()], totals, memory, ..Sight::default() }
    }

    pub fn see_free(&mut self, free: &[i64]) {
        for ((fraction, &amount), &total) in self.free.iter_mut().zip(free).zip(&self.totals) {
            *fraction = if total > 0 { amount as f64 / total as f64 } else { 0.0 };
        }
    }

    /// Returns a user's holdings or usage. All jobs of unknown users count as one user's.
    pub fn of_user(&self, user: i64) -> f64 {
        self.users.get(&user.max(-1)).copied().unwrap_or(0.0)
    }

    /// Returns a job's alignment with the free resources: the mean of (free/capacity)·(demand/capacity) over all resources,
    /// which gives the same order as their sum.
    ///
    /// On machines with nodes this uses totals: a job of many tasks has no single node to be aligned with, and totals make jobs
    /// of few and of many tasks comparable. `place=dot` chooses the node that suits a task best.
    pub fn alignment(&self, job: JobView<'_>) -> f64 {
        self.demands(job).zip(&self.free).map(|(demand, free)| demand * free).sum::<f64>()
            / self.totals.len() as f64
    }

    /// Returns the mean of a job's demands as fractions of the capacities.
    pub fn size(&self, job: JobView<'_>) -> f64 {
        self.demands(job).sum::<f64>() / self.totals.len() as f64
    }

    /// Returns a job's demands as fractions of the capacities; 0 for resources that the machine does not have.
    fn demands(&self, job: JobView<'_>) -> impl Iterator<Item = f64> {
        let fraction =
            |(&amount, &total): (&i64, &i64)| if total > 0 { amount as f64 / total as f64 } else { 0.0 };
        job.demand().iter().zip(&self.totals).map(fraction)
    }
}
