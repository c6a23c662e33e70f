//! The layout of a table: the subject of each cell.

use super::{Axis, Names, TableSpec};
use crate::experiment::DesignPoint;

/// The rows and columns of a table, before they are filled.
#[derive(Debug)]
pub struct Layout<'a> {
    /// The declared table.
    pub spec: &'a TableSpec,
    /// The names of the experiment.
    pub names: &'a Names,
    /// For each row, its value of each row axis, as positions among the chosen ones.
    pub rows: Vec<Vec<usize>>,
    /// The same for columns.
    pub columns: Vec<Vec<usize>>,
}

/// The subject of a cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellSubject {
    /// The design point.
    pub design_point: DesignPoint,
    /// The policy.
    pub policy: usize,
    /// The metric, by its position among those chosen.
    pub metric: usize,
    /// The measure; `None` if a class has no such metric.
    pub measure: Option<usize>,
}

impl<'a> Layout<'a> {
    /// Lays a table out. O(cells).
    pub fn new(spec: &'a TableSpec, names: &'a Names) -> Layout<'a> {
        Layout { spec, names, rows: product(spec, &spec.rows), columns: product(spec, &spec.columns) }
    }

    /// Returns the subject of the cell in a row and a column.
    pub fn subject(&self, row: &[usize], column: &[usize]) -> CellSubject {
        let spec = self.spec;
        let at = |axis: Axis| {
            let of =
                |axes: &[Axis], at: &[usize]| axes.iter().position(|other| *other == axis).map(|i| at[i]);
            of(&spec.rows, row).or_else(|| of(&spec.columns, column)).unwrap_or(0)
        };
        let point =
            (0..spec.values.len()).map(|parameter| spec.values[parameter][at(Axis::Parameter(parameter))]);
        let metric = at(Axis::Metric);
        CellSubject {
            design_point: DesignPoint {
                workload: spec.workloads[at(Axis::Workload)],
                point: point.collect(),
            },
            policy: spec.policies[at(Axis::Policy)],
            metric,
            measure: self.names.measure(&spec.metrics[metric], &spec.classes[at(Axis::Class)]),
        }
    }

    /// Returns the label of a value of an axis.
    pub fn label(&self, axis: Axis, at: usize) -> String {
        let (spec, names) = (self.spec, self.names);
        match axis {
            Axis::Workload => names.workloads[spec.workloads[at]].0.clone(),
            Axis::Parameter(parameter) => {
                names.parameters[parameter].values[spec.values[parameter][at]].clone()
            }
            Axis::Class => spec.classes[at].clone(),
            Axis::Policy => names.policies[spec.policies[at]].clone(),
            Axis::Metric => spec.metrics[at].clone(),
        }
    }

    /// Returns the name of a design point: its workload and the parameters with several values in the table.
    pub fn design_point_words(&self, design_point: &DesignPoint) -> String {
        let parameters = self.names.parameters.iter().enumerate();
        let several = parameters.filter(|(at, _)| self.spec.values[*at].len() > 1);
        let words = several.map(|(at, parameter)| {
            format!("{} {}", parameter.name, parameter.values[design_point.point[at]])
        });
        let workload = self.names.workloads[design_point.workload].0.clone();
        [workload].into_iter().chain(words).collect::<Vec<_>>().join(", ")
    }
}

/// Returns all combinations of the values of axes, the last one varying fastest; one empty combination for no
/// axes.
fn product(spec: &TableSpec, axes: &[Axis]) -> Vec<Vec<usize>> {
    let longer = |known: Vec<Vec<usize>>, axis: &Axis| {
        let with = |before: &Vec<usize>, at: usize| before.iter().copied().chain([at]).collect();
        known.iter().flat_map(|before| (0..spec.count(*axis)).map(move |at| with(before, at))).collect()
    };
    axes.iter().fold(vec![Vec::new()], longer)
}
