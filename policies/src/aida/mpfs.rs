//! Most Processors First Served.

use super::scheme::{self, Scheme};
use crate::spec::PolicySpec;

/// What the policy says about itself.
///
/// MPFS (section 3.2): the queue is sorted by processors, most first, ties first come, first served; the job at its
/// head starts when it fits, and nobody else does. Sorted means what Figure 10 does: a job that arrives walks from the
/// tail towards the head past the jobs that ask for fewer processors, and stops behind the first that asks for as
/// many or more, or has waited for its limit (`waitlimit`, section 3.5); it never moves again. The head has nobody to
/// hold back, so that is all a limit does here. Without one it is `fcfs:order=lqf`.
///
/// O(log n) per arrival and per start, except that an arrival which a job over its limit keeps from its place moves
/// the jobs behind that one, in O(log n) each, if they are sorted with it.
pub const SPEC: PolicySpec = scheme::head_spec(
    "mpfs",
    "starts the jobs that request the most processors first; the first that does not fit blocks all jobs \
        behind it",
    "The queue is kept by insertion at arrival, most processors first: a newcomer moves forward past smaller \
        jobs that are within their limit. The first that does not fit blocks those behind it.",
    |params, setting| scheme::build(Scheme::MPFS, params, setting),
);
