//! Nothing trimmed at the beginning and the end.

use batchlab_traces::{Level, Time};

use crate::experiment::UnitKind;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};
use batchlab_engine::metrics::{Cooldown, Warmup};

/// What is said of windows with neither prefix nor warm-up.
pub const EMPTY: &str = "each window begins with an empty machine";

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "untrimmed",
    level: Level::Note,
    title: "measurements that include the empty beginning or the draining end",
    misleads: "A replay begins with an empty machine and ends with a queue that no new job joins. Both are \
        artifacts of the experiment, and both make waits shorter than in the middle. Windows of 28 days of four logs \
        made mean waits under EASY 6 to 28 % too short; the ratios to EASY of policies that let large jobs wait were 1 to \
        47 % too low, those of others wrong by 4 % at most.",
    advice: "Exclude them (warmup = \"1%\" or a time, cooldown = \"submit\" or a time), and show the effect. For windows, \
        prefix = \"28d\" replays so much of the log before each; blocks in place of windows replay the log once.",
    cite: "Tsafrir, Etsion and Feitelson 2007, Backfilling Using System-Generated Predictions Rather than User Runtime \
           Estimates",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        let units = |setting: &WorkloadSetting| {
            evidence.frame.workloads.get(setting.workload).map(|facts| facts.units)
        };
        evidence.in_settings(|setting| seen(setting, units(setting)))
    },
};

fn seen(setting: &WorkloadSetting, units: Option<UnitKind>) -> Option<String> {
    let measure = &setting.measure;
    let begins = measure.warmup == Warmup::None && measure.prefix == Time::ZERO;
    let ends = measure.cooldown == Cooldown::None;
    let empty = if begins && units == Some(UnitKind::Windows) { format!("; {EMPTY}") } else { String::new() };
    (begins || ends).then(|| format!("{}{empty}", measure.trimming()))
}
