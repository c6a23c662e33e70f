//! The error about a folder without results.

use std::io;

use super::folder::FolderError;

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
