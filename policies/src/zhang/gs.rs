//! GS: gang scheduling.

use batchlab_traces::Citation;

use super::gang::Gang;
use super::options::{AFTER, COLUMNS, MPL, NEEDS, RANK, SLICE, WITHIN};
use crate::spec::{ParamSpec, PolicySpec};
use crate::support::costs::{CS, CS_CHARGE};
use crate::support::keeper::keeping;
use crate::support::order::ORDER;
use crate::support::params::{ORDERED, params};
use crate::support::queue::THRESHOLD;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "gs",
    family: "gang scheduling",
    summary: "runs jobs in turns, by the rows of a matrix of time slices and processors",
    cite: Citation::of(
        "Zhang, Franke, Moreira, Sivasubramaniam 2000, section 5.1; the matrix: Ousterhout, ICDCS 1982",
        &["zhang01", "ousterhout82"],
    ),
    rule: "At every arrival and departure a matrix of mpl rows is rebuilt: replicas are removed, jobs of \
        the least \
         populated rows move to more populated ones in their columns, waiting jobs go in queue order to the row that \
         they fit best until one fits nowhere, and jobs are replicated, in the order of their starts, into rows in \
         which their columns are free.",
    params: PARAMS,
    needs: NEEDS,
    build: |params, setting| Ok(keeping(Gang::new(params, setting)?)),
};

const PARAMS: &[ParamSpec] =
    params![&[MPL, SLICE, CS, CS_CHARGE, AFTER, RANK, WITHIN, COLUMNS, ORDER, THRESHOLD], ORDERED];
