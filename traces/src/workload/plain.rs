//! Workloads of jobs that are given one by one, for tests and models.

use crate::time::Time;

/// A job given explicitly.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainJob {
    pub submit: Time,
    pub run: Time,
    pub estimate: Time,
    /// Amount of each resource; the first is the processors.
    pub demand: Vec<i64>,
    /// User number, -1 when unknown.
    pub user: i64,
    /// Partition number, -1 when unknown.
    pub partition: i64,
}

impl PlainJob {
    /// Returns a job whose estimate is its run time; its user and its partition are unknown.
    pub fn new(submit: Time, run: Time, demand: Vec<i64>) -> PlainJob {
        PlainJob { submit, run, estimate: run, demand, user: -1, partition: -1 }
    }

    /// As [`PlainJob::new`], with times in seconds.
    pub fn secs(submit: i64, run: i64, demand: Vec<i64>) -> PlainJob {
        PlainJob::new(Time::from_secs(submit), Time::from_secs(run), demand)
    }
}
