//! The folder of a user for what can be fetched again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheFolder(PathBuf);

impl CacheFolder {
    pub fn new(folder: impl Into<PathBuf>) -> CacheFolder {
        CacheFolder(folder.into())
    }

    /// Returns the cache of a user, given how environment variables are looked up: `BATCHLAB_CACHE`, else `batchlab` in
    /// `XDG_CACHE_HOME`, in `LOCALAPPDATA` or in `.cache` of `HOME`. Relative folders are ignored, as the XDG Base Directory
    /// Specification says, except the first, which the user sets for this program alone.
    pub fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<CacheFolder> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let absolute = |name: &str| set(name).filter(|folder| folder.is_absolute());
        set("BATCHLAB_CACHE")
            .or_else(|| absolute("XDG_CACHE_HOME").map(|folder| folder.join("batchlab")))
            .or_else(|| absolute("LOCALAPPDATA").map(|folder| folder.join("batchlab")))
            .or_else(|| absolute("HOME").map(|folder| folder.join(".cache").join("batchlab")))
            .map(CacheFolder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn logs(&self, collection: &str) -> PathBuf {
        self.0.join("logs").join(collection)
    }
}
