//! The experiments of a paper.

use std::path::Path;

use batchlab_traces::SourcePlace;
use batchlab_traces::located::values::{Text, Verbatim};
use batchlab_traces::located::{LocatedToml, Spanned};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::report::claims::{Checked, in_words, unnamed};
use crate::report::page::PaperFigure;
use batchlab_engine::catalogue::Catalogue;
use batchlab_study::experiment::{ExperimentError, LogFolders};

/// An experiment of a paper, run or not.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its file, without the ending: the name of the folder of its results too.
    pub name: String,
    /// Its readings, each with the reason why one may read the paper so.
    pub readings: Vec<(String, String)>,
    /// Its claims, judged; those of an experiment that was not run cannot be checked.
    pub claims: Vec<Checked>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of an experiment; one that is left was not run.
#[derive(Clone, Debug)]
pub enum Outcome {
    Ran { figures: Vec<PaperFigure> },
    Left { why: String },
}

/// A claim as its file states it.
#[derive(Clone, Debug)]
pub struct StatedClaim {
    pub name: String,
    /// The statement that it is a part of, as the file names it, and where it does.
    pub part_of: Option<(String, SourcePlace)>,
    pub says: String,
    pub source: Option<String>,
}

/// A log that an experiment needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredLog {
    /// The file, as the experiment names it.
    pub path: String,
    /// Its SHA-256, if the experiment gives it.
    pub sha256: Option<String>,
}

impl RequiredLog {
    /// Returns the logs that the text of an experiment names.
    pub fn all(text: &str) -> Vec<RequiredLog> {
        #[derive(Default, Deserialize)]
        struct Keys {
            trace: Option<Verbatim>,
            sha256: Option<Verbatim>,
        }
        let log =
            |Keys { trace, sha256 }| Some(RequiredLog { path: trace?.0, sha256: sha256.map(|hash| hash.0) });
        let logs = sections(text, "workload").into_iter().filter_map(log);
        logs.filter(|log| !log.path.contains('{')).collect()
    }

    /// Whether it lies beside the experiment.
    pub fn is_beside(&self, folder: &Path) -> bool {
        folder.join(&self.path).is_file()
    }

    /// Returns why it cannot be used: no folder has it. A file of its name with another hash is another log.
    pub fn absence(&self, folder: &Path, logs: &LogFolders, catalogue: &Catalogue) -> Option<String> {
        if catalogue.is_name(&self.path) {
            return catalogue.locate(&self.path).err().map(|error| error.to_string());
        }
        if logs.find(folder, &self.path, self.sha256.as_deref()).is_some() {
            return None;
        }
        let other = logs
            .find(folder, &self.path, None)
            .map_or_else(String::new, |other| format!("; {} has another hash", other.display()));
        let named = self.sha256.as_deref().and_then(|hash| catalogue.with_hash(hash));
        let fetch = named.map_or_else(String::new, |name| format!("; `batchlab fetch {name}` downloads it"));
        Some(format!("{} is not here (--logs){other}{fetch}", self.words()))
    }

    fn words(&self) -> String {
        match &self.sha256 {
            Some(sha256) => format!("log {} (sha256 {sha256})", self.path),
            None => format!("log {}", self.path),
        }
    }
}

impl StatedClaim {
    /// Returns the claims that an experiment states; `file` is its name as the user knows it.
    /// Refuses claims whose keys have values of another kind, and two claims with the same name.
    pub fn all(text: &str, file: &str) -> Result<Vec<StatedClaim>, ExperimentError> {
        #[derive(Deserialize)]
        struct Keys {
            name: Option<Verbatim>,
            part_of: Option<Spanned<Verbatim>>,
            says: Option<Text>,
            left_out: Option<Verbatim>,
            source: Option<Text>,
        }
        let toml = LocatedToml::new(text, file);
        let whole = toml.parse()?;
        let claim = |(at, (table, begin))| {
            let Keys { name, part_of, says, left_out, source } = toml.part(table, begin)?;
            Ok(StatedClaim {
                name: name.map_or_else(|| unnamed(at), |name| name.0),
                part_of: part_of.map(|of| (of.get_ref().0.clone(), toml.place(of.span().start))),
                says: in_words(&says.map_or_else(String::new, |text| text.0), left_out.as_ref()),
                source: source.map(|text| text.0),
            })
        };
        let tables = toml.list(&whole, "claim")?;
        let claims: Vec<StatedClaim> =
            tables.iter().copied().enumerate().map(claim).collect::<Result<_, ExperimentError>>()?;
        let is_second = |at: &usize| claims[..*at].iter().any(|other| other.name == claims[*at].name);
        match (0..claims.len()).find(is_second) {
            Some(at) => Err(toml.error(tables[at].1, format!("there are two claims `{}`", claims[at].name))),
            None => Ok(claims),
        }
    }
}

impl From<&StatedClaim> for Checked {
    /// Returns a claim of an experiment that was not run.
    fn from(of: &StatedClaim) -> Checked {
        let part_of = of.part_of.as_ref().map(|(name, _)| name.clone());
        Checked::not_run(of.name.clone(), of.says.clone(), of.source.clone(), part_of)
    }
}

impl Part {
    /// Returns the readings that the text of an experiment has, each with its reason.
    pub fn readings(text: &str) -> Vec<(String, String)> {
        #[derive(Default, Deserialize)]
        struct Keys {
            name: Option<Verbatim>,
            because: Option<Verbatim>,
        }
        let said = |text: Option<Verbatim>| text.map_or_else(String::new, |text| text.0);
        let reading = |Keys { name, because }| (said(name), said(because));
        sections(text, "reading").into_iter().map(reading).collect()
    }
}

/// Returns the keys of the tables of `[[key]]`; none of a text that is no TOML, and none of a table with an error: the plan
/// of the experiment gives errors.
fn sections<K: DeserializeOwned + Default>(text: &str, key: &str) -> Vec<K> {
    let toml = LocatedToml::new(text, "");
    let Ok(whole) = toml.parse() else { return Vec::new() };
    let tables = LocatedToml::tables(&whole, key).unwrap_or_default();
    tables.into_iter().map(|(table, at)| toml.part(table, at).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_claims_and_readings_are_those_of_the_file() {
        let text = "[[workload]]\ntrace = \"a.swf\"\nsha256 = \"ab\"\n[[workload]]\nmodel = \"lublin\"\n[[workload]]\n\
                    trace = \"{log}\"\n[[reading]]\nname = \"r\"\nbecause = \"so\"\n[[claim]]\nsays = \"x\"\n";
        assert_eq!(RequiredLog::all(text), [RequiredLog { path: "a.swf".into(), sha256: Some("ab".into()) }]);
        assert_eq!(RequiredLog::all(text)[0].words(), "log a.swf (sha256 ab)");
        assert_eq!(Part::readings(text), [("r".to_owned(), "so".to_owned())]);
        let claim = &StatedClaim::all(text, "e.toml").unwrap()[0];
        assert_eq!((claim.name.as_str(), claim.says.as_str()), ("claim-1", "x"));
    }
}
