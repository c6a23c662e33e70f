//! Why an experiment cannot be planned.

use batchlab_support::registry::SpecError;
use batchlab_support::spec::BuildError;
use batchlab_traces::SourcePlace;
use batchlab_traces::number::grouped;

use crate::experiment::ExperimentError;
use batchlab_engine::replay::capability::Unmet;

/// Why an experiment cannot be planned.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PlanError {
    /// The experiment file contains an error.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The spec of a policy is invalid.
    #[error("{place}: {error}")]
    Policy {
        /// Its position in the file.
        place: SourcePlace,
        /// The error.
        error: SpecError,
    },
    /// A policy needs information that a workload lacks.
    #[error("workload `{workload}`: {error}")]
    Unmet {
        /// The workload.
        workload: String,
        /// What is missing.
        error: Unmet,
    },
    /// The experiment has more replays than may be planned.
    #[error(
        "the experiment has {} replays at least, and at most {} are planned; --limit replays={replays} allows them",
        grouped(u64::try_from(*replays).unwrap_or(u64::MAX)),
        grouped(*most)
    )]
    TooMany {
        /// The number of replays, counted before they are planned.
        replays: u128,
        /// The limit.
        most: u64,
    },
    /// No policy is replayed on a workload.
    #[error("no policy runs on workload `{workload}`: {}", why.join("; "))]
    NoPolicy {
        /// The workload.
        workload: String,
        /// Why each policy does not.
        why: Vec<String>,
    },
    /// A policy cannot be used with a workload.
    #[error("{place}: on workload `{workload}` {error}")]
    Unfit {
        /// The position of the policy in the file.
        place: SourcePlace,
        /// The workload.
        workload: String,
        /// The error.
        error: BuildError,
    },
}

impl PlanError {
    /// Checks that the number of replays is within the limit.
    ///
    /// # Errors
    /// [`PlanError::TooMany`].
    pub fn check_count<E: From<PlanError>>(replays: u128, most: u64) -> Result<(), E> {
        if replays <= u128::from(most) { Ok(()) } else { Err(PlanError::TooMany { replays, most }.into()) }
    }
}

impl PlanError {
    /// Returns why a policy cannot run on a workload, without the place in the file.
    pub(super) fn reason(&self) -> String {
        match self {
            PlanError::Unmet { error, .. } => error.to_string(),
            PlanError::Unfit { error, .. } => error.to_string(),
            other => other.to_string(),
        }
    }
}
