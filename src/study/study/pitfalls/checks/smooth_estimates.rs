//! Estimates without the round values that users choose.

use batchlab_traces::Level;
use batchlab_traces::reading::Estimate;

use crate::study::pitfalls::figure::percent;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

/// The share of jobs that the 20 most used estimates of nearly every log cover.
const MODAL: f64 = 0.5;

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "smooth-estimates",
    level: Level::Note,
    title: "estimates that are not the few round values that users choose",
    misleads: "In logs some 20 round values cover nine jobs in ten, so that a scheduler sees most jobs as equally long. \
               With estimates from a smooth distribution it can sort and backfill better than it could on a machine.",
    advice: "Use the log's requests (estimate = \"requested\"), or modelled ones with such values (estimate = \
             \"tsafrir\").",
    cite: "Tsafrir, Etsion and Feitelson 2005, Modeling User Runtime Estimates",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let estimates = &setting.estimates;
    // Estimates that equal the run times, or a multiple of them, are reported by other pitfalls.
    let is_drawn = matches!(estimates.mode, Estimate::Phi(_));
    (is_drawn && estimates.modal < MODAL).then(|| {
        let (mode, modal) = (estimates.mode, percent(estimates.modal));
        format!("estimate = {mode}: the 20 most used estimates cover {modal} of the jobs")
    })
}
