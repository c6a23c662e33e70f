//! BGS: backfilling gang scheduling.

use batchlab_traces::Citation;

use super::gang::Gang;
use super::options::{AFTER, COLUMNS, FROM, INFLATE, MPL, NEEDS, RANK, SLICE, WITHIN};
use crate::spec::{ParamSpec, PolicySpec};
use crate::support::costs::{CS, CS_CHARGE};
use crate::support::keeper::keeping;
use crate::support::order::ORDER;
use crate::support::params::{ORDERED, params};
use crate::support::queue::THRESHOLD;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "bgs",
    family: "gang scheduling",
    summary: "gang scheduling in which waiting jobs hold reservations in rows, and other jobs are backfilled",
    cite: Citation::of("Zhang, Franke, Moreira, Sivasubramaniam 2000, section 5.2", &["zhang01"]),
    rule: "As gs; but each waiting job, in queue order, starts in the row that it fits best of those where \
         it delays no reservation, else it holds a reservation in the row in which it could start first. \
         Estimates are multiplied with mpl. Reservations are recomputed at every event; the reservations of \
         the previous event bind while jobs change rows.",
    params: PARAMS,
    needs: NEEDS,
    build: |params, setting| Ok(keeping(Gang::new(params, setting)?.backfilling(params, setting)?)),
};

const PARAMS: &[ParamSpec] = params![
    &[MPL, SLICE, CS, CS_CHARGE, AFTER, INFLATE, FROM, RANK, WITHIN, COLUMNS, ORDER, THRESHOLD],
    ORDERED
];
