//! All metrics, one line each.

use super::family::{
    bounded_slowdown, counts, jain, jobs_in_system, loss_of_capacity, makespan, overtakes, queue_length,
    response, slowdown, slowdown_variants, stalled, throughput, unfairness, utilization, wait,
    weighted_response,
};
use super::spec::MetricSpec;

/// All families of metrics, in the order in which they are listed and written.
pub static METRICS: &[&MetricSpec] = &[
    &counts::JOBS,
    &counts::USERS,
    &counts::KILLED,
    &wait::WAIT,
    &response::RESPONSE,
    &stalled::STALLED,
    &slowdown::SLOWDOWN,
    &bounded_slowdown::BSLD,
    &bounded_slowdown::RMS_BSLD,
    &slowdown_variants::BSLD_RAW,
    &slowdown_variants::BSLD_YUAN,
    &slowdown_variants::BSLD_PP,
    &weighted_response::WEIGHTED_RESPONSE,
    &weighted_response::WEIGHTED_RESPONSE_MEAN,
    &makespan::MAKESPAN,
    &utilization::UTILIZATION,
    &utilization::UTILIZATION_WINDOW,
    &utilization::OFFERED_LOAD,
    &loss_of_capacity::LOSS_OF_CAPACITY,
    &queue_length::MEAN_QUEUE_LENGTH,
    &queue_length::MAX_QUEUE_LENGTH,
    &queue_length::MEAN_QUEUE_LENGTH_MAKESPAN,
    &queue_length::MAX_QUEUE_LENGTH_MAKESPAN,
    &jobs_in_system::MEAN_JOBS_IN_SYSTEM,
    &jobs_in_system::MEAN_JOBS_IN_SYSTEM_MAKESPAN,
    &throughput::THROUGHPUT,
    &throughput::THROUGHPUT_MAKESPAN,
    &overtakes::OVERTAKES,
    &jain::JAIN,
    &unfairness::UNFAIRNESS_ALL,
    &unfairness::UNFAIRNESS_HIT,
    &unfairness::SHARE_HIT,
];
