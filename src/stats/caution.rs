//! What simulations say of intervals like one at hand: where they hold the truth less often than they claim.
//!
//! Figures are those of `policies/examples/coverage.md`; a test holds the two together.

use super::Method;
use super::sample::moments;

/// Skewness from which a sample counts as skewed: of 10 normal values some 5 % have as much.
const SKEWED: f64 = 1.0;

/// A situation in which intervals of a kind cover less than they claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caution {
    /// The kind, as [`Method::words`] has it.
    pub method: &'static str,
    /// Units up to which it applies.
    pub units: usize,
    /// Whether it applies to skewed units only: a few of them far above the others.
    pub skewed: bool,
    /// What was simulated.
    pub situation: &'static str,
    /// Intervals of nominally 95 % that held the truth, per cent.
    pub covered: f64,
    /// What to try instead.
    pub advice: &'static str,
}

impl Caution {
    /// Returns the caution as a sentence without its full stop: what was seen, and what to try.
    pub fn words(&self) -> String {
        format!(
            "95 % intervals of this kind ({}) held the truth in {:.1} % of simulations of this: {}; {}",
            self.method, self.covered, self.situation, self.advice
        )
    }
}

/// Returns the caution that belongs beside an interval, if there is one: that of the least number of units not below
/// these, of skewed units where these are.
///
/// `skewness` is that of the units ([`skewness`]); `None` where it is not known, and what applies to skewed units only is
/// left out then.
pub fn find(method: Method, units: usize, skewness: Option<f64>) -> Option<&'static Caution> {
    let skewed = skewness.is_some_and(|skewness| skewness.abs() >= SKEWED);
    let fits = |caution: &&Caution| {
        caution.method == method.words() && units <= caution.units && (skewed || !caution.skewed)
    };
    CAUTIONS.iter().filter(fits).min_by_key(|caution| (caution.units, !caution.skewed))
}

/// Returns the skewness m₃/m₂^1.5 of a sample; `None` without spread, or for a value that is not finite. O(n).
pub fn skewness(values: &[f64]) -> Option<f64> {
    let of = moments(values).ok().filter(|of| of.sd > 0.0)?;
    let n = values.len() as f64;
    let power = |power| values.iter().map(|value| ((value - of.mean) / of.sd).powi(power)).sum::<f64>() / n;
    Some(power(3) / power(2).powf(1.5))
}

const MORE: &str = "more units help; of skewed ones compare medians too";
const STUDENT: &str = "for a mean take Student's t; else more units";
const FIELLER: &str = "for a ratio of means Fieller's interval covers as it claims; else take more units";
const LONGER: &str = "take a much longer series or independent replications, and no cut by MSER-5";
const WEEKS: &str = "take more weeks, and read it as at best this sure";
const CURVES: &str = "take more curves";

const fn caution(
    method: &'static str,
    units: usize,
    skewed: bool,
    (situation, covered): (&'static str, f64),
    advice: &'static str,
) -> Caution {
    Caution { method, units, skewed, situation, covered, advice }
}

/// All cautions.
pub const CAUTIONS: &[Caution] = &[
    caution("Student t", 10, true, ("10 lognormal replications, σ = 1", 82.7), MORE),
    caution("Student t", 20, true, ("20 lognormal replications, σ = 1", 87.4), MORE),
    caution("Student t", 50, true, ("50 lognormal replications, σ = 1", 89.6), MORE),
    caution(
        "BCa bootstrap",
        6,
        true,
        ("ratio of 6 pairs of lognormals, σ = 0.8, correlation of logarithms 0.9", 82.0),
        FIELLER,
    ),
    caution("BCa bootstrap", 10, false, ("10 normal replications", 89.0), STUDENT),
    caution("BCa bootstrap", 10, true, ("10 lognormal replications, σ = 1", 82.0), FIELLER),
    caution("BCa bootstrap", 20, false, ("20 normal replications", 92.1), STUDENT),
    caution("BCa bootstrap", 20, true, ("20 lognormal replications, σ = 1", 87.2), FIELLER),
    caution("BCa bootstrap", 50, true, ("50 lognormal replications, σ = 1", 90.5), FIELLER),
    caution(
        "block bootstrap",
        10,
        false,
        ("mean over 10 weeks of lognormal means, σ = 0.8, and job counts, σ = 0.4", 85.0),
        WEEKS,
    ),
    caution(
        "block bootstrap",
        26,
        false,
        ("mean over 26 weeks of lognormal means, σ = 0.8, and job counts, σ = 0.4", 89.1),
        WEEKS,
    ),
    caution(
        "block bootstrap",
        52,
        false,
        ("mean over 52 weeks of lognormal means, σ = 0.8, and job counts, σ = 0.4", 91.0),
        WEEKS,
    ),
    caution(
        "percentile bootstrap",
        10,
        false,
        ("crossing of 10 curves, lognormal around exp(5 load), σ = 0.6 shared by loads and 0.3 own", 86.3),
        CURVES,
    ),
    caution(
        "percentile bootstrap",
        20,
        false,
        ("crossing of 20 curves, lognormal around exp(5 load), σ = 0.6 shared by loads and 0.3 own", 90.6),
        CURVES,
    ),
    caution("batch means", 10, false, ("M/M/1 from empty, ρ = 0.9, 10,000 waits, MSER-5", 79.2), LONGER),
    caution("batch means", 30, false, ("M/M/1 from empty, ρ = 0.8, 10,000 waits, MSER-5", 86.0), LONGER),
];
