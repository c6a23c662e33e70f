//! Pitfalls: features of an experiment that make its numbers less conclusive than they seem.
//!
//! A pitfall is one file under `checks`, its `mod` line, and one line in [`PITFALLS`]. It reads the [`Evidence`]: the results,
//! and how each workload was prepared. Its report says what was found, with figures, why that misleads, and
//! what to try. The list follows Frachtenberg and Feitelson, "Pitfalls in Parallel Job Scheduling Evaluation"
//! (JSSPP 2005), and later papers. [`saturated`] marks single results in tables and plots.

mod checks;
mod concentration;
mod evidence;
mod figure;
mod pitfall;
mod registry;
mod replayed;
#[cfg(test)]
mod sample;
mod saturation;
mod setting;

pub use checks::untrimmed;
pub use evidence::{Evidence, MeanAcross};
pub use pitfall::{About, Case, Pitfall, PitfallSpec};
pub use registry::{PITFALLS, find};
pub use replayed::{Measures, Replayed, TOLD, may_be_saturated, of_replay, of_replay_in_short};
pub use saturation::{Saturated, saturated};
pub use setting::{
    ArrivalFacts, Cleaning, EstimateFacts, LogFinding, MachineSize, Overruns, Preparation, Shaping,
    WorkloadSetting,
};
