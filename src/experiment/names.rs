//! The names of an experiment: what tables and plots may speak of before there are results.

use super::Parameter;

/// What there is by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// What is swept.
    pub parameters: Vec<Parameter>,
    /// Labels of the workloads.
    pub workloads: Vec<String>,
    /// Labels of the policies.
    pub policies: Vec<String>,
    /// Keys of the metrics, without classes.
    pub metrics: Vec<String>,
    /// Names of the classes of jobs.
    pub classes: Vec<String>,
}
