//! FCFS/BL-EASY: Backfill Lowest.

use super::{FAMILY, PROTECT, build};
use crate::policy::Needs;
use crate::spec::PolicySpec;
use crate::support::estimates::{CORRECTOR, PREDICTOR};
use crate::support::hosts::PLACE;
use crate::support::order::{HALF_LIFE, LOG0, ORDER, ORIGIN, SRTF};
use crate::support::queue::THRESHOLD;
use crate::support::select::{FULLNESS, LARGEST_TIED, LEAST_TIED, MATCH, MISS, SelectionRule, W};

/// What the policy says about itself.
///
/// As [`super::ff_easy`], but the next candidate is the first in queue order that fits, delays no reservation, and
/// whose `w` largest requirements name the `w` least used resources (section 3; there `w=1`). Use and requirements are
/// fractions of the capacities, compared exactly; use is updated and the search repeated after every start. Where all
/// resources are used alike there is no imbalance to correct, and the first that fits is next. Heads are never
/// chosen: a head that fits starts. `w=0`, which one resource forces, is [`super::ff_easy`].
///
/// What the paper leaves open is named:
///
/// * `match`: the window is named in the same order, the least used resource by the largest requirement, or as a set.
///   Ordered by default, as in the heuristic's source (Leinberger, Karypis, Kumar, ICPP 1999) and in Sheikhalishahi et
///   al. 2015, section 3.3.
/// * `miss`: what happens when nobody matches. `relax`, the default, takes whoever matches best: the places that a
///   job's `w` largest requirements have in the order of use, least in lexicographic order, which is searching the
///   queue again for one ranking after the other, the far end of the ranking relaxed first, as Sheikhalishahi et al.
///   print for the source heuristic. `ff` takes the first that fits. `stop` starts nobody; section 4.3.1 speaks
///   against it: the concurrency of BL-EASY is there about that of FF-EASY for large K, where a job seldom matches.
/// * `fullness`: the fullness modifier is said to apply to this rule too (section 3), and the score that it would
///   multiply is not printed. `off`, the default, takes the first of those that match equally well (section 4.3.1:
///   "searches deeper into the ready queue"), `among-matches` the one with the least `1 - mean_i(S_i + R_i)`.
/// * `least-tied`: which of several equally used resources is used less: the one listed first, either (whichever suits
///   the job), or none, the strict reading of the printed `<`; a resource without a place matches nothing, unless
///   `match=set` and the window holds all of those that tie.
/// * `largest-tied`: whether one of several equal requirements counts as the larger one, whichever matches better; if
///   not, a job whose window is not clear matches nothing. A job that matches nothing comes last under `relax`.
///
/// Cost of a start: O(queue · w · K) at worst; where the first of equals is taken, the search ends at an exact match.
pub const SPEC: PolicySpec = PolicySpec {
    name: "bl-easy",
    family: FAMILY,
    summary: "EASY; of the candidates that fit, one whose largest requirement is the least used resource is next",
    cite: "Leinberger, Karypis, Kumar, SC 1999, section 3 (FCFS/BL-EASY)",
    rule: "Behind the reservations, the candidate that starts next is the first in queue order that fits, leaves \
        them alone, and whose w largest requirements, as fractions of the capacities, name the w least used \
        resources. When there is none, miss=relax takes other orders of the resources in lexicographic order of \
        position. Use is updated after every start. Without imbalance it is first fit.",
    params: &[
        W,
        MATCH,
        MISS,
        FULLNESS,
        LEAST_TIED,
        LARGEST_TIED,
        PROTECT,
        ORDER,
        THRESHOLD,
        PREDICTOR,
        CORRECTOR,
        PLACE,
        ORIGIN,
        LOG0,
        HALF_LIFE,
        SRTF,
    ],
    needs: Needs::NONE,
    build: |params, setting| build(SelectionRule::Lowest, params, setting),
};
