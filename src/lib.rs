//! batchlab, the laboratory for batch schedulers.
//!
//! A log becomes a trace ([`parsers`], [`traces`]), and a trace a workload; [`policies`] decide, and the
//! rooms of this crate do the rest, in this order:
//!
//! * [`catalogue`]: public logs by name, downloaded and verified.
//! * [`registry`]: the available policies, formats and metrics, built in or of a user's crate.
//! * [`info`]: the contents of a log, and its anomalies.
//! * [`replay`]: a workload on a machine under a policy; comparisons of policies.
//! * [`mod@outcome`]: the outcome of a replay.
//! * [`metrics`]: numbers computed from an outcome.
//! * [`schedule`]: schedules read, written, verified, explained and compared.
//! * [`when`]: when the jobs that wait at an instant will start.
//! * [`ranking`]: the priorities of the jobs that wait at an instant under Slurm, with their factors.
//! * [`environment`]: replays for agents that learn to schedule, with the protocol of Gymnasium.
//! * [`experiment`]: many replays from one file into a folder, here or on a cluster.
//! * [`study`]: what results show, and what may mislead in them.
//! * [`tune`]: the search for a policy.
//! * [`report`]: verdict, tables, plots, claims, the page, the works to cite.
//! * [`paper`]: papers reproduced from folders of experiments, and the page about their claims.
//! * [`conform`]: tests whether a policy keeps the rules.
//! * [`lab`]: the application: options, logs prepared, experiments, calls of programs.
//! * [`cli`]: the command line.
//!
//! They share three tools: [`stats`], [`plot`] and [`table`]. `ARCHITECTURE.md` has the flow, entry points, invariants, where
//! to add what, and a glossary.

#![forbid(unsafe_code)]
// Some of what only the command line calls is in rooms that all hosts share.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
pub mod cli;
pub mod lab;
pub mod registry;

pub use batchlab_engine::{
    Outcome, catalogue, info, metrics, outcome, plot, ranking, replay, schedule, stats, table, when,
};
pub use batchlab_environment as environment;
pub use batchlab_parsers as parsers;
pub use batchlab_policies as policies;
pub use batchlab_report::{paper, report};
pub use batchlab_slurm as slurm;
pub use batchlab_study::{conform, experiment, study, tune};
pub use batchlab_traces as traces;
#[cfg(feature = "cli")]
pub use cli::{main_with, run, run_within};
pub use registry::{RegisterError, Registry};
