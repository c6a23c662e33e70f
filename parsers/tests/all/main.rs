//! Integration tests of the readers and writers.
#![expect(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests say why they skip, and panic when they fail"
)]

mod arrival;
mod broken_logs;
mod properties;
mod real_logs;
mod slurm;
