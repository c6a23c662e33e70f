//! Schedulers that know run times.

use batchlab_traces::Level;
use batchlab_traces::number::grouped;
use batchlab_traces::reading::Estimate;

use crate::study::pitfalls::figure::percent;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

/// Share of exact estimates from which they are unlikely to be users' estimates.
const NEARLY_ALL: f64 = 0.95;

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "perfect-estimates",
    level: Level::Warning,
    title: "schedulers that know the run times",
    misleads: "Users' estimates are far from run times, and policies differ in how much they lose by that. \
        Results with exact estimates describe a machine that nobody has, and may rank policies the other \
        way round.",
    advice: "Use the log's requests (estimate = \"requested\") or modelled ones (estimate = \"tsafrir\"), and let exact \
             estimates be a second reading beside them.",
    cite: "Mu'alem and Feitelson 2001; Tsafrir, Etsion and Feitelson 2007",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> {
        if evidence.sweeps("estimate") { Vec::new() } else { evidence.in_settings(seen) }
    },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let estimates = &setting.estimates;
    if estimates.mode == Estimate::Actual {
        return Some("estimate = actual: every job's estimate is its run time".into());
    }
    let (jobs, missing) = (grouped(setting.jobs), grouped(estimates.missing));
    (estimates.exact >= NEARLY_ALL).then(|| match estimates.missing {
        0 => format!("the estimates of {} of the {jobs} jobs are their run times", percent(estimates.exact)),
        _ => format!(
            "{missing} of the {jobs} jobs have no request in the log: their run times stand in for it"
        ),
    })
}
