//! The jobs that a step applies to.

use super::error::{ShapeError, StepError};
use super::formula::Formula;
use super::settings::Settings;
use super::spec::Param;
use super::work::ShapedTrace;

/// A condition on jobs; without one, a step applies to all jobs.
pub(super) struct Condition(Option<Formula>);

impl Condition {
    /// The parameter of steps that change jobs one by one.
    pub const PARAM: Param = Param {
        name: "where",
        default: "all jobs",
        takes: "a condition such as \"procs > 1 and user = 17\"",
        help: "which jobs the step changes; other jobs stay unchanged",
    };

    /// Reads the parameter.
    ///
    /// # Errors
    /// When it is not an expression.
    pub fn read(settings: &Settings<'_>) -> Result<Condition, ShapeError> {
        Ok(Condition(Formula::read(settings, Condition::PARAM.name)?))
    }

    /// Returns for each row whether the step applies to it.
    ///
    /// # Errors
    /// When the condition uses a name that this trace does not have.
    pub fn rows(&self, work: &ShapedTrace) -> Result<Vec<bool>, StepError> {
        match &self.0 {
            None => Ok(vec![true; work.len()]),
            Some(formula) => formula.holds(work),
        }
    }
}
