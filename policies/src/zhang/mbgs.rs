//! MBGS: backfilling gang scheduling with migration.

use batchlab_traces::Citation;

use super::gang::Gang;
use super::options::{
    AFTER, COLUMNS, FROM, INFLATE, MPL, NEEDS, Q, QSCOPE, QUNIT, RANK, SLICE, WITHIN, quota,
};
use crate::spec::{BuildError, ParamSpec, Params, PolicySpec, Setting};
use crate::support::costs::{C, C_CHARGE, CS, CS_CHARGE};
use crate::support::keeper::keeping;
use crate::support::order::ORDER;
use crate::support::params::{ORDERED, params};
use crate::support::queue::THRESHOLD;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "mbgs",
    family: "gang scheduling",
    summary: "gang scheduling with backfilling and migration",
    cite: Citation::of("Zhang, Franke, Moreira, Sivasubramaniam 2000, section 5.5", &["zhang01"]),
    rule: "As mgs, but waiting jobs are scheduled as bgs does it: each starts in the row that it fits best of those \
         where it delays no reservation, else it holds a reservation. No job moves to a row where it would delay one.",
    params: PARAMS,
    needs: NEEDS,
    build: |params, setting| Ok(keeping(build(params, setting)?)),
};

const PARAMS: &[ParamSpec] = params![
    &[
        MPL, SLICE, CS, CS_CHARGE, AFTER, INFLATE, FROM, C, C_CHARGE, Q, QUNIT, QSCOPE, RANK, WITHIN,
        COLUMNS, ORDER, THRESHOLD
    ],
    ORDERED
];

fn build(params: &Params, setting: &Setting<'_>) -> Result<Gang, BuildError> {
    let limit = quota(params, setting)?;
    Ok(Gang::new(params, setting)?.backfilling(params, setting)?.migrating(limit))
}
