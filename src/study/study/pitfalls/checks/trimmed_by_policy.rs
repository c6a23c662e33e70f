use batchlab_traces::Level;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "trimmed-by-policy",
    level: Level::Note,
    title: "jobs that are left out by when they end, which the policy decides",
    misleads: "Each policy is measured over jobs of its own choice: one that puts a job off until after the last \
               submission is not charged for it. Paired values are then not about the same jobs.",
    advice: "Trim by times of submission (warmup = \"1d\", cooldown = \"1d\") where policies are compared pair by pair.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    (!setting.measure.same_jobs_under_all_policies()).then(|| setting.measure.trimming())
}
