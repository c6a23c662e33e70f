//! Copies of logs, recognised by their names and hashes.

use super::{Catalogue, CatalogueLog};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedLog {
    pub title: String,
    pub authors: String,
    pub year: String,
    /// The address of its page, or of the archive.
    pub url: String,
    /// How it was recognised, in words.
    pub by: &'static str,
}

const ARCHIVE: &str = "https://www.cs.huji.ac.il/labs/parallel/workload/";

impl Catalogue {
    /// Recognises a log of the Parallel Workloads Archive: by the hash of its file, by its name, or by a name like those that
    /// the archive gives its files. `thanks` are the people whom the log's header acknowledges: they are its authors if the
    /// catalogue has none.
    pub fn recognise(&self, file: &str, sha256: &str, thanks: &[String]) -> Option<ArchivedLog> {
        let stem = file.strip_suffix(".gz").unwrap_or(file);
        let stem = stem.strip_suffix(".swf").unwrap_or(stem);
        let logs = || self.logs().unwrap_or_default().iter().filter(|log| log.stem.is_some());
        let has_hash =
            |log: &&CatalogueLog| log.file.iter().any(|file| file.sha256.iter().any(|hash| hash == sha256));
        let own = || thanks.iter().map(|whom| person(whom)).collect::<Vec<_>>().join(" and ");
        let known = |log: &CatalogueLog, by| {
            let authors = if log.authors.is_empty() { own() } else { log.authors.clone() };
            let year = log.stem.as_deref().and_then(year).unwrap_or_default();
            let (title, url) = (log.title.clone(), log.page.clone());
            (!authors.is_empty()).then(|| ArchivedLog { title, authors, year: year.into(), url, by })
        };
        if let Some(log) = logs().find(has_hash) {
            return known(log, "Recognised by its SHA-256");
        }
        let (name, version) = parts(stem)?;
        if let Some(log) = logs().find(|log| log.stem.as_deref() == Some(name)) {
            return known(log, "Recognised by its name; the SHA-256 is not among those known here");
        }
        // Other files of the archive: their names have a year and a version, and their headers name who provided them.
        let is_version = version.starts_with(|first: char| first.is_ascii_digit());
        (is_version && !thanks.is_empty()).then(|| ArchivedLog {
            title: format!("The log {name}"),
            authors: own(),
            year: year(name).unwrap_or_default().into(),
            url: ARCHIVE.into(),
            by: "Recognised by the form of its name; authors are those of its header",
        })
    }
}

/// Splits the name of a file of the archive, `SITE-SYSTEM-YEAR-VERSION`, into what is before the version and the version.
fn parts(stem: &str) -> Option<(&str, &str)> {
    let (at, _) = stem.match_indices('-').find(|(at, _)| year(&stem[..*at]).is_some())?;
    Some((&stem[..at], &stem[at + 1..]))
}

fn year(name: &str) -> Option<&str> {
    let (site, year) = name.rsplit_once('-')?;
    let is_year = year.len() == 4
        && (year.starts_with("19") || year.starts_with("20"))
        && year.bytes().all(|byte| byte.is_ascii_digit());
    (is_year && !site.is_empty()).then_some(year)
}

/// Returns the name of a person without address and employer: "A. Person (person@site), Institute".
fn person(whom: &str) -> String {
    let name = whom.split(['(', ',', ';']).next().unwrap_or(whom);
    name.split_once(" from ").map_or(name, |(name, _)| name).trim().to_owned()
}
