//! Single jobs: how large they are, how long they ran, and how they fared.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::distribution::{QUANTITIES, value_of};
use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::{Measurement, Served};

/// Some of the measured jobs: at most [`MOST`], evenly spread over the order of submission.
pub static POINTS: DetailSpec = DetailSpec {
    name: "points",
    what: "processors, run time, wait, response and slowdowns of some measured jobs, evenly spread over the log",
    reads_journal: false,
    make,
};

/// The most jobs that are kept of a replay.
pub const MOST: usize = 2_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Points {
    pub jobs: usize,
    pub points: Vec<JobPoint>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobPoint {
    pub procs: f64,
    /// In seconds.
    pub run: f64,
    /// Its quantities, in the order of [`QUANTITIES`].
    pub values: [Option<f64>; QUANTITIES.len()],
}

/// O(n).
fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    let jobs: Vec<Served> = measurement.measured().collect();
    let kept = jobs.len().min(MOST);
    let point = |at: usize| {
        let job = &jobs[at * jobs.len() / kept];
        JobPoint {
            procs: job.procs as f64,
            run: job.run.secs(),
            values: QUANTITIES.map(|(name, _)| value_of(name, measurement, job)),
        }
    };
    (kept > 0).then(|| recorded(Ok(Points { jobs: jobs.len(), points: (0..kept).map(point).collect() })))?
}
