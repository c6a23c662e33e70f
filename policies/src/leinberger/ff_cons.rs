//! FCFS/FF-CONS: conservative backfilling with K resources.

use batchlab_traces::Citation;

use super::FAMILY;
use crate::backfill::conservative;
use crate::spec::PolicySpec;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// Every job holds a reservation; a job behind others starts if it does not interfere with the expected start of any job
/// before it (section 2.1). It is [`crate::backfill::conservative`] under the paper's name. The paper does not say which
/// `variant` it means; with exact estimates, as in the paper, all variants are equal.
pub const SPEC: PolicySpec = PolicySpec {
    name: "ff-cons",
    family: FAMILY,
    summary: "conservative backfilling with K resources (= conservative)",
    cite: Citation::of("Leinberger, Karypis, Kumar, SC 1999, section 2.1 (FCFS/FF-CONS)", &["leinberger99"]),
    rule: "As conservative, with every resource in the profile.",
    ..conservative::SPEC
};
