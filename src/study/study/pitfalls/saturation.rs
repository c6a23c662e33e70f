//! Results of saturated machines.

use super::evidence::value;
use super::figure::percent;
use crate::experiment::{DesignPoint, Frame};
use batchlab_engine::stats::saturation::{LEFT_OVER, is_saturated};

/// The measure of the backlog that is never worked off.
pub(super) const LEAST: &str = "least_backlog";

/// How a result is known to be saturated.
#[derive(Clone, Debug, PartialEq)]
pub enum Saturated {
    /// Less work was done than arrived, and the backlog grew and was not worked off, in more than half of the units.
    Backlog {
        /// The number of saturated units, or whole replays.
        saturated: usize,
        /// The number of units for which it is known.
        units: usize,
        /// Mean share of the work that was done, over those units.
        completion: f64,
        /// Mean growth of the backlog over those units, as a share of the machine.
        growth: f64,
        /// Mean of the lower ends of the growth's 95 % intervals over those units.
        growth_low: f64,
    },
    /// From a point of the sweep with less load to this one, the utilization hardly rose.
    Plateau {
        load: (f64, f64),
        /// The utilization under each.
        used: (f64, f64),
    },
}

/// Returns how a policy's result at a design point is known to be saturated; `None` if nothing indicates it.
///
/// A unit is saturated by the rule of [`is_saturated`]. A result is saturated if more than half of its units are (one replay counts
/// as one unit); or if the offered load rose by 5 % or more from the previous point of the sweep, with all other parameters equal,
/// and the utilization by less than a quarter of that, while the backlog was not worked off: on a machine that only fills, the use
/// does not follow the load either. A point at which no job waits is never saturated. Results of versions without `least_backlog`
/// are judged without it. Means of saturated results depend on the length of the replay. O(v log n) for v values of the parameters.
pub fn saturated(frame: &Frame, design_point: &DesignPoint, policy: usize) -> Option<Saturated> {
    by_backlog(frame, design_point, policy).or_else(|| by_plateau(frame, design_point, policy))
}

impl Saturated {
    /// Returns the observation, with figures.
    pub fn words(&self) -> String {
        match self {
            Saturated::Backlog { saturated, units, completion, growth, growth_low } => {
                let of =
                    if *units == 1 { String::new() } else { format!(", in {saturated} of {units} units") };
                format!(
                    "{} of the work that arrived was done, and the backlog grows by {} of the machine (95 % interval \
                     from {}){of}",
                    percent(*completion),
                    percent(*growth),
                    percent(*growth_low)
                )
            }
            Saturated::Plateau { load, used } => format!(
                "the offered load rises from {} to {}, and the machine's use from {} to {} only",
                percent(load.0),
                percent(load.1),
                percent(used.0),
                percent(used.1)
            ),
        }
    }
}

fn by_backlog(frame: &Frame, design_point: &DesignPoint, policy: usize) -> Option<Saturated> {
    let [completion, growth, low] =
        ["completion", "backlog_growth", "backlog_growth_low"].map(|key| frame.measure(key));
    let (completion, growth, low, least) = (completion?, growth?, low?, frame.measure(LEAST));
    let rows = frame.rows(design_point, policy);
    // Blocks of a long replay are not replays; the whole replay shows whether the machine kept up.
    let is_whole = rows.iter().any(|row| row.unit.is_none());
    let rows = rows.iter().filter(|row| !is_whole || row.unit.is_none());
    let known: Vec<[f64; 4]> = rows
        .filter_map(|row| {
            let least = least.map_or(Some(f64::INFINITY), |least| row.values[least])?;
            Some([row.values[completion]?, row.values[growth]?, row.values[low]?, least])
        })
        .collect();
    let bad: Vec<&[f64; 4]> =
        known.iter().filter(|[completion, _, low, least]| is_saturated(*completion, *low, *least)).collect();
    let mean = |at: usize| bad.iter().map(|unit| unit[at]).sum::<f64>() / bad.len() as f64;
    (bad.len() * 2 > known.len()).then(|| Saturated::Backlog {
        saturated: bad.len(),
        units: known.len(),
        completion: mean(0),
        growth: mean(1),
        growth_low: mean(2),
    })
}

/// The least rise of the offered load that is examined.
const RISE: f64 = 0.05;
/// The least ratio of the rise of the utilization to that of the load, on a machine that keeps up.
const FOLLOWED: f64 = 0.25;

fn by_plateau(frame: &Frame, design_point: &DesignPoint, policy: usize) -> Option<Saturated> {
    let of = |design_point: &DesignPoint| {
        let load = value(frame, design_point, policy, "offered_load")?;
        Some((load, value(frame, design_point, policy, "utilization_window")?))
    };
    let (load, used) = of(design_point)?;
    let along = |parameter: usize| {
        let values = frame.parameters.get(parameter).map_or(0, |parameter| parameter.values.len());
        (0..values).filter(move |&value| value != design_point.point[parameter]).map(move |value| {
            let mut other = design_point.clone();
            other.point[parameter] = value;
            other
        })
    };
    let others = (0..design_point.point.len()).flat_map(along);
    let lower = others.filter_map(|other| of(&other)).filter(|other| load >= other.0 * (1.0 + RISE));
    let (load_before, used_before) = lower.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let hardly = used / used_before - 1.0 < FOLLOWED * (load / load_before - 1.0);
    let least = value(frame, design_point, policy, LEAST);
    let is_left = least.is_none_or(|least| least > LEFT_OVER);
    (hardly && is_left).then_some(Saturated::Plateau { load: (load_before, load), used: (used_before, used) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::pitfalls::sample::Experiment;

    #[test]
    fn more_than_half_of_the_units_decide() {
        let mut experiment = Experiment::clean();
        let design_point = experiment.frame.design_points()[0].clone();
        let mut verdicts = Vec::new();
        for unit in 0..8 {
            experiment.set_at(&design_point, 1, Some(unit), "completion", 0.9);
            experiment.set_at(&design_point, 1, Some(unit), "backlog_growth", 0.08);
            experiment.set_at(&design_point, 1, Some(unit), "backlog_growth_low", 0.06);
            experiment.set_at(&design_point, 1, Some(unit), LEAST, 0.03);
            verdicts.push(saturated(&experiment.frame, &design_point, 1));
        }
        assert!(verdicts[..6].iter().all(Option::is_none));
        let words = verdicts[7].as_ref().map(Saturated::words);
        let expected = "90 % of the work that arrived was done, and the backlog grows by 8 % of the machine (95 % \
                        interval from 6 %), in 8 of 12 units";
        assert_eq!(words.as_deref(), Some(expected));
        assert_eq!(saturated(&experiment.frame, &design_point, 0), None);
    }

    #[test]
    fn what_is_left_over_grows_and_is_not_worked_off() {
        // Of a machine that fills without a wait, the last.
        for (completion, low, least) in [(0.9, -0.01, 0.02), (0.995, 0.02, 0.02), (0.8, 0.02, 0.0)] {
            let mut experiment = Experiment::clean();
            experiment.set("completion", completion);
            experiment.set("backlog_growth_low", low);
            experiment.set(LEAST, least);
            let is_free = |at: &DesignPoint| saturated(&experiment.frame, at, 0).is_none();
            assert!(experiment.frame.design_points().iter().all(is_free));
        }
    }
}
