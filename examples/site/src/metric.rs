//! A metric: how many jobs start at once, as users perceive it.

use batchlab::table::{Better, Unit};
use batchlab::traces::{Citation, Time};

use batchlab::metrics::{Bound, Compute, Domain, Measurement, MetricSpec, Scope};

/// The metric's description; `list metrics prompt_starts` prints it.
pub static SPEC: MetricSpec = MetricSpec {
    name: "prompt_starts",
    unit: Unit::Fraction,
    better: Better::Higher,
    domain: Domain::Share,
    scope: Scope::Jobs,
    bound: Bound::None,
    in_summary: true,
    definition: "measured jobs that start within a minute of their submission / all measured jobs",
    cite: Citation::foreign("this crate"),
    // One number. `Compute::PerJob` takes a value per job instead, and gives mean_NAME, p95_NAME and so on.
    compute: Compute::Value(prompt_starts),
};

const PROMPT: Time = Time::from_secs(60);

fn prompt_starts(measurement: &Measurement<'_>) -> Option<f64> {
    let jobs = measurement.jobs().len();
    let prompt = measurement.measured().filter(|job| job.wait() <= PROMPT).count();
    (jobs > 0).then(|| prompt as f64 / jobs as f64)
}
