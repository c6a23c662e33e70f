//! The dimensions that rows and columns can hold.

use super::Names;

/// A dimension of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    Workload,
    /// A swept parameter, by its position.
    Parameter(usize),
    Class,
    Policy,
    /// What results are compared with.
    Baseline,
    Metric,
}

impl Axis {
    /// Returns all axes of an experiment, in their default order.
    pub fn all(names: &Names) -> Vec<Axis> {
        let parameters = (0..names.parameters.len()).map(Axis::Parameter);
        let ends = [Axis::Class, Axis::Policy, Axis::Baseline, Axis::Metric];
        [Axis::Workload].into_iter().chain(parameters).chain(ends).collect()
    }

    /// Returns its name, as in declarations of tables.
    pub fn name(self, names: &Names) -> &str {
        match self {
            Axis::Workload => "workload",
            Axis::Parameter(at) => &names.parameters[at].name,
            Axis::Class => "class",
            Axis::Policy => "policy",
            Axis::Baseline => "baseline",
            Axis::Metric => "metric",
        }
    }
}
