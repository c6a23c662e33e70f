//! FCFS/BB-EASY: Backfill Balanced.

use super::{build, ff_easy};
use crate::spec::PolicySpec;
use crate::support::select::Rule;

/// What the policy says about itself.
///
/// As [`ff_easy`], but the next candidate is the one with the lowest score
///
/// > [max_i (S_i + R_i) / mean_i (S_i + R_i)] · [1 − mean_i (S_i + R_i)]
///
/// among those that fit and delay no reservation: S_i is the fraction of resource i in use, R_i the fraction that the
/// job requires (section 3, balance measure and fullness modifier). S is updated and the search repeated after every
/// start. Scores are compared exactly where the capacities have a common multiple of at most 2^36, else to parts of
/// 2^-36; equal ones are served in queue order, and how often that decided is counted. A balance of 0/0 counts as 1.
/// Heads are never chosen by score: a head that fits starts. With one resource the balance is always 1 and the
/// largest job that fits is next: `easy:candidates=lqf`.
///
/// Cost of a start: O(queue · K), less the ranges of the queue in which nobody fits.
pub const SPEC: PolicySpec = PolicySpec {
    name: "bb-easy",
    summary: "EASY; of the candidates that fit, the one that leaves K resources most evenly and most fully used is next",
    cite: "Leinberger, Karypis, Kumar, SC 1999, section 3 (FCFS/BB-EASY)",
    build: |params, setting| build(Rule::Balanced, params, setting),
    ..ff_easy::SPEC
};
