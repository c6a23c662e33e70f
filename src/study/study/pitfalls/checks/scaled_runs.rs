//! Load changed by scaling run times.

use batchlab_traces::Level;

use crate::study::pitfalls::figure::number;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "scaled-run-times",
    level: Level::Warning,
    title: "run times multiplied to change the load",
    misleads: "Longer jobs wait longer under the same load, and more of them outlast a night: the effect of \
        their length is mixed with the effect of the load, and bounded slowdowns shift because fewer jobs \
        are short.",
    advice: "Change the load by submit times (load = ...), and show run times as the log has them.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let factor = setting.shaping.runs;
    (factor != 1.0).then(|| format!("run times and requests are multiplied by {}", number(factor)))
}
