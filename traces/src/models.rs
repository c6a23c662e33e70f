//! Workload models: one file each.
