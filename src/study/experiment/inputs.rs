//! Files that an experiment reads besides its logs, which its results keep.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use batchlab_parsers::sha256;
use serde::{Deserialize, Serialize};

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
    pub(super) path: PathBuf,
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
