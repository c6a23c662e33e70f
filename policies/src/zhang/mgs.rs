//! MGS: gang scheduling with migration.

use batchlab_traces::Citation;

use super::gang::Gang;
use super::options::{AFTER, COLUMNS, MPL, NEEDS, Q, QSCOPE, QUNIT, RANK, SLICE, WITHIN, quota};
use crate::spec::{BuildError, ParamSpec, Params, PolicySpec, Setting};
use crate::support::costs::{C, C_CHARGE, CS, CS_CHARGE};
use crate::support::keeper::keeping;
use crate::support::order::ORDER;
use crate::support::params::{ORDERED, params};
use crate::support::queue::THRESHOLD;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "mgs",
    family: "gang scheduling",
    summary: "gang scheduling in which jobs migrate to other columns to fill the rows",
    cite: Citation::of("Zhang, Franke, Moreira, Sivasubramaniam 2000, section 5.4", &["zhang01"]),
    rule: "As gs; after the waiting jobs have been scheduled, jobs move to more populated rows with enough \
         free columns by the cheaper way: to other columns themselves, or by moving the jobs in their \
         columns; then waiting jobs are scheduled again, jobs are replicated, and replicated where those of \
         the row can make way. At most q tasks migrate. With c above 0, what a job pays is counted at the end of the event: c \
         once, however often it moved and from wherever it was before the event, and nothing if it has not run yet or is \
         back where it was; a job that pays no c pays c/2 for each migration that leaves columns in which it stands then. \
         With c-charge=step each migration is counted by itself: each job that leaves and has run pays c, and each that takes over \
         the columns of one that has run pays c/2.",
    params: PARAMS,
    needs: NEEDS,
    build: |params, setting| Ok(keeping(build(params, setting)?)),
};

const PARAMS: &[ParamSpec] = params![
    &[
        MPL, SLICE, CS, CS_CHARGE, AFTER, C, C_CHARGE, Q, QUNIT, QSCOPE, RANK, WITHIN, COLUMNS, ORDER,
        THRESHOLD
    ],
    ORDERED
];

fn build(params: &Params, setting: &Setting<'_>) -> Result<Gang, BuildError> {
    let limit = quota(params, setting)?;
    Ok(Gang::new(params, setting)?.migrating(limit))
}
