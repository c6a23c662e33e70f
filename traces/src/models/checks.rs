//! Shared by the tests of several models: a sample compared with its law, a trace as text.
//!
//! Every statistical test has a level of 0.1 % for its seed: a correct generator would fail for one seed in a thousand.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::arrange::Arrange as _;
use crate::{Field, Trace};

/// Probability with which a correct generator fails a test.
const LEVEL: f64 = 0.001;

/// A normal variate is farther from its mean than this many standard deviations with that probability.
const SIGMAS: f64 = 3.29;

/// Fails if the largest distance from the law exceeds the level (Kolmogorov and Smirnov).
pub(super) fn assert_follows(mut sample: Vec<f64>, cdf: impl Fn(f64) -> f64, what: &str) {
    sample.arrange_by(f64::total_cmp);
    let n = sample.len() as f64;
    let distance = sample
        .iter()
        .enumerate()
        .map(|(rank, &value)| {
            let expected = cdf(value);
            (expected - rank as f64 / n).max((rank + 1) as f64 / n - expected)
        })
        .fold(0.0, f64::max);
    let critical = (-(LEVEL / 2.0).ln() / 2.0 / n).sqrt();
    assert!(distance < critical, "{what}: distance {distance}, critical {critical}");
}

/// Fails if counts are farther from their expectations than the level allows (Pearson); small counts are pooled.
pub(super) fn assert_counts(pairs: impl IntoIterator<Item = (u64, f64)>, what: &str) {
    let (mut pooled, mut statistic, mut bins) = ((0, 0.0), 0.0, 0);
    let mut close = |count: u64, expected: f64| {
        statistic += (count as f64 - expected).powi(2) / expected;
        bins += 1;
    };
    for (count, expected) in pairs {
        pooled = (pooled.0 + count, pooled.1 + expected);
        if pooled.1 >= 10.0 {
            close(pooled.0, pooled.1);
            pooled = (0, 0.0);
        }
    }
    let total = pooled.0 as f64;
    assert!(total <= pooled.1 + 5.0 * pooled.1.sqrt() + 5.0, "{what}: {total} beyond the last bin");
    let critical = ChiSquared::new(f64::from(bins - 1)).unwrap().inverse_cdf(1.0 - LEVEL);
    assert!(statistic < critical, "{what}: chi-square {statistic} of {bins} bins, critical {critical}");
}

/// Fails if the mean of a sample is farther from its expectation than the level allows, given the law's
/// standard deviation (central limit theorem: for laws whose third moment is finite).
pub(super) fn assert_mean(sample: &[f64], mean: f64, sd: f64, what: &str) {
    let n = sample.len() as f64;
    let seen = sample.iter().sum::<f64>() / n;
    let bound = SIGMAS * sd / n.sqrt();
    assert!((seen - mean).abs() < bound, "{what}: mean {seen}, {mean} expected within {bound}");
}

/// Returns the rows of a trace, their fields separated by blanks.
pub(super) fn lines(trace: &Trace) -> Vec<String> {
    (0..trace.len()).map(|row| Field::ALL.map(|field| trace.get(row, field).to_string()).join(" ")).collect()
}

/// Compares the jobs of all cases, in lines under the name of each case, with a text.
pub(super) fn assert_jobs(cases: impl IntoIterator<Item = (String, Trace)>, expected: &str) {
    let case = |(name, trace): (String, Trace)| format!("{name}\n{}\n", lines(&trace).join("\n"));
    assert_eq!(cases.into_iter().map(case).collect::<String>(), expected);
}

pub(super) fn column(trace: &Trace, field: Field) -> Vec<f64> {
    trace.column(field).iter().map(crate::Number::to_f64).collect()
}
