use std::collections::HashSet;

use batchlab_traces::located::{LocatedError, LocatedToml};
use serde::Deserialize;

use super::CatalogueError;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CatalogueLog {
    pub name: String,
    pub title: String,
    /// Who provided it; empty if neither its page nor its header was read.
    #[serde(default)]
    pub authors: String,
    pub page: String,
    /// The beginning of its files' names, without version, if copies of it are recognised by name.
    pub stem: Option<String>,
    #[serde(default)]
    pub licence: String,
    /// Keys of the works that a publication cites for it.
    #[serde(default)]
    pub cite: Vec<String>,
    /// The published rules that made the cleaned version.
    pub rules: Option<String>,
    /// The processors of the machine, where its header was read.
    pub procs: Option<u64>,
    /// What a reader must know before it can be replayed.
    #[serde(default)]
    pub note: String,
    /// Its versions; the first is meant where none is named.
    #[serde(default)]
    pub file: Vec<LogFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogFile {
    /// What follows @ in a name.
    pub version: String,
    pub file: String,
    pub address: Option<String>,
    /// Further addresses of the same file, for when the address fails.
    #[serde(default)]
    pub mirrors: Vec<String>,
    /// Whether nobody has downloaded from these addresses with this program yet.
    #[serde(default)]
    pub untried: bool,
    /// Its size in bytes, as published.
    pub bytes: Option<u64>,
    /// SHA-256 of the file as published, and of the unpacked text; empty if they are not known.
    #[serde(default)]
    pub sha256: Vec<String>,
}

impl LogFile {
    /// Returns the addresses in the order in which they are tried.
    pub fn addresses(&self) -> impl Iterator<Item = &String> {
        self.address.iter().chain(&self.mirrors)
    }
}

impl CatalogueLog {
    /// Reads the logs of a catalogue; `file` is its name as the user knows it.
    ///
    /// # Errors
    /// What is no TOML, an unknown key, and names, files, addresses and hashes that cannot be right. No log is taken from a
    /// file with an error.
    pub fn all(text: &str, file: &str) -> Result<Vec<CatalogueLog>, CatalogueError> {
        read(text, file).map_err(|error| CatalogueError::Wrong(error.to_string()))
    }

    /// Returns what is before the colon.
    pub fn collection(&self) -> &str {
        self.name.split(':').next().unwrap_or_default()
    }
}

fn read(text: &str, file: &str) -> Result<Vec<CatalogueLog>, LocatedError> {
    let toml = LocatedToml::new(text, file);
    let whole = toml.parse()?;
    toml.expect_keys(&whole, &["log"])?;
    let (mut logs, mut names, mut files) = (Vec::new(), HashSet::new(), HashSet::new());
    for (table, at) in toml.list(&whole, "log")? {
        let log: CatalogueLog = toml.table(table, at)?;
        if let Some(what) = wrong(&log) {
            return Err(toml.error(at, what));
        }
        if !names.insert(log.name.clone()) {
            return Err(toml.error(at, format!("the log {} stands twice", log.name)));
        }
        for one in &log.file {
            if !files.insert((log.collection().to_owned(), one.file.clone())) {
                return Err(toml.error(at, format!("the file {} stands twice in its collection", one.file)));
            }
        }
        logs.push(log);
    }
    Ok(logs)
}

/// Returns what cannot be right in an entry. A name and a file become parts of a path: they are plain words.
fn wrong(log: &CatalogueLog) -> Option<String> {
    let name = &log.name;
    let is_name =
        name.split_once(':').is_some_and(|(first, rest)| first.len() > 1 && is_word(first) && is_word(rest));
    if !is_name {
        return Some(format!("`{name}` is no name of a log: collection:name, of letters, digits, - and ."));
    }
    log.file.iter().find_map(|one| {
        let LogFile { version, file, sha256, .. } = one;
        let is_web =
            |address: &String| ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme));
        let is_hash = |hash: &String| {
            hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        if !is_word(version) {
            Some(format!("{name}: `{version}` is no version: letters, digits, - _ and ."))
        } else if !is_word(file) {
            Some(format!(
                "{name}: `{file}` is no name of a file: letters, digits, - _ and ., without folders"
            ))
        } else if !one.addresses().all(is_web) {
            Some(format!("{name}: an address of {file} is neither https nor http"))
        } else {
            sha256.iter().find(|hash| !is_hash(hash)).map(|hash| format!("{name}: `{hash}` is no SHA-256"))
        }
    })
}

fn is_word(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !text.is_empty() && text.len() <= 100 && !text.starts_with(['.', '-']) && text.bytes().all(is_plain)
}
