//! How far jobs start from the start that they were promised first.

use serde_json::Value;

use super::distribution::{Distribution, Quantiles, inverse};
use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::{Measurement, Served, first_promises};

/// The distribution of the distance between first promised start and start.
pub static PROMISES: DetailSpec = DetailSpec {
    name: "promises",
    what: "empirical quantiles of the distance between the first promised start and the start, over jobs with a promise",
    reads_journal: true,
    make,
};

/// The name of the quantity, in seconds.
pub const PROMISE_ERROR: &str = "promise_error";

/// O(n log n).
fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    if measurement.jobs().is_empty() {
        return None;
    }
    let promises = first_promises(measurement.journal());
    let error = |job: Served| promises.get(&job.job).map(|&at| (job.start - at).secs().abs());
    let mut errors: Vec<f64> = measurement.measured().filter_map(error).collect();
    if errors.is_empty() {
        return recorded::<Distribution>(Err("the policy promised no measured job a start".into()));
    }
    errors.sort_unstable_by(f64::total_cmp);
    let quantiles = Quantiles { name: PROMISE_ERROR.into(), jobs: errors.len(), values: inverse(&errors) };
    recorded(Ok(Distribution {
        jobs: measurement.jobs().len(),
        quantities: vec![quantiles],
        classes: Vec::new(),
    }))
}
