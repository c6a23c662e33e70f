//! A measure that rises or falls with a parameter.

use super::figure::{figures, unit};
use super::places::{ClaimScope, Dimension, words};
use super::{ClaimPart, Verdict};
use crate::experiment::DesignPoint;
use crate::study::Study;

/// A measure that rises or falls with a parameter, for each of several policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// The measure, by position.
    pub measure: usize,
    /// The policies.
    pub policies: Vec<usize>,
    /// The parameter, by position.
    pub parameter: usize,
    /// The values of the parameter: the numbers in ascending order, each with its position.
    pub steps: Vec<(f64, usize)>,
    /// Whether the measure must fall rather than rise.
    pub falls: bool,
    /// Whether equal neighbouring values violate the trend.
    pub strict: bool,
}

impl Trend {
    pub(super) fn check(&self, places: &ClaimScope, study: &Study<'_>) -> Vec<ClaimPart> {
        let chosen = &places.values[self.parameter];
        let steps: Vec<usize> =
            self.steps.iter().map(|&(_, at)| at).filter(|at| chosen.contains(at)).collect();
        let Some(&first) = steps.first() else { return Vec::new() };
        let design_points = places.only(self.parameter, first).design_points();
        let at = |design_point: &DesignPoint| -> Vec<ClaimPart> {
            self.policies.iter().map(|&policy| self.at(design_point, policy, &steps, study)).collect()
        };
        design_points.iter().flat_map(at).collect()
    }

    fn at(&self, design_point: &DesignPoint, policy: usize, steps: &[usize], study: &Study<'_>) -> ClaimPart {
        let frame = study.frame();
        let label = &frame.policies[policy].label;
        let part = |verdict, reason| {
            let is_told = |dimension| dimension != Dimension::Parameter(self.parameter);
            ClaimPart::new(words(frame, design_point, is_told), verdict, reason)
        };
        let parameter = &frame.parameters[self.parameter];
        if steps.len() < 2 {
            let reason = format!("{label}: there is one value of {} only", parameter.name);
            return part(Verdict::CannotBeChecked, reason);
        }
        let mut values = Vec::new();
        for &step in steps {
            let mut design_point = design_point.clone();
            design_point.point[self.parameter] = step;
            match study.estimate(&design_point, policy, self.measure).value {
                Some(value) => values.push(value),
                None => {
                    let at = &parameter.values[step];
                    let reason = format!("{label} has no value at {} = {at}", parameter.name);
                    return part(Verdict::CannotBeChecked, reason);
                }
            }
        }
        let unit = unit(frame.measures[self.measure].unit);
        let (numbers, names) = (figures(&values), |at: usize| &parameter.values[steps[at]]);
        let goes_on = |at: &usize| {
            let step = if self.falls { values[at - 1] - values[*at] } else { values[*at] - values[at - 1] };
            step > 0.0 || (step == 0.0 && !self.strict)
        };
        match (1..values.len()).find(|at| !goes_on(at)) {
            Some(at) => {
                let (from, to) = (&numbers[at - 1], &numbers[at]);
                let (before, after) = (names(at - 1), names(at));
                let reason =
                    format!("{label}: {from}{unit} at {} = {before}, {to}{unit} at {after}", parameter.name);
                part(Verdict::DoesNotHold, reason)
            }
            None => {
                let last = values.len() - 1;
                let numbers = numbers.join(", ");
                let reason = format!(
                    "{label}: {numbers}{unit} from {} = {} to {}",
                    parameter.name,
                    names(0),
                    names(last)
                );
                part(Verdict::Holds, reason)
            }
        }
    }
}
