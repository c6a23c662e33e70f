//! What a queue says of its waiting jobs beside what they asked for.

use batchlab_traces::asked::{AGE_FROM, LEAST_NODES, PRIORITY_NOW};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Time, Trace, Workload};

/// The beginnings of Slurm's words for jobs that are held.
const HELD_REASONS: [&str; 9] = [
    "JobHeld",
    "JobHoldMaxRequeue",
    "job_requeued_in_held",
    "launch_failed_requeued_held",
    "user_hold",
    "BadConstraints",
    // States that hold a job.
    "REQUEUE_HOLD",
    "SPECIAL_EXIT",
    "RESV_DEL_HOLD",
];

pub fn is_held(word: &str) -> bool {
    HELD_REASONS.iter().any(|beginning| word.starts_with(beginning))
}

/// From when on the age of a job counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Accrual {
    /// The log does not tell: from its submission or its eligibility, as the installation has it.
    #[default]
    Untold,
    /// It does not count yet: the job is not eligible, or a limit on such jobs holds it.
    NotYet,
    After(Time),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct QueuedJob {
    /// Seconds from its submission until its age counts; negative as long as it does not.
    age_from: Option<i64>,
    /// Its priority; 0 if it is held.
    pub(super) priority: Option<i64>,
    pub(super) least_nodes: Option<i64>,
}

pub(super) fn queued(workload: &Workload, trace: &Trace) -> SortedMap<usize, QueuedJob> {
    let columns = [AGE_FROM, PRIORITY_NOW, LEAST_NODES].map(|name| trace.resource(name));
    let [age_from, priority, least_nodes] = columns;
    if columns.iter().all(Option::is_none) {
        return SortedMap::new();
    }
    let of = |row: usize| {
        let told = QueuedJob {
            age_from: age_from.map(|column| column.whole(row)).filter(|&from| from != -1),
            priority: priority.map(|column| column.whole(row)).filter(|&priority| priority >= 0),
            least_nodes: least_nodes.map(|column| column.whole(row)).filter(|&nodes| nodes > 0),
        };
        (told != QueuedJob::default()).then_some((row, told))
    };
    workload.jobs().filter_map(|job| of(workload.row(job))).collect()
}

impl QueuedJob {
    /// Returns from when on the age of the job counts.
    pub(super) fn accrual(&self) -> Accrual {
        match self.age_from {
            None => Accrual::Untold,
            Some(from) if from < 0 => Accrual::NotYet,
            Some(from) => Accrual::After(Time::from_secs(from)),
        }
    }
}
