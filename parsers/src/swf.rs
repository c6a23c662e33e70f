//! The Standard Workload Format, version 2.2, and its extension by resource columns.
//!
//! Source: D. G. Feitelson, "The Standard Workload Format", Parallel Workloads Archive; S. J. Chapin et al.,
//! "Benchmarks and Standards for the Evaluation of Parallel Job Schedulers", JSSPP 1999.

mod careful;
mod comments;
mod fields;
mod heading;
mod identities;
mod keys;
mod likeness;
mod reader;
mod values;
mod word;
mod writer;

pub mod csv;
pub mod kinds;
#[cfg(feature = "parquet")]
pub mod parquet;

pub use reader::{Reader, SPEC, read};
pub use writer::{save, write};
