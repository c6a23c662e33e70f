use super::{Formula, FormulaText, Param, Settings, ShapedTrace, StepError};

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

    pub fn of(text: Option<FormulaText>, settings: &Settings<'_>) -> Condition {
        Condition(text.map(|text| Formula::of(text, settings)))
    }

    /// Returns for each row whether the step applies to it. Fails when the condition uses a name that this trace does not have.
    pub fn rows(&self, work: &ShapedTrace) -> Result<Vec<bool>, StepError> {
        match &self.0 {
            None => Ok(vec![true; work.len()]),
            Some(formula) => formula.holds(work),
        }
    }
}
