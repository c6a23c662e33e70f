//! Fit Processors Least Processors First Served.

use super::scheme::{self, Scheme};
use crate::spec::PolicySpec;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// FPLPFS (section 3.3): the queue of [`lpfs`](super::lpfs), searched as [`fpfs`](super::fpfs) searches it. On a pool of
/// processors, with one limit for all jobs and `rescan=true`, it gives the schedule of `lpfs`, as the paper says: every job
/// behind one that does not fit asks for at least as many processors, or stands behind a job over its limit. This does not
/// hold with further resources, on nodes, or with a limit for each job.
pub const SPEC: PolicySpec = scheme::spec(
    "fplpfs",
    "as fpfs, in a queue sorted by processors, least first; on processors alone this is lpfs",
    "As fpfs, in the queue of lpfs.",
    |params, setting| scheme::build(Scheme::FPLPFS, params, setting),
);
