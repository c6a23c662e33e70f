//! One number that compares two policies, with its interval and its test.
//!
//! Ratios are compared on the log scale. Waits and slowdowns of windows differ by factors, so the mean of a few windows
//! is mostly that of one, and a t interval of a difference or of a ratio of means finds hardly any difference. The t-test
//! of log ratios errs as often as it claims (`examples/coverage.md`: lognormal, heavy-tailed and saturated cases). Values
//! of 0 have no logarithm; then the difference of means is tested.
//!
//! A p-value is that of the number printed. Of several numbers that compare two policies, a table with p-values tests the
//! first of these: geometric ratio, ratio of means, difference. Only that number has an interval beside it.

use std::cmp::Ordering;

use super::Reason;
use crate::experiment::UnitKind;
use batchlab_engine::stats::caution::{self, Caution};
use batchlab_engine::stats::dependence::Dependence;
use batchlab_engine::stats::permutation::{self, ENUMERATED};
use batchlab_engine::stats::{Interval, NoInterval, Test, effect, paired};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComparedNumber {
    /// The geometric mean over units of the ratio of their values: the factor in a typical unit. It needs values above 0;
    /// where a unit has none, the difference of means is tested instead.
    #[default]
    Ratio,
    /// The ratio of the means over units: the factor of the sum of all units, in which units with large values weigh most.
    RatioOfMeans,
    /// The difference of the means over units.
    Difference,
}

/// One number that compares two policies at one design point, with an interval and a test of one method: p is below
/// 1 − level exactly if the interval excludes no difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub quantity: ComparedNumber,
    /// The number; `None` where it is undefined.
    pub value: Option<f64>,
    /// Its interval: Student's t on logarithms, Fieller's, or Student's t.
    pub interval: Result<Interval, Reason>,
    /// The test to which the interval belongs: the paired t-test of logarithms, or of differences. Fieller's interval is
    /// that of the latter.
    pub test: Result<Test, Reason>,
    /// The exact sign-flip test of 6 to 14 units, as a check: it assumes symmetry and no distribution.
    pub signs: Option<Test>,
    /// Mean of the logarithms of ratios, or of the differences, in their standard deviations, corrected for small samples
    /// ([`effect::standardised`]).
    pub effect: Option<f64>,
    /// The dependence of neighbouring windows or blocks in what is compared, for which interval and tests allow.
    pub dependence: Option<Dependence>,
    /// What simulations say of intervals like this one, where they cover less than they claim.
    pub caution: Option<Caution>,
}

impl Comparison {
    /// Compares values unit by unit at a level; `means` are what difference and ratio of means are of. O(units · 2^units)
    /// up to 14 units, else O(units).
    pub fn new(
        quantity: ComparedNumber,
        [a, b]: [&[f64]; 2],
        means: Option<[f64; 2]>,
        level: f64,
        (kind, may_have_tail): (UnitKind, bool),
    ) -> Comparison {
        let value = match quantity {
            ComparedNumber::Ratio => geometric(a, b, means),
            ComparedNumber::RatioOfMeans => means.filter(|[_, b]| *b != 0.0).map(|[a, b]| a / b),
            ComparedNumber::Difference => means.map(|[a, b]| a - b),
        };
        if let Some(reason) = Reason::of_units(kind).or(a.is_empty().then_some(Reason::Undefined)) {
            let (interval, test, dependence) = (Err(reason), Err(reason), None);
            return Comparison {
                quantity,
                value,
                interval,
                test,
                signs: None,
                effect: None,
                dependence,
                caution: None,
            };
        }
        let compared = compared_values(quantity, a, b);
        let dependence = compared.as_ref().ok().and_then(|of| kind.dependence(of));
        let [a, b] = [a, b].map(|side| allowed(quantity, side, dependence));
        let (interval, test) = match quantity {
            ComparedNumber::Ratio => (paired::geometric_ratio(&a, &b, level), paired::geometric_test(&a, &b)),
            ComparedNumber::RatioOfMeans => (paired::ratio(&a, &b, level), paired::test(&a, &b)),
            ComparedNumber::Difference => (paired::difference(&a, &b, level), paired::test(&a, &b)),
        };
        let interval: Result<Interval, Reason> = interval.map_err(Reason::from);
        let caution = interval.as_ref().ok();
        let caution = caution.and_then(|of| caution::find(of.method, of.units, may_have_tail));
        let signs = compared_values(quantity, &a, &b).ok().filter(|of| of.len() <= ENUMERATED);
        Comparison {
            quantity,
            value,
            dependence,
            caution,
            // No pattern is drawn of so few units: the seed does not matter.
            signs: signs.and_then(|of| permutation::sign_flip(&of, 0).ok()),
            effect: compared.ok().and_then(|of| effect::standardised(&of)),
            interval,
            test: test.map_err(Reason::from),
        }
    }

    /// Returns whether the policy's values are less than the baseline's, equal or greater; `None` without a number.
    pub fn direction(&self) -> Option<Ordering> {
        let none = match self.quantity {
            ComparedNumber::Ratio | ComparedNumber::RatioOfMeans => 1.0,
            ComparedNumber::Difference => 0.0,
        };
        self.value?.partial_cmp(&none)
    }

    /// Whether the test and its check by sign flips, both unadjusted, disagree at a level.
    pub fn is_doubted(&self, level: f64) -> bool {
        let alpha = 1.0 - level;
        match (&self.test, &self.signs) {
            (Ok(test), Some(signs)) => (test.p <= alpha) != (signs.p <= alpha),
            _ => false,
        }
    }
}

/// Returns what is tested of each unit: logarithms of ratios, or differences.
fn compared_values(quantity: ComparedNumber, a: &[f64], b: &[f64]) -> Result<Vec<f64>, NoInterval> {
    match quantity {
        ComparedNumber::Ratio => paired::log_ratios(a, b),
        ComparedNumber::RatioOfMeans | ComparedNumber::Difference => paired::differences(a, b),
    }
}

/// Returns values that allow for a dependence on the scale on which they are compared ([`Dependence::allow`]).
fn allowed(quantity: ComparedNumber, side: &[f64], dependence: Option<Dependence>) -> Vec<f64> {
    match (quantity, dependence) {
        (_, None) => side.to_vec(),
        (ComparedNumber::Ratio, _) => {
            let logs: Vec<f64> = side.iter().map(|value| value.ln()).collect();
            Dependence::allow(dependence, &logs).into_iter().map(f64::exp).collect()
        }
        _ => Dependence::allow(dependence, side),
    }
}

/// The geometric mean of ratios, of one replay the ratio of its values; `None` where a value is not above 0.
fn geometric(a: &[f64], b: &[f64], means: Option<[f64; 2]>) -> Option<f64> {
    let logarithms = match paired::log_ratios(a, b).ok()? {
        none if none.is_empty() => {
            let [a, b] = means?;
            paired::log_ratios(&[a], &[b]).ok()?
        }
        some => some,
    };
    Some((logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}
