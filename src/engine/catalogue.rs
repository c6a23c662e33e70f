//! Public logs by name: what is known of them, and where they lie on this machine.
//!
//! A name such as `pwa:kth-sp2`, or `pwa:kth-sp2@2` for another version, stands wherever a log may stand. [`Catalogue::locate`]
//! is the one place that turns it into a path: that of the log's file in the user's cache. Nothing is downloaded on the way;
//! [`fetch`] does this, and only `batchlab fetch` calls it. The same entries recognise copies of a log for `batchlab cite`.
#![allow(missing_docs)] // Names of fields and the texts of errors say what they are.

mod cache;
mod entry;
mod error;
pub mod fetch;
mod recognise;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use batchlab_traces::nearest::{meant, nearest};

pub use cache::CacheFolder;
pub use entry::{CatalogueLog, LogFile};
pub use error::CatalogueError;
pub use recognise::ArchivedLog;

const BUILT_IN: &str = include_str!("catalogue/logs.toml");

/// The logs known by name, and the folder with those that were fetched.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    cache: Option<CacheFolder>,
    /// A file with further logs.
    more: Option<PathBuf>,
    logs: Arc<OnceLock<Result<Vec<CatalogueLog>, CatalogueError>>>,
}

#[derive(Clone, Copy, Debug)]
pub struct NamedLog<'a> {
    pub log: &'a CatalogueLog,
    pub file: &'a LogFile,
}

impl Catalogue {
    /// Returns the catalogue with a cache and a file of further logs; neither is read before a log is named.
    pub fn new(cache: Option<CacheFolder>, more: Option<PathBuf>) -> Catalogue {
        Catalogue { cache, more, logs: Arc::default() }
    }

    /// Returns the catalogue of a user, given how environment variables are looked up: `BATCHLAB_CATALOGUE` names a file of
    /// further logs, [`CacheFolder::of_user`] has the others.
    pub fn of_user(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Catalogue {
        let more = variable("BATCHLAB_CATALOGUE").filter(|file| !file.is_empty()).map(PathBuf::from);
        Catalogue::new(CacheFolder::of_user(variable), more)
    }

    pub fn has_cache(&self) -> bool {
        self.cache.is_some()
    }

    /// Returns all logs, those of the user's file first.
    pub fn logs(&self) -> Result<&[CatalogueLog], CatalogueError> {
        let read = || {
            let mut logs = match &self.more {
                None => Vec::new(),
                Some(file) => {
                    let name = file.display().to_string();
                    let text = std::fs::read_to_string(file).map_err(|error| CatalogueError::Unread {
                        file: name.clone(),
                        why: error.to_string(),
                    })?;
                    CatalogueLog::all(&text, &name)?
                }
            };
            let built_in = CatalogueLog::all(BUILT_IN, "logs.toml")?;
            let new = |log: &CatalogueLog| !logs.iter().any(|known| known.name == log.name);
            let others: Vec<CatalogueLog> = built_in.into_iter().filter(new).collect();
            logs.extend(others);
            Ok(logs)
        };
        self.logs.get_or_init(read).as_deref().map_err(CatalogueError::clone)
    }

    pub fn find(&self, given: &str) -> Result<NamedLog<'_>, CatalogueError> {
        let logs = self.logs()?;
        let (name, version) = given.split_once('@').map_or((given, None), |(name, at)| (name, Some(at)));
        let Some(log) = logs.iter().find(|log| log.name == name) else {
            let meant = meant(nearest(name, logs.iter().map(|log| log.name.as_str())));
            return Err(CatalogueError::Unknown { given: given.into(), meant });
        };
        let file = log.file.iter().find(|file| version.is_none_or(|version| file.version == version));
        let versions = || log.file.iter().map(|file| file.version.as_str()).collect::<Vec<_>>().join(", ");
        let file = file.ok_or_else(|| CatalogueError::Version { given: given.into(), known: versions() })?;
        Ok(NamedLog { log, file })
    }

    /// Whether a path is the name of a log rather than that of a file: a collection that the catalogue has stands before a
    /// colon. `./pwa:log` is a file.
    pub fn is_name(&self, path: &str) -> bool {
        let Some((collection, _)) = path.split_once(':') else { return false };
        let is_word = |word: &str| {
            word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        is_word(collection)
            && match self.logs() {
                Ok(logs) => logs.iter().any(|log| log.collection() == collection),
                // What is wrong is told where the log is located.
                Err(_) => !std::path::Path::new(path).exists(),
            }
    }

    /// Returns the path under which a log is opened: for a name that of its file in the cache, otherwise the path itself.
    pub fn locate<'p>(&self, path: &'p str) -> Result<Cow<'p, str>, CatalogueError> {
        if !self.is_name(path) {
            return Ok(path.into());
        }
        let found = self.find(path)?;
        let there = self.path(found)?;
        if there.is_file() {
            return Ok(there.to_string_lossy().into_owned().into());
        }
        Err(CatalogueError::Absent { given: path.into(), there: there.display().to_string() })
    }

    /// Returns the place of a file in the cache, whether it is there or not.
    pub fn path(&self, NamedLog { log, file }: NamedLog<'_>) -> Result<PathBuf, CatalogueError> {
        let cache = self.cache.as_ref().ok_or(CatalogueError::NoCache)?;
        Ok(cache.logs(log.collection()).join(&file.file))
    }

    pub fn has(&self, named: NamedLog<'_>) -> bool {
        self.path(named).is_ok_and(|path| path.is_file())
    }

    /// Returns the folders of the cache that have logs: experiments look there for a log by its name or its hash.
    pub fn folders(&self) -> Vec<PathBuf> {
        let (Some(cache), Ok(logs)) = (&self.cache, self.logs()) else { return Vec::new() };
        let mut folders: Vec<PathBuf> = logs.iter().map(|log| cache.logs(log.collection())).collect();
        folders.dedup();
        folders.retain(|folder| folder.is_dir());
        folders
    }

    /// Returns the name of the log with a hash, as `batchlab fetch` takes it.
    pub fn with_hash(&self, sha256: &str) -> Option<String> {
        let logs = self.logs().ok()?;
        let versions = logs.iter().flat_map(|log| log.file.iter().map(move |file| NamedLog { log, file }));
        versions
            .filter(|named| named.file.sha256.iter().any(|hash| hash == sha256))
            .map(|named| named.name())
            .next()
    }
}

impl NamedLog<'_> {
    /// Returns the shortest name of the version.
    pub fn name(&self) -> String {
        let NamedLog { log, file } = self;
        let is_first = log.file.first().is_some_and(|first| first.version == file.version);
        if is_first { log.name.clone() } else { format!("{}@{}", log.name, file.version) }
    }
}
