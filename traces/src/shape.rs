//! Shaping steps: one file each, and one line in [`STEPS`].
//!
//! A file of steps is read into [`Steps`], which are then applied to a trace in their order. Each step is a pure function of the
//! trace, the seed and the [`Context`] (other logs, measurements); it is recorded in the provenance of the trace and as a `Note`
//! of its header. `parameters!` declares what a step is read from and what `list` shows of it.

mod anonymize;
mod arrivals;
mod calibrate;
mod condition;
mod context;
mod days;
mod error;
mod estimate;
mod feedback;
mod filter;
mod formula;
mod hold;
mod merge;
mod registry;
mod requeues;
mod resource;
mod sample;
mod scale;
mod settings;
mod shake;
mod shift;
mod spec;
mod split;
mod steps;
mod window;
mod work;

pub use context::{Context, Target};
pub use error::{ShapeError, StepError, StepFault};
pub use feedback::{SessionRule, Sessions};
pub use registry::STEPS;
pub use requeues::{RUNS_APART, RUNS_JOINED, RUNS_LOST, first_runs, rows_of_joined};
pub use spec::{Param, StepSpec};
pub use steps::{Shaped, ShapedLog, ShapingReport, Steps};

// What steps are written with.
pub(in crate::shape) use condition::Condition;
pub(in crate::shape) use context::Env;
pub(in crate::shape) use formula::{Formula, FormulaText};
pub(in crate::shape) use settings::Settings;
pub(in crate::shape) use settings::values::{choices, numbers};
pub(in crate::shape) use spec::{Step, StepOutput, StepText, TracePart, parameters};
pub(in crate::shape) use work::{Draws, ShapedTrace};

#[cfg(test)]
mod tests;
