//! What a table shows.

use super::{Axis, CellKind, Names};
use crate::study::Quantity;
use crate::table::TimeUnit;

/// How a table is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// For readers: rows against columns.
    #[default]
    Wide,
    /// For programs: a row for each value, what is said about it in columns.
    Long,
}

/// Which contrasts are tested together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FamilyScope {
    /// All of the table.
    Table,
    /// All of one measure in the table.
    #[default]
    Measure,
    /// All of one measure at one design point.
    DesignPoint,
}

/// A table as declared: what is chosen of each axis, where it stands, and what cells say.
#[derive(Clone, Debug)]
pub struct TableSpec {
    /// File name in the results folder.
    pub name: String,
    /// Title; the name where there is none.
    pub title: Option<String>,
    /// What is spread over rows, outermost first.
    pub rows: Vec<Axis>,
    /// What is spread over columns, outermost first.
    pub columns: Vec<Axis>,
    /// Workloads, by position.
    pub workloads: Vec<usize>,
    /// Of each parameter, the values chosen, by position.
    pub values: Vec<Vec<usize>>,
    /// Policies, by position.
    pub policies: Vec<usize>,
    /// Keys of metrics.
    pub metrics: Vec<String>,
    /// Classes of jobs; `all` is all jobs.
    pub classes: Vec<String>,
    /// What cells say, in order.
    pub cells: Vec<&'static CellKind>,
    /// Whether each estimate has its interval beside it.
    pub intervals: bool,
    /// What policies are compared with.
    pub baseline: Option<usize>,
    /// What is tested together.
    pub family: FamilyScope,
    /// How it is laid out.
    pub form: Form,
    /// Whether the best policy is bold.
    pub best: bool,
    /// Whether a row of geometric means of ratios over workloads is added.
    pub geometric: bool,
    /// Significant digits of the smallest number of a column; that of the metric's unit where `None`.
    pub digits: Option<usize>,
    /// Unit of lengths of time.
    pub time: TimeUnit,
}

impl TableSpec {
    /// Returns the table for programs: a row for each value, with the same cells.
    #[must_use]
    pub fn for_programs(&self, names: &Names) -> TableSpec {
        TableSpec {
            rows: Axis::all(names),
            columns: Vec::new(),
            form: Form::Long,
            best: false,
            geometric: false,
            ..self.clone()
        }
    }

    /// Returns which number is tested: the ratio where it is printed and the difference is not.
    pub fn quantity(&self) -> Quantity {
        let shows = |name: &str| self.cells.iter().any(|kind| kind.name == name);
        if !shows("difference") && (shows("ratio") || shows("percent")) {
            Quantity::Ratio
        } else {
            Quantity::Difference
        }
    }

    /// Returns which contrasts are tested together, in words.
    pub fn family_words(&self) -> &'static str {
        match (self.family, self.classes.len() > 1) {
            (FamilyScope::Table, _) => "all of this table",
            (FamilyScope::Measure, false) => "those of one metric in this table",
            (FamilyScope::Measure, true) => "those of one metric and class in this table",
            (FamilyScope::DesignPoint, false) => "those of one metric at one workload and point of the sweep",
            (FamilyScope::DesignPoint, true) => {
                "those of one metric and class at one workload and point of the sweep"
            }
        }
    }

    /// Whether cells say something about a contrast to the baseline.
    pub fn has_contrasts(&self) -> bool {
        self.cells.iter().any(|kind| kind.asks.needs_baseline())
    }

    /// Returns how many values of an axis are chosen.
    pub fn count(&self, axis: Axis) -> usize {
        match axis {
            Axis::Workload => self.workloads.len(),
            Axis::Parameter(at) => self.values[at].len(),
            Axis::Class => self.classes.len(),
            Axis::Policy => self.policies.len(),
            Axis::Metric => self.metrics.len(),
        }
    }
}
