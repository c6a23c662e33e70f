//! The experiments of a paper.

use std::path::Path;

use toml::{Table, Value};

use crate::experiment::LogFolders;
use crate::report::claims::Checked;

/// An experiment of a paper, run or not.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its file, without the ending: the name of the folder of its results too.
    pub name: String,
    /// Its readings, each with the reason why one may read the paper so.
    pub readings: Vec<(String, String)>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of an experiment.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was run.
    Ran {
        /// Its claims.
        claims: Vec<Checked>,
        /// Names of its plots.
        plots: Vec<String>,
        /// Claims and figures as HTML.
        body: String,
    },
    /// It was not run.
    Left {
        /// Why.
        why: String,
        /// Its claims.
        claims: Vec<StatedClaim>,
    },
}

/// A claim as its file states it.
#[derive(Clone, Debug)]
pub struct StatedClaim {
    /// The claim in words.
    pub says: String,
    /// Its source.
    pub source: String,
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
        let logs = sections(text, "workload").into_iter().filter_map(|workload| {
            let of = |key: &str| workload.get(key).and_then(Value::as_str).map(str::to_owned);
            Some(RequiredLog { path: of("trace")?, sha256: of("sha256") })
        });
        logs.filter(|log| !log.path.contains('{')).collect()
    }

    /// Whether it lies beside the experiment.
    pub fn is_beside(&self, folder: &Path) -> bool {
        folder.join(&self.path).is_file()
    }

    /// Returns why it cannot be used: no folder has it. A file of its name with another hash is another log.
    pub fn absence(&self, folder: &Path, logs: &LogFolders) -> Option<String> {
        if logs.find(folder, &self.path, self.sha256.as_deref()).is_some() {
            return None;
        }
        let other = logs
            .find(folder, &self.path, None)
            .map_or_else(String::new, |other| format!("; {} has another hash", other.display()));
        Some(format!("{} is not here (--logs){other}", self.words()))
    }

    /// Returns its name and hash in words.
    fn words(&self) -> String {
        match &self.sha256 {
            Some(sha256) => format!("log {} (sha256 {sha256})", self.path),
            None => format!("log {}", self.path),
        }
    }
}

impl StatedClaim {
    /// Returns the claims that the text of an experiment states.
    pub fn all(text: &str) -> Vec<StatedClaim> {
        let of = |claim: &Table, key: &str| {
            claim.get(key).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
        };
        sections(text, "claim")
            .iter()
            .map(|claim| StatedClaim { says: of(claim, "says"), source: of(claim, "source") })
            .collect()
    }
}

impl Part {
    /// Returns the readings that the text of an experiment has, each with its reason.
    pub fn readings(text: &str) -> Vec<(String, String)> {
        let of = |reading: &Table, key: &str| {
            reading.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        sections(text, "reading")
            .iter()
            .map(|reading| (of(reading, "name"), of(reading, "because")))
            .collect()
    }
}

/// Returns the tables of `[[key]]`; none of a text that is no TOML, whose error the plan of the experiment gives.
fn sections(text: &str, key: &str) -> Vec<Table> {
    let Ok(table) = text.parse::<Table>() else { return Vec::new() };
    let list = table.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    list.into_iter().filter_map(|one| if let Value::Table(one) = one { Some(one) } else { None }).collect()
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
        assert_eq!(StatedClaim::all(text)[0].says, "x");
    }
}
