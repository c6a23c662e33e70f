//! The order of policies at a design point.

use super::Study;
use crate::experiment::DesignPoint;
use batchlab_engine::table::Better;

#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The rank by value, from 1, in the order of the given policies; equal values share the best of their ranks. `None` if a
    /// policy has no value.
    pub ranks: Vec<Option<usize>>,
    /// Share of units in which each policy is best; a tie is divided among the policies. `None` without units.
    pub first: Option<Vec<f64>>,
    pub units: usize,
}

/// Logarithms of geometric means that differ by no more than this are equal.
const ROUNDING: f64 = 1e-12;

impl Ranking {
    /// Ranks policies at a design point by a measure; `None` if no direction is good. O(policies² + policies · units).
    pub fn of(
        study: &Study<'_>,
        design_point: &DesignPoint,
        policies: &[usize],
        measure: usize,
    ) -> Option<Ranking> {
        let better = study.frame().measures[measure].better;
        let goodness = |value: f64| match better {
            Better::Lower => Some(-value),
            Better::Higher => Some(value),
            Better::Neither => None,
        };
        goodness(0.0)?;
        let value = |&policy: &usize| study.estimate(design_point, policy, measure).value.and_then(goodness);
        let values: Vec<Option<f64>> = policies.iter().map(value).collect();
        let rank = |own: f64| 1 + values.iter().flatten().filter(|&&other| other > own).count();
        let units = complete_units(study, design_point, policies, measure);
        let ranks = values.iter().map(|own| own.map(rank)).collect();
        Some(Ranking { ranks, first: first(&units, better), units: units.len() })
    }
}

/// Returns the policy that is best in a typical unit, if it is another one than the best by its mean: the best by the geometric
/// mean over the units in which all the policies have a value. `None` too for fewer than two such units, and where a value is
/// not above 0. O(policies · units).
pub fn best_in_a_typical_unit(
    study: &Study<'_>,
    design_point: &DesignPoint,
    best: usize,
    policies: &[usize],
    measure: usize,
) -> Option<usize> {
    let units = complete_units(study, design_point, policies, measure);
    let are_enough = units.len() > 1 && units.iter().flatten().all(|value| *value > 0.0);
    let mean = |at: usize| units.iter().map(|of| of[at].ln()).sum::<f64>() / units.len() as f64;
    let sign = match study.frame().measures[measure].better {
        Better::Lower => 1.0,
        Better::Higher => -1.0,
        Better::Neither => return None,
    };
    let of_best = sign * mean(policies.iter().position(|&policy| policy == best).filter(|_| are_enough)?);
    let means = policies.iter().enumerate().map(|(at, &policy)| (policy, sign * mean(at)));
    let (policy, least) = means.reduce(|one, other| if other.1 < one.1 { other } else { one })?;
    (least < of_best - ROUNDING).then_some(policy)
}

/// Returns the values of all policies in each unit in which all have a value.
fn complete_units(
    study: &Study<'_>,
    design_point: &DesignPoint,
    policies: &[usize],
    measure: usize,
) -> Vec<Vec<f64>> {
    let of: Vec<Vec<(u32, f64)>> =
        policies.iter().map(|&policy| study.frame().units(design_point, policy, measure)).collect();
    let value = |of: &[(u32, f64)], unit: u32| {
        of.binary_search_by_key(&unit, |(unit, _)| *unit).ok().map(|at| of[at].1)
    };
    let Some(some) = of.first() else { return Vec::new() };
    some.iter().filter_map(|(unit, _)| of.iter().map(|of| value(of, *unit)).collect()).collect()
}

fn first(units: &[Vec<f64>], better: Better) -> Option<Vec<f64>> {
    let mut shares = vec![0.0; units.first()?.len()];
    for values in units {
        let best =
            values.iter().copied().reduce(if better == Better::Higher { f64::max } else { f64::min })?;
        let among = values.iter().filter(|&&value| value == best).count();
        for (share, _) in shares.iter_mut().zip(values).filter(|(_, value)| **value == best) {
            *share += 1.0 / (among * units.len()) as f64;
        }
    }
    Some(shares)
}
