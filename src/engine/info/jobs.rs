use std::borrow::Cow;

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::header::Named;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Field, Trace, status};
use serde::{Deserialize, Serialize};

use super::rows::{share, work};

/// The most users that are listed.
const BUSIEST: usize = 5;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Jobs {
    pub records: u64,
    /// Jobs: records that are not parts of jobs.
    pub jobs: u64,
    /// Records by status (field 11), parts included, in the order of the codes.
    pub by_status: Vec<StatusCount>,
    pub users: u64,
    pub groups: u64,
    pub executables: u64,
    pub queues: Vec<QueueJobs>,
    pub partitions: Vec<QueueJobs>,
    /// Jobs that wait for the end of another job (field 17).
    pub dependent: u64,
    /// The users with the most work (processors × run time), at most five, the most work first.
    pub busiest: Vec<Busy>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatusCount {
    pub code: i64,
    /// What the code means.
    pub name: Cow<'static, str>,
    pub count: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueueJobs {
    pub number: i64,
    /// Its name in the header; empty without one.
    pub name: String,
    pub jobs: u64,
}

/// A user with a large share of the work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Busy {
    /// Number in the log.
    pub user: i64,
    pub jobs: u64,
    pub job_share: f64,
    /// Share of all work, including that of jobs without a known user.
    pub work_share: f64,
}

impl Jobs {
    pub(super) fn of(trace: &Trace, rows: &[usize]) -> Jobs {
        let statuses = counts(trace, 0..trace.len(), Field::Status);
        let of_jobs = |field| counts(trace, rows.iter().copied(), field);
        let different = |field| of_jobs(field).keys().filter(|&&number| number >= 0).count() as u64;
        let preceding = of_jobs(Field::Preceding).into_iter().filter(|&(job, _)| job > 0);
        Jobs {
            records: trace.len() as u64,
            jobs: rows.len() as u64,
            by_status: statuses
                .into_iter()
                .map(|(code, count)| StatusCount { code, name: meaning(code).into(), count })
                .collect(),
            users: different(Field::User),
            groups: different(Field::Group),
            executables: different(Field::Executable),
            queues: groups(&of_jobs(Field::Queue), &trace.header.queue),
            partitions: groups(&of_jobs(Field::Partition), &trace.header.partition),
            dependent: preceding.map(|(_, jobs)| jobs).sum(),
            busiest: busiest(trace, rows),
        }
    }
}

fn counts(trace: &Trace, rows: impl Iterator<Item = usize>, field: Field) -> SortedMap<i64, u64> {
    let mut counts = SortedMap::new();
    for row in rows {
        *counts.entry(trace.get(row, field).truncated()).or_default() += 1;
    }
    counts
}

fn groups(counts: &SortedMap<i64, u64>, named: &[Named]) -> Vec<QueueJobs> {
    let name = |number| named.iter().find(|named| named.number == number).map(|named| named.name.trim());
    counts
        .iter()
        .filter(|(number, _)| **number >= 0)
        .map(|(&number, &jobs)| QueueJobs { number, name: name(number).unwrap_or_default().into(), jobs })
        .collect()
}

fn busiest(trace: &Trace, rows: &[usize]) -> Vec<Busy> {
    let mut users: SortedMap<i64, (f64, u64)> = SortedMap::new();
    let mut all = 0.0;
    for &row in rows {
        let work = work(trace, row);
        let user = users.entry(trace.get(row, Field::User).truncated()).or_default();
        *user = (user.0 + work, user.1 + 1);
        all += work;
    }
    let mut users: Vec<_> = users.into_iter().filter(|(user, _)| *user >= 0).collect();
    // The sort is stable: of equal users, the lower number comes first.
    users.arrange_by(|(_, (one, _)), (_, (other, _))| other.total_cmp(one));
    users
        .into_iter()
        .take(BUSIEST)
        .map(|(user, (work, jobs))| Busy {
            user,
            jobs,
            job_share: share(jobs, rows.len() as u64),
            work_share: if all > 0.0 { work / all } else { 0.0 },
        })
        .collect()
}

fn meaning(code: i64) -> &'static str {
    match code {
        status::COMPLETED => "completed",
        status::FAILED => "failed",
        status::CANCELLED => "cancelled",
        status::PART => "part, to be continued",
        status::LAST_PART_COMPLETED => "last part, completed",
        status::LAST_PART_FAILED => "last part, failed",
        i64::MIN..0 => "unknown",
        _ => "not in SWF",
    }
}
