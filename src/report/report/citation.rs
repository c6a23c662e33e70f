//! What a publication that uses the results must cite and keep: references, acknowledgements, hashes, and
//! everything needed to reproduce the results.
//!
//! Each policy, order, model, step, rule and metric has a
//! [`Citation`](batchlab_traces::Citation), which names its works by key; the tables of an experiment say which
//! [`Statistic`](crate::report::tables::Statistic)s they show. [`works`] holds the works with all bibliographic fields,
//! and finds in words those that plug-ins name. A [`Bibliography`] lists what an experiment used; an [`artifact`] packs
//! the results folder into one file.

#[cfg(feature = "artifact")]
pub mod artifact;
pub mod bibliography;
mod page;
#[cfg(test)]
mod tests;
mod used;
pub mod work;
pub mod works;

pub use bibliography::{Bibliography, Reference};
pub use work::{PublishedWork, WorkKind};
