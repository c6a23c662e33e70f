//! Errors of rules.

use crate::expr::ExprError;
use crate::located::LocatedError;

/// Why rules cannot be read or applied.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The file is not TOML, or has keys that rules do not have.
    #[error("line {}, column {}: {}", .0.place.line, .0.place.column, .0.what)]
    Text(#[from] LocatedError),
    /// A rule or an expectation is incomplete or contradictory.
    #[error("line {line}: {subject}: {why}")]
    Shape {
        /// Line of the rule, from 1.
        line: usize,
        /// Its subject: "rule `pings`".
        subject: String,
        /// What is wrong with it.
        why: String,
    },
    /// An expression cannot be used.
    #[error("line {line}: {subject}: `{key}`:\n  {}{known}", error.to_string().replace('\n', "\n  "))]
    Expression {
        /// Line of the expression, from 1.
        line: usize,
        /// Its subject: "rule `pings`".
        subject: String,
        /// The key of the rule.
        key: String,
        /// What is wrong with it.
        error: ExprError,
        /// For an unknown field: the known fields, in words; otherwise empty.
        known: String,
    },
    /// No preset has this name.
    #[error("unknown preset `{given}`{}; known are {known}", crate::nearest::meant(*nearest))]
    UnknownPreset {
        /// What was given.
        given: String,
        /// The most similar preset.
        nearest: Option<&'static str>,
        /// All presets.
        known: String,
    },
    /// A second application would change something again.
    #[error(
        "rule `{rule}` does not settle: applied again it would touch {jobs} more, such as {example}; let its \
         condition exclude what it has mended"
    )]
    Restless {
        /// The rule.
        rule: String,
        /// The number of jobs it would touch, in words.
        jobs: String,
        /// One of them.
        example: String,
    },
}

/// Why a check fails.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CheckError {
    /// The rules cannot be used.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The trace is not as expected.
    #[error("{0}")]
    Failed(Box<super::report::CleaningReport>),
}
