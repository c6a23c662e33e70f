//! Workloads of jobs that are given one by one, for tests and models.

use super::{ATTRIBUTES, Workload};
use crate::field::Field;
use crate::time::Time;

/// A job given explicitly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainJob {
    /// Submit time.
    pub submit: Time,
    /// Run time.
    pub run: Time,
    /// The estimate that the scheduler gets.
    pub estimate: Time,
    /// Amount of each resource; the first is the processors.
    pub demand: Vec<i64>,
    /// User number, -1 when unknown.
    pub user: i64,
    /// Partition number, -1 when unknown.
    pub partition: i64,
}

impl Workload {
    /// Returns a workload of explicitly given jobs; job numbers count from 1 in the given order. Nothing is
    /// checked: submissions, and the sum of all run times, must be well below [`Time::FARTHEST`].
    ///
    /// # Panics
    /// When the jobs demand different numbers of resources.
    pub fn from_jobs(jobs: &[PlainJob]) -> Workload {
        let kinds = jobs.first().map_or(1, |job| job.demand.len());
        let mut order: Vec<u32> = (0..jobs.len() as u32).collect();
        order.sort_by_key(|&row| jobs[row as usize].submit);
        let mut workload = Workload { kinds, ..Workload::default() };
        for &row in &order {
            let job = &jobs[row as usize];
            assert_eq!(job.demand.len(), kinds, "all jobs of a workload demand the same resources");
            workload.submit.push(job.submit);
            workload.run.push(job.run);
            workload.estimate.push(job.estimate);
            workload.demand.extend(&job.demand);
            workload.numbers.push(crate::Number::whole(i64::from(row) + 1));
            for (column, field) in workload.attributes.iter_mut().zip(ATTRIBUTES) {
                let value = match field {
                    Field::User => job.user,
                    Field::Partition => job.partition,
                    _ => -1,
                };
                column.push(crate::Number::whole(value));
            }
        }
        if workload.estimate == workload.run {
            workload.estimate.clear();
        }
        workload.rows = order.into_iter().map(|row| crate::Number::whole(row.into())).collect();
        workload
    }
}
