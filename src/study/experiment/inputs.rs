//! Files that an experiment reads besides its logs, which its results keep.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use batchlab_parsers::sha256;
use serde::{Deserialize, Serialize};

/// Name of the subfolder of these files, each under its SHA-256.
pub const INPUTS: &str = "inputs";

pub(super) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A file that an experiment reads besides its logs: limits, steps, a calendar, the program of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    pub name: String,
    pub sha256: String,
    /// Where it is; results do not say.
    #[serde(skip)]
    pub(super) path: PathBuf,
}

impl InputFile {
    pub fn of(name: String, path: PathBuf) -> io::Result<InputFile> {
        Ok(InputFile { name, sha256: sha256(File::open(&path)?)?, path })
    }

    /// Returns its name among the results, if they keep it: one that a folder other than the experiment's has, such as an
    /// interpreter, is only named.
    pub fn kept(&self) -> Option<String> {
        let is_below = Path::new(&self.name).components().all(|part| matches!(part, Component::Normal(_)));
        (is_below && is_sha256(&self.sha256)).then(|| format!("{INPUTS}/{}", self.sha256))
    }
}
