//! One policy at one design point by one measure.

use super::Reason;
use crate::experiment::{DesignPoint, Frame, UnitKind};
use batchlab_engine::metrics::Domain;
use batchlab_engine::stats::caution::{self, Caution};
use batchlab_engine::stats::dependence::Dependence;
use batchlab_engine::stats::{Interval, shaking, student};

/// The value of a policy at a design point, with its uncertainty.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The mean over units of the unit's value; the value of the whole replay if no unit has a value; `None` if it is undefined.
    ///
    /// So it is for blocks too: interval, spread and comparisons are about the mean of blocks, which gives each block the same
    /// weight and may be far from the value of the whole replay.
    pub value: Option<f64>,
    /// The value of the whole replay, if there is one replay, in blocks or not.
    pub whole: Option<f64>,
    /// The interval of the mean over units, by Student's t; for waits, slowdowns and other values that are never negative and have
    /// no greatest one, on the logarithm of the mean. For a quantile (`p90_wait`) it is about the mean of the units' quantiles, not
    /// about a quantile of all jobs. It is never a bootstrap interval, which covers less (`examples/coverage.md`). It is cut at the
    /// end of the measure's range: no slowdown is below 1.
    pub interval: Result<Interval, Reason>,
    /// Standard deviation over units, with n − 1; `None` for fewer than two.
    pub sd: Option<f64>,
    /// Least and greatest value of a unit; `None` for fewer than two.
    pub range: Option<(f64, f64)>,
    pub units: usize,
    /// Units left out because they have no value.
    pub left_out: usize,
    pub kind: UnitKind,
    /// The dependence of neighbouring windows or blocks, for which the interval allows.
    pub dependence: Option<Dependence>,
    /// The caution about this interval, if it covers less than its level.
    pub caution: Option<Caution>,
}

impl Estimate {
    /// Computes an estimate. O(units), after finding them.
    pub(super) fn new(frame: &Frame, design_point: &DesignPoint, policy: usize, measure: usize) -> Estimate {
        let kind = frame.workloads[design_point.workload].units;
        let rows = frame.rows(design_point, policy).iter().filter(|row| row.unit.is_some()).count();
        let values: Vec<f64> =
            frame.units(design_point, policy, measure).into_iter().map(|(_, value)| value).collect();
        let whole = frame.whole(design_point, policy, measure);
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        let spread = shaking::summary(std::slice::from_ref(&values)).ok().map(|of| of.policies[0]);
        let domain = frame.measures[measure].domain;
        let dependence = kind.dependence(&values);
        let interval = interval((kind, domain), (&values, dependence), frame.level);
        let caution = interval.as_ref().ok();
        let caution = caution.and_then(|of| caution::find(of.method, of.units, domain.may_have_tail()));
        Estimate {
            value: mean.or(whole),
            whole,
            interval,
            dependence,
            caution,
            sd: spread.map(|of| of.sd),
            range: spread.map(|of| (of.min, of.max)),
            left_out: rows - values.len(),
            units: values.len(),
            kind,
        }
    }
}

/// Returns the interval of the mean of values of units, as their dependence widens it, within the domain of the measure. O(units).
pub(super) fn interval(
    (kind, domain): (UnitKind, Domain),
    (values, dependence): (&[f64], Option<Dependence>),
    level: f64,
) -> Result<Interval, Reason> {
    if let Some(reason) = Reason::of_units(kind) {
        return Err(reason);
    }
    if values.is_empty() {
        return Err(Reason::Undefined);
    }
    let interval = if domain.is_positive() { student::of_positive } else { student::interval };
    Ok(interval(&Dependence::allow(dependence, values), level)?.within(domain.ends()))
}
