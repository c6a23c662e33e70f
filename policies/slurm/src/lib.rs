//! Slurm in one place: what its files say, how its controller schedules by them, and how closely that follows what really
//! happened. Logs of Slurm are read by the crate of the parsers.
//!
//! In the order of the flow:
//!
//! * [`site`]: an installation, and what it means for the jobs of a log.
//! * [`reader`]: the files that describe it.
//! * [`twin`]: the policy `slurm`, the loops of the controller.
//! * [`check`]: a replay beside what really happened (`slurm-check`).
//!
//! # A rule of Slurm
//!
//! A setting of `SchedulerParameters` is a line of `KNOWN` in `site/parameters.rs`, with its field beside it; another setting of
//! `slurm.conf` is a line of the reader that `reader/build.rs` names for it, and a field of [`site::SlurmSystem`]. What a job
//! asked for is a field of `site/jobs.rs`. The loops read the field where the rule holds: `twin/passes.rs` and `twin/cycle.rs`
//! have one function for each step of `slurmctld`.

#![forbid(unsafe_code)]

pub mod check;
pub mod reader;
pub mod site;
pub mod twin;

pub use twin::SPEC;
