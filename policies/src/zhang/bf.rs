//! BF: conservative backfilling in space sharing, planned anew at every event.

use crate::backfill::{conservative, depth};
use crate::spec::{ParamSpec, PolicySpec};
use crate::support::estimates::{CORRECTOR, PREDICTOR};
use crate::support::hosts::PLACE;
use crate::support::kinds::for_kinds;
use crate::support::order::{HALF_LIFE, LOG0, ORDER, ORIGIN, SRTF};
use crate::support::queue::THRESHOLD;

/// What the policy says about itself.
pub const SPEC: PolicySpec = PolicySpec {
    name: "bf",
    family: "gang scheduling",
    summary: "backfills conservatively without time sharing: conservative:variant=replan",
    cite: "Zhang, Franke, Moreira, Sivasubramaniam 2000, section 3",
    rule: "Every waiting job holds a reservation. At every event all are made anew in queue order, each at the earliest \
         start that delays nobody before it; whose reservation is now starts.",
    params: PARAMS,
    needs: conservative::SPEC.needs,
    build: |params, setting| for_kinds(setting, &depth::Make(params, None)),
};

const PARAMS: &[ParamSpec] = &[ORDER, THRESHOLD, PREDICTOR, CORRECTOR, PLACE, ORIGIN, LOG0, HALF_LIFE, SRTF];
