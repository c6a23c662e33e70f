//! Workload models against real logs, theory and publications.

mod estimates;
mod fitted;
mod queueing;
