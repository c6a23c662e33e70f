//! Fit Processors First Served.

use super::scheme::{self, Scheme};
use crate::spec::PolicySpec;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// FPFS (section 3.3): each decision searches the queue from its head and starts every job that fits. With
/// `waitlimit` (section 3.5) the search ends at the first job that does not fit and has reached its limit:
/// the test is wait ≥ limit, so that `waitlimit=0` is `fcfs`. Such a job is not promoted: jobs ahead of it
/// are still served first. Without a limit the policy is `first-fit`.
///
/// `rescan=true` is the algorithm as the text of the paper states it: the search looks at every job of the
/// queue. `rescan=false` is the paper's Figure 10: after a dispatch it goes on to the next place of its
/// array, although the dispatch has moved the next job into the freed place. That job is skipped, limit or
/// not, until the outer loop of the routine starts again, within the same decision; by then other jobs may
/// have taken its processors.
///
/// O(log n) per arrival, per start and per job that reaches its limit: the search jumps from one job that fits or is over
/// its limit to the next. On nodes, each job that fits in total but finds no nodes costs O(log n + nodes).
pub const SPEC: PolicySpec = scheme::spec(
    "fpfs",
    "starts every job that fits, in the order of submission, up to the first over its limit that does not fit",
    "The queue, in the order of submission, is searched from the front, and every job that fits starts. A job \
        that has waited for its limit and does not fit ends the search.",
    |params, setting| scheme::build(Scheme::FPFS, params, setting),
);
