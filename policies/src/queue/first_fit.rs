//! First fit: every job that fits starts, and no job gets a promise.

use batchlab_traces::Citation;

use super::{Make, PARAMS};
use crate::needs::Needs;
use crate::spec::PolicySpec;
use crate::support::kinds::for_kinds;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "first-fit",
    family: "queue order",
    summary: "starts every job that fits, in queue order; reserves nothing, so wide jobs can starve",
    cite: Citation::of("Aida, Kasahara, Narita, JSSPP 1998 (FPFS without a limit on waiting)", &["aida98"]),
    rule: "At every decision the queue is walked in order, and every job that fits into what is free then starts. \
         Nothing is reserved.",
    params: PARAMS,
    needs: Needs::TIERS,
    build: |params, setting| for_kinds(setting, &Make { params, skips: true }),
};
