//! Changes to a log before its replay.

use batchlab_traces::Provenance;
use serde::{Deserialize, Serialize};

use super::preparation::Preparation;

/// The scaling of load and run times, by options and by earlier steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shaping {
    /// Divisor of submit times, counted from the first one.
    pub load: f64,
    /// Factor of run times.
    pub runs: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cleaning {
    /// Name of the log without folders.
    pub name: String,
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
            // The detail lists the settings: `load=1.2 run=0.5`.
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

    /// Whether rules were applied, or the name shows that the archive cleaned the log (`-cln`).
    pub fn is_clean(&self) -> bool {
        !self.rules.is_empty() || self.name.contains("-cln")
    }
}
