//! Files that an experiment reads besides its logs, which its results keep.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use batchlab_parsers::sha256;
use serde::{Deserialize, Serialize};

use super::folder::{Folder, FolderError};

/// Name of the subfolder of these files, each under its SHA-256.
pub const INPUTS: &str = "inputs";

/// A file that an experiment reads besides its logs: limits, steps, a calendar, the program of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// Its name as the experiment has it.
    pub name: String,
    /// Its SHA-256.
    pub sha256: String,
    /// Where it is; results do not tell.
    #[serde(skip)]
    path: PathBuf,
}

impl InputFile {
    /// Returns a file with its hash.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(name: String, path: PathBuf) -> io::Result<InputFile> {
        Ok(InputFile { name, sha256: sha256(File::open(&path)?)?, path })
    }

    /// Returns its name among the results, if they keep it: one that a folder other than the experiment's has, such as an
    /// interpreter, is only named.
    pub fn kept(&self) -> Option<String> {
        let is_below = Path::new(&self.name).components().all(|part| matches!(part, Component::Normal(_)));
        let is_hash = self.sha256.len() == 64 && self.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_below && is_hash).then(|| format!("{INPUTS}/{}", self.sha256))
    }
}

impl Folder {
    /// Stores the files that an experiment reads besides its logs. A file that has changed since it was hashed is left out.
    ///
    /// # Errors
    /// If one cannot be read or written.
    pub fn keep_inputs(&self, inputs: &[InputFile]) -> Result<(), FolderError> {
        for input in inputs {
            let Some(kept) = input.kept() else { continue };
            let is_same = File::open(&input.path).and_then(sha256).is_ok_and(|hash| hash == input.sha256);
            if is_same {
                self.put(&kept, |out| io::copy(&mut File::open(&input.path)?, out).map(|_| ()))?;
            }
        }
        let is_kept = |name: &str| inputs.iter().any(|input| input.sha256 == name);
        self.keep_only(INPUTS, is_kept)
    }
}
