//! Cautions: intervals that cover the true value less often than their level, according to simulations.
//!
//! The figures are those of `examples/coverage.md`; a test compares the two. They range from the least number
//! of units with an interval to thousands.
//!
//! A caution quotes the simulation with the same number of units, or the neighbouring number that covered less, because
//! coverage need not grow with the number of units. Whether it applies depends on the number of units and on what is known of
//! the metric, not on the sample: one that lacks the rare large value looks harmless, and its interval is the one that fails.

use super::{MIN_UNITS, Method};

/// Coverage in per cent from which an interval of 95 % has no caution.
const ENOUGH: f64 = 92.0;

/// A caution about an interval that covers less than its level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caution {
    /// The units of the interval.
    pub units: usize,
    /// Units of the simulation: the same number, or, if it was not simulated, the neighbouring number that covered less.
    pub simulated: usize,
    /// Share, in per cent, of intervals of nominally 95 % that covered the true value.
    pub covered: f64,
    /// What was simulated, for any number of units.
    pub curve: &'static Curve,
}

/// The coverage of a kind of interval by number of units, for a distribution for which it is below the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The kind, as named by [`Method::words`].
    pub method: &'static str,
    /// Whether it applies only to metrics of which a few units may be far above the others, as waits and slowdowns.
    pub tailed: bool,
    /// What was simulated, with `{n}` in place of the number of units.
    pub law: &'static str,
    /// The rows of the recorded run that have the figures: the method, and a text in the names of its cases.
    pub recorded: &'static str,
    /// Numbers of units, ascending, each with the share in per cent of intervals of nominally 95 % that covered the true value.
    pub covered: &'static [(usize, f64)],
    /// The most units to which the curve applies; beyond its last number the last figure holds.
    pub most: usize,
    /// The advice given to the reader.
    pub advice: &'static str,
}

impl Caution {
    /// Returns the caution as a sentence without its full stop: the observation and the advice.
    pub fn words(&self) -> String {
        let Caution { units, covered, .. } = self;
        let Curve { method, advice, .. } = self.curve;
        let here = if *units == self.simulated { String::new() } else { format!(" ({units} here)") };
        format!(
            "95 % intervals of this kind ({method}) held the truth in {covered:.1} % of simulations of this: \
             {}{here}; {advice}",
            self.situation()
        )
    }

    /// Returns what was simulated.
    pub fn situation(&self) -> String {
        self.curve.situation(self.simulated)
    }
}

impl Curve {
    /// Returns what was simulated, for a number of units.
    pub fn situation(&self, units: usize) -> String {
        self.law.replace("{n}", &units.to_string())
    }

    /// Returns the figure for a number of units. Coverage may fall with more units, so the lower of two
    /// neighbouring figures is taken.
    fn at(&self, units: usize) -> Option<(usize, f64)> {
        let below = self.covered.iter().rev().find(|(simulated, _)| *simulated <= units);
        let above = self.covered.iter().find(|(simulated, _)| *simulated >= units);
        let known = [below, above].into_iter().flatten().filter(|_| units <= self.most);
        known.min_by(|one, other| one.1.total_cmp(&other.1)).copied()
    }
}

/// Returns the caution about an interval, if there is one; of several matching simulations, the one with the least coverage.
///
/// `may_have_tail` says whether a few units of the metric may lie far above the others ([`Domain::may_have_tail`]).
///
/// [`Domain::may_have_tail`]: crate::metrics::Domain::may_have_tail
pub fn find(method: Method, units: usize, may_have_tail: bool) -> Option<Caution> {
    let fits = |curve: &&Curve| curve.method == method.words() && (may_have_tail || !curve.tailed);
    let told = CURVES.iter().filter(fits).filter_map(|curve| {
        let (simulated, covered) = curve.at(units)?;
        Some(Caution { units, simulated, covered, curve })
    });
    let least = told.min_by(|one, other| one.covered.total_cmp(&other.covered));
    least.filter(|caution| caution.covered < ENOUGH)
}

/// Returns the caution with the least coverage of each kind of interval, in the order in which the kinds appear.
pub fn least_covered(cautions: impl IntoIterator<Item = Caution>) -> Vec<Caution> {
    let mut least: Vec<Caution> = Vec::new();
    for caution in cautions {
        match least.iter_mut().find(|known| known.curve == caution.curve) {
            Some(known) if known.covered <= caution.covered => {}
            Some(known) => *known = caution,
            None => least.push(caution),
        }
    }
    least
}

const MORE: &str = "more units help, and medians beside the means";
const STUDENT: &str = "for a mean take Student's t; else more units";
const FIELLER: &str = "for a ratio of means Fieller's interval covers more; else take more units";
const GEOMETRIC: &str = "take more units, or compare by the geometric mean of ratios";
const LONGER: &str = "take a much longer series or independent replications, and no cut by MSER-5";
const WEEKS: &str = "take more weeks, and read it as at best this sure";
const MORE_CURVES: &str = "take more curves";

/// Numbers of units, each with the share in per cent of intervals that covered the true value.
macro_rules! covered {
    ($($units:literal: $share:literal),+) => { &[$(($units, $share)),+] };
}

/// All simulations in which intervals covered less than their level.
pub const CURVES: &[Curve] = &[
    Curve {
        method: "Student t",
        tailed: true,
        law: "{n} lognormal replications, σ = 1",
        recorded: "Student t",
        covered: covered!(
            2: 88.8, 3: 83.4, 4: 83.2, 5: 82.2, 6: 83.5, 8: 85.1, 10: 82.7, 15: 85.4, 20: 87.4, 30: 88.8, 50: 89.6,
            100: 92.0, 200: 92.3, 500: 94.5, 1_000: 94.2, 2_000: 94.7, 5_000: 95.5
        ),
        most: usize::MAX,
        advice: MORE,
    },
    Curve {
        method: "Student t on the logarithm of the mean",
        tailed: true,
        law: "{n} lognormal replications, σ = 1",
        recorded: "Student t on the logarithm of the mean",
        covered: covered!(
            4: 94.0, 5: 93.1, 6: 92.5, 8: 92.1, 10: 91.6, 15: 92.3, 20: 92.2, 30: 92.8, 50: 92.6, 100: 94.4, 200: 93.6,
            500: 95.2, 1_000: 94.7, 2_000: 95.0, 5_000: 95.9
        ),
        most: usize::MAX,
        advice: MORE,
    },
    Curve {
        method: "Student t on logarithms",
        tailed: true,
        law: "{n} pairs, only the baseline's values with a heavy tail (Pareto, 2)",
        recorded: "Student t on logarithms",
        covered: covered!(
            2: 91.1, 3: 89.0, 4: 87.0, 5: 87.5, 6: 89.8, 8: 90.9, 10: 90.6, 15: 92.3, 20: 92.0, 30: 92.8, 50: 93.5,
            100: 94.5
        ),
        most: usize::MAX,
        advice: MORE,
    },
    Curve {
        method: "Fieller",
        tailed: true,
        law: "{n} pairs, only the baseline's values with a heavy tail (Pareto, 2)",
        recorded: "Fieller",
        covered: covered!(
            2: 89.1, 3: 83.8, 4: 79.5, 5: 78.0, 6: 80.2, 8: 79.1, 10: 77.5, 15: 77.8, 20: 78.2, 30: 78.7, 50: 80.4,
            100: 81.4
        ),
        most: usize::MAX,
        advice: GEOMETRIC,
    },
    Curve {
        method: "BCa bootstrap",
        tailed: false,
        law: "{n} normal replications",
        recorded: "BCa bootstrap",
        covered: covered!(
            6: 86.6, 8: 88.9, 10: 89.0, 15: 92.0, 20: 92.1, 30: 93.3, 50: 94.4, 100: 94.0, 200: 95.2, 500: 95.0,
            1_000: 94.5
        ),
        most: usize::MAX,
        advice: STUDENT,
    },
    Curve {
        method: "BCa bootstrap",
        tailed: true,
        law: "{n} lognormal replications, σ = 1",
        recorded: "BCa bootstrap",
        covered: covered!(
            6: 77.5, 8: 82.7, 10: 82.0, 15: 86.5, 20: 87.2, 30: 89.7, 50: 90.5, 100: 92.1, 200: 91.8, 500: 94.7,
            1_000: 94.5
        ),
        most: usize::MAX,
        advice: FIELLER,
    },
    Curve {
        method: "BCa bootstrap",
        tailed: true,
        law: "ratio of {n} pairs of lognormals, σ = 0.8, correlation of logarithms 0.9",
        recorded: "BCa bootstrap where Fieller's has no bounds",
        covered: &[(6, 82.6), (8, 73.8)],
        most: 9,
        advice: MORE,
    },
    Curve {
        method: "block bootstrap",
        tailed: false,
        law: "mean over {n} weeks of lognormal means, σ = 0.8, and job counts, σ = 0.4",
        recorded: "block bootstrap",
        covered: covered!(6: 78.2, 10: 85.0, 15: 86.3, 26: 89.1, 52: 91.0, 104: 92.7, 208: 92.8),
        most: usize::MAX,
        advice: WEEKS,
    },
    Curve {
        method: "percentile bootstrap",
        tailed: false,
        law: "crossing of {n} curves, lognormal around exp(5 load), σ = 0.6 shared by loads and 0.3 own",
        recorded: "percentile bootstrap",
        covered: covered!(6: 81.4, 8: 84.7, 10: 86.3, 15: 88.5, 20: 90.6, 30: 91.9, 50: 92.9, 100: 93.2),
        most: usize::MAX,
        advice: MORE_CURVES,
    },
    // The number of batches says little, because it is chosen from the series. Two loads of a queue stand for all cases.
    Curve {
        method: "batch means",
        tailed: false,
        law: "M/M/1 from empty, ρ = 0.9, 10,000 waits, MSER-5",
        recorded: "batch means",
        covered: &[(MIN_UNITS, 79.2)],
        most: usize::MAX,
        advice: LONGER,
    },
];
