//! The families of metrics, one file each.
#![allow(missing_docs)] // A metric states its definition.

pub mod accuracy;
pub mod backlog;
pub mod bounded_slowdown;
pub mod counts;
pub mod fragmentation;
pub mod jain;
pub mod jobs_in_system;
pub mod loss_of_capacity;
pub mod lost_work;
pub mod makespan;
pub mod migrations;
pub mod multiprogramming_level;
pub mod normalized_response;
pub mod overhead;
pub mod overhead_share;
pub mod overtakes;
pub mod promised;
pub mod queue_length;
pub mod response;
pub mod slowdown;
pub mod slowdown_variants;
pub mod stalled;
pub mod suspensions;
pub mod swaps;
pub mod tallies;
pub mod throughput;
pub mod top_shares;
pub mod unfairness;
pub mod utilization;
pub mod wait;
pub mod weighted_response;

use batchlab_traces::Citation;

// Works that several families cite.
const FEITELSON98: Citation = Citation::of(
    "Feitelson and Rudolph 1998, Metrics and Benchmarking for Parallel Job Scheduling",
    &["feitelson98"],
);
const FRACHTENBERG05: Citation = Citation::of(
    "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    &["frachtenberg05"],
);
const KETTIMUTHU05: Citation = Citation::of(
    "Kettimuthu et al. 2005, Selective Preemption Strategies for Parallel Job Scheduling",
    &["kettimuthu05"],
);
