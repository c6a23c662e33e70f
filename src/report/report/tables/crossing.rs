//! Tables of crossings: where a metric that increases along a sweep reaches a bound.

mod answer;
mod programs;
mod read;
mod readers;

pub use programs::crossings_for_programs;
pub use read::SECTION;
pub use readers::crossings;

use super::Names;
use batchlab_engine::metrics::spoken;
use batchlab_engine::table::{Conditions, Float, PaperWidth};
use batchlab_study::experiment::DesignPoint;

/// A declared crossing: a metric, a parameter along which it increases, and a bound.
#[derive(Clone, Debug)]
pub struct CrossingSpec {
    /// File name in the results folder.
    pub name: String,
    /// Title; made of metric and bound if absent.
    pub title: Option<String>,
    /// Key of the measure, followed by `@CLASS` for the jobs of a class.
    pub measure: String,
    /// The position of the swept parameter along which the crossing is sought (`along`).
    pub along: usize,
    /// The value that the metric must not exceed, in its own unit.
    pub bound: f64,
    pub workloads: Vec<usize>,
    pub policies: Vec<usize>,
    /// The caption in a paper, as LaTeX; the title if absent.
    pub caption: Option<String>,
    /// The float in a paper; the narrowest that fits if absent.
    pub float: Option<Float>,
    /// The width for which it is made in a paper; that of the narrowest common class if absent.
    pub width: Option<PaperWidth>,
    /// Where a paper has the table's conditions.
    pub conditions: Conditions,
    /// What things are called, in place of their names in the experiment.
    pub labels: Vec<(String, String)>,
    /// The chosen values of each parameter, by position; the values of `along` in the order of their numbers.
    pub values: Vec<Vec<usize>>,
}

impl CrossingSpec {
    /// Returns what something is called in the table: as the experiment says, else by its name.
    pub fn called<'n>(&'n self, name: &'n str) -> &'n str {
        self.labels.iter().find(|(known, _)| known == name).map_or(name, |(_, label)| label)
    }

    pub fn metric_words(&self) -> String {
        match self.called(&self.measure) {
            name if name == self.measure => spoken::of(name),
            called => called.to_owned(),
        }
    }

    /// Returns the numbers of the values of `along`, ascending, with their positions.
    pub fn numbers(&self, names: &Names) -> Vec<(f64, usize)> {
        let texts = &names.parameters[self.along].values;
        let number = |&at: &usize| Some((number(&texts[at])?, at));
        self.values[self.along].iter().filter_map(number).collect()
    }

    /// Returns the other parameters that have several chosen values.
    fn others(&self) -> Vec<usize> {
        let is_other = |at: &usize| *at != self.along && self.values[*at].len() > 1;
        (0..self.values.len()).filter(is_other).collect()
    }

    /// Returns the design points that start a curve: each at the first value of `along`.
    fn starts(&self) -> Vec<DesignPoint> {
        let mut values = self.values.clone();
        values[self.along].truncate(1);
        DesignPoint::all(&self.workloads, &values)
    }
}

/// Returns the number that a parameter value stands for.
fn number(value: &str) -> Option<f64> {
    value.trim().parse().ok().filter(|number: &f64| number.is_finite())
}
