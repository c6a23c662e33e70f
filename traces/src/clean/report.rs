use std::fmt;

use serde::Serialize;

use crate::number::grouped;

/// The most jobs shown for each rule, and for each expectation that does not hold.
pub const SHOWN: usize = 10;

/// The effects of rules on a trace, and whether it is as expected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CleaningReport {
    /// One entry per rule, in the order in which they were applied.
    pub rules: Vec<RuleReport>,
    /// One entry per expectation, in the order of the file.
    pub expectations: Vec<ExpectReport>,
}

#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleReport {
    pub id: String,
    pub because: String,
    /// Its text: "drop job <= 14".
    pub text: String,
    /// What it does: "drop" or "mend".
    pub action: &'static str,
    pub count: u64,
    /// The number that its publication states.
    pub published: Option<u64>,
    /// The number of new values that no log can hold (not a number, out of range): the old values are kept.
    pub unheld: u64,
    /// The first few jobs that it touched.
    pub examples: Vec<ReportedJob>,
}

/// Whether one expectation holds.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExpectReport {
    pub id: String,
    pub because: Option<String>,
    /// Its text: "all: run <= 60 h".
    pub text: String,
    pub holds: bool,
    /// The result: "all of 28,476 jobs", "3 of 28,476 jobs do not".
    pub seen: String,
    /// For an expectation that does not hold: the first few jobs that are not as expected.
    pub offenders: Vec<ReportedJob>,
}

/// A job in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportedJob {
    /// Line in its file, from 1; 0 when there is no file.
    pub line: u32,
    /// Job number.
    pub job: i64,
    /// Its relevant values: "user 3, 1 processor, run 5 s".
    pub detail: String,
}

impl CleaningReport {
    /// Whether all expectations hold.
    pub fn holds(&self) -> bool {
        self.expectations.iter().all(|expectation| expectation.holds)
    }

    /// Returns the expectations that do not hold.
    pub fn failed(&self) -> impl Iterator<Item = &ExpectReport> {
        self.expectations.iter().filter(|expectation| !expectation.holds)
    }
}

/// Writes the expectations that do not hold, with the jobs that are not as expected.
impl fmt::Display for CleaningReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed = self.failed().count() as u64;
        let (failed, all) = (grouped(failed), grouped(self.expectations.len() as u64));
        write!(f, "{failed} of {all} expectations {}", if failed == "1" { "does" } else { "do" })?;
        write!(f, " not hold")?;
        for expectation in self.failed() {
            write!(f, "\n{expectation}")?;
        }
        Ok(())
    }
}

/// Writes "longest: all: run <= 60 h: 3 of 28,476 jobs are not (no job may run over a weekend)", then the jobs.
impl fmt::Display for ExpectReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.id, self.text, self.seen)?;
        if let Some(because) = &self.because {
            write!(f, " ({because})")?;
        }
        for job in &self.offenders {
            write!(f, "\n  {job}")?;
        }
        Ok(())
    }
}

/// Writes "line 24: job 3: user 3, 1 processor".
impl fmt::Display for ReportedJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "job {}: {}", self.job, self.detail)
    }
}
