//! The distributions of waits and slowdowns of the measured jobs.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::{Measurement, Served};

/// Distributions of the measured jobs, of all and of each class; at most 4 quantities × [`SHARES`] numbers each.
pub static DISTRIBUTION: DetailSpec = DetailSpec {
    name: "distribution",
    what: "empirical quantiles of wait, response, bounded slowdown and slowdown of the measured jobs",
    reads_journal: false,
    make,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    pub jobs: usize,
    /// The quantities in the order of [`QUANTITIES`].
    pub quantities: Vec<Quantiles>,
    /// The same of the jobs of each measured class, with its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<(String, Vec<Quantiles>)>,
}

impl Distribution {
    /// Returns the quantities of a class of jobs, or of all; none of an unknown class.
    pub fn of(self, class: Option<&str>) -> Vec<Quantiles> {
        let Some(class) = class else { return self.quantities };
        self.classes.into_iter().find(|(name, _)| name == class).map_or_else(Vec::new, |(_, of)| of)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantiles {
    pub name: String,
    pub jobs: usize,
    /// For each share in [`shares`], the least value that is not exceeded by at least this share of the jobs (the inverse of
    /// the empirical distribution function). Seconds or ratios; empty if there are no jobs.
    pub values: Vec<f64>,
}

/// Names of the quantities, and whether they are seconds.
pub const QUANTITIES: [(&str, bool); 4] =
    [("wait", true), ("response", true), ("bsld", false), ("slowdown", false)];

pub(super) fn value_of(name: &str, measurement: &Measurement<'_>, job: &Served) -> Option<f64> {
    match name {
        "wait" => Some(job.wait().secs()),
        "response" => Some(job.response().secs()),
        "bsld" => job.bounded_slowdown(measurement.options().tau),
        "slowdown" => job.slowdown(),
        _ => None,
    }
}

/// The number of shares of a distribution.
pub const SHARES: usize = 201 + 4 + TAIL.len();
/// Shares of the upper tail, in ten-thousandths: there the differences between schedulers are largest.
const TAIL: [usize; 6] = [9960, 9970, 9980, 9990, 9995, 9999];
const WHOLE: usize = 10_000;

/// Returns the shares in ten-thousandths, ascending: every half per cent, and finer in both tails.
fn grid() -> Vec<usize> {
    let mut grid: Vec<usize> = (0..=200).map(|at| at * 50).chain([10, 20, 30, 40]).chain(TAIL).collect();
    grid.sort_unstable();
    grid
}

/// Returns the shares of jobs, ascending from 0 to 1, to which the values of a distribution belong.
pub fn shares() -> Vec<f64> {
    grid().into_iter().map(|share| share as f64 / WHOLE as f64).collect()
}

/// O(n log n).
fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    let jobs = measurement.jobs().len();
    let classes = measurement.classes().iter();
    let classes =
        classes.map(|class| (class.name.clone(), quantities(&measurement.of_class(class)))).collect();
    (jobs > 0).then(|| recorded(Ok(Distribution { jobs, quantities: quantities(measurement), classes })))?
}

fn quantities(measurement: &Measurement<'_>) -> Vec<Quantiles> {
    let quantiles = |(name, _): (&str, bool)| {
        let values = measurement.measured().filter_map(|job| value_of(name, measurement, &job));
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        Quantiles { name: name.into(), jobs: sorted.len(), values: inverse(&sorted) }
    };
    QUANTITIES.into_iter().map(quantiles).collect()
}

/// Returns the inverse of the empirical distribution function of sorted values, at each share of the grid.
pub(super) fn inverse(sorted: &[f64]) -> Vec<f64> {
    let at = |share: usize| (sorted.len() * share).div_ceil(WHOLE).saturating_sub(1);
    if sorted.is_empty() { Vec::new() } else { grid().into_iter().map(|share| sorted[at(share)]).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_the_least_value_that_the_share_does_not_exceed() {
        let sorted: Vec<f64> = (1..=1000).map(f64::from).collect();
        let values = inverse(&sorted);
        let shares = shares();
        assert_eq!((values.len(), shares.len(), shares[0], shares[SHARES - 1]), (SHARES, SHARES, 0.0, 1.0));
        for (share, value) in shares.iter().zip(&values) {
            assert_eq!(*value, (share * 1000.0).round().max(if *share == 0.9995 { 1000.0 } else { 1.0 }));
        }
        assert!(inverse(&[]).is_empty() && inverse(&[7.0]).iter().all(|value| *value == 7.0));
    }
}
