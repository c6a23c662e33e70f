//! Nothing trimmed at the beginning and the end.

use batchlab_traces::{Level, Time};

use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};
use batchlab_engine::metrics::{Cooldown, Warmup};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "untrimmed",
    level: Level::Note,
    title: "measurements that include the empty beginning or the draining end",
    misleads: "A replay begins with an empty machine and ends with a queue that no new job joins. Both are \
        artifacts of the experiment, and both make waits shorter than in the middle.",
    advice: "Exclude them (warmup = \"1%\" or a time, cooldown = \"submit\" or a time, prefix for windows), \
        and show the effect.",
    cite: "Tsafrir, Etsion and Feitelson 2007, Backfilling Using System-Generated Predictions Rather than User Runtime \
           Estimates",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let measure = &setting.measure;
    let begins = measure.warmup == Warmup::None && measure.prefix == Time::ZERO;
    let ends = measure.cooldown == Cooldown::None;
    (begins || ends).then(|| measure.trimming())
}
