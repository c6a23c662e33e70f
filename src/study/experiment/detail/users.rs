//! How users fare: the distribution over users of their mean waits and slowdowns.

use batchlab_traces::Field;
use batchlab_traces::sorted::SortedMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::distribution::{QUANTITIES, Quantiles, inverse, shares, value_of};
use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::{Measurement, Served};

/// Distributions over users; at most 4 quantities × 2 × [`super::distribution::SHARES`] numbers.
pub static USERS: DetailSpec = DetailSpec {
    name: "users",
    what: "the distribution over users of their mean wait, response, bounded slowdown and slowdown, with its Lorenz curve",
    reads_journal: false,
    make,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserQuantities {
    pub jobs: usize,
    pub quantities: Vec<OverUsers>,
}

/// One distribution over users: every user has the mean of their jobs, and counts once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverUsers {
    /// The quantiles over users; its number of jobs is the number of users.
    pub quantiles: Quantiles,
    /// For each share of the users in [`shares`], from the least mean: their share of the sum of all users' means (linear between
    /// users; Lorenz, Publications of the American Statistical Association 9, 1905). Empty if the sum is 0.
    pub lorenz: Vec<f64>,
    /// The Gini coefficient: twice the area between the Lorenz curve and the diagonal; 0 when all fare alike.
    pub gini: Option<f64>,
}

/// O(n log n).
fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    let known = || {
        let user = |job: &Served| measurement.workload().attribute(job.job, Field::User);
        measurement.measured().map(move |job| (user(&job), job)).filter(|(user, _)| *user >= 0)
    };
    let jobs = known().count();
    if measurement.jobs().is_empty() {
        return None;
    }
    if jobs == 0 {
        return recorded::<UserQuantities>(Err("the log names no users".into()));
    }
    let quantity = |(name, _): &(&str, bool)| {
        let mut sums: SortedMap<i64, (f64, f64)> = SortedMap::new();
        for (user, job) in known() {
            if let Some(value) = value_of(name, measurement, &job) {
                let (sum, jobs) = sums.entry(user).or_default();
                *sum += value;
                *jobs += 1.0;
            }
        }
        let mut means: Vec<f64> = sums.values().map(|(sum, jobs)| sum / jobs).collect();
        means.sort_unstable_by(f64::total_cmp);
        let (lorenz, gini) = lorenz(&means);
        let quantiles = Quantiles { name: (*name).into(), jobs: means.len(), values: inverse(&means) };
        OverUsers { quantiles, lorenz, gini }
    };
    let quantities = QUANTITIES.iter().map(quantity).collect();
    recorded(Ok(UserQuantities { jobs, quantities }))
}

/// Returns the Lorenz curve of sorted values at each of [`shares`], and the Gini coefficient; nothing if their sum is 0.
pub fn lorenz(sorted: &[f64]) -> (Vec<f64>, Option<f64>) {
    let mut sums = vec![0.0];
    for value in sorted {
        sums.push(sums[sums.len() - 1] + value);
    }
    let (count, total) = (sorted.len() as f64, sums[sorted.len()]);
    if total <= 0.0 {
        return (Vec::new(), None);
    }
    let at = |share: f64| {
        let place = share * count;
        let below = (place.floor() as usize).min(sorted.len());
        let above = (below + 1).min(sorted.len());
        (sums[below] + (place - below as f64) * (sums[above] - sums[below])) / total
    };
    let area: f64 =
        sums.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).sum::<f64>() / (count * total);
    (shares().into_iter().map(at).collect(), Some(1.0 - 2.0 * area))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lorenz_curve_is_the_diagonal_for_equals_and_sags_below_it_otherwise() {
        let (equal, gini) = lorenz(&[3.0; 4]);
        for (share, value) in shares().iter().zip(&equal) {
            assert!((share - value).abs() < 1e-12, "{share} {value}");
        }
        assert!(gini.unwrap().abs() < 1e-12);
        // One of four has all: three quarters of the users have nothing, and Gini is (n - 1) / n.
        let (one, gini) = lorenz(&[0.0, 0.0, 0.0, 8.0]);
        let at = |wanted: f64| one[shares().iter().position(|share| *share == wanted).unwrap()];
        assert_eq!([at(0.5), at(0.75), at(1.0)], [0.0, 0.0, 1.0]);
        assert!((at(0.9) - 0.6).abs() < 1e-12 && (gini.unwrap() - 0.75).abs() < 1e-12, "{gini:?}");
        assert_eq!(lorenz(&[0.0; 3]), (Vec::new(), None));
        assert_eq!(lorenz(&[]), (Vec::new(), None));
    }
}
