//! Why a log cannot be had by its name.

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    #[error("no log is called `{given}`{meant}; see `batchlab list logs`")]
    Unknown { given: String, meant: String },
    #[error("`{given}`: no such version; known are {known}")]
    Version { given: String, known: String },
    #[error("the log {given} is not on this machine ({there}): run `batchlab fetch {given}`")]
    Absent { given: String, there: String },
    #[error("no folder for logs is known: set BATCHLAB_CACHE or HOME")]
    NoCache,
    #[error("cannot read the catalogue {file}: {why}")]
    Unread { file: String, why: String },
    #[error("{0}")]
    Wrong(String),
}

impl CatalogueError {
    /// Whether what the user typed is wrong, rather than what lies on this machine.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            CatalogueError::Unknown { .. } | CatalogueError::Version { .. } | CatalogueError::Wrong(_)
        )
    }
}
