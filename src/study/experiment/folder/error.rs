//! Why a folder of results cannot be used.

use std::io;

use batchlab_parsers::PlaceError;

use super::Damage;

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder holds something other than results.
    #[error("{folder} is not empty and holds no results of batchlab; name another folder with --out")]
    NotOurs {
        /// The folder.
        folder: String,
    },
    /// The folder holds the results of another experiment.
    #[error(
        "{folder} holds the results of experiment `{other}`, not of `{ours}`; name another folder with --out"
    )]
    Foreign {
        /// The folder.
        folder: String,
        /// The experiment whose results are there.
        other: String,
        /// The experiment to be run.
        ours: String,
    },
    /// The folder holds results of this experiment, and the run was not asked to resume.
    #[error(
        "{folder} holds results of this experiment already; --resume continues with them and runs only what is missing \
         or has changed, --out names another folder"
    )]
    Begun {
        /// The folder.
        folder: String,
    },
    /// Another run or merge is writing into the folder.
    #[error(
        "another run or merge is writing to {folder}: {holder}; wait until it has ended, or name another folder with --out"
    )]
    Busy {
        /// The folder.
        folder: String,
        /// The process, as far as it is known.
        holder: String,
    },
    /// Rows of the results are torn or missing.
    #[error(
        "{file}: {}; `batchlab run EXPERIMENT.toml --resume --out {folder}` replays them",
        damaged(damage)
    )]
    Damaged {
        /// The file.
        file: String,
        /// The folder.
        folder: String,
        /// What is wrong.
        damage: Damage,
    },
    /// A file that every run writes again is torn.
    #[error(
        "{file} is torn ({what}); `batchlab run EXPERIMENT.toml --resume --out {folder}` writes it again"
    )]
    Torn {
        /// The file.
        file: String,
        /// The folder.
        folder: String,
        /// The error.
        what: String,
    },
    /// A file of the folder cannot be read or written.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// The reason.
        error: io::Error,
    },
    /// A link, a device or a pipe stands where a file or a folder of the results belongs.
    #[error(transparent)]
    Strange(PlaceError),
    /// A file of the folder is invalid.
    #[error("{file}: {what}")]
    Broken {
        /// The file.
        file: String,
        /// The error.
        what: String,
    },
}

impl From<PlaceError> for FolderError {
    fn from(error: PlaceError) -> FolderError {
        match error {
            PlaceError::Io { file, error } => FolderError::Io { file, error },
            strange @ PlaceError::Strange { .. } => FolderError::Strange(strange),
        }
    }
}

impl FolderError {
    /// Returns what is wrong with a torn file.
    pub(super) fn what(&self) -> &str {
        match self {
            FolderError::Torn { what, .. } | FolderError::Broken { what, .. } => what,
            _ => "",
        }
    }

    /// Whether the error means that a file does not exist.
    pub(super) fn is_absence(&self) -> bool {
        matches!(self, FolderError::Io { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }

    /// Returns the error for a folder without the file that every folder of results has; other errors stay.
    pub(super) fn or_no_results(self, folder: String) -> FolderError {
        match self {
            FolderError::Io { error, .. }
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
            {
                let what =
                    "no results of batchlab are there: name the folder that `batchlab run` or `paper` wrote";
                FolderError::Io { file: folder, error: io::Error::new(error.kind(), what) }
            }
            other => other,
        }
    }
}

/// Returns what is damaged, in words.
pub(super) fn damaged(damage: &Damage) -> String {
    let replays = batchlab_traces::number::counted(damage.keys.len() as u64, "replay");
    format!("the rows of {replays} are torn or missing ({})", damage.first)
}
