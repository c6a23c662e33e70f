//! Workload models against real logs.

mod estimates;
mod fitted;
