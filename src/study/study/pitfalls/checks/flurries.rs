//! Bursts of one user.

use batchlab_traces::Level;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "flurries",
    level: Level::Warning,
    title: "a user who for a while submits more than half of all jobs of a week",
    misleads: "Means over the log are then means over that user's script, which no other site will see; \
        small changes of the schedule during the flurry move these means by several per cent.",
    advice: "Drop flurries by a rule (drop = \"flurries()\" in a file of rules), and show results with and without them.",
    cite: "Tsafrir and Feitelson 2006, Instability in Parallel Job Scheduling Simulation: the Role of Workload Flurries",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let (count, examples) = &setting.flurries;
    let example = examples.first()?;
    Some(if *count > 1 { format!("{count} flurries, such as {example}") } else { example.clone() })
}
