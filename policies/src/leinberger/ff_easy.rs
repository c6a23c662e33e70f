//! FCFS/FF-EASY: the baseline.

use super::{FAMILY, PROTECT, build};
use crate::policy::Needs;
use crate::spec::PolicySpec;
use crate::support::estimates::{CORRECTOR, PREDICTOR};
use crate::support::hosts::PLACE;
use crate::support::order::{HALF_LIFE, LOG0, ORDER, ORIGIN, SRTF};
use crate::support::queue::THRESHOLD;
use crate::support::select::SelectionRule;

/// What the policy says about itself.
///
/// Jobs start in queue order while they fit. The first that does not, the head, holds a reservation; of the jobs
/// behind it the first that fits and does not delay it is started, again and again (section 2.1). All comparisons
/// are per resource. With `protect=N` the first N jobs that cannot start hold reservations (the generalised backfill
/// of section 2.1). It is [`crate::backfill::easy`], and with `protect=N` [`crate::backfill::depth`] with k = N, by
/// the name that the paper gives it; their costs are its costs.
pub const SPEC: PolicySpec = PolicySpec {
    name: "ff-easy",
    family: FAMILY,
    summary: "EASY with K resources, the first candidate that fits is next (= easy; protect=N: depth:k=N)",
    cite: "Leinberger, Karypis, Kumar, SC 1999, section 2.1 (FCFS/FF-EASY)",
    rule: "As easy, or with protect=N as depth: what the K-resource policies are compared with. Every comparison \
        is made for every resource.",
    params: &[PROTECT, ORDER, THRESHOLD, PREDICTOR, CORRECTOR, PLACE, ORIGIN, LOG0, HALF_LIFE, SRTF],
    needs: Needs::NONE,
    build: |params, setting| build(SelectionRule::FirstFit, params, setting),
};
