//! Slurm in one place: what its files say, how its controller schedules by them, and how closely that follows what really
//! happened. Logs of Slurm are read by the crate of the parsers.
//!
//! In the order of the flow:
//!
//! * [`site`]: an installation, and what it means for the jobs of a log.
//! * [`reader`]: the files that describe it.
//! * [`twin`]: the policy `slurm`, the loops of the controller.
//! * [`check`]: a replay beside what really happened (`slurm-check`).
//! * [`collect`]: the script that collects the files on a cluster (`slurm-collect`).
//!
//! # A rule of Slurm
//!
//! | of the rule | place |
//! |---|---|
//! | a setting of `SchedulerParameters` | a field and a line of `KNOWN` in `site/parameters.rs` |
//! | another setting of `slurm.conf` | its name in a list of `reader/known`, a field in `site.rs`, a line in `reader/build.rs` or the reader that it calls |
//! | what a job asked for | a field and a line of `COLUMNS` in `site/jobs.rs` |
//! | where it holds | `twin/loops`: a function for each step of slurmctld; which nodes a job gets, in `twin/nodes` |
//! | what it keeps between decisions, and when it wakes | a field of the part in `twin/controller.rs` that it concerns, a line of `sleep` there |

#![forbid(unsafe_code)]
// The crate serves this workspace; fields and functions whose names say all need no line, errors that their types name no section.
#![allow(missing_docs, clippy::missing_errors_doc)]

pub mod check;
pub mod collect;
pub mod reader;
pub mod site;
pub mod twin;

pub use twin::SPEC;
