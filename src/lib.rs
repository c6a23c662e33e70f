//! batchlab, the laboratory for batch schedulers.

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
