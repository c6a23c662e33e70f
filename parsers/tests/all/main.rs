//! Integration tests of the readers and writers.
#![expect(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests say why they skip, and panic when they fail"
)]

mod arrival;
mod batch_logs;
mod batch_rules;
mod bounds;
mod broken_logs;
mod every_format;
mod every_format_properties;
mod helpers;
mod identify;
mod identities;
mod neighbours;
mod own_zero;
#[cfg(feature = "parquet")]
mod parquet;
mod properties;
mod real_logs;
mod real_tables;
mod redacted;
mod samples;
mod slurm;
mod tables;
mod written;
mod wrong_format;
