use batchlab_traces::located::LocatedError;

/// The error for which a mapping cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct MappingError {
    /// Line of the mapping, from 1.
    pub line: usize,
    /// The error, and the correct form.
    pub what: String,
}

impl From<LocatedError> for MappingError {
    fn from(error: LocatedError) -> MappingError {
        MappingError { line: error.place.line as usize, what: error.what }
    }
}
