use crate::expr::ExprError;
use crate::located::LocatedError;

/// Why rules cannot be read or applied; the message of each variant says what it is.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages say what each is.
pub enum RulesError {
    #[error("line {}, column {}: {}", .0.place.line, .0.place.column, .0.what)]
    Text(#[from] LocatedError),
    /// In the order of the file.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several(Vec<RulesError>),
    #[error("line {line}: {subject}: {why}")]
    Shape {
        line: usize,
        /// "rule `pings`".
        subject: String,
        why: String,
    },
    #[error("line {line}: {subject}: `{key}`:\n  {}{known}", error.to_string().replace('\n', "\n  "))]
    Expression {
        line: usize,
        subject: String,
        key: String,
        error: ExprError,
        /// For an unknown field: the known fields, in words; otherwise empty.
        known: String,
    },
    #[error("unknown preset `{given}`{}; known are {known}", crate::nearest::meant(*nearest))]
    UnknownPreset { given: String, nearest: Option<&'static str>, known: String },
    #[error(
        "rule `{rule}` does not settle: applied again it would touch {jobs} more, such as {example}; let its \
         condition exclude what it has mended"
    )]
    Restless { rule: String, jobs: String, example: String },
}

impl RulesError {
    /// Fails with the errors of several parts as one, if there are any.
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
#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error("{0}")]
    Failed(Box<super::report::CleaningReport>),
}
