//! Most Processors First Served.

use super::scheme::{self, Scheme};
use crate::spec::PolicySpec;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// MPFS (section 3.2): the queue is sorted by processors, most first, ties by submission; only the job at its head starts,
/// when it fits. The sorting is that of Figure 10: an arriving job walks from the tail towards the head past the jobs that
/// ask for fewer processors. It stops behind the first job that asks for at least as many or has reached its limit
/// (`waitlimit`, section 3.5), and never moves again. Since no other job starts before the head, the limit has no other
/// effect. Without a limit the policy is `fcfs:order=lqf`.
///
/// O(log n) per arrival and per start. An arrival that stops behind a job over its limit also moves the jobs
/// behind that one, in O(log n) each, if they belong to the same stretch.
pub const SPEC: PolicySpec = scheme::head_spec(
    "mpfs",
    "starts the jobs that request the most processors first; the first that does not fit blocks all jobs \
        behind it",
    "The queue is kept by insertion at arrival, most processors first: a newcomer moves forward past smaller \
        jobs that are within their limit. The first that does not fit blocks those behind it.",
    |params, setting| scheme::build(Scheme::MPFS, params, setting),
);
