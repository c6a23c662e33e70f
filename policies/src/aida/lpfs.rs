//! Least Processors First Served.

use super::scheme::{self, Scheme};
use crate::spec::PolicySpec;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// LPFS (section 3.2): as [`mpfs`](super::mpfs), with the fewest processors first: an arrival walks past the
/// jobs that ask for more. Without a limit on waiting it is `fcfs:order=sqf`.
pub const SPEC: PolicySpec = scheme::head_spec(
    "lpfs",
    "starts the jobs that request the fewest processors first; the first that does not fit blocks all jobs \
        behind it",
    "As mpfs, fewest processors first.",
    |params, setting| scheme::build(Scheme::LPFS, params, setting),
);
