//! The references of an experiment.

use super::used::{Use, uses};
use super::work::{PublishedWork, entry, escaped};
use super::works;
use crate::report::tables::Statistic;
use batchlab_engine::Inventory;
use batchlab_engine::catalogue::ArchivedLog;
use batchlab_engine::replay::conditions::TOOL;
use batchlab_study::experiment::folder::Contents;
use batchlab_study::experiment::{Manifest, Origin};

/// Everything that an experiment used and that must be cited.
#[derive(Debug)]
pub struct Bibliography {
    pub experiment: String,
    /// The program that ran it, and its version.
    pub tool: String,
    /// The cited works, in the order in which the experiment names the things that they define.
    pub references: Vec<Reference>,
    /// The logs, each listed once.
    pub logs: Vec<Origin>,
    /// What each log was recognised as.
    pub recognised: Vec<Option<ArchivedLog>>,
    /// Policies that this program does not have and so cannot cite, in words.
    pub unknown: Vec<String>,
}

/// A work, and what it is cited for.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The work, or its citation in words if the work is not in [`works`].
    pub cited: Cited,
    /// The parts of the experiment that come from it, such as `policy EASY`.
    pub uses: Vec<String>,
}

/// What is cited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cited {
    /// A work with all bibliographic fields.
    Work(&'static PublishedWork),
    /// A citation in words, of a policy, format or metric from outside this program.
    Words(String),
}

/// The year of this version of the program.
const YEAR: &str = "2026";

impl Bibliography {
    /// Returns what the experiment of a folder must cite; `statistics` are those that its tables show. O(plan).
    pub fn of(contents: &Contents, registry: &Inventory, statistics: &[Statistic]) -> Bibliography {
        let Manifest { name, tool, origins, .. } = &contents.manifest;
        let (uses, unknown) = uses(contents, registry, statistics);
        let mut references: Vec<Reference> = Vec::new();
        for Use { what, works, others } in uses {
            let works = works.into_iter().map(Cited::Work);
            for cited in works.chain(others.into_iter().map(Cited::Words)) {
                match references.iter_mut().find(|known| known.cited == cited) {
                    Some(known) if known.uses.contains(&what) => {}
                    Some(known) => known.uses.push(what.clone()),
                    None => references.push(Reference { cited, uses: vec![what.clone()] }),
                }
            }
        }
        let mut logs: Vec<Origin> = Vec::new();
        for origin in origins.iter().filter(|origin| origin.log.is_some()) {
            if !logs.iter().any(|known| (&known.log, &known.sha256) == (&origin.log, &origin.sha256)) {
                logs.push(origin.clone());
            }
        }
        let recognised = logs.iter().map(|log| log.recognised(registry.catalogue())).collect();
        Bibliography { experiment: name.clone(), tool: tool.clone(), references, logs, recognised, unknown }
    }

    /// Returns the entries in BibTeX, in UTF-8: the program, works, logs.
    pub fn bibtex(&self) -> String {
        let version = self.tool.strip_prefix("batchlab ").unwrap_or(&self.tool);
        let mut entries = vec![entry(
            "misc",
            "batchlab",
            &[
                ("author", "{The batchlab authors}".into()),
                ("title", "{batchlab: the laboratory for batch schedulers}".into()),
                ("howpublished", "Computer program".into()),
                ("year", YEAR.into()),
                ("note", format!("Version {}", escaped(version))),
            ],
        )];
        let mut keys: Vec<String> = Vec::new();
        for reference in &self.references {
            entries.push(match &reference.cited {
                Cited::Work(work) => work.bibtex(&reference.words()),
                Cited::Words(words) => {
                    let key = unused(key_of(words), &keys);
                    keys.push(key.clone());
                    let title = format!("{{{}}}", escaped(words));
                    entry("misc", &key, &[("title", title), ("annote", escaped(&reference.words()))])
                }
            });
        }
        for (log, known) in self.logs.iter().zip(&self.recognised) {
            let name = log.log.as_deref().unwrap_or_default();
            let stem = name.trim_end_matches(".gz").trim_end_matches(".swf");
            let key = unused(format!("log-{}", plain(stem)), &keys);
            keys.push(key.clone());
            entries.push(log_entry(&key, name, log, known.as_ref()));
        }
        entries.join("\n")
    }
}

impl Reference {
    pub fn words(&self) -> String {
        format!("Cited for {}", self.uses.join(", "))
    }
}

fn log_entry(key: &str, name: &str, log: &Origin, known: Option<&ArchivedLog>) -> String {
    let thanks = log.acknowledge.iter().map(|whom| format!("Thanks to {whom}"));
    let conversion = log.conversion.iter().map(|who| format!("Converted by {who}"));
    let hashes = log.sha256.iter().map(|hash| format!("SHA-256 {hash}"));
    let notes: Vec<String> = thanks.chain(conversion).collect();
    if let Some(known) = known {
        let by = std::iter::once(known.by.to_owned());
        let fields = [
            ("author", escaped(&known.authors)),
            ("title", format!("{{{}}}", escaped(&known.title))),
            ("year", known.year.clone()),
            ("howpublished", escaped(&format!("Parallel Workloads Archive, file {name}"))),
            ("url", known.url.clone()),
            ("annote", escaped(&by.chain(notes).chain(hashes).collect::<Vec<_>>().join(". "))),
        ];
        return entry("misc", key, &fields);
    }
    let machine =
        if log.machine.is_empty() { String::new() } else { format!(": {}", log.machine.join(", ")) };
    let fields = [
        ("title", format!("{{Workload log {}}}", escaped(&format!("{name}{machine}")))),
        ("howpublished", escaped(&log.information.join(", "))),
        ("note", escaped(&notes.join(". "))),
        ("annote", escaped(&hashes.collect::<Vec<_>>().join(". "))),
    ];
    entry("misc", key, &fields)
}

/// Whether a clause contains a year: citations do, remarks do not.
pub(super) fn has_year(clause: &str) -> bool {
    clause
        .split(|letter: char| !letter.is_ascii_digit())
        .any(|digits| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
}

/// Returns a key for a citation in words: its first word and its year.
fn key_of(words: &str) -> String {
    let name = words.split(|letter: char| !letter.is_alphanumeric()).find(|word| !word.is_empty());
    let year = words.split(|letter: char| !letter.is_ascii_digit()).find(|digits| has_year(digits));
    format!("{}{}", plain(name.unwrap_or("cited")), year.unwrap_or_default())
}

/// Returns a name reduced to the characters allowed in entry keys.
fn plain(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// Returns a key that no other entry has.
fn unused(key: String, used: &[String]) -> String {
    let is_free = |key: &String| works::find(key).is_none() && key != "batchlab" && !used.contains(key);
    if is_free(&key) {
        return key;
    }
    let mut numbered = (2..).map(|number| format!("{key}-{number}"));
    numbered.find(is_free).unwrap_or(key)
}

/// Returns a phrase that names the program that made the results, and the running version if it differs.
pub(super) fn made_by(tool: &str) -> String {
    if tool == TOOL { tool.to_owned() } else { format!("{tool} (this is {TOOL})") }
}
