//! The conformance suite: tests of the rules for all policies: built-in ones, those of a user's crate, plug-ins.
//!
//! [`cases()`] draws small logs for all kinds of machines; they depend on the seed only, not on the policy. Each of the
//! [`CHECKS`] tries them on a policy in isolation, so a panic of the policy is a finding too. A failure is demonstrated by a
//! [`Case`], reduced as far as possible, as a log that reproduces it.

mod attempt;
mod case;
mod cases;
mod checks;
pub mod junit;
mod report;
mod same;
mod shrink;
mod suite;
mod tally;

pub use attempt::{Miss, Play, Played, Trial, is_of_batsim};
pub use case::Case;
pub use cases::{Kinds, Scenes, cases};
pub use checks::{CHECKS, Check};
pub use report::{CheckReport, ConformanceReport, Found, Skip, Status, Witness};
pub use suite::{Footprint, Suite};
pub use tally::Tally;
