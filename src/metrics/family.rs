//! The metrics themselves: one file per family.

pub mod backlog;
pub mod bounded_slowdown;
pub mod counts;
pub mod jain;
pub mod jobs_in_system;
pub mod loss_of_capacity;
pub mod makespan;
pub mod migrations;
pub mod multiprogramming_level;
pub mod normalized_response;
pub mod overhead;
pub mod overhead_share;
pub mod overtakes;
pub mod queue_length;
pub mod response;
pub mod slowdown;
pub mod slowdown_variants;
pub mod stalled;
pub mod suspensions;
pub mod swaps;
pub mod throughput;
pub mod top_shares;
pub mod unfairness;
pub mod utilization;
pub mod wait;
pub mod weighted_response;
