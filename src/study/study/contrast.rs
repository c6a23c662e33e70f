//! One policy against another at one design point by one measure, or one design point against another.

use super::{ComparedNumber, Comparison, Question, Reason};
use crate::experiment::{Frame, UnitKind};
use batchlab_engine::metrics::Domain;
use batchlab_engine::stats::{effect, shaking};
use batchlab_engine::table::Better;
use std::cmp::Ordering;

/// A policy against the baseline, or a design point against another, paired by unit; only units in which both have a value
/// count. Means are over these units, of blocks too; of one replay they are its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    pub ratio: Comparison,
    /// The ratio of means. Its interval ends at 0 where neither mean can be negative.
    pub ratio_of_means: Comparison,
    pub difference: Comparison,
    /// Share of units in which the policy is the better one, ties counting half; `None` where no direction is good.
    pub superiority: Option<f64>,
    /// Share of units in which the order of the two differs from that of their means.
    pub flips: Option<f64>,
    /// The greatest share that one unit has of the policy's or of the baseline's sum; `None` of fewer than two units or
    /// values below 0.
    pub greatest: Option<f64>,
    /// Units in which both have a value.
    pub units: usize,
    /// Units left out because one of the two has no value.
    pub left_out: usize,
    pub better: Better,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContrastResult {
    /// The policy is better than the baseline.
    Better,
    Worse,
    /// They differ in a measure without a good direction.
    Differs,
    /// No difference was shown, which does not show that there is none.
    NoDifferenceShown,
    NoTest(Reason),
}

impl ContrastResult {
    pub fn words(self) -> &'static str {
        match self {
            ContrastResult::Better => "better",
            ContrastResult::Worse => "worse",
            ContrastResult::Differs => "differs",
            ContrastResult::NoDifferenceShown => "no difference shown",
            ContrastResult::NoTest(_) => "not tested",
        }
    }
}

impl Contrast {
    /// Works a contrast out. O(units), and of up to 14 units all their sign patterns.
    pub(super) fn new(frame: &Frame, question: &Question, level: f64) -> Contrast {
        let Question { side, baseline, measure } = question;
        let kind = frame.workloads[side.design_point.workload].units;
        let (better, domain) = (frame.measures[*measure].better, frame.measures[*measure].domain);
        let sides = [side, baseline];
        let [a, b] = sides.map(|side| frame.units(&side.design_point, side.policy, *measure));
        let (a, b, left_out) = pairs(&a, &b);
        let whole = sides.map(|side| frame.whole(&side.design_point, side.policy, *measure));
        let means = match (kind, whole) {
            (UnitKind::One, [Some(a), Some(b)]) => Some([a, b]),
            _ => (!a.is_empty()).then(|| [&a, &b].map(|of| of.iter().sum::<f64>() / of.len() as f64)),
        };
        let known = (kind, domain.may_have_tail());
        let compare = |quantity| Comparison::new(quantity, [&a, &b], means, level, known);
        let mut ratio_of_means = compare(ComparedNumber::RatioOfMeans);
        if domain.ends()[0] >= 0.0 {
            ratio_of_means.interval = ratio_of_means.interval.map(|of| of.within(Domain::NotNegative.ends()));
        }
        Contrast {
            ratio: compare(ComparedNumber::Ratio),
            ratio_of_means,
            difference: compare(ComparedNumber::Difference),
            superiority: match better {
                Better::Lower => effect::superiority(&a, &b),
                Better::Higher => effect::superiority(&b, &a),
                Better::Neither => None,
            },
            greatest: greatest(&[&a, &b]),
            units: a.len(),
            left_out,
            better,
            flips: shaking::summary(&[a, b]).ok().and_then(|of| of.flips[0].share),
        }
    }

    pub fn by(&self, quantity: ComparedNumber) -> &Comparison {
        match quantity {
            ComparedNumber::Ratio => &self.ratio,
            ComparedNumber::RatioOfMeans => &self.ratio_of_means,
            ComparedNumber::Difference => &self.difference,
        }
    }

    /// Returns the quantity that is tested if this one is asked for: instead of the geometric ratio the difference, if the
    /// value of a unit is not above 0 and has no logarithm.
    pub fn tested(&self, asked: ComparedNumber) -> ComparedNumber {
        let has_other = self.ratio.value.is_none() && self.difference.value.is_some();
        if asked == ComparedNumber::Ratio && has_other { ComparedNumber::Difference } else { asked }
    }

    /// Returns the ratio that is printed: that of means if there is no geometric mean.
    pub fn as_ratio(&self) -> &Comparison {
        if self.ratio.value.is_some() { &self.ratio } else { &self.ratio_of_means }
    }

    /// Whether the ratio of means gives another answer than the geometric mean of ratios: it lies on the other side of 1 or
    /// outside of the interval.
    pub fn has_two_answers(&self) -> bool {
        let Some((typical, means)) = self.ratio.value.zip(self.ratio_of_means.value) else { return false };
        let opposite = (typical - 1.0) * (means - 1.0) < 0.0;
        self.units > 1 && (opposite || self.ratio.interval.as_ref().is_ok_and(|of| !of.contains(means)))
    }

    /// Returns what the contrast shows by a quantity when its test has this p-value, after adjustment, at a level.
    pub fn verdict(&self, quantity: ComparedNumber, p: Result<f64, Reason>, level: f64) -> ContrastResult {
        let p = match p {
            Ok(p) => p,
            Err(reason) => return ContrastResult::NoTest(reason),
        };
        let Some(direction) = self.by(quantity).direction().filter(|direction| direction.is_ne()) else {
            return ContrastResult::NoDifferenceShown;
        };
        match (self.better, direction) {
            _ if p > 1.0 - level => ContrastResult::NoDifferenceShown,
            (Better::Neither, _) => ContrastResult::Differs,
            (Better::Lower, Ordering::Less) | (Better::Higher, Ordering::Greater) => ContrastResult::Better,
            (Better::Lower | Better::Higher, _) => ContrastResult::Worse,
        }
    }
}

/// Returns the greatest share that one value has of the sum of its sample; `None` of fewer than two values, or where one
/// is negative or all are 0.
fn greatest(samples: &[&[f64]]) -> Option<f64> {
    let share = |values: &&[f64]| {
        let sum: f64 = values.iter().sum();
        let is_made_of_parts = values.len() > 1 && sum > 0.0 && values.iter().all(|&value| value >= 0.0);
        is_made_of_parts.then(|| values.iter().copied().fold(0.0, f64::max) / sum)
    };
    samples.iter().filter_map(share).reduce(f64::max)
}

/// Returns the values of the units that both have, and the number of units that only one of them has.
fn pairs(a: &[(u32, f64)], b: &[(u32, f64)]) -> (Vec<f64>, Vec<f64>, usize) {
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    let mut rest = b.iter().peekable();
    for &(unit, value) in a {
        while rest.next_if(|other| other.0 < unit).is_some() {}
        if let Some(&(_, other)) = rest.next_if(|other| other.0 == unit) {
            of_a.push(value);
            of_b.push(other);
        }
    }
    let left_out = a.len() + b.len() - 2 * of_a.len();
    (of_a, of_b, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_units_that_both_have_are_paired() {
        let a = [(0, 1.0), (2, 2.0), (3, 3.0), (7, 4.0)];
        let b = [(1, 9.0), (2, 8.0), (3, 7.0), (5, 6.0)];
        assert_eq!(pairs(&a, &b), (vec![2.0, 3.0], vec![8.0, 7.0], 4));
        assert_eq!(pairs(&a, &[]), (vec![], vec![], 4));
    }
}
