//! Jobs that ran longer than requested.

use batchlab_traces::Level;
use batchlab_traces::number::counted;
use batchlab_traces::reading::Overrun;

use crate::study::pitfalls::{Case, Evidence, Overruns, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "overruns",
    level: Level::Note,
    title: "jobs that ran longer than they had asked for",
    misleads: "Simulators kill them, trust their run times or are surprised by them, and rarely state \
        which. Killing removes work from the log; raising their estimates gives schedulers information that \
        nobody had.",
    advice: "State the treatment, and try the other readings: overrun = \"raise\", \"kill\" or \"overdue\".",
    cite: "Tsafrir, Etsion and Feitelson 2007, Backfilling Using System-Generated Predictions Rather than User Runtime \
           Estimates",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        if evidence.sweeps("overrun") { Vec::new() } else { evidence.in_settings(seen) }
    },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let Overruns { jobs, rule: overrun } = setting.overruns;
    let done = match overrun {
        Overrun::Raise => "their estimates are raised to the run times",
        Overrun::Kill => "they end at their estimates",
        Overrun::Overdue => "they stay, overdue",
    };
    let verb = if jobs == 1 { "outlives" } else { "outlive" };
    (jobs > 0).then(|| format!("{} {verb} the request (overrun = {overrun}): {done}", counted(jobs, "job")))
}
