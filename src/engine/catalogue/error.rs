//! Why a log cannot be had by its name.

/// The reason why a log cannot be had by its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// No log has the name.
    #[error("no log is called `{given}`{meant}; see `batchlab list logs`")]
    Unknown {
        /// The name as it was given.
        given: String,
        /// The name that was probably meant, in the form used in errors.
        meant: String,
    },
    /// The log has no such version.
    #[error("`{given}`: no such version; known are {known}")]
    Version {
        /// The name as it was given.
        given: String,
        /// The versions.
        known: String,
    },
    /// The log was not fetched.
    #[error("the log {given} is not on this machine ({there}): run `batchlab fetch {given}`")]
    Absent {
        /// The name as it was given.
        given: String,
        /// Where it would be.
        there: String,
    },
    /// There is no folder for logs.
    #[error("no folder for logs is known: set BATCHLAB_CACHE or HOME")]
    NoCache,
    /// The user's file cannot be read.
    #[error("cannot read the catalogue {file}: {why}")]
    Unread {
        /// Its name.
        file: String,
        /// The error of the system.
        why: String,
    },
    /// The user's file is wrong.
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
