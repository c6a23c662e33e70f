//! batchlab, the laboratory for batch schedulers.
//!
//! A log becomes a trace ([`parsers`], [`traces`]), a trace a workload; [`policies`] decide, and the rooms of this crate do the
//! rest, in this order:
//!
//! * [`registry`]: what there is to choose from, built in or of a user's crate.
//! * [`info`]: what is in a log, and what is odd about it.
//! * [`replay`]: a workload on a machine under a policy; several policies side by side.
//! * [`mod@outcome`]: what a replay produced.
//! * [`metrics`]: numbers of an outcome.
//! * [`schedule`]: schedules read, written, verified, explained and compared.
//! * [`experiment`]: many replays from one file, here or on a cluster, into a folder.
//! * [`study`]: what results show, and what may mislead in them.
//! * [`report`]: verdict, tables, plots, claims, the page, the works to cite.
//! * [`conform`]: whether a policy keeps the rules.
//! * [`cli`]: the command line.
//!
//! All use three tools: [`stats`], [`plot`] and [`table`]. `ARCHITECTURE.md` tells more.

#![forbid(unsafe_code)]

mod as_text;
pub mod cli;
pub mod conform;
pub mod experiment;
pub mod info;
pub mod metrics;
pub mod outcome;
pub mod plot;
pub mod registry;
pub mod replay;
pub mod report;
pub mod schedule;
pub mod stats;
pub mod study;
pub mod table;

pub use batchlab_parsers as parsers;
pub use batchlab_policies as policies;
pub use batchlab_traces as traces;
pub use cli::main_with;
pub use outcome::Outcome;
pub use registry::{RegisterError, Registry};
