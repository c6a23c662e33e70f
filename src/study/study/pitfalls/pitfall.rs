//! The specification of a pitfall, and the report of one that was found.

use std::fmt;

use batchlab_traces::Level;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::evidence::Evidence;

/// A pitfall: one constant in one file, its `mod` line, and one line in [`PITFALLS`](super::PITFALLS).
#[derive(Debug)]
pub struct PitfallSpec {
    /// Stable name, for scripts and tests.
    pub code: &'static str,
    pub level: Level,
    /// Its name, as a heading.
    pub title: &'static str,
    pub misleads: &'static str,
    /// The option to try, in full sentences.
    pub advice: &'static str,
    pub cite: &'static str,
    /// Whether it can occur in a replay without an experiment. `replay` prints it only if its code is in
    /// [`TOLD`](super::TOLD) too; such a check reads only what `WorkloadSetting::in_short` determines.
    pub in_replay: bool,
    /// Returns its cases; empty if it does not occur.
    pub look: fn(&Evidence<'_>) -> Vec<Case>,
}

/// The subject of a case; if nothing is set, the experiment as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct About {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub point: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Case {
    pub about: About,
    pub seen: String,
}

#[derive(Clone, Debug)]
pub struct Pitfall {
    pub spec: &'static PitfallSpec,
    /// Its cases; at least one.
    pub cases: Vec<Case>,
}

impl Case {
    pub fn of_all(seen: impl Into<String>) -> Case {
        Case { about: About::default(), seen: seen.into() }
    }
}

/// Prints workload, point of the sweep, policy and table, separated by commas; empty for the whole experiment.
impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let point = self.point.iter().map(|(name, value)| format!("{name}={value}"));
        let table = self.table.iter().map(|table| format!("table `{table}`"));
        let words =
            self.workload.iter().cloned().chain(point).chain(self.policy.iter().cloned()).chain(table);
        f.write_str(&words.collect::<Vec<_>>().join(", "))
    }
}

/// Prints the subject and the observation: "KTH-SP2, load=0.9, EASY: 93 % of ...".
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = self.about.to_string();
        let colon = if about.is_empty() { "" } else { ": " };
        write!(f, "{about}{colon}{}", self.seen)
    }
}

/// The most cases that are printed.
const SHOWN: usize = 3;
/// The pitfalls whose cases are all printed: each case is another finding, and `replay` prints them all.
const IN_FULL: [&str; 2] = ["log-warnings", "log-notes"];

impl Pitfall {
    /// Returns the most cases that a text lists; a short text lists `few`.
    pub fn shown(&self, few: usize) -> usize {
        if IN_FULL.contains(&self.spec.code) { usize::MAX } else { few }
    }

    /// Returns the pitfall as one line: its title, the first case, the number of further cases, and where to read more.
    pub fn in_short(&self) -> String {
        let Pitfall { spec: PitfallSpec { code, title, level, .. }, cases } = self;
        let first = cases.first().map(|case| format!(": {case}")).unwrap_or_default();
        let more = match cases.len() {
            0 | 1 => String::new(),
            all => format!("; and {} more", all - 1),
        };
        format!("{}[{code}]: {title}{first}{more} (`batchlab list pitfalls {code}`)", words(*level))
    }
}

fn words(level: Level) -> &'static str {
    match level {
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Loud => "WARNING",
    }
}

/// Prints "warning\[saturated\]: ...", then the first cases, why it misleads and what to try.
impl fmt::Display for Pitfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", words(self.spec.level), self.spec.code, self.spec.title)?;
        let shown = self.shown(SHOWN);
        for case in self.cases.iter().take(shown) {
            write!(f, "\n  {case}")?;
        }
        if let Some(more) = self.cases.len().checked_sub(shown).filter(|&more| more > 0) {
            write!(f, "\n  and {more} more")?;
        }
        write!(f, "\n  why: {}\n  help: {}", self.spec.misleads, self.spec.advice)
    }
}

/// Keys: `code level title cases misleads advice cite`.
impl Serialize for Pitfall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Pitfall", 7)?;
        object.serialize_field("code", self.spec.code)?;
        object.serialize_field("level", &self.spec.level)?;
        object.serialize_field("title", self.spec.title)?;
        object.serialize_field("cases", &self.cases)?;
        object.serialize_field("misleads", self.spec.misleads)?;
        object.serialize_field("advice", self.spec.advice)?;
        object.serialize_field("cite", self.spec.cite)?;
        object.end()
    }
}
