use serde::Serialize;

use crate::metrics::sample::quantiles;

/// A distribution: mean, extremes, and quantiles by linear interpolation of order statistics (R type 7).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub known: u64,
    pub mean: f64,
    pub min: f64,
    pub p25: f64,
    pub median: f64,
    pub p75: f64,
    pub p90: f64,
    pub p99: f64,
    pub max: f64,
}

impl Spread {
    /// Returns the distribution of some values; `None` if there are none. O(n log n).
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Spread> {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        let [p25, median, p75, p90, p99] = quantiles(&mut sorted, [25, 50, 75, 90, 99])?;
        Some(Spread { known: sorted.len() as u64, mean, min, p25, median, p75, p90, p99, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_r_type_7() {
        // R: quantile(c(1, 2, 4, 8, 16), c(.25, .5, .75, .9, .99)) gives 2, 4, 8, 12.8, 15.68.
        let spread = Spread::of([16.0, 1.0, 4.0, 2.0, 8.0].into_iter()).unwrap();
        assert_eq!((spread.known, spread.min, spread.max, spread.mean), (5, 1.0, 16.0, 6.2));
        assert_eq!((spread.p25, spread.median, spread.p75), (2.0, 4.0, 8.0));
        assert!((spread.p90 - 12.8).abs() < 1e-12 && (spread.p99 - 15.68).abs() < 1e-12);
        assert_eq!(Spread::of(std::iter::empty()), None);
    }
}
