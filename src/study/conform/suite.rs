//! The suite: a policy, cases, and the checks that are tried.

use batchlab_support::registry::Policies;
use batchlab_support::spec::Chosen;

use super::case::Case;
use super::checks::{CHECKS, Check};
use super::report::ConformanceReport;
use super::tally::Tally;

/// The resources that this process holds, as far as the system reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Child processes, including those that have ended and were not waited for.
    pub children: Option<u64>,
    pub threads: Option<u64>,
    pub files: Option<u64>,
    pub memory: Option<u64>,
}

pub struct Suite<'a> {
    /// The source of variants of the policy.
    pub registry: &'a Policies,
    pub chosen: &'a Chosen,
    /// The policy with which it must agree.
    pub like: Option<&'a Chosen>,
    pub cases: &'a [Case],
    pub seed: u64,
    /// Measures the resources that this process holds.
    pub footprint: &'a dyn Fn() -> Footprint,
    /// Called after every trial.
    pub progress: &'a dyn Fn(),
}

impl<'a> Suite<'a> {
    pub fn run(&self, names: &[String]) -> ConformanceReport {
        let wanted = |check: &&Check| names.is_empty() || names.iter().any(|name| name == check.name);
        let mut spent = None;
        let checks = CHECKS.iter().filter(wanted).map(|check| {
            let mut tally = Tally::new(self.progress);
            match spent {
                None => (check.run)(self, &mut tally),
                // Once a replay has exceeded its budget, further checks would only find the same, and take long.
                Some(name) => tally.skip(format!("a replay exceeded its budget in the check `{name}`")),
            }
            spent = spent.or(tally.spent().then_some(check.name));
            tally.report(check)
        });
        ConformanceReport {
            policy: self.chosen.canonical(),
            like: self.like.map(Chosen::canonical),
            cases: self.cases.len(),
            seed: self.seed,
            checks: checks.collect(),
        }
    }

    /// Returns every n-th case, the first included.
    pub fn every(&self, n: usize) -> impl Iterator<Item = &'a Case> + use<'a> {
        self.cases.iter().step_by(n)
    }
}
