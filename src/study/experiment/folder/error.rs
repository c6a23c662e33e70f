use std::io;

use batchlab_parsers::PlaceError;

use super::Damage;

#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("{folder} is not empty and holds no results of batchlab; name another folder with --out")]
    NotOurs { folder: String },
    #[error(
        "{folder} holds the results of experiment `{other}`, not of `{ours}`; name another folder with --out"
    )]
    Foreign { folder: String, other: String, ours: String },
    #[error(
        "{folder} holds results of this experiment already; --resume continues with them and runs only what is missing \
         or has changed, --out names another folder"
    )]
    Begun { folder: String },
    #[error(
        "another run or merge is writing to {folder}: {holder}; wait until it has ended, or name another folder with --out"
    )]
    Busy {
        folder: String,
        /// The process, as far as it is known.
        holder: String,
    },
    #[error(
        "{file}: {}; `batchlab run EXPERIMENT.toml --resume --out {folder}` replays them",
        damaged(damage)
    )]
    Damaged { file: String, folder: String, damage: Damage },
    /// A file that every run writes again is torn.
    #[error(
        "{file} is torn ({what}); `batchlab run EXPERIMENT.toml --resume --out {folder}` writes it again"
    )]
    Torn { file: String, folder: String, what: String },
    #[error("{file}: {error}")]
    Io { file: String, error: io::Error },
    /// A link, a device or a pipe stands where a file or a folder of the results belongs.
    #[error(transparent)]
    Strange(PlaceError),
    #[error("{file}: {what}")]
    Broken { file: String, what: String },
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

pub(super) fn damaged(damage: &Damage) -> String {
    let replays = batchlab_traces::number::counted(damage.keys.len() as u64, "replay");
    format!("the rows of {replays} are torn or missing ({})", damage.first)
}
