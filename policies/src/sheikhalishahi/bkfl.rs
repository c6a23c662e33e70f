//! The baseline of multi-capacity bin-packing: first come, first served, with the same choice of hosts.

use super::mcbp::{CITE, McbpFactory};
use super::options::{CYCLE, HOST, KEEP, RESERVATIONS};
use crate::needs::Needs;
use crate::spec::PolicySpec;
use crate::support::hosts::capacities::{PAIRS, REQ};
use crate::support::hosts::options::{AVAILABILITY, RESCORE, SHARE};
use crate::support::kinds::for_kinds;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// As [`super::mcbp`] in everything but the queue order, which is first come, first served (section 4.3: "In all
/// experiments, host selection has been defined based on the multi-capacity host selection policy"). With the
/// defaults of the other options it is `depth:k=N,place=mcbp`, with one reservation `easy:place=mcbp`.
pub const SPEC: PolicySpec = PolicySpec {
    name: "bkfl",
    family: "Sheikhalishahi 2015",
    summary: "backfills around N reservations in order of submission: the baseline of `mcbp`",
    cite: CITE,
    rule: "As mcbp, with the queue in the order of submission.",
    params: &[RESERVATIONS, HOST, CYCLE, REQ, PAIRS, AVAILABILITY, SHARE, RESCORE, KEEP],
    needs: Needs::FORESIGHT,
    build: |params, setting| for_kinds(setting, &McbpFactory { params, ranked: false }),
};
