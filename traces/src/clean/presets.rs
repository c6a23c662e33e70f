//! Published rules, by name.

use super::error::RulesError;
use crate::citation::Citation;
use crate::nearest::nearest;

/// A published set of rules.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name in rules files and in `--rules`.
    pub name: &'static str,
    /// What it is for, in one line.
    pub summary: &'static str,
    /// Where the rules are published, and how certain their text is.
    pub cite: Citation,
    /// The rules, as a rules file.
    pub text: &'static str,
}

/// All presets: one line each.
#[rustfmt::skip]
pub static PRESETS: &[Preset] = &[
    preset("pwa:kth-sp2", "KTH-SP2-1996-2 to 2.1-cln", HEADER, include_str!("presets/kth-sp2.toml")),
    preset("pwa:lanl-cm5", "LANL-CM5-1994-4 to 4.1-cln", HEADER, include_str!("presets/lanl-cm5.toml")),
    preset("pwa:llnl-atlas", "LLNL-Atlas-2006-2 to 2.1-cln", HEADER, include_str!("presets/llnl-atlas.toml")),
    preset("pwa:nasa-ipsc", "NASA-iPSC-1993-3 to 3.1-cln", HEADER, include_str!("presets/nasa-ipsc.toml")),
    preset("pwa:osc-cluster", "OSC-Clust-2000-3 to 3.1-cln", PAGE, include_str!("presets/osc-cluster.toml")),
    preset("pwa:sdsc-blue", "SDSC-BLUE-2000-4 to 4.2-cln", RECALLED, include_str!("presets/sdsc-blue.toml")),
    preset("pwa:sdsc-sp2", "SDSC-SP2-1998-4 to 4.2-cln", PAGE, include_str!("presets/sdsc-sp2.toml")),
    preset("sc15", "the jobs that a study of backfilling kept of every \
        log", SC15, include_str!("presets/sc15.toml")),
];

const HEADER: Citation =
    Citation::of("Parallel Workloads Archive, header of the cleaned log", &["feitelson14"]);
const PAGE: Citation = Citation::of("Parallel Workloads Archive, page of the log", &["feitelson14"]);
const RECALLED: Citation =
    Citation::of("Parallel Workloads Archive; bounds recalled, not read", &["feitelson14"]);
const SC15: Citation = Citation::of(
    "Gaussier, Glesser, Reis and Trystram, Improving backfilling by using machine learning to predict \
                    running times, SC 2015",
    &["gaussier15"],
);

const fn preset(name: &'static str, summary: &'static str, cite: Citation, text: &'static str) -> Preset {
    Preset { name, summary, cite, text }
}

impl Preset {
    /// Returns the preset with a name.
    pub fn find(name: &str) -> Result<&'static Preset, RulesError> {
        let names = || PRESETS.iter().map(|preset| preset.name);
        PRESETS.iter().find(|preset| preset.name == name).ok_or_else(|| RulesError::UnknownPreset {
            given: name.into(),
            nearest: nearest(name, names()),
            known: names().collect::<Vec<_>>().join(", "),
        })
    }
}
