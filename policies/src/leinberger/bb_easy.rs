//! FCFS/BB-EASY: Backfill Balanced.

use batchlab_traces::Citation;

use super::{FAMILY, PROTECT, build};
use crate::needs::Needs;
use crate::spec::PolicySpec;
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::select::{MODIFIER, SelectionRule};

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// As [`super::ff_easy`], but the next candidate is the one with the lowest score
///
/// `[max_i(S_i + R_i) / mean_i(S_i + R_i)] * [1 - mean_i(S_i + R_i)]`
///
/// among the jobs that fit and delay no reservation: `S_i` is the fraction of resource i in use, `R_i` the fraction that
/// the job requires (section 3, balance measure and fullness modifier). S is updated and the search repeated after every
/// start. Scores are compared exactly if the capacities have a common multiple of at most 2^36, otherwise to parts of
/// 2^-36; jobs of equal score are served in queue order, and such ties are counted. A balance of 0/0 counts as 1. The score
/// does not apply to heads: a head that fits starts. With one resource the balance is always 1 and the largest job that
/// fits is next: `easy:candidates=lqf`.
///
/// The second factor falls as jobs grow: if the requirements of a job are nearly equal, balances are nearly
/// 1 and the score prefers the largest job. The paper, however, says of its results that small jobs are
/// moved ahead (sections 4.3.1 and 4.3.4). `fullness=off`, this project's variant, omits the second factor.
///
/// Cost of a start: O(queue · K), less the ranges of the queue in which no job fits.
pub const SPEC: PolicySpec = PolicySpec {
    name: "bb-easy",
    family: FAMILY,
    summary: "EASY; of the candidates that fit, the one that leaves K resources most evenly and most fully used is next",
    cite: Citation::of("Leinberger, Karypis, Kumar, SC 1999, section 3 (FCFS/BB-EASY)", &["leinberger99"]),
    rule: "Behind the reservations, the candidate that starts next is the one with the lowest max(S+R)/mean(S+R) \
        * (1 - mean(S+R)) over the resources, S being what is used and R what it requires, as fractions of the \
        capacities; ties in queue order. S is renewed after every start.",
    params: params![&[MODIFIER, PROTECT, ORDER], BOOKED],
    needs: Needs::FORESIGHT,
    build: |params, setting| build(SelectionRule::Balanced, params, setting),
};
