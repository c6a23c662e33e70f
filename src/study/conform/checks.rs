//! The checks: one file each, with its `mod` line, and one line in [`CHECKS`].

mod agrees;
mod blind;
mod clean;
mod describes;
mod deterministic;
mod legal;
mod needs;

use super::suite::Suite;
use super::tally::Tally;

/// A rule for policies, and the test of it.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub name: &'static str,
    /// The rule, in one sentence.
    pub what: &'static str,
    pub how: &'static str,
    pub run: fn(&Suite<'_>, &mut Tally<'_>),
}

/// All checks, in the order in which they run.
pub const CHECKS: &[Check] = &[
    describes::CHECK,
    needs::CHECK,
    legal::CHECK,
    deterministic::CHECK,
    blind::CHECK,
    clean::CHECK,
    agrees::CHECK,
];
