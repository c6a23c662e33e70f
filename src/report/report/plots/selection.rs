//! The part of the results that a plot shows.

use crate::report::tables::Names;
use batchlab_study::experiment::{DesignPoint, Frame};

/// A dimension, besides the policy, in which results differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    Workload,
    /// A parameter of the sweep, by its position.
    Parameter(usize),
    Class,
}

/// A selection of workloads, policies, values of parameters and classes, by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    pub workloads: Vec<usize>,
    pub policies: Vec<usize>,
    /// The selected values of each parameter.
    pub values: Vec<Vec<usize>>,
    /// The classes; `None` is all jobs.
    pub classes: Vec<Option<String>>,
}

/// A design point and a class of jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotCell {
    pub design_point: DesignPoint,
    /// The class; `None` for all jobs.
    pub class: Option<String>,
}

/// The message for a selection without cells.
pub(super) const NOTHING: &str = "nothing is selected";

impl Dimension {
    /// Returns the dimension with a name: `workload`, `class`, or that of a parameter.
    pub fn find(name: &str, names: &Names) -> Option<Dimension> {
        match name {
            "workload" => Some(Dimension::Workload),
            "class" => Some(Dimension::Class),
            _ => names.parameters.iter().position(|known| known.name == name).map(Dimension::Parameter),
        }
    }
}

impl Selection {
    /// Returns the number of selected values of a dimension.
    pub fn count(&self, dimension: Dimension) -> usize {
        match dimension {
            Dimension::Workload => self.workloads.len(),
            Dimension::Parameter(parameter) => self.values[parameter].len(),
            Dimension::Class => self.classes.len(),
        }
    }

    /// Returns all dimensions: workload, parameters, class.
    pub fn dimensions(&self) -> Vec<Dimension> {
        let parameters = (0..self.values.len()).map(Dimension::Parameter);
        [Dimension::Workload].into_iter().chain(parameters).chain([Dimension::Class]).collect()
    }

    /// Returns the selection restricted to one value of a dimension.
    #[must_use]
    pub fn only(&self, dimension: Dimension, at: usize) -> Selection {
        let mut only = self.clone();
        match dimension {
            Dimension::Workload => only.workloads = vec![self.workloads[at]],
            Dimension::Parameter(parameter) => only.values[parameter] = vec![self.values[parameter][at]],
            Dimension::Class => only.classes = vec![self.classes[at].clone()],
        }
        only
    }

    /// Returns the selection split by a dimension; unsplit if there is none.
    pub fn split(&self, by: Option<Dimension>) -> Vec<Selection> {
        let Some(by) = by else { return vec![self.clone()] };
        (0..self.count(by)).map(|at| self.only(by, at)).collect()
    }

    /// Returns the first cell, which is the only one if no dimension has several values.
    pub fn cell(&self) -> Option<PlotCell> {
        let point: Option<Vec<usize>> = self.values.iter().map(|values| values.first().copied()).collect();
        let design_point = DesignPoint { workload: *self.workloads.first()?, point: point? };
        Some(PlotCell { design_point, class: self.classes.first()?.clone() })
    }

    /// Returns the name of the first value of a dimension.
    pub fn label(&self, dimension: Dimension, frame: &Frame) -> String {
        match dimension {
            Dimension::Workload => frame.workloads[self.workloads[0]].name.clone(),
            Dimension::Parameter(parameter) => {
                frame.parameters[parameter].values[self.values[parameter][0]].clone()
            }
            Dimension::Class => self.classes[0].clone().unwrap_or_else(|| "all".into()),
        }
    }
}
