//! Arrivals without bursts and without a daily cycle.

use batchlab_traces::Level;

use crate::study::pitfalls::figure::number;
use crate::study::pitfalls::{Case, Evidence, PitfallSpec, WorkloadSetting};

/// The greatest deviation from 1, the coefficient of variation of a Poisson process.
const NEAR_ONE: f64 = 0.1;
/// Autocorrelation below which gaps count as independent.
const INDEPENDENT: f64 = 0.1;
/// Ratio of the busiest hour to the mean hour from which there is a daily cycle.
const CYCLE: f64 = 1.25;
/// The least number of jobs for a judgement.
const JOBS: u64 = 200;

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "poisson-arrivals",
    level: Level::Warning,
    title: "arrivals without bursts and without a daily cycle",
    misleads: "Jobs of real logs come in bursts, from few users, by day: queues build up and drain. Under independent \
               exponential gaps queues stay short at loads at which a real machine has long ones, and policies hardly \
               differ.",
    advice: "Use a log, or a model with a daily cycle (see `batchlab list models`); print CV and autocorrelation of the \
             gaps in the paper.",
    cite: "Frachtenberg and Feitelson 2005; Paxson and Floyd 1995, Wide Area Traffic: the Failure of Poisson Modeling",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(seen) },
};

fn seen(setting: &WorkloadSetting) -> Option<String> {
    let arrivals = &setting.arrivals;
    let cv = arrivals.cv.filter(|cv| (cv - 1.0).abs() <= NEAR_ONE && setting.jobs >= JOBS)?;
    let lag = arrivals.autocorrelation.filter(|lag| lag.abs() < INDEPENDENT)?;
    let cycle = match arrivals.daily {
        Some((busiest, _)) if busiest >= CYCLE => return None,
        Some((busiest, _)) => {
            format!("the busiest hour has {} times the jobs of a mean hour", number(busiest))
        }
        None => "the time of day is unknown".into(),
    };
    Some(format!(
        "interarrival times have a coefficient of variation of {cv:.2} and an autocorrelation of {lag:.2}; {cycle}"
    ))
}
