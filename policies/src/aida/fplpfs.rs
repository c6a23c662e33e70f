//! Fit Processors Least Processors First Served.

use super::scheme::{self, Scheme};
use crate::spec::PolicySpec;

/// What the policy says about itself.
///
/// FPLPFS (section 3.3): the queue of [`lpfs`](super::lpfs), searched as [`fpfs`](super::fpfs) does. On a pool of
/// processors, with one limit for all jobs and `rescan=true`, it gives the schedule of `lpfs`, as the paper says: who
/// stands behind a job that does not fit asks for as many processors, or stands behind a job over its limit. With
/// further resources, on nodes, or with limits of their own that no longer holds.
pub const SPEC: PolicySpec = scheme::spec(
    "fplpfs",
    "as fpfs, in a queue sorted by processors, least first; on processors alone this is lpfs",
    "As fpfs, in the queue of lpfs.",
    |params, setting| scheme::build(Scheme::FPLPFS, params, setting),
);
