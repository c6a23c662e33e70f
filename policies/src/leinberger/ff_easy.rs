use batchlab_traces::Citation;

use super::{FAMILY, PROTECT, build};
use crate::needs::Needs;
use crate::spec::PolicySpec;
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::support::select::SelectionRule;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// Jobs start in queue order while they fit. The first that does not fit, the head, holds a reservation.
/// Repeatedly, the first job behind it that fits and does not delay it starts (section 2.1). All comparisons
/// are per resource. With `protect=N` the first N jobs that cannot start hold reservations (the generalised
/// backfill of section 2.1). The policy is [`crate::backfill::easy`], and with `protect=N`
/// [`crate::backfill::depth`] with k = N, under the paper's name, at the same costs.
pub const SPEC: PolicySpec = PolicySpec {
    name: "ff-easy",
    family: FAMILY,
    summary: "EASY with K resources, the first candidate that fits is next (= easy; protect=N: depth:k=N)",
    cite: Citation::of("Leinberger, Karypis, Kumar, SC 1999, section 2.1 (FCFS/FF-EASY)", &["leinberger99"]),
    rule: "As easy, or with protect=N as depth: what the K-resource policies are compared with. Every comparison \
        is made for every resource.",
    params: params![&[PROTECT, ORDER], BOOKED],
    needs: Needs::FORESIGHT,
    build: |params, setting| build(SelectionRule::FirstFit, params, setting),
};
