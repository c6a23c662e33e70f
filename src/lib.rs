//! batchlab, the laboratory for batch schedulers.

#![forbid(unsafe_code)]

pub mod analysis;
mod as_text;
pub mod calibration;
pub mod capability;
pub mod citation;
pub mod claims;
pub mod cli;
pub mod conform;
pub mod contest;
pub mod diff;
pub mod engine;
pub mod experiment;
pub mod explain;
pub mod figure;
pub mod info;
pub mod metrics;
pub mod moment;
pub mod outcome;
pub mod page;
pub mod pitfalls;
pub mod plot;
pub mod publication;
pub mod registry;
pub mod report;
pub mod schedule;
pub mod slurm;
pub mod stats;
pub mod verify;

pub use batchlab_parsers as parsers;
pub use batchlab_policies as policies;
pub use batchlab_traces as traces;
pub use cli::main_with;
pub use outcome::Outcome;
pub use registry::{RegisterError, Registry};
