//! Resources that the log records and the machine does not limit.

use batchlab_traces::Level;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "ignored-resources",
    level: Level::Note,
    title: "resources that jobs used and the machine does not limit",
    misleads: "On the real machine jobs also waited for memory, licences or the like. Without these, packing looks easier \
               than it was, and policies that share a node look better.",
    advice: "Give the machine its real capacities (capacity = \"memory=64GB\", or a machine file), or say \
        that only processors are modelled.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    (!setting.ignored.is_empty()).then(|| format!("not on the machine: {}", setting.ignored.join(", ")))
}
