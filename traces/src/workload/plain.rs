//! Workloads of jobs that are given one by one, for tests and models.

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
