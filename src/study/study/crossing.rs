//! The value of a swept parameter at which an increasing metric reaches a bound.

use super::{Reason, Study};
use crate::experiment::{DesignPoint, UnitKind};
use batchlab_engine::stats::caution::{self, Caution};
use batchlab_engine::stats::crossing::{self, Crossing, Reached};
use batchlab_engine::stats::{Method, NoInterval};

/// A policy's curve of a measure along a swept parameter, and a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossingQuestion {
    /// Values of the parameter, increasing, and the design point at each; at least two.
    pub points: Vec<(f64, DesignPoint)>,
    pub policy: usize,
    pub measure: usize,
    /// The greatest acceptable value.
    pub bound: f64,
}

/// The crossing of a curve with its bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossed {
    /// The crossing of the curve of means over units.
    pub reached: Result<Reached, Reason>,
    /// The interval, if the bound is reached between two values of the parameter.
    pub ends: Option<Result<Ends, Reason>>,
    /// The caution about this interval, if it covers less than its level.
    pub caution: Option<Caution>,
    /// Mean utilization at the crossing, interpolated; `None` if it was not measured, or the bound is not reached.
    pub utilization: Option<f64>,
    /// Units with a value at every point.
    pub units: usize,
    /// Units left out because they lack a value.
    pub left_out: usize,
}

/// The ends of an interval along the parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// Lower end; `None` below the least value.
    pub low: Option<f64>,
    /// Upper end; `None` above the greatest value.
    pub high: Option<f64>,
}

/// The metrics of utilization, the better known one first.
const USE: [&str; 2] = ["utilization", "utilization_window"];

impl Crossed {
    /// Returns the crossing of a curve with its bound, by [`crossing::load`]: over units that have a value at every point, each
    /// resampled with its whole curve, as its points share jobs and random numbers.
    ///
    /// For a single replay, in blocks or not, and for shaken input there is only the estimate. The seed of the resampling is
    /// derived from that of the frame and the names in the question. O(resamples · units · points).
    pub fn of(study: &Study<'_>, question: &CrossingQuestion) -> Crossed {
        let (curves, left_out) = question.curves(study);
        let values: Vec<f64> = question.points.iter().map(|(value, _)| *value).collect();
        let reached = if curves.is_empty() {
            Err(Reason::Undefined)
        } else {
            crossing::estimate(&values, &curves, question.bound).map_err(refused)
        };
        let at = match reached {
            Ok(Reached::At(value)) => Some(value),
            _ => None,
        };
        let ends = at.map(|_| question.ends(study, &values, &curves));
        let has_interval = matches!(ends, Some(Ok(_)));
        Crossed {
            ends,
            caution: caution::find(Method::Percentile, curves.len(), true).filter(|_| has_interval),
            utilization: at.and_then(|at| question.used(study, at)),
            reached,
            units: curves.len(),
            left_out,
        }
    }
}

impl CrossingQuestion {
    fn kind(&self, study: &Study<'_>) -> UnitKind {
        let first = self.points.first();
        first.map_or(UnitKind::One, |(_, at)| study.frame().workloads[at.workload].units)
    }

    /// Returns a row for each unit with its value at each point, and the number of units that lack a value.
    fn curves(&self, study: &Study<'_>) -> (Vec<Vec<f64>>, usize) {
        let CrossingQuestion { points, policy, measure, .. } = self;
        if matches!(self.kind(study), UnitKind::One | UnitKind::Blocks) {
            let value = |(_, at): &(f64, DesignPoint)| value(study, at, *policy, *measure);
            return (points.iter().map(value).collect::<Option<Vec<f64>>>().into_iter().collect(), 0);
        }
        let frame = study.frame();
        let columns: Vec<_> = points.iter().map(|(_, at)| frame.units(at, *policy, *measure)).collect();
        let rows = points.iter().flat_map(|(_, at)| frame.rows(at, *policy));
        let mut units: Vec<u32> = rows.filter_map(|row| row.unit).collect();
        units.sort_unstable();
        units.dedup();
        let of_unit = |unit: &u32| -> Option<Vec<f64>> {
            let value = |column: &Vec<(u32, f64)>| {
                column.binary_search_by_key(unit, |(unit, _)| *unit).ok().map(|at| column[at].1)
            };
            columns.iter().map(value).collect()
        };
        let curves: Vec<Vec<f64>> = units.iter().filter_map(of_unit).collect();
        let left_out = units.len() - curves.len();
        (curves, left_out)
    }

    fn ends(&self, study: &Study<'_>, values: &[f64], curves: &[Vec<f64>]) -> Result<Ends, Reason> {
        if let Some(reason) = Reason::of_crossing(self.kind(study)) {
            return Err(reason);
        }
        let crossing = crossing::load(values, curves, self.bound, study.frame().level, self.seed(study));
        match crossing.map_err(refused)? {
            Crossing::Within(interval) => Ok(Ends { low: Some(interval.low), high: Some(interval.high) }),
            Crossing::Open { low, high, .. } => Ok(Ends { low, high }),
            // The estimate lies between two points, so these cases do not occur.
            Crossing::Below | Crossing::Above => Err(Reason::Undefined),
        }
    }

    /// Returns the utilization at a value of the parameter, by linear interpolation between the means at the points.
    fn used(&self, study: &Study<'_>, at: f64) -> Option<f64> {
        let measure = USE.iter().find_map(|key| study.frame().measure(key))?;
        let pair = self.points.windows(2).find(|pair| (pair[0].0..=pair[1].0).contains(&at))?;
        let [low, high] = [&pair[0], &pair[1]].map(|(_, at)| value(study, at, self.policy, measure));
        let share = (at - pair[0].0) / (pair[1].0 - pair[0].0);
        Some(low? + share * (high? - low?))
    }

    fn seed(&self, study: &Study<'_>) -> u64 {
        let frame = study.frame();
        let mut names = vec!["crossing".to_owned(), frame.policies[self.policy].label.clone()];
        names.extend([frame.measures[self.measure].key.clone(), self.bound.to_string()]);
        for (_, design_point) in &self.points {
            names.push(frame.workloads[design_point.workload].name.clone());
            names.extend((0..design_point.point.len()).map(|at| frame.value(design_point, at).to_owned()));
        }
        study.named_seed(&names)
    }
}

fn value(study: &Study<'_>, design_point: &DesignPoint, policy: usize, measure: usize) -> Option<f64> {
    let is_there = !study.frame().rows(design_point, policy).is_empty();
    is_there.then(|| study.estimate(design_point, policy, measure)).and_then(|of| of.value)
}

/// Returns the reason in terms of curves, where a value is negative.
fn refused(error: NoInterval) -> Reason {
    match error {
        NoInterval::NotPositive => Reason::Negative,
        error => Reason::Statistics(error),
    }
}
