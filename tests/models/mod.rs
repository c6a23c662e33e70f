//! Workload models against real logs.

mod fitted;
