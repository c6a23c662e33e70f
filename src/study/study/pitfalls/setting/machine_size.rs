//! The size of the machine according to several sources.

use serde::{Deserialize, Serialize};

use super::preparation::Preparation;
use batchlab_engine::info::Info;

/// The number of processors, and the number that there should be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineSize {
    /// Processors of the replay's machine.
    pub procs: i64,
    /// `MaxProcs` of the header.
    pub header: Option<i64>,
    /// Processors of the largest job of the log.
    pub largest_job: Option<i64>,
    /// Most processors in use at once by the log's own schedule, if it is known for nearly all jobs.
    pub peak: Option<i64>,
    /// Jobs that were dropped because they are larger than the machine.
    pub dropped: u64,
}

/// The least share of jobs whose times on the machine must be known.
const NEARLY_ALL: f64 = 0.95;

impl MachineSize {
    pub(super) fn of(from: &Preparation<'_>, info: &Info) -> MachineSize {
        MachineSize {
            procs: from.machine.procs(),
            header: info.machine.procs.filter(|&procs| procs > 0),
            largest_job: info.machine.largest_job,
            peak: info.usage.as_ref().filter(|usage| usage.known >= NEARLY_ALL).map(|usage| usage.peak),
            dropped: from.done("job-oversized"),
        }
    }
}
