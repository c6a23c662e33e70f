//! FCFS/FF-CONS: conservative backfilling with K resources.

use super::FAMILY;
use crate::backfill::conservative;
use crate::spec::PolicySpec;

/// What the policy says about itself.
///
/// Every job holds a reservation; a job behind others starts if it does not interfere with the expected start of any
/// before it (section 2.1). It is [`crate::backfill::conservative`] by the name that the paper gives it. Which
/// `variant` is meant is not printed, and does not matter where estimates are exact, as they are there.
pub const SPEC: PolicySpec = PolicySpec {
    name: "ff-cons",
    family: FAMILY,
    summary: "conservative backfilling with K resources (= conservative)",
    cite: "Leinberger, Karypis, Kumar, SC 1999, section 2.1 (FCFS/FF-CONS)",
    rule: "As conservative, with every resource in the profile.",
    ..conservative::SPEC
};
