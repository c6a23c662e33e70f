//! The layout of a table: the subject of each cell.

use super::column::CellPart;
use super::{Axis, Baseline, Names, TableSpec};
use batchlab_engine::metrics::spoken;
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::{Question, Side};

/// The rows and columns of a table, before they are filled.
#[derive(Debug)]
pub struct TableLayout<'a> {
    pub spec: &'a TableSpec,
    pub names: &'a Names,
    /// For each row, its value of each row axis, as positions among the chosen ones.
    pub rows: Vec<Vec<usize>>,
    /// The same for columns.
    pub columns: Vec<Vec<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellSubject {
    pub design_point: DesignPoint,
    pub policy: usize,
    /// The metric, by its position among those chosen.
    pub metric: usize,
    /// The measure; `None` if a class has no such metric.
    pub measure: Option<usize>,
    /// What it is compared with, by its position among the table's baselines; 0 if there is none.
    pub baseline: usize,
}

impl CellSubject {
    /// Returns its policy and design point.
    pub fn side(&self) -> Side {
        Side { design_point: self.design_point.clone(), policy: self.policy }
    }
}

/// A column of numbers: one part of the cells in one column of the layout.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub column: usize,
    pub part: CellPart,
}

impl<'a> TableLayout<'a> {
    /// Lays a table out. O(cells).
    pub fn new(spec: &'a TableSpec, names: &'a Names) -> TableLayout<'a> {
        TableLayout { spec, names, rows: product(spec, &spec.rows), columns: product(spec, &spec.columns) }
    }

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
            baseline: at(Axis::Baseline),
        }
    }

    /// Returns the question how a cell's subject compares with its baseline; `None` if it is the baseline itself.
    pub fn question(&self, subject: &CellSubject) -> Option<Question> {
        let side = subject.side();
        let baseline = self.spec.baselines.get(subject.baseline)?.of(&side);
        let measure = subject.measure?;
        (baseline != side).then_some(Question { side, baseline, measure })
    }

    /// Returns the parts of the cells in a column. Where columns differ in the baseline, parts that compare nothing stand in
    /// the first one only.
    pub fn parts_of(&self, column: &[usize]) -> Vec<CellPart> {
        let baseline = self.spec.columns.iter().position(|axis| *axis == Axis::Baseline);
        let is_first = baseline.is_none_or(|axis| column[axis] == 0);
        let parts = self.parts().into_iter();
        parts.filter(|part| is_first || part.kind.asks.needs_baseline()).collect()
    }

    /// Returns the columns of numbers, in their order.
    pub fn slots(&self) -> Vec<Slot> {
        let columns = self.columns.iter().enumerate();
        let slots = |(at, column): (usize, &Vec<usize>)| {
            self.parts_of(column).into_iter().map(move |part| Slot { column: at, part })
        };
        columns.flat_map(slots).collect()
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
            Axis::Baseline => spec.baselines[at].label(names),
            Axis::Metric => spec.metrics[at].clone(),
        }
    }

    /// Returns what a value of an axis is called for readers: as the experiment says, else a metric in plain words and
    /// anything else by its label.
    pub fn spoken(&self, axis: Axis, at: usize) -> String {
        let label = self.label(axis, at);
        match (self.spec.called(&label), axis) {
            (Some(called), _) => called.to_owned(),
            (None, Axis::Metric) => spoken::of(&label),
            (None, _) => label,
        }
    }

    /// Returns what an axis is called for readers.
    pub fn axis_name(&self, axis: Axis) -> &str {
        let name = axis.name(self.names);
        self.spec.called(name).unwrap_or(name)
    }

    /// Returns the name of a design point: its workload and the parameters with several values in the table, a baseline's
    /// included.
    pub fn design_point_words(&self, design_point: &DesignPoint) -> String {
        let parameters = self.names.parameters.iter().enumerate();
        let is_compared = |at: usize| {
            let is_it = |of: &(usize, usize)| of.0 == at;
            self.spec
                .baselines
                .iter()
                .any(|of| matches!(of, Baseline::Values(values) if values.iter().any(is_it)))
        };
        let several = parameters.filter(|(at, _)| self.spec.values[*at].len() > 1 || is_compared(*at));
        let called = |name: &str| self.spec.called(name).unwrap_or(name).to_owned();
        let words = several.map(|(at, parameter)| {
            format!("{} {}", called(&parameter.name), called(&parameter.values[design_point.point[at]]))
        });
        let workload = called(&self.names.workloads[design_point.workload].0);
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
