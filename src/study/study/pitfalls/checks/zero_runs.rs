use batchlab_traces::Level;
use batchlab_traces::number::{counted, grouped};

use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "zero-run-jobs",
    level: Level::Note,
    title: "jobs with a run time of 0",
    misleads: "Their slowdown is undefined and left out, and their bounded slowdown depends on the bound alone: after an \
               hour's wait it is 360 with a bound of 10 s and 60 with one of a minute.",
    advice: "State whether they count, and try without them: drop_zero_run = true.",
    cite: "Feitelson 2001, Metrics for Parallel Job Scheduling and Their Convergence",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let (some, all, tau) = (grouped(setting.zero_runs), counted(setting.jobs, "job"), setting.measure.tau);
    let verb = if setting.zero_runs == 1 { "takes" } else { "take" };
    (setting.zero_runs > 0).then(|| format!("{some} of {all} {verb} no time, tau = {tau} s"))
}
