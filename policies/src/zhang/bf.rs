//! BF: conservative backfilling in space sharing, replanned at every event.

use batchlab_traces::Citation;

use crate::backfill::{conservative, depth};
use crate::queue;
use crate::spec::PolicySpec;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "bf",
    family: "gang scheduling",
    summary: "backfills conservatively without time sharing: conservative:variant=replan",
    cite: Citation::of("Zhang, Franke, Moreira, Sivasubramaniam 2000, section 3", &["zhang01"]),
    rule: "Every waiting job holds a reservation. At every event all reservations are recomputed in queue \
        order, each at the earliest start that delays no job before it; a job whose reservation is now \
        starts.",
    params: queue::PARAMS,
    needs: conservative::SPEC.needs,
    build: |params, setting| depth::build(params, setting, None),
};
