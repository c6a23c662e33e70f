//! Replays: a workload on a machine under a policy, from the first arrival to the row of a table.
//!
//! The [`engine`] owns the clock and makes an outcome from a [`Scenario`] and a policy. A [`comparison`] replays several policies
//! on one scenario and measures them, which gives a [`ResultRow`] each. [`Conditions`] state the options of the replay.

pub mod calibration;
pub mod capability;
pub mod comparison;
pub mod conditions;
pub mod engine;
pub mod notes;
mod rows;
pub mod slurm_check;
mod summary;
pub mod what_if;

pub use conditions::Conditions;
pub use engine::{Budget, EventOrder, ReplayError, Run, Scenario, Stepped, TimeLimit};
pub use rows::{ResultRow, RowKind, class_table, replay_table, tell_rejected};
pub use summary::Summary;
