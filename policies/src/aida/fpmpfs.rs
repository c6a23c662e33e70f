//! Fit Processors Most Processors First Served.

use super::scheme::{self, Scheme};
use crate::spec::PolicySpec;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// FPMPFS (section 3.3): the queue of [`mpfs`](super::mpfs), searched as [`fpfs`](super::fpfs) searches it.
/// Without a limit on waiting it is `first-fit:order=lqf`.
pub const SPEC: PolicySpec = scheme::spec(
    "fpmpfs",
    "as fpfs, in a queue sorted by processors, most first",
    "As fpfs, in the queue of mpfs.",
    |params, setting| scheme::build(Scheme::FPMPFS, params, setting),
);
