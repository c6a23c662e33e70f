//! Distributions of several units as one, with a band.

use batchlab_engine::stats::student;
use batchlab_study::experiment::UnitKind;
use batchlab_study::experiment::detail::distribution::{Quantiles, shares};

/// A point of a pooled distribution function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CdfPoint {
    pub at: f64,
    /// The share of the jobs of all units whose value is at most this.
    pub share: f64,
    /// Where it lies by the differences between units, if these show it.
    pub range: Option<(f64, f64)>,
}

/// Pools units: every job counts once. The band is, for each value alone, the interval of the share as a ratio of two
/// totals over units (its linearised variance, Student's t); under input shaking it is the least and the greatest share.
pub(super) fn pooled(units: &[Quantiles], kind: UnitKind, level: f64) -> Vec<CdfPoint> {
    let shares = shares();
    let units: Vec<&Quantiles> = units.iter().filter(|unit| !unit.values.is_empty()).collect();
    let count = units.len() as f64;
    let jobs: f64 = units.iter().map(|unit| unit.jobs as f64).sum();
    let mut values: Vec<f64> = units.iter().flat_map(|unit| &unit.values).copied().collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let quantile = if count > 1.0 { student::quantile(f64::midpoint(1.0, level), count - 1.0) } else { 0.0 };
    let of = |unit: &Quantiles, at: f64| match unit.values.partition_point(|value| *value <= at) {
        0 => 0.0,
        below => shares[below - 1],
    };
    let point = |at: f64| {
        let own: Vec<(f64, f64)> = units.iter().map(|unit| (unit.jobs as f64, of(unit, at))).collect();
        let share = own.iter().map(|(weight, share)| weight * share).sum::<f64>() / jobs;
        let range = match kind {
            _ if own.len() < 2 => None,
            UnitKind::Replications | UnitKind::Windows | UnitKind::Draws => {
                let squares: f64 = own.iter().map(|(weight, of)| (weight * (of - share)).powi(2)).sum();
                let reach = quantile * (squares * count / (count - 1.0)).sqrt() / jobs;
                Some(((share - reach).max(0.0), (share + reach).min(1.0)))
            }
            UnitKind::Shaken => {
                let ends = own
                    .iter()
                    .fold((1.0, 0.0), |(low, high): (f64, f64), (_, of)| (low.min(*of), high.max(*of)));
                Some(ends)
            }
            UnitKind::One | UnitKind::Blocks => None,
        };
        CdfPoint { at, share, range }
    };
    values.into_iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_study::experiment::detail::distribution::SHARES;

    /// A unit of some jobs: one half waits 0 s, the other half `wait`.
    fn unit(jobs: usize, wait: f64) -> Quantiles {
        let values = shares().into_iter().map(|share| if share <= 0.5 { 0.0 } else { wait });
        Quantiles { name: "wait".into(), jobs, values: values.collect() }
    }

    #[test]
    fn every_job_counts_once_and_the_band_is_that_of_a_ratio_of_totals() {
        assert_eq!(shares().len(), SHARES);
        let units = [unit(100, 10.0), unit(300, 20.0)];
        let shares: Vec<(f64, f64)> =
            pooled(&units, UnitKind::Windows, 0.95).iter().map(|point| (point.at, point.share)).collect();
        // At 10 s: all 100 jobs of the first unit and half of the 300 of the second.
        assert!((shares[1].1 - (100.0 + 150.0) / 400.0).abs() < 1e-9, "{shares:?}");
        assert_eq!(shares.iter().map(|point| point.0).collect::<Vec<_>>(), [0.0, 10.0, 20.0]);
        // Three units of 100 jobs with shares 0.5, 0.5 and about 1 at 10 s: mean 2/3, standard error 1/6.
        let units = [unit(100, 10.0), unit(100, 20.0), unit(100, 20.0)];
        let at = pooled(&units, UnitKind::Replications, 0.9)[1];
        let (low, high) = at.range.unwrap();
        // t(2) at 90 % is 2.920.
        assert!(
            (at.share - 2.0 / 3.0).abs() < 1e-3 && (low - (2.0 / 3.0 - 2.920 / 6.0)).abs() < 2e-3,
            "{at:?}"
        );
        assert_eq!(high, 1.0);
        let shaken = pooled(&units, UnitKind::Shaken, 0.95)[1].range.unwrap();
        assert!(shaken.0 == 0.5 && shaken.1 > 0.99, "{shaken:?}");
        assert!(pooled(&units[..1], UnitKind::Windows, 0.95).iter().all(|point| point.range.is_none()));
    }
}
