//! How users name a job.

use std::fmt;
use std::str::FromStr;

use batchlab_traces::trace::{OwnId, OwnIdError};
use batchlab_traces::workload::JobId;
use batchlab_traces::{Trace, Workload};

use crate::lab::Failure;

#[derive(Clone, Copy, Debug)]
pub enum JobName {
    /// By field 1 of the log.
    Number(i64),
    /// By the identifier that its batch system gave it.
    Own(OwnId),
}

impl FromStr for JobName {
    type Err = String;

    fn from_str(text: &str) -> Result<JobName, String> {
        if let Some(id) = text.strip_prefix("id:") {
            return id.parse().map(JobName::Own).map_err(|error: OwnIdError| error.to_string());
        }
        text.parse().map(JobName::Number).map_err(|_| {
            format!("`{text}` is not a job number; write a name that the batch system gave as id:{text}")
        })
    }
}

impl JobName {
    /// Returns the identifier that the batch system gave a job of a row, which has this name.
    pub fn own(self, trace: &Trace, row: usize) -> JobName {
        match self {
            JobName::Number(number) => {
                let own = trace.own_id(row).or_else(|| number.to_string().parse().ok());
                own.map_or(self, JobName::Own)
            }
            JobName::Own(_) => self,
        }
    }

    /// Returns the jobs of the name that are replayed, in the order of submission: several if a job has several runs, and if the
    /// batch system gave a number again.
    pub fn find(self, trace: &Trace, workload: &Workload) -> Result<Vec<JobId>, Failure> {
        match self {
            JobName::Number(number) => {
                Ok(workload.jobs().filter(|&job| workload.number(job) == number).collect())
            }
            JobName::Own(id) => {
                let rows = trace.rows_of(id).map_err(|error| Failure::Usage(error.to_string()))?;
                Ok(workload.jobs().filter(|&job| rows.contains(&workload.row(job))).collect())
            }
        }
    }
}

impl fmt::Display for JobName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobName::Number(number) => write!(f, "{number}"),
            JobName::Own(id) => write!(f, "id:{id}"),
        }
    }
}
