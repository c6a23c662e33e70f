use batchlab_traces::{Time, Workload};

use super::violation::{ScheduleRule, Violation};
use crate::schedule::ScheduleRow;
use crate::schedule::read::{ScheduleError, jobs_of};

/// Checks the processors that rows state: those that their jobs need. A row need not state any.
pub fn stated_procs(workload: &Workload, rows: &[ScheduleRow]) -> Result<Vec<Violation>, ScheduleError> {
    let jobs = jobs_of(workload, rows)?;
    let wrong = rows.iter().zip(jobs).filter_map(|(row, job)| {
        let (need, have) = (workload.procs(job), row.procs?);
        let at = if row.start == Time::MAX { workload.submit(job) } else { row.start };
        (need != have).then(|| Violation::of_amounts(workload, ScheduleRule::Procs, job, at, [need, have]))
    });
    Ok(wrong.collect())
}
