//! Strict queue order: the head blocks every job behind it.

use batchlab_traces::Citation;

use super::{HEAD_PARAMS, Make};
use crate::needs::Needs;
use crate::spec::PolicySpec;
use crate::support::kinds::for_kinds;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "fcfs",
    family: "queue order",
    summary: "starts jobs in queue order; the first that does not fit blocks all jobs behind it",
    cite: Citation::of("Feitelson, Rudolph, Schwiegelshohn, Sevcik, Wong, JSSPP 1997", &["feitelson97"]),
    rule: "At every decision the first job of the queue order starts, again and again, until it does not fit. No job \
         behind it starts before it.",
    params: HEAD_PARAMS,
    needs: Needs::TIERS,
    build: |params, setting| for_kinds(setting, &Make { params, skips: false }),
};
