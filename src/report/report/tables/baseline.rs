//! What the results of a table are compared with.

use super::Names;
use batchlab_study::study::Side;

/// What results are compared with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Baseline {
    /// A policy at the same design point.
    Policy(usize),
    /// The same policy with these values of parameters, by position, and the same values of all others.
    Values(Vec<(usize, usize)>),
}

impl Baseline {
    /// Returns the side that a side is compared with; the side itself if it is the baseline.
    pub fn of(&self, side: &Side) -> Side {
        let mut baseline = side.clone();
        match self {
            Baseline::Policy(policy) => baseline.policy = *policy,
            Baseline::Values(values) => {
                for &(parameter, value) in values {
                    baseline.design_point.point[parameter] = value;
                }
            }
        }
        baseline
    }

    /// Returns the label of its policy, or its values such as `M 256`.
    pub fn label(&self, names: &Names) -> String {
        let value = |&(parameter, value): &(usize, usize)| {
            let parameter = &names.parameters[parameter];
            format!("{} {}", parameter.name, parameter.values[value])
        };
        match self {
            Baseline::Policy(policy) => names.policies[*policy].clone(),
            Baseline::Values(values) => values.iter().map(value).collect::<Vec<_>>().join(", "),
        }
    }
}
