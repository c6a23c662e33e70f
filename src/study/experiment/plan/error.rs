//! Why an experiment cannot be planned.

use batchlab_support::registry::SpecError;
use batchlab_support::spec::BuildError;
use batchlab_traces::SourcePlace;
use batchlab_traces::number::grouped;

use crate::experiment::ExperimentError;
use batchlab_engine::replay::capability::Unmet;

#[derive(Clone, Debug, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    #[error("{place}: {error}")]
    Policy { place: SourcePlace, error: SpecError },
    #[error("workload `{workload}`: {error}")]
    Unmet { workload: String, error: Unmet },
    #[error(
        "the experiment has {} replays at least, and at most {} are planned; --limit replays={replays} allows them",
        grouped(u64::try_from(*replays).unwrap_or(u64::MAX)),
        grouped(*most)
    )]
    TooMany {
        /// The number of replays, counted before they are planned.
        replays: u128,
        most: u64,
    },
    #[error("no policy runs on workload `{workload}`: {}", why.join("; "))]
    NoPolicy { workload: String, why: Vec<String> },
    #[error("{place}: on workload `{workload}` {error}")]
    Unfit { place: SourcePlace, workload: String, error: BuildError },
}

impl PlanError {
    /// Checks that the number of replays is within the limit.
    pub fn check_count<E: From<PlanError>>(replays: u128, most: u64) -> Result<(), E> {
        if replays <= u128::from(most) { Ok(()) } else { Err(PlanError::TooMany { replays, most }.into()) }
    }

    /// Returns why a policy cannot run on a workload, without the place in the file.
    pub(super) fn reason(&self) -> String {
        match self {
            PlanError::Unmet { error, .. } => error.to_string(),
            PlanError::Unfit { error, .. } => error.to_string(),
            other => other.to_string(),
        }
    }
}
