//! What a publication that uses results owes: references, thanks, hashes, and everything that is needed to make them
//! again.
//!
//! Policies, models, steps, rules and metrics each say in words where they come from. [`works`] has the works with all
//! bibliographic fields and finds them in those words; a [`Bibliography`] has what an experiment used; an [`artifact`] is
//! its folder as one file.

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
