//! Which jobs a step is about.

use super::error::{ShapeError, StepError};
use super::formula::Formula;
use super::settings::Settings;
use super::spec::Param;
use super::work::Work;

/// A condition on jobs; without one, all of them.
pub(super) struct Condition(Option<Formula>);

impl Condition {
    /// The parameter of steps that change jobs one by one.
    pub const PARAM: Param = Param {
        name: "where",
        default: "all jobs",
        takes: "a condition such as \"procs > 1 and user = 17\"",
        help: "which jobs the step is about; the others stay as they are",
    };

    /// Reads the parameter.
    ///
    /// # Errors
    /// When it is no expression.
    pub fn read(settings: &Settings<'_>) -> Result<Condition, ShapeError> {
        Ok(Condition(Formula::read(settings, Condition::PARAM.name)?))
    }

    /// Returns for each row whether the step is about it.
    ///
    /// # Errors
    /// When the condition names what this trace does not have.
    pub fn rows(&self, work: &Work) -> Result<Vec<bool>, StepError> {
        match &self.0 {
            None => Ok(vec![true; work.len()]),
            Some(formula) => formula.holds(work),
        }
    }
}
