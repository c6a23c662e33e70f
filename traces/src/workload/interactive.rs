//! Interactive jobs and batch jobs, distinguished by a stated rule.
//!
//! `shortest:SHARE` reads run times, because the log does not record which jobs were interactive. A policy learns no more
//! about a run time from it than a user would have stated.

use std::fmt;
use std::str::FromStr;

use super::{JobId, Workload};
use crate::arrange::Arrange as _;
use crate::expr::{Expr, ExprError, Vocabulary};
use crate::machine::Machine;
use crate::reading::UnknownValue;

/// The rule by which a job is interactive; all other jobs are batch jobs.
#[derive(Clone, Debug, PartialEq)]
pub enum InteractiveRule {
    /// A condition over the fields of a job, in printed form: `queue = 0`, the default, is the number that the
    /// Standard Workload Format reserves for interactive jobs (field 15).
    Condition(String),
    /// This share of the jobs, rounded to whole jobs, with the smallest run times; ties in the order of submission.
    ///
    /// A synthetic split for logs without such information. It assumes that short jobs were interactive: it is a property of the
    /// workload, like the sizes, computed from the run times that are replayed; policies do not see it as an estimate. In the
    /// workload of Setia, Squillante and Naik 1999 (table 1), 1,053 of 2,520 jobs are interactive: 0.42.
    Shortest(f64),
}

impl Default for InteractiveRule {
    fn default() -> InteractiveRule {
        InteractiveRule::Condition("queue = 0".into())
    }
}

/// A text that is not a rule.
#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InteractiveRuleError {
    #[error(transparent)]
    Condition(#[from] ExprError),
    #[error(transparent)]
    Share(#[from] UnknownValue),
}

impl FromStr for InteractiveRule {
    type Err = InteractiveRuleError;
    fn from_str(text: &str) -> Result<InteractiveRule, InteractiveRuleError> {
        let Some(share) = text.trim().strip_prefix("shortest:") else {
            return Ok(InteractiveRule::Condition(Expr::parse(text)?.to_string()));
        };
        let share: Option<f64> = share.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
        let expected = "a condition such as queue = 0, shortest:SHARE with a share of the jobs from 0 to 1";
        Ok(InteractiveRule::Shortest(share.ok_or_else(|| UnknownValue::new(text, expected))?))
    }
}

impl fmt::Display for InteractiveRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InteractiveRule::Condition(condition) => f.write_str(condition),
            InteractiveRule::Shortest(share) => write!(f, "shortest:{share}"),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Interactive {
    rule: InteractiveRule,
    members: Vec<bool>,
}

impl Interactive {
    /// Applies a rule to jobs. O(n), plus a sort for a share. Fails when the condition uses a name that jobs of this machine do
    /// not have.
    pub(super) fn of(
        jobs: &Workload,
        rule: &InteractiveRule,
        machine: &Machine,
    ) -> Result<Interactive, ExprError> {
        let members = match rule {
            InteractiveRule::Condition(condition) => {
                let vocabulary = Vocabulary::jobs(machine).meaning(jobs.meanings());
                Expr::parse(condition)?.condition(&vocabulary)?.bools(jobs)
            }
            InteractiveRule::Shortest(share) => shortest(jobs, (share * jobs.len() as f64).round() as usize),
        };
        Ok(Interactive { rule: rule.clone(), members })
    }

    /// Returns the same rule for other jobs, each of which is interactive or not.
    pub(super) fn with_members(&self, members: Vec<bool>) -> Interactive {
        Interactive { rule: self.rule.clone(), members }
    }

    pub(super) fn extend(&mut self, members: impl Iterator<Item = bool>) {
        self.members.extend(members);
    }

    pub(super) fn rule(&self) -> &InteractiveRule {
        &self.rule
    }

    #[inline]
    pub(super) fn has(&self, position: usize) -> bool {
        self.members[position]
    }
}

/// Marks the `count` jobs with the smallest run times.
fn shortest(workload: &Workload, count: usize) -> Vec<bool> {
    let mut jobs: Vec<JobId> = workload.jobs().collect();
    jobs.arrange_by_key(|&job| (workload.run(job), job));
    let mut members = vec![false; workload.len()];
    for job in jobs.into_iter().take(count) {
        members[workload.position(job)] = true;
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Time;
    use crate::workload::PlainJob;

    fn workload(runs: &[i64]) -> Workload {
        let plain = |run| PlainJob::new(Time::ZERO, Time::from_secs(run), vec![run]);
        let job = |&run: &i64| PlainJob { estimate: Time::from_secs(100), ..plain(run) };
        Workload::from_jobs(&runs.iter().map(job).collect::<Vec<_>>())
    }

    fn members(runs: &[i64], rule: &str) -> Vec<bool> {
        let machine = Machine::pool(100).unwrap();
        let workload = workload(runs).with_interactive(&rule.parse().unwrap(), &machine).unwrap();
        workload.jobs().map(|job| workload.is_interactive(job)).collect()
    }

    #[test]
    fn the_shortest_are_interactive_and_ties_go_by_submission() {
        assert_eq!(members(&[9, 3, 5, 3, 3], "shortest:0.4"), [false, true, false, true, false]);
        assert_eq!(members(&[9, 3], "shortest:0"), [false, false]);
        assert_eq!(members(&[9, 3], "shortest:1"), [true, true]);
        assert_eq!(members(&vec![1; 2520], "shortest:0.418").iter().filter(|&&is| is).count(), 1053);
    }

    #[test]
    fn a_condition_says_which_and_queue_zero_is_the_default() {
        assert_eq!(members(&[9, 3], "procs < 5"), [false, true]);
        let workload = workload(&[9, 3]);
        assert_eq!(workload.interactive_rule().to_string(), "queue = 0");
        assert_eq!(workload.interactive_jobs(), 0, "no queue is known");
        let machine = Machine::pool(100).unwrap();
        let error = workload.with_interactive(&"wait > 5".parse().unwrap(), &machine).unwrap_err();
        assert!(error.to_string().contains("no recorded schedule"), "{error}");
    }

    #[test]
    fn what_is_interactive_stays_so_when_run_times_are_others() {
        let machine = Machine::pool(100).unwrap();
        let workload = workload(&[9, 3]).with_interactive(&InteractiveRule::Shortest(0.5), &machine).unwrap();
        let other = workload.with_runs(vec![Time::SECOND, Time::from_secs(50)]);
        assert_eq!([0, 1].map(|job| other.is_interactive(JobId(job))), [false, true]);
    }

    #[test]
    fn rules_print_as_they_are_written() {
        for text in ["queue = 0", "shortest:0.42"] {
            assert_eq!(text.parse::<InteractiveRule>().unwrap().to_string(), text);
        }
        for wrong in ["shortest:", "shortest:1.5", "shortest:NaN", "queue ="] {
            assert!(wrong.parse::<InteractiveRule>().is_err(), "{wrong}");
        }
    }
}
