//! Fit Processors First Served.

use super::scheme::{self, Scheme};
use crate::spec::PolicySpec;

/// What the policy says about itself.
///
/// FPFS (section 3.3): at each decision the queue is searched from its head, and every job that fits starts. With
/// `waitlimit` (section 3.5) the search ends at the first job that does not fit and has waited for its limit: the test
/// is wait ≥ limit, so that `waitlimit=0` is `fcfs`. Such a job is not promoted: those ahead of it are still served
/// first. Without a limit it is `first-fit`.
///
/// `rescan=true` is the algorithm as the text states it: every job of the queue is looked at. `rescan=false` is Figure
/// 10, which goes on to the next place of its array after a dispatch, although the dispatch has moved the next job
/// into the place that it leaves: that job is skipped, limit or not, until the routine's outer loop begins anew, at
/// once, and others may have taken its processors by then.
///
/// O(log n) per arrival, per start and per job that reaches its limit: the search goes from one job that fits, or is
/// over its limit, to the next. On nodes those that fit in total and find no nodes cost O(log n + nodes) each.
pub const SPEC: PolicySpec = scheme::spec(
    "fpfs",
    "starts every job that fits, in the order of submission, up to the first over its limit that does not fit",
    "The queue, in the order of submission, is searched from the front, and every job that fits starts. A job \
        that has waited for its limit and does not fit ends the search.",
    |params, setting| scheme::build(Scheme::FPFS, params, setting),
);
