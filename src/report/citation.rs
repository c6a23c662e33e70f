//! What a publication that uses the results must cite and keep: references, acknowledgements, hashes, and
//! everything needed to reproduce the results.
//!
//! Each policy, model, step, rule and metric names its source in a text. [`works`] holds the works with all
//! bibliographic fields and finds them in those texts; a [`Bibliography`] lists what an experiment used; an
//! [`artifact`] packs the results folder into one file.

pub mod artifact;
pub mod bibliography;
mod page;
#[cfg(test)]
mod tests;
mod used;
pub mod work;
pub mod works;

pub use bibliography::{Bibliography, Reference};
pub use work::{Kind, Work};
