//! What is better: objectives, and constraints that a candidate has to keep.

use batchlab_engine::metrics::Domain;
use batchlab_engine::table::Better;
use batchlab_traces::nearest::{meant, nearest};

use crate::experiment::Measure;

/// Objectives are relative to the baseline, so that metrics of any unit can be added: 1 is the baseline, lower is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    pub objectives: Vec<Objective>,
    pub constraints: Vec<Constraint>,
}

/// A weighted sum of measures, such as `mean_bsld + 0.5*p95_wait@wide`.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    pub words: String,
    parts: Vec<ObjectivePart>,
    /// Whether units are pooled as the geometric mean of their ratios, and not as the ratio of their means.
    pub is_geometric: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct ObjectivePart {
    measure: usize,
    weight: f64,
    better: Better,
}

/// `p95_wait@wide <= 1.05 * EASY`, or a number without a policy. It is about means over units.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    pub words: String,
    measure: usize,
    is_upper: bool,
    factor: f64,
    /// The policy whose mean is the bound, by its position; `None` where the factor is the bound.
    pub policy: Option<usize>,
}

/// Why a text is no objective or constraint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GoalError(pub String);

/// The values of a candidate on one unit, those of the experiment's policies there, and the means of these policies over the
/// unit's workload.
pub(super) struct Compared<'a> {
    pub values: &'a [Option<f64>],
    pub policies: Vec<&'a [Option<f64>]>,
    pub means: &'a [Vec<Option<f64>>],
    pub baseline: usize,
}

impl Compared<'_> {
    fn of(&self, policy: usize, measure: usize) -> Option<f64> {
        self.policies.get(policy)?.get(measure).copied().flatten()
    }
}

/// Returns the measures that an objective or a constraint names, as its text has them.
pub fn measures_of(text: &str) -> Vec<String> {
    let side = text.split(['<', '>']).next().unwrap_or_default();
    side.split('+').map(|part| part.rsplit('*').next().unwrap_or_default().trim().to_owned()).collect()
}

impl Goal {
    /// Reads objectives, which are pooled geometrically or not, and constraints; `policies` are the labels that constraints may name.
    ///
    /// # Errors
    /// If a text is neither, or names an unknown measure or policy, or a measure without a good direction.
    pub fn read(
        (objectives, geometric): (&[String], Option<bool>),
        constraints: &[String],
        measures: &[Measure],
        policies: &[String],
    ) -> Result<Goal, GoalError> {
        let objective = |text: &String| Objective::read(text, geometric, measures);
        let constraint = |text: &String| Constraint::read(text, measures, policies);
        Ok(Goal {
            objectives: objectives.iter().map(objective).collect::<Result<_, _>>()?,
            constraints: constraints.iter().map(constraint).collect::<Result<_, _>>()?,
        })
    }
}

impl Goal {
    /// Whether more of a measure is better, in the objectives.
    pub fn is_higher_better(&self, key: &str) -> bool {
        let is_it = |objective: &Objective| {
            let keys = measures_of(&objective.words);
            keys.iter()
                .zip(&objective.parts)
                .any(|(known, part)| known == key && part.better == Better::Higher)
        };
        self.objectives.iter().any(is_it)
    }
}

fn measure(key: &str, measures: &[Measure], of: &str) -> Result<usize, GoalError> {
    let keys = || measures.iter().map(|measure| measure.key.as_str());
    keys().position(|known| known == key).ok_or_else(|| {
        let meant = meant(nearest(key, keys()));
        GoalError(format!("`{of}`: nothing is measured as `{key}`{meant}; see `batchlab list metrics`"))
    })
}

impl Objective {
    fn read(text: &str, geometric: Option<bool>, measures: &[Measure]) -> Result<Objective, GoalError> {
        let mut parts = Vec::new();
        for part in text.split('+') {
            let (weight, key) = part.rsplit_once('*').unwrap_or(("1", part));
            let weight: f64 = weight.trim().parse().ok().filter(|weight| *weight > 0.0).ok_or_else(|| {
                GoalError(format!("`{text}`: a weight is a number above 0, as in mean_bsld + 0.5*p95_wait"))
            })?;
            let measure = measure(key.trim(), measures, text)?;
            let better = measures[measure].better;
            if better == Better::Neither {
                let what = format!("`{text}`: no direction of `{}` is good", measures[measure].key);
                return Err(GoalError(what));
            }
            parts.push(ObjectivePart { measure, weight, better });
        }
        let sum: f64 = parts.iter().map(|part| part.weight).sum();
        for part in &mut parts {
            part.weight /= sum;
        }
        let of_slowdowns = parts.iter().all(|part| measures[part.measure].domain == Domain::FromOne);
        let is_geometric = geometric.unwrap_or(of_slowdowns);
        Ok(Objective { words: text.trim().to_owned(), parts, is_geometric })
    }

    /// Returns the number of a unit, whose mean over units [`Objective::ratio`] turns into the ratio to the baseline; infinite if
    /// the candidate lacks a value that the baseline has, `None` where the baseline has none. O(parts).
    pub(super) fn number(&self, compared: &Compared<'_>) -> Option<f64> {
        self.parts.iter().map(|part| part.number(compared, self.is_geometric)).sum()
    }

    /// Returns the ratio to the baseline for a mean of units' numbers: below 1 is better.
    pub fn ratio(&self, mean: f64) -> f64 {
        if self.is_geometric { mean.exp() } else { 1.0 + mean }
    }
}

impl ObjectivePart {
    fn number(&self, compared: &Compared<'_>, is_geometric: bool) -> Option<f64> {
        let base = compared.of(compared.baseline, self.measure)?;
        let Some(value) = compared.values[self.measure] else { return Some(f64::INFINITY) };
        let gain = if is_geometric {
            // Equal values have the ratio 1, of 0 too.
            if value == base { 0.0 } else { (value / base).ln() }
        } else {
            let mean = compared.means[compared.baseline][self.measure]?;
            if mean == 0.0 { if value == 0.0 { 0.0 } else { f64::INFINITY } } else { (value - base) / mean }
        };
        Some(self.weight * if self.better == Better::Higher { -gain } else { gain })
    }
}

impl Constraint {
    fn read(text: &str, measures: &[Measure], policies: &[String]) -> Result<Constraint, GoalError> {
        let wrong = |what: &str| {
            GoalError(format!("`{text}`: {what}; a constraint is such as p95_wait <= 1.05 * EASY"))
        };
        let (side, bound, is_upper) = match (text.split_once("<="), text.split_once(">=")) {
            (Some((side, bound)), None) => (side, bound, true),
            (None, Some((side, bound))) => (side, bound, false),
            _ => return Err(wrong("it has no <= or >=")),
        };
        let measure = measure(side.trim(), measures, text)?;
        let of_policy = |label: &str| policies.iter().position(|known| known == label.trim());
        let (factor, policy) = match bound.split_once('*') {
            Some((factor, label)) => {
                let known = || policies.join(", ");
                let policy = of_policy(label).ok_or_else(|| wrong(&format!("policies are {}", known())))?;
                (factor, Some(policy))
            }
            None if of_policy(bound).is_some() => ("1", of_policy(bound)),
            None => (bound, None),
        };
        let factor: f64 = factor.trim().parse().map_err(|_| wrong("its bound is no number"))?;
        if factor <= 0.0 || !factor.is_finite() {
            return Err(wrong("its bound is not above 0"));
        }
        Ok(Constraint { words: text.trim().to_owned(), measure, is_upper, factor, policy })
    }

    /// Returns by how much a unit contributes to breaking it, as a share of the bound: a mean above 0 breaks it. Where a policy is
    /// the bound, the unit is compared with that policy on the same unit.
    pub(super) fn number(&self, compared: &Compared<'_>) -> Option<f64> {
        let [bound, mean] = match self.policy {
            Some(policy) => {
                let here = compared.of(policy, self.measure)?;
                [here * self.factor, compared.means[policy][self.measure]? * self.factor]
            }
            None => [self.factor; 2],
        };
        let Some(value) = compared.values[self.measure] else {
            return compared.of(compared.baseline, self.measure).map(|_| f64::INFINITY);
        };
        let over = if self.is_upper { value - bound } else { bound - value };
        // With a mean bound of 0, such as no wait at all, any excess is one.
        Some(match (mean > 0.0, over > 0.0) {
            (true, _) => over / mean,
            (false, true) => f64::INFINITY,
            (false, false) => 0.0,
        })
    }

    /// Returns the bound in the words of a claim: `tuned <= 1.05 * bound`.
    pub fn claim(&self) -> (&str, f64, bool) {
        let key = self.words.split(['<', '>']).next().unwrap_or_default().trim();
        (key, self.factor, self.is_upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_engine::table::Unit;

    fn measures() -> Vec<Measure> {
        let measure = |key: &str, better, domain| Measure {
            key: key.into(),
            metric: key.into(),
            class: None,
            unit: Unit::Ratio,
            better,
            domain,
            definition: String::new(),
            is_diagnostic: false,
        };
        vec![
            measure("mean_bsld", Better::Lower, Domain::FromOne),
            measure("mean_wait", Better::Lower, Domain::NotNegative),
            measure("utilisation", Better::Higher, Domain::Share),
            measure("jobs", Better::Neither, Domain::NotNegative),
        ]
    }

    fn goal(objective: &str, constraint: &str) -> Result<Goal, GoalError> {
        let constraints: Vec<String> = if constraint.is_empty() { vec![] } else { vec![constraint.into()] };
        let policies = ["EASY".to_owned(), "FCFS".to_owned()];
        Goal::read((&[objective.into()], None), &constraints, &measures(), &policies)
    }

    fn number(goal: &Goal, values: [f64; 3]) -> [Option<f64>; 2] {
        let [values, baseline] = [values, [4.0, 100.0, 0.5]].map(|values| values.map(Some).to_vec());
        let means = [vec![Some(5.0), Some(200.0), Some(0.5)], vec![Some(9.0), Some(400.0), Some(0.4)]];
        let other = [9.0, 500.0, 0.4].map(Some);
        let compared =
            Compared { values: &values, policies: vec![&baseline, &other], means: &means, baseline: 0 };
        let constraint = goal.constraints.first().and_then(|constraint| constraint.number(&compared));
        [goal.objectives[0].number(&compared), constraint]
    }

    #[test]
    fn slowdowns_are_pooled_as_ratios_and_waits_as_means() {
        let slowdowns = goal("mean_bsld", "").unwrap();
        let halved = number(&slowdowns, [2.0, 0.0, 0.0])[0].unwrap();
        assert!((slowdowns.objectives[0].ratio(halved) - 0.5).abs() < 1e-12);
        // The wait of the unit is 50 s lower, a quarter of the workload's mean.
        let waits = goal("mean_wait", "").unwrap();
        assert_eq!(number(&waits, [2.0, 50.0, 0.0])[0], Some(-0.25));
        assert_eq!(waits.objectives[0].ratio(-0.25), 0.75);
    }

    #[test]
    fn weights_add_to_one_and_higher_may_be_better() {
        let both = goal("3*mean_wait + utilisation", "").unwrap();
        assert_eq!(number(&both, [1.0, 300.0, 0.75])[0], Some(0.75 * 1.0 - 0.25 * 0.5));
    }

    #[test]
    fn a_constraint_is_broken_by_a_mean_above_zero() {
        let of_policy = goal("mean_bsld", "mean_wait <= 1.1 * FCFS").unwrap();
        // 110 s above the bound of the unit; the bound of a mean is 440 s.
        assert_eq!(number(&of_policy, [1.0, 660.0, 0.0])[1].map(|over| (over * 100.0).round()), Some(25.0));
        assert_eq!(
            number(&goal("mean_bsld", "mean_wait <= 1000").unwrap(), [1.0, 500.0, 0.0])[1],
            Some(-0.5)
        );
        assert_eq!(
            number(&goal("mean_bsld", "utilisation >= EASY").unwrap(), [1.0, 0.0, 0.25])[1],
            Some(0.5)
        );
    }

    #[test]
    fn wrong_goals_say_what_would_be_right() {
        let reason = |objective: &str, constraint: &str| goal(objective, constraint).unwrap_err().to_string();
        assert!(
            reason("mean_bslt", "")
                .contains("nothing is measured as `mean_bslt` (did you mean `mean_bsld`?)")
        );
        assert!(reason("0*mean_bsld", "").contains("a weight is a number above 0"));
        assert!(reason("jobs", "").contains("no direction of `jobs` is good"));
        assert!(reason("mean_bsld", "mean_wait < 3").contains("it has no <= or >="));
        assert!(reason("mean_bsld", "mean_wait <= 2*SAF").contains("policies are EASY, FCFS"));
        assert!(reason("mean_bsld", "mean_wait <= -1").contains("is not above 0"));
    }

    #[test]
    fn measures_of_goals_are_those_that_they_name() {
        assert_eq!(measures_of("mean_bsld + 0.5*p95_wait@wide"), ["mean_bsld", "p95_wait@wide"]);
        assert_eq!(measures_of("p95_wait@wide <= 1.05 * EASY"), ["p95_wait@wide"]);
    }
}
