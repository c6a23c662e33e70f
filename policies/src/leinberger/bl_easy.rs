//! FCFS/BL-EASY: Backfill Lowest.

use batchlab_traces::Citation;

use super::{FAMILY, PROTECT, build};
use crate::needs::Needs;
use crate::spec::PolicySpec;
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::select::{FULLNESS, LARGEST_TIED, LEAST_TIED, MATCH, MISS, SelectionRule, W};

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// As [`super::ff_easy`], but the next candidate is the first in queue order that fits, delays no
/// reservation, and whose `w` largest requirements are for the `w` least used resources (section 3; there
/// `w=1`). Use and requirements are fractions of the capacities, compared exactly; use is updated and the
/// search repeated after every start. If all resources are used alike there is no imbalance to correct, and
/// the first job that fits is next. The rule does not apply to heads: a head that fits starts. `w=0`, the
/// only choice with one resource, is [`super::ff_easy`].
///
/// Each choice that the paper leaves open is a parameter:
///
/// * `match`: whether the window must match in order, the largest requirement for the least used resource,
///   or as a set. Ordered by default, as in the heuristic's source (Leinberger, Karypis, Kumar, ICPP 1999)
///   and in Sheikhalishahi et al. 2015, section 3.3.
/// * `miss`: what happens when no job matches. `relax`, the default, takes the job that matches best: the
///   ranks of the resources of a job's `w` largest requirements in the order of use, least in lexicographic
///   order. This is the same as searching the queue again for one ranking after the other, the far end of
///   the ranking relaxed first, as Sheikhalishahi et al. print for the source heuristic. `ff` takes the
///   first job that fits. `stop` starts no job; section 4.3.1 contradicts it: there the concurrency of
///   BL-EASY is about that of FF-EASY for large K, where jobs seldom match.
/// * `fullness`: by section 3 the fullness modifier applies to this rule too, but the score that it would
///   multiply is not printed. `off`, the default, takes the first of the jobs that match equally well
///   (section 4.3.1: "searches deeper into the ready queue"), `among-matches` the one with the least
///   `1 - mean_i(S_i + R_i)`.
/// * `least-tied`: which of several equally used resources counts as less used: the one listed first, either
///   (whichever suits the job), or none, the strict reading of the printed `<`. Without a rank a resource
///   matches nothing, unless `match=set` and the window holds all tied resources.
/// * `largest-tied`: whether any of several equal requirements may count as the larger one, whichever
///   matches better; if not, a job with such a tie in its window matches nothing. A job that matches nothing
///   comes last under `relax`.
///
/// Cost of a start: O(queue · w · K) at worst; if the first of equal jobs is taken, the search ends at an exact match.
pub const SPEC: PolicySpec = PolicySpec {
    name: "bl-easy",
    family: FAMILY,
    summary: "EASY; of the candidates that fit, one whose largest requirement is the least used resource is next",
    cite: Citation::of("Leinberger, Karypis, Kumar, SC 1999, section 3 (FCFS/BL-EASY)", &["leinberger99"]),
    rule: "Behind the reservations, the candidate that starts next is the first in queue order that fits, leaves \
        them alone, and whose w largest requirements, as fractions of the capacities, name the w least used \
        resources. When there is none, miss=relax takes other orders of the resources in lexicographic order of \
        position. Use is updated after every start. Without imbalance it is first fit.",
    params: params![&[W, MATCH, MISS, FULLNESS, LEAST_TIED, LARGEST_TIED, PROTECT, ORDER], BOOKED],
    needs: Needs::FORESIGHT,
    build: |params, setting| build(SelectionRule::Lowest, params, setting),
};
