//! Estimates that are a fixed multiple of run times.

use batchlab_traces::Level;
use batchlab_traces::reading::Estimate;

use crate::study::pitfalls::figure::number;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "multiple-estimates",
    level: Level::Warning,
    title: "estimates that are a constant multiple of the run times",
    misleads: "Such estimates still sort jobs by their run times, and longer estimates open more holes for \
        short jobs: doubled estimates make backfilling look better, but users' bad estimates do not.",
    advice: "Use the log's requests (estimate = \"requested\") or modelled ones (estimate = \"tsafrir\").",
    cite: "Tsafrir and Feitelson 2006, The Dynamics of Backfilling",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let of_option = match setting.estimates.mode {
        Estimate::Factor(factor) if factor != 1.0 => Some(factor),
        _ => None,
    };
    let factor = of_option.or(setting.estimates.multiple)?;
    Some(format!("estimates are {} \u{d7} the run time", number(factor)))
}
