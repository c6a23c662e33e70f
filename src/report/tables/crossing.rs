//! Tables of crossings: where a metric that climbs along a sweep reaches a bound.

mod answer;
mod programs;
mod read;
mod readers;

pub use programs::crossings_for_programs;
pub use read::SECTION;
pub use readers::crossings;

use super::Names;
use crate::experiment::DesignPoint;

/// A crossing as declared: a metric, a parameter along which it climbs, and a bound.
#[derive(Clone, Debug)]
pub struct CrossingSpec {
    /// File name in the results folder.
    pub name: String,
    /// Title; one made of metric and bound where there is none.
    pub title: Option<String>,
    /// Key of the measure, with `@CLASS` behind it for the jobs of a class.
    pub measure: String,
    /// The parameter, by position.
    pub along: usize,
    /// The value that the metric must not exceed, in its own unit.
    pub bound: f64,
    /// Workloads, by position.
    pub workloads: Vec<usize>,
    /// Policies, by position.
    pub policies: Vec<usize>,
    /// Of each parameter the values chosen, by position; of the one along which is looked those at increasing numbers.
    pub values: Vec<Vec<usize>>,
}

impl CrossingSpec {
    /// Returns the numbers that the values along which is looked are, with their positions: increasing.
    pub fn numbers(&self, names: &Names) -> Vec<(f64, usize)> {
        let texts = &names.parameters[self.along].values;
        let number = |&at: &usize| Some((number(&texts[at])?, at));
        self.values[self.along].iter().filter_map(number).collect()
    }

    /// Returns the parameters beside the one along which is looked that have several values here.
    fn others(&self) -> Vec<usize> {
        let is_other = |at: &usize| *at != self.along && self.values[*at].len() > 1;
        (0..self.values.len()).filter(is_other).collect()
    }

    /// Returns the design points from which is looked: each at the first value of the parameter along which is looked.
    fn starts(&self) -> Vec<DesignPoint> {
        let mut points: Vec<Vec<usize>> = vec![Vec::new()];
        for (at, values) in self.values.iter().enumerate() {
            let values = if at == self.along { &values[..1] } else { values };
            let longer =
                |point: &Vec<usize>| values.iter().map(|value| [&point[..], &[*value]].concat()).collect();
            points = points.iter().flat_map(|point| -> Vec<Vec<usize>> { longer(point) }).collect();
        }
        let of = |&workload: &usize| {
            points.iter().map(move |point| DesignPoint { workload, point: point.clone() })
        };
        self.workloads.iter().flat_map(of).collect()
    }
}

/// Returns the number that a value of a parameter is.
fn number(value: &str) -> Option<f64> {
    value.trim().parse().ok().filter(|number: &f64| number.is_finite())
}
