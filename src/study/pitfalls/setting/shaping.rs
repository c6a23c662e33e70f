//! What was done to a log before it was replayed.

use batchlab_traces::Provenance;
use serde::{Deserialize, Serialize};

use super::Preparation;

/// How load and run times were scaled: by options, and by steps before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shaping {
    /// What submit times, counted from the first one, were divided by.
    pub load: f64,
    /// What run times were multiplied by.
    pub runs: f64,
}

/// How a log was cleaned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cleaning {
    /// Name of the log without folders.
    pub name: String,
    /// Rules that touched it.
    pub rules: Vec<String>,
}

impl Default for Shaping {
    fn default() -> Shaping {
        Shaping { load: 1.0, runs: 1.0 }
    }
}

impl Shaping {
    pub(super) fn of(from: &Preparation<'_>) -> Shaping {
        let steps = from.provenance.steps.iter().filter(|step| step.name == "shape-scale");
        let mut shaping = Shaping { load: from.reading.load, runs: from.reading.scale_run };
        for step in steps {
            // The detail lists what was set: `load=1.2 run=0.5`.
            for (key, factor) in step.detail.split_whitespace().filter_map(factor) {
                match key {
                    "load" => shaping.load *= factor,
                    "interarrival" => shaping.load /= factor,
                    "run" => shaping.runs *= factor,
                    _ => {}
                }
            }
        }
        shaping
    }
}

fn factor(setting: &str) -> Option<(&str, f64)> {
    let (key, value) = setting.trim_end_matches([',', ';']).split_once('=')?;
    Some((key, value.parse().ok()?))
}

impl Cleaning {
    pub(super) fn of(provenance: &Provenance) -> Cleaning {
        let file = provenance.source.name.rsplit(['/', '\\']).next().unwrap_or_default();
        let rules = provenance.steps.iter().filter_map(|step| step.name.strip_prefix("rule "));
        Cleaning { name: file.into(), rules: rules.map(str::to_owned).collect() }
    }

    /// Whether rules were applied, or the name says that the archive has done it (`-cln`).
    pub fn is_clean(&self) -> bool {
        !self.rules.is_empty() || self.name.contains("-cln")
    }
}
