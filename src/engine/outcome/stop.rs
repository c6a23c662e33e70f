//! The end of a replay: when every job has ended, or earlier.
//!
//! A replay stops after its instant: other jobs that end at the stop have ended, no decision follows, and jobs that arrive at the
//! stop are unfinished, so that all event orders measure the same jobs. Fair start times come from replays that are not stopped.
//!
//! A rejected job leaves no trace but its count: it is in no queue length and no window. The offered load remains that of
//! the log, as in Setia et al. 1999, who distinguish it from the actual load. If the last job for which a replay waits is
//! rejected, the replay ends at that instant.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use batchlab_traces::expr::{Expr, ExprError, Vocabulary};
use batchlab_traces::reading::UnknownValue;
use batchlab_traces::{JobId, Machine, Workload};

use super::in_log;

/// The rule that ends a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StopRule {
    /// When every job has ended: the fair rule, because every policy serves the same work.
    #[default]
    All,
    /// When the last interactive job has ended: the rule of Setia, Squillante and Naik 1999, section 4.2.
    /// Batch jobs that have not ended by then are dropped; which jobs these are depends on the policy.
    LastInteractive,
    /// When the last job that satisfies a condition has ended; the text is the condition.
    Last(String),
}

/// The jobs that a replay waits for: those of a [`StopRule`] in one workload.
#[derive(Clone, Debug, Default)]
pub struct Stop(Option<Arc<Awaited>>);

#[derive(Debug)]
struct Awaited {
    rule: StopRule,
    jobs: Vec<bool>,
    count: usize,
}

#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StopRuleError {
    #[error(transparent)]
    Word(#[from] UnknownValue),
    #[error(transparent)]
    Condition(#[from] ExprError),
}

/// The reason why a rule does not determine the end of a replay.
#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StopError {
    #[error("--stop last:\n{0}")]
    Condition(#[from] ExprError),
    #[error(
        "--stop last-interactive: none of the {jobs} jobs is interactive by the rule `{rule}`; say which are with \
         --interactive, by a condition such as 'queue = 3', or split them by run time with shortest:0.42 (the share of \
         Setia et al. 1999, table 1)"
    )]
    NoInteractive { jobs: usize, rule: String },
    #[error(
        "--stop {rule}: the condition holds for none of the {jobs} jobs, so the replay has no last job \
        to wait for"
    )]
    Nobody { jobs: usize, rule: String },
}

impl StopRule {
    /// Returns the jobs of a workload that are waited for. O(n).
    pub fn of(&self, workload: &Workload, machine: &Machine) -> Result<Stop, StopError> {
        let jobs: Vec<bool> = match self {
            StopRule::All => return Ok(Stop::default()),
            StopRule::LastInteractive => workload.jobs().map(|job| workload.is_interactive(job)).collect(),
            StopRule::Last(condition) => {
                let vocabulary = Vocabulary::jobs(machine).meaning(workload.meanings());
                Expr::parse(condition)?.condition(&vocabulary)?.bools(workload)
            }
        };
        let count = jobs.iter().filter(|&&awaited| awaited).count();
        if count > 0 {
            return Ok(Stop(Some(Arc::new(Awaited { rule: self.clone(), jobs, count }))));
        }
        Err(match self {
            StopRule::LastInteractive => {
                let rule = workload.interactive_rule().to_string();
                StopError::NoInteractive { jobs: workload.len(), rule }
            }
            _ => StopError::Nobody { jobs: workload.len(), rule: self.to_string() },
        })
    }
}

impl Stop {
    /// Whether a replay may end before every job has ended.
    pub fn is_early(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the same stop for the jobs of an outcome, which may be in another order than those of the log.
    #[must_use]
    pub fn of_entered(&self, log: &Workload, entered: &Workload) -> Stop {
        let reordered = |awaited: &Arc<Awaited>| {
            let jobs = in_log(log, entered).into_iter().map(|job| awaited.jobs[job.index()]).collect();
            Arc::new(Awaited { rule: awaited.rule.clone(), jobs, count: awaited.count })
        };
        Stop(self.0.as_ref().map(reordered))
    }

    /// Returns the number of jobs that a replay waits for, if it does not wait for all.
    pub fn awaited(&self) -> Option<usize> {
        self.0.as_ref().map(|awaited| awaited.count)
    }

    /// Whether a replay waits for a job.
    #[inline]
    pub fn awaits(&self, job: JobId) -> bool {
        self.0.as_ref().is_none_or(|awaited| awaited.jobs[job.index()])
    }

    /// Returns the rule.
    pub fn rule(&self) -> StopRule {
        self.0.as_ref().map(|awaited| awaited.rule.clone()).unwrap_or_default()
    }
}

impl FromStr for StopRule {
    type Err = StopRuleError;
    fn from_str(text: &str) -> Result<StopRule, StopRuleError> {
        match text.trim() {
            "all" => Ok(StopRule::All),
            "last-interactive" => Ok(StopRule::LastInteractive),
            text => match text.strip_prefix("last:") {
                Some(condition) => Ok(StopRule::Last(Expr::parse(condition)?.to_string())),
                None => Err(UnknownValue::new(text, "all, last-interactive, last:CONDITION").into()),
            },
        }
    }
}

impl fmt::Display for StopRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopRule::All => f.write_str("all"),
            StopRule::LastInteractive => f.write_str("last-interactive"),
            StopRule::Last(condition) => write!(f, "last:{condition}"),
        }
    }
}
