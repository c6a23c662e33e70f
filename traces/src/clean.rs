//! Cleaning: rules as data, expectations about the result, presets.
//!
//! A rules file (TOML) lists `[[rule]]`s, each with an `id`, a reason (`because`) and an action: it drops the jobs for which a
//! condition holds (`drop = "expr"`), or gives fields new values (`mend = { field = "expr" }`) where a condition holds
//! (`when = "expr"`). `[[expect]]` states a property of the trace: `count`, `all`, `none`, `any` or `range`, over all jobs or the
//! jobs for which `where` holds, after the rules or, with `on = "given"`, before them. `presets = ["pwa:kth-sp2"]` puts published
//! rules first. Expressions are those of [`crate::expr`]; rules may also call the [`FUNCTIONS`] of the whole trace.
//!
//! ```
//! use batchlab_traces::clean::Rules;
//! # use batchlab_traces::models;
//! # let trace = models::find("lublin").unwrap().generate::<&str>(100, 64, 1, &[]).unwrap();
//! let rules: Rules = r#"
//!     [[rule]]
//!     id = "short"
//!     because = "a job of a second is no job"
//!     drop = "run < 1s"
//!
//!     [[expect]]
//!     all = "run <= 3d and procs <= 64"
//! "#.parse().unwrap();
//! rules.check(&trace).unwrap();
//! ```

mod apply;
mod change;
mod check;
mod error;
mod expect;
mod file;
mod functions;
mod phrase;
mod presets;
mod report;
mod rules;
mod show;
mod target;

pub mod flurries;

pub use apply::Cleaned;
pub use error::{CheckError, RulesError};
pub use file::ExpectationStage;
pub use functions::{FLURRIES, FUNCTIONS};
pub use presets::{PRESETS, Preset};
pub use report::{CleaningReport, ExpectReport, ReportedJob, RuleReport, SHOWN};
pub use rules::{CleaningRule, Rules};

use crate::expr::Vocabulary;
use crate::trace::Trace;

fn vocabulary(trace: &Trace) -> Vocabulary {
    Vocabulary::trace(trace).with_tables(FUNCTIONS)
}

#[cfg(test)]
mod tests;
