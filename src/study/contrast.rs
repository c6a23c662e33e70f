//! One policy against another at one design point by one measure.

use super::Reason;
use crate::experiment::{DesignPoint, Frame, UnitKind};
use crate::metrics::Domain;
use crate::stats::caution::{self, Caution};
use crate::stats::{Interval, Method, NoInterval, Test, effect, paired, permutation, shaking};
use crate::table::Better;

/// A policy against the baseline, paired by unit; only units in which both have a value count.
///
/// Difference and ratio are those of the means over these units, also for blocks; for a single replay, those
/// of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// Mean of the policy minus that of the baseline.
    pub difference: Option<f64>,
    /// Mean of the policy divided by that of the baseline; `None` if the latter is 0.
    pub ratio: Option<f64>,
    /// Paired t interval of the difference.
    pub difference_interval: Result<Interval, Reason>,
    /// Interval of the ratio: Fieller's, or the [bootstrap](crate::stats::bootstrap::bca) interval if
    /// Fieller's has no bounds. It ends at 0 if neither mean can be negative.
    pub ratio_interval: Result<Interval, Reason>,
    /// Paired t-test of a difference of 0.
    pub difference_test: Result<Test, Reason>,
    /// Test of a ratio of 1: the paired t-test, which corresponds to Fieller's interval; if that has no
    /// bounds, the [sign-flip permutation test](crate::stats::permutation::sign_flip). Fieller's interval has
    /// no bounds for few units with very different values, for which a bootstrap test would give smaller
    /// p-values than an exact test can.
    pub ratio_test: Result<Test, Reason>,
    /// Mean difference in standard deviations of the differences, corrected for small samples
    /// ([`effect::standardised`]); it has the sign of the difference.
    pub effect: Option<f64>,
    /// Share of units in which the policy is better, ties counting one half; `None` if no direction is good.
    pub superiority: Option<f64>,
    /// Share of units in which the order of the two differs from that of their means.
    pub flips: Option<f64>,
    /// Units in which both have a value.
    pub units: usize,
    /// Units left out because one of the two has no value.
    pub left_out: usize,
    /// Which direction is good.
    pub better: Better,
    /// The cautions about the interval of the difference and about that of the ratio.
    pub cautions: [Option<Caution>; 2],
}

/// The result of a contrast, at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The policy is better than the baseline.
    Better,
    /// It is worse.
    Worse,
    /// They differ in a measure without a good direction.
    Differs,
    /// No difference was shown, which does not show that there is none.
    NoDifferenceShown,
    /// Nothing was tested.
    NoTest(Reason),
}

impl Verdict {
    /// Returns the verdict in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Differs => "differs",
            Verdict::NoDifferenceShown => "no difference shown",
            Verdict::NoTest(_) => "not tested",
        }
    }
}

impl Contrast {
    /// Computes a contrast. O(units), plus the resamples of a bootstrap for a ratio without Fieller's
    /// interval.
    pub(super) fn new(
        frame: &Frame,
        design_point: &DesignPoint,
        [policy, baseline]: [usize; 2],
        measure: usize,
        level: f64,
        seed: u64,
    ) -> Contrast {
        let kind = frame.workloads[design_point.workload].units;
        let better = frame.measures[measure].better;
        let [a, b] = [policy, baseline].map(|policy| frame.units(design_point, policy, measure));
        let (a, b, left_out) = pairs(&a, &b);
        let whole = [policy, baseline].map(|policy| frame.whole(design_point, policy, measure));
        let means = match (kind, whole) {
            (UnitKind::One, [Some(a), Some(b)]) => Some([a, b]),
            _ => (!a.is_empty()).then(|| [&a, &b].map(|of| of.iter().sum::<f64>() / of.len() as f64)),
        };
        let refused = Reason::of_units(kind).or(a.is_empty().then_some(Reason::Undefined));
        let unless_refused = |reason: Option<Reason>| reason.map_or(Ok(()), Err);
        let (ratio_interval, ratio_test) = match refused {
            Some(reason) => (Err(reason), Err(reason)),
            None => ratio(&a, &b, level, seed),
        };
        let of_ratio =
            if frame.measures[measure].domain.ends()[0] >= 0.0 { Domain::NotNegative } else { Domain::Any };
        let ratio_interval = ratio_interval.map(|of| of.within(of_ratio.ends()));
        let difference_interval =
            unless_refused(refused).and_then(|()| Ok(paired::difference(&a, &b, level)?));
        let skewness = paired::differences(&a, &b).ok().and_then(|of| caution::skewness(&of));
        let cautions = [&difference_interval, &ratio_interval].map(|interval| {
            interval.as_ref().ok().and_then(|of| caution::find(of.method, of.units, skewness))
        });
        Contrast {
            cautions,
            difference: means.map(|[a, b]| a - b),
            ratio: means.filter(|[_, b]| *b != 0.0).map(|[a, b]| a / b),
            difference_interval,
            ratio_interval,
            difference_test: unless_refused(refused).and_then(|()| Ok(paired::test(&a, &b)?)),
            ratio_test,
            effect: match refused {
                Some(_) => None,
                None => paired::differences(&a, &b).ok().and_then(|of| effect::standardised(&of)),
            },
            superiority: match better {
                Better::Lower => effect::superiority(&a, &b),
                Better::Higher => effect::superiority(&b, &a),
                Better::Neither => None,
            },
            units: a.len(),
            left_out,
            better,
            flips: shaking::summary(&[a, b]).ok().and_then(|of| of.flips[0].share),
        }
    }

    /// Returns the verdict for an adjusted p-value of the contrast's test, at a level.
    pub fn verdict(&self, p: Result<f64, Reason>, level: f64) -> Verdict {
        let p = match p {
            Ok(p) => p,
            Err(reason) => return Verdict::NoTest(reason),
        };
        let difference = self.difference.unwrap_or(0.0);
        if p > 1.0 - level || difference == 0.0 {
            return Verdict::NoDifferenceShown;
        }
        match self.better {
            Better::Neither => Verdict::Differs,
            Better::Lower if difference < 0.0 => Verdict::Better,
            Better::Higher if difference > 0.0 => Verdict::Better,
            Better::Lower | Better::Higher => Verdict::Worse,
        }
    }
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

fn ratio(a: &[f64], b: &[f64], level: f64, seed: u64) -> (Result<Interval, Reason>, Result<Test, Reason>) {
    let interval = paired::ratio(a, b, level)
        .or_else(|error| match error {
            NoInterval::Unbounded => paired::ratio_bca(a, b, level, seed),
            error => Err(error),
        })
        .map_err(Reason::from);
    let test = match &interval {
        Ok(interval) if interval.method == Method::Bca => {
            paired::differences(a, b).and_then(|of| permutation::sign_flip(&of, seed))
        }
        _ => paired::test(a, b),
    };
    (interval, test.map_err(Reason::from))
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
