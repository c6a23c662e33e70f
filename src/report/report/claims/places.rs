//! The places at which a claim must hold.

use batchlab_study::experiment::{DesignPoint, Frame};

/// Workloads and values of parameters, by position; the claim is about every combination of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimScope {
    pub workloads: Vec<usize>,
    /// The values of each parameter that the claim covers.
    pub values: Vec<Vec<usize>>,
}

impl ClaimScope {
    /// Returns all design points, in the order of the results.
    pub fn design_points(&self) -> Vec<DesignPoint> {
        DesignPoint::all(&self.workloads, &self.values)
    }

    /// Returns the same places restricted to one value of a parameter.
    #[must_use]
    pub fn only(&self, parameter: usize, value: usize) -> ClaimScope {
        let mut only = self.clone();
        only.values[parameter] = vec![value];
        only
    }
}

/// A dimension in which results differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    Workload,
    /// A parameter, by position.
    Parameter(usize),
}

/// Returns a design point in words, limited to the named dimensions in which results differ; empty if there are none.
pub(super) fn words(
    frame: &Frame,
    design_point: &DesignPoint,
    is_told: impl Fn(Dimension) -> bool,
) -> String {
    let mut words = Vec::new();
    if frame.workloads.len() > 1 && is_told(Dimension::Workload) {
        words.push(frame.workloads[design_point.workload].name.clone());
    }
    for (at, parameter) in frame.parameters.iter().enumerate() {
        if parameter.values.len() > 1 && is_told(Dimension::Parameter(at)) {
            words.push(format!("{} = {}", parameter.name, frame.value(design_point, at)));
        }
    }
    words.join(", ")
}
