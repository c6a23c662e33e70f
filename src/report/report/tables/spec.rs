//! The declaration of a table.

use serde::Deserialize;

use super::{Axis, Baseline, CellKind, Names};
use batchlab_engine::table::{Conditions, Float, PaperWidth, TimeUnit};
use batchlab_study::study::{ComparedNumber, Pool};

/// What a table is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableKind {
    /// Values of metrics, by rows and columns.
    #[default]
    Values,
    /// How evenly users fare, and how many of them fare better than under the baseline.
    Users,
    /// The users who lose most against the baseline.
    Losers,
    /// The policies that others dominate in several metrics.
    Pareto,
}

impl TableKind {
    /// Whether it is made of the sums of each user.
    pub fn is_of_users(self) -> bool {
        matches!(self, TableKind::Users | TableKind::Losers)
    }
}

/// How a table is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// For readers: rows against columns.
    #[default]
    Wide,
    /// For programs: a row for each value, its properties in columns.
    Long,
}

/// The family of contrasts that are tested together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FamilyScope {
    /// All contrasts of the table.
    Table,
    /// All contrasts of one measure in the table.
    Measure,
    /// All contrasts of one measure with the same design point, that of the baseline.
    #[default]
    #[serde(rename = "point", alias = "site")]
    DesignPoint,
}

/// A declared table: the values chosen of each axis, its layout, and the parts of its cells.
#[derive(Clone, Debug)]
pub struct TableSpec {
    /// File name in the results folder.
    pub name: String,
    /// What it is about.
    pub kind: TableKind,
    /// Title; the name if absent.
    pub title: Option<String>,
    /// The caption in a paper; generated if absent.
    pub caption: Option<String>,
    /// The float in a paper; the narrowest that fits if absent.
    pub float: Option<Float>,
    /// The width for which it is made in a paper; that of the narrowest common class if absent.
    pub width: Option<PaperWidth>,
    /// What things are called, in place of their names in the experiment.
    pub labels: Vec<(String, String)>,
    /// Where a paper has the table's conditions.
    pub conditions: Conditions,
    /// The axes of rows, outermost first.
    pub rows: Vec<Axis>,
    pub columns: Vec<Axis>,
    pub workloads: Vec<usize>,
    /// The chosen values of each parameter, by position.
    pub values: Vec<Vec<usize>>,
    pub policies: Vec<usize>,
    pub metrics: Vec<String>,
    /// Classes of jobs; `all` stands for all jobs.
    pub classes: Vec<String>,
    /// The parts of cells, in order.
    pub cells: Vec<&'static CellKind>,
    /// Whether each estimate has its interval beside it.
    pub intervals: bool,
    /// What results are compared with: none, policies or a point of the sweep.
    pub baselines: Vec<Baseline>,
    /// The contrasts that are tested together.
    pub family: FamilyScope,
    pub form: Form,
    /// Whether the best policy is printed in bold.
    pub best: bool,
    /// Whether a row of geometric means of ratios over workloads is added.
    pub geometric: bool,
    /// How units make a value.
    pub pool: Pool,
    /// Significant digits of the smallest number of a column; `None` means that of the metric's unit.
    pub digits: Option<usize>,
    /// Unit for lengths of time.
    pub time: TimeUnit,
}

impl TableSpec {
    /// Returns the table for programs: a row for each value, with the same parts.
    #[must_use]
    pub fn for_programs(&self, names: &Names) -> TableSpec {
        TableSpec {
            rows: Axis::all(names).into_iter().filter(|axis| self.is_named(*axis)).collect(),
            columns: Vec::new(),
            form: Form::Long,
            best: false,
            geometric: false,
            labels: Vec::new(),
            ..self.clone()
        }
    }

    /// Whether a table for programs names an axis in a column: a single baseline is one of its facts.
    fn is_named(&self, axis: Axis) -> bool {
        axis != Axis::Baseline || self.baselines.len() > 1
    }

    /// Returns the tested quantity: the first of these that is printed, the geometric mean of ratios if none is.
    pub fn quantity(&self) -> ComparedNumber {
        let is_printed =
            |quantity: &ComparedNumber| self.cells.iter().any(|kind| kind.compares() == Some(*quantity));
        let order = [ComparedNumber::Ratio, ComparedNumber::RatioOfMeans, ComparedNumber::Difference];
        order.into_iter().find(is_printed).unwrap_or_default()
    }

    /// Whether a kind of cell has its interval beside it. In a table with p-values or verdicts, only the tested quantity has
    /// one, so that no interval contradicts a p-value.
    pub fn has_interval(&self, kind: &CellKind) -> bool {
        let is_tested = || kind.compares().is_none_or(|quantity| quantity == self.quantity());
        self.intervals && kind.interval.is_some() && (!self.shows(&["p", "p_raw", "verdict"]) || is_tested())
    }

    /// Whether each test is a family of its own: if the only p-values of the table are raw ones.
    pub fn is_each_alone(&self) -> bool {
        self.shows(&["p_raw"]) && !self.shows(&["p", "verdict"])
    }

    /// Whether one of these kinds of cells is shown.
    pub fn shows(&self, names: &[&str]) -> bool {
        self.cells.iter().any(|kind| names.contains(&kind.name))
    }

    /// Returns what something is called in the table, if the experiment says so.
    pub fn called(&self, name: &str) -> Option<&str> {
        self.labels.iter().find(|(known, _)| known == name).map(|(_, label)| label.as_str())
    }

    /// Returns the family of contrasts, in words.
    pub fn family_words(&self) -> &'static str {
        if self.is_each_alone() {
            return "each test alone";
        }
        let is_of_values = self.baselines.iter().any(|of| matches!(of, Baseline::Values(_)));
        match (self.family, self.classes.len() > 1) {
            (FamilyScope::Table, _) => "all of this table",
            (FamilyScope::Measure, false) => "those of one metric in this table",
            (FamilyScope::Measure, true) => "those of one metric and class in this table",
            (FamilyScope::DesignPoint, false) if is_of_values => {
                "those of one metric at one workload and point of the other parameters"
            }
            (FamilyScope::DesignPoint, true) if is_of_values => {
                "those of one metric and class at one workload and point of the other parameters"
            }
            (FamilyScope::DesignPoint, false) if self.values.is_empty() => {
                "those of one metric at one workload"
            }
            (FamilyScope::DesignPoint, true) if self.values.is_empty() => {
                "those of one metric and class at one workload"
            }
            (FamilyScope::DesignPoint, false) => "those of one metric at one workload and point of the sweep",
            (FamilyScope::DesignPoint, true) => {
                "those of one metric and class at one workload and point of the sweep"
            }
        }
    }

    /// Whether it needs the sums of each user of a replay; positions refer to the names with which the table was read.
    pub fn reads_users(&self, workload: usize, policy: usize, point: &[usize]) -> bool {
        let is_policy = self.policies.contains(&policy) || self.baselines.contains(&Baseline::Policy(policy));
        let is_point = self.values.iter().zip(point).all(|(values, value)| values.contains(value));
        self.kind.is_of_users() && is_policy && is_point && self.workloads.contains(&workload)
    }

    /// Whether cells show a contrast with a baseline.
    pub fn has_contrasts(&self) -> bool {
        self.cells.iter().any(|kind| kind.asks.needs_baseline())
    }

    /// Returns the number of chosen values of an axis.
    pub fn count(&self, axis: Axis) -> usize {
        match axis {
            Axis::Workload => self.workloads.len(),
            Axis::Parameter(at) => self.values[at].len(),
            Axis::Class => self.classes.len(),
            Axis::Policy => self.policies.len(),
            Axis::Baseline => self.baselines.len(),
            Axis::Metric => self.metrics.len(),
        }
    }
}
