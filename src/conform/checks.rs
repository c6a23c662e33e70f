//! The checks: one file each, and one line in [`CHECKS`].

mod agrees;
mod blind;
mod clean;
mod describes;
mod deterministic;
mod legal;
mod needs;

use super::suite::Suite;
use super::tally::Tally;

/// A rule that policies keep to, and how it is tried.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// The rule, in one sentence.
    pub what: &'static str,
    /// How it is tried.
    pub how: &'static str,
    /// Tries it.
    pub run: fn(&Suite<'_>, &mut Tally<'_>),
}

/// All checks, in the order in which they are tried.
pub const CHECKS: &[Check] = &[
    describes::CHECK,
    needs::CHECK,
    legal::CHECK,
    deterministic::CHECK,
    blind::CHECK,
    clean::CHECK,
    agrees::CHECK,
];
