//! The users, weeks and jobs that make up the sums behind the means.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Field, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::{Measurement, Served};

/// Sums by user and by week: at most [`USERS`] + 1 and [`WEEKS`] rows.
pub static WHO: DetailSpec = DetailSpec {
    name: "who",
    what: "jobs, waits and bounded slowdowns by user and by week, and what the greatest make up",
    reads_journal: false,
    make,
};

/// The most users that are listed individually: those with the greatest sums of bounded slowdown.
pub const USERS: usize = 100;
/// The most weeks listed; in longer replays a row covers several weeks.
pub const WEEKS: usize = 520;

const WEEK: f64 = 604_800.0;

/// The contributions to the sums over one replay's measured jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Who {
    pub all: Sums,
    /// Users by their sum of bounded slowdown, the greatest first; −1 stands for jobs without a known user.
    pub users: Vec<(i64, Sums)>,
    pub other_users: (usize, Sums),
    /// The number of weeks that a row covers.
    pub weeks_each: u64,
    /// Weeks of submission that have jobs, counted from the first submission.
    pub weeks: Vec<(u64, Sums)>,
    /// The share of the greatest one per cent of the jobs (at least one job) in each sum.
    pub top_jobs: TopJobs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    pub jobs: u64,
    /// In seconds.
    pub wait: f64,
    pub bsld: f64,
}

/// The share of the greatest values in each sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TopJobs {
    /// The number of jobs that make up one per cent.
    pub jobs: usize,
    /// Share of the longest waits in the sum of waits; 0 if no job waits.
    pub wait_share: f64,
    /// Share of the greatest bounded slowdowns in their sum.
    pub bsld_share: f64,
}

impl Sums {
    /// Adds a job; `tau` bounds its slowdown.
    pub(super) fn add(&mut self, job: &Served, tau: Time) {
        self.jobs += 1;
        self.wait += job.wait().secs();
        self.bsld += slowdown(job, tau);
    }

    #[must_use]
    pub fn join(mut self, other: &Sums) -> Sums {
        self.jobs += other.jobs;
        self.wait += other.wait;
        self.bsld += other.bsld;
        self
    }
}

/// Returns the bounded slowdown of a job; 1 if it has none.
fn slowdown(job: &Served, tau: Time) -> f64 {
    job.bounded_slowdown(tau).unwrap_or(1.0)
}

/// O(n log n).
fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    let (mut all, mut waits, mut slowdowns) = (Sums::default(), Vec::new(), Vec::new());
    let mut users: SortedMap<i64, Sums> = SortedMap::new();
    let mut weeks: SortedMap<u64, Sums> = SortedMap::new();
    let window = measurement.window();
    let span = (window.last_submit - window.first_submit).secs();
    let weeks_each = ((span / WEEK / WEEKS as f64).ceil() as u64).max(1);
    for job in measurement.measured() {
        let tau = measurement.options().tau;
        let user = measurement.workload().attribute(job.job, Field::User).max(-1);
        let since = (job.submit - window.first_submit).secs();
        all.add(&job, tau);
        users.entry(user).or_default().add(&job, tau);
        let row = (since / WEEK / weeks_each as f64) as u64;
        // A last submission exactly at the end of the last row counts in that row.
        weeks.entry(row.min(WEEKS as u64 - 1)).or_default().add(&job, tau);
        waits.push(job.wait().secs());
        slowdowns.push(slowdown(&job, tau));
    }
    let top = waits.len().div_ceil(100);
    let top_jobs = TopJobs {
        jobs: top,
        wait_share: share_of_greatest(waits, top),
        bsld_share: share_of_greatest(slowdowns, top),
    };
    let mut users: Vec<(i64, Sums)> = users.into_iter().collect();
    users.arrange_by(|one, other| other.1.bsld.total_cmp(&one.1.bsld).then(one.0.cmp(&other.0)));
    let others = users.split_off(users.len().min(USERS));
    let other_users = (others.len(), others.iter().fold(Sums::default(), |sums, (_, user)| sums.join(user)));
    let weeks = weeks.into_iter().collect();
    (all.jobs > 0).then(|| recorded(Ok(Who { all, users, other_users, weeks_each, weeks, top_jobs })))?
}

/// Returns the share of a sum that its `count` greatest terms make up; 0 if the sum is 0.
fn share_of_greatest(mut values: Vec<f64>, count: usize) -> f64 {
    values.sort_unstable_by(|one, other| other.total_cmp(one));
    let (top, sum) = (values.iter().take(count).sum::<f64>(), values.iter().sum::<f64>());
    if sum > 0.0 { top / sum } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_make_up_their_share() {
        assert_eq!(share_of_greatest(vec![1.0, 6.0, 3.0], 1), 0.6);
        assert_eq!((share_of_greatest(vec![0.0; 4], 1), share_of_greatest(Vec::new(), 0)), (0.0, 0.0));
    }
}
