//! A log that was not cleaned.

use batchlab_traces::Level;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "uncleaned-log",
    level: Level::Note,
    title: "a log that no rules have cleaned",
    misleads: "Raw logs contain events that no machine would see again: flurries of one user, jobs of \
        operators, months of testing, mistakes of the converter. Several versions of a log are in use, and \
        they are not comparable.",
    advice: "Take the archive's cleaned version (-cln), a preset (rules = \"pwa:...\", see `batchlab list rules`) or \
             rules of your own, and name the version in the paper.",
    cite: "Feitelson, Tsafrir and Krakov 2014, Experience with Using the Parallel Workloads Archive",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let is_raw = !setting.is_model && !setting.cleaning.is_clean();
    is_raw
        .then(|| format!("{}: no rules, and its name does not say that it is cleaned", setting.cleaning.name))
}
