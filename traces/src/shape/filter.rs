//! Selection of jobs by a condition.

use super::{
    Env, Formula, FormulaText, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec,
    StepText, parameters,
};

pub(super) const SPEC: StepSpec = StepSpec::of::<FilterText>(
    "filter",
    "the jobs for which a condition holds, or those for which it does not",
);

parameters! {
    struct FilterText;
    keep: Option<FormulaText> = "none", "a condition such as \"procs <= 32 and known(memory)\"",
        "which jobs stay; this or `drop`";
    drop: Option<FormulaText> = "none", "a condition such as \"status = 5\"",
        "which jobs are left out; this or `keep`";
}

impl StepText for FilterText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        let keep = settings.one_of(&["keep", "drop"])? == "keep";
        let text = self.keep.or(self.drop).ok_or_else(|| settings.missing("keep or drop"))?;
        Ok(Box::new(Filter { formula: Formula::of(text, settings), keep }))
    }
}

struct Filter {
    formula: Formula,
    keep: bool,
}

impl Step for Filter {
    fn apply(&self, work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
        let holds = self.formula.holds(&work)?;
        let rows: Vec<u32> = work.rows().filter(|&row| holds[row as usize] == self.keep).collect();
        let words = format!("of {} left out", work.total());
        Ok(StepOutput::one(work.select(&rows), (work.len() - rows.len()) as u64, words))
    }
}
