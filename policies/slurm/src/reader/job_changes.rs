//! The lines of slurmctld's log about jobs that were changed as they waited or ran, which accounting keeps as they came to be.
//!
//! ```text
//! [2026-11-29T16:28:01.253] sched: _update_job: set priority to 500000 for JobId=6
//! [2026-11-29T16:28:03.249] sched: _hold_job_rec: hold on JobId=3 by uid 0
//! [2026-11-29T16:28:05.249] sched: _update_job: setting time_limit to 10 for JobId=4_2(9)
//! ```
//!
//! Source: `_update_job`, `_hold_job_rec`, `_release_job_rec` (`job_mgr.c`) and `_jobid2fmt` (`log.c`) of versions 20.11 to 25.11, which
//! have the same words.

use crate::site::JobChange;

const BEGINNINGS: [&str; 3] = ["_update_job: ", "_hold_job_rec: ", "_release_job_rec: "];

#[derive(Clone, Debug, PartialEq)]
pub(super) struct JobLine<'a> {
    /// The job, as slurmctld writes it: `12`, `12_3(15)`, `12_*`, `12+1(13)`.
    pub job: &'a str,
    pub change: Option<JobChange>,
    pub words: &'a str,
}

/// Returns what a line says of a job, behind its time; `None` for other lines.
pub(super) fn job_line(text: &str) -> Option<JobLine<'_>> {
    let words = BEGINNINGS.iter().find_map(|beginning| text.strip_prefix(beginning))?;
    // A comment or a name that a job was given may say anything, but stands before the job.
    let (before, job) = words.rsplit_once("JobId=")?;
    let (job, behind) = job.split_once(' ').map_or((job, ""), |(job, behind)| (job, behind));
    let change = match before.strip_suffix(" for ") {
        Some(words) if behind.is_empty() => updated(words),
        _ if behind.starts_with("by uid ") && before == "hold on " => Some(JobChange::Held),
        _ if behind.starts_with("by uid ") && before == "release hold on " => Some(JobChange::Released),
        _ => None,
    };
    Some(JobLine { job, change, words })
}

/// Returns what `_update_job` says, without the job.
fn updated(words: &str) -> Option<JobChange> {
    if let Some(priority) = words.strip_prefix("set priority to ") {
        return priority.parse().ok().map(JobChange::Priority);
    }
    if let Some(minutes) = words.strip_prefix("setting time_limit to ") {
        return minutes.parse().ok().map(JobChange::Limit);
    }
    // Under priority/basic alone; both numbers are 2^31 more than what was asked for.
    let (from, rest) = words.strip_prefix("nice changed from ")?.split_once(" to ")?;
    let (to, _) = rest.split_once(',')?;
    let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
    Some(JobChange::Nice(i64::from(to) - i64::from(from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_what_becomes_of_which_job() {
        for (line, job, change) in [
            ("_update_job: set priority to 500000 for JobId=6", "6", Some(JobChange::Priority(500_000))),
            ("_update_job: setting time_limit to 10 for JobId=4_2(9)", "4_2(9)", Some(JobChange::Limit(10))),
            (
                "_update_job: nice changed from 2147483648 to 2147483698, setting priority to 12 for JobId=4_*",
                "4_*",
                Some(JobChange::Nice(50)),
            ),
            ("_hold_job_rec: hold on JobId=3 by uid 0", "3", Some(JobChange::Held)),
            ("_release_job_rec: release hold on JobId=3 by uid 0", "3", Some(JobChange::Released)),
            ("_update_job: setting QOS to high for JobId=7", "7", None),
            ("_update_job: setting comment to set priority to 9 for JobId=1 for JobId=2", "2", None),
            ("_update_job: setting name to hold on JobId=1 by uid 0 for JobId=2", "2", None),
        ] {
            assert_eq!(job_line(line).map(|line| (line.job, line.change)), Some((job, change)), "{line}");
        }
        for line in
            ["_update_job: setting comment to x", "_slurm_rpc_update_job: complete JobId=2 uid=0 usec=218"]
        {
            assert_eq!(job_line(line), None, "{line}");
        }
    }
}
