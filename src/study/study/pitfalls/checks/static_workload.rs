//! All jobs submitted at one instant.

use batchlab_traces::Level;
use batchlab_traces::number::counted;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "static-workload",
    level: Level::Warning,
    title: "jobs that are all submitted at one instant",
    misleads: "Nothing arrives, so there is no load and no steady state: waits measure the length of the \
        list, and a policy that orders the whole list at once does something that no scheduler of arriving \
        jobs can do.",
    advice: "Give jobs submit times, from a log or a model; for a list, compare the makespan.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    setting.arrivals.are_at_once.then(|| format!("{} submitted at one instant", counted(setting.jobs, "job")))
}
