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
    /// Several errors, in the order of the file.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<RulesError>),
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

impl RulesError {
    /// Returns the errors of several parts as one.
    ///
    /// # Errors
    /// If there is one.
    pub(super) fn all(errors: impl IntoIterator<Item = RulesError>) -> Result<(), RulesError> {
        let flat = errors.into_iter().flat_map(|error| match error {
            RulesError::Several(errors) => errors,
            error => vec![error],
        });
        let mut errors: Vec<RulesError> = flat.collect();
        match errors.pop() {
            None => Ok(()),
            Some(only) if errors.is_empty() => Err(only),
            Some(last) => {
                errors.push(last);
                Err(RulesError::Several(errors))
            }
        }
    }
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
