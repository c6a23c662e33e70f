//! Utilization and queue length over time.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::used::{Bins, Edges, for_each_use};
use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::Measurement;

/// Utilization and queue length of a replay from the first submission to the last end.
pub static TIMELINE: DetailSpec = DetailSpec {
    name: "timeline",
    what: "utilization of each resource and queue length over time",
    reads_journal: false,
    make,
};

/// The most steps of a curve; each resource has a curve, and so does the queue.
pub const STEPS: usize = 1000;

/// Means over the time between two edges. If at most [`STEPS`] instants change anything, the edges are these instants and the
/// curves are exact; otherwise the edges are equidistant. In both cases sums over the steps are the integrals of the exact curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Edges of the steps, in seconds since the first submission; one more than there are steps.
    pub edges: Vec<f64>,
    /// The last submission, in seconds since the first one.
    pub last_submit: f64,
    /// Utilization of each resource, processors first.
    pub resources: Vec<Course>,
    /// Jobs submitted and not yet started.
    pub queue: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    pub name: String,
    /// Shares of the machine's capacity, one for each step.
    pub values: Vec<f64>,
}

/// O(n log n).
fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    if measurement.workload().is_empty() {
        return None;
    }
    recorded(timeline(measurement))
}

fn timeline(measurement: &Measurement<'_>) -> Result<Timeline, String> {
    let edges = Edges::of(measurement, STEPS).ok_or("no time passes in the replay")?;
    let (workload, machine) = (measurement.workload(), measurement.machine());
    let kinds = workload.kinds().min(machine.kinds());
    let course = |resource: usize| {
        let mut bins = Bins::new(&edges);
        for_each_use(measurement, resource, &edges, &mut |job, from, to, share| {
            bins.add(from, to, workload.demand(job)[resource] as f64 * share);
        });
        let capacity = machine.total(resource).max(1) as f64;
        let values = bins.means().into_iter().map(|amount| amount / capacity).collect();
        Course { name: machine.resources()[resource].name.clone(), values }
    };
    let mut queue = Bins::new(&edges);
    for job in measurement.replayed() {
        queue.add(job.submit, job.start, 1.0);
    }
    let window = measurement.window();
    Ok(Timeline {
        edges: edges.seconds(measurement.window().first_submit),
        last_submit: (window.last_submit - window.first_submit).secs(),
        resources: (0..kinds).map(course).collect(),
        queue: queue.means(),
    })
}
