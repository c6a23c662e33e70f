//! The engine: a workload on a machine under a policy, and all that is computed from its outcome.
//!
//! * [`catalogue`]: public logs by name, downloaded and verified.
//! * [`inventory`]: the available policies, formats and metrics, built in or of a user's crate.
//! * [`info`]: the contents of a log, and its anomalies.
//! * [`replay`]: a workload on a machine under a policy; comparisons of policies.
//! * [`mod@outcome`]: the outcome of a replay.
//! * [`metrics`]: numbers computed from an outcome.
//! * [`schedule`]: schedules read, written, verified, explained and compared.
//! * [`when`]: when the jobs that wait at an instant will start.
//! * [`ranking`]: the priorities of the jobs that wait at an instant under Slurm, with their factors.
//!
//! They share three tools: [`stats`], [`plot`] and [`table`].

#![forbid(unsafe_code)]
#![allow(clippy::missing_errors_doc)] // An error type names its errors; a section adds what the type does not say.

pub mod as_text;
pub mod catalogue;
pub mod info;
pub mod inventory;
pub mod metrics;
pub mod outcome;
pub mod plot;
pub mod ranking;
#[allow(missing_docs)] // For this program alone: names say most.
pub mod replay;
pub mod schedule;
pub mod stats;
pub mod table;
pub mod when;

pub use inventory::{Inventory, RegisterError};
pub use outcome::Outcome;
