//! Claims about results: what a paper, or its author, says of them, checked against what was measured.
//!
//! A [`ClaimSpec`] is read from `[[claim]]` and checked against the experiment's names before anything runs; checking it
//! against a [`crate::analysis::Study`] gives a [`Verdict`] with its reasons in figures.

mod checked;
mod expression;
mod figure;
mod order;
mod places;
mod published;
mod read;
mod spec;
mod table;
mod terms;
mod trend;

pub use checked::{Checked, Part, Survival, Verdict};
pub use expression::{Expression, Term};
pub use order::Order;
pub use places::Places;
pub use published::{Allowed, Published};
pub use spec::{Assertion, ClaimSpec};
pub use table::table;
pub use trend::Trend;
