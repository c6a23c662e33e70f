//! Selection of jobs by a condition.

use super::context::Env;
use super::error::StepError;
use super::formula::Formula;
use super::settings::Settings;
use super::spec::{Param, Step, StepOutput, StepSpec};
use super::work::ShapedTrace;
use crate::citation::Citation;

/// The step.
pub(super) const SPEC: StepSpec = StepSpec {
    name: "filter",
    summary: "the jobs for which a condition holds, or those for which it does not",
    cite: Citation::of("batchlab's own", &[]),
    draws: false,
    params: &[
        Param {
            name: "keep",
            default: "none",
            takes: "a condition such as \"procs <= 32 and known(memory)\"",
            help: "which jobs stay; this or `drop`",
        },
        Param {
            name: "drop",
            default: "none",
            takes: "a condition such as \"status = 5\"",
            help: "which jobs are left out; this or `keep`",
        },
    ],
    build: |settings: &Settings<'_>| {
        let key = settings.one_of(&["keep", "drop"])?;
        let formula = Formula::read(settings, key)?.ok_or_else(|| settings.missing("keep or drop"))?;
        Ok(Box::new(Filter { formula, keep: key == "keep" }))
    },
};

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
