//! What can be spread over rows and columns.

use super::Names;

/// Something of which a table has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// Workloads.
    Workload,
    /// A swept parameter, by its position.
    Parameter(usize),
    /// Classes of jobs.
    Class,
    /// Policies.
    Policy,
    /// Metrics.
    Metric,
}

impl Axis {
    /// Returns all axes of an experiment, in the order in which they stand unless told.
    pub fn all(names: &Names) -> Vec<Axis> {
        let parameters = (0..names.parameters.len()).map(Axis::Parameter);
        let ends = [Axis::Class, Axis::Policy, Axis::Metric];
        [Axis::Workload].into_iter().chain(parameters).chain(ends).collect()
    }

    /// Returns its name, as tables are declared with it.
    pub fn name(self, names: &Names) -> &str {
        match self {
            Axis::Workload => "workload",
            Axis::Parameter(at) => &names.parameters[at].name,
            Axis::Class => "class",
            Axis::Policy => "policy",
            Axis::Metric => "metric",
        }
    }
}
