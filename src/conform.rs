//! The conformance suite: what every policy must keep to, built in, of a user's crate or from outside.
//!
//! [`cases()`] draws small logs on all kinds of machines, the same for the same seed whatever the policy. Each of the
//! [`CHECKS`] tries them on a policy, contained: a panic of the policy is a finding too. What does not hold is shown by a
//! [`Case`] that was made as small as could be, as a log that replays it. To add a check: one file, and one line in
//! [`CHECKS`].

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

pub use attempt::{Miss, Play, Played, Trial};
pub use case::Case;
pub use cases::{Kinds, cases};
pub use checks::{CHECKS, Check};
pub use report::{CheckReport, ConformanceReport, Found, Skip, Status, Witness};
pub use suite::{Footprint, Suite};
pub use tally::Tally;
