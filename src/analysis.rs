//! Results to what may be said of them: estimates, contrasts to a baseline, families of tests, ranks.
//!
//! A [`Study`] reads a [`crate::experiment::Frame`] and asks [`crate::stats`]; nothing is worked out twice. Policies are
//! compared paired by unit, since the same unit means the same jobs. What cannot be said is a [`Reason`] in words.

mod across;
mod contrast;
mod crossing;
mod estimate;
mod family;
pub mod multiverse;
mod ranking;
mod reason;
mod study;
pub mod who;

pub use across::Across;
pub use contrast::{Contrast, Verdict};
pub use crossing::{Climb, Crossed, Ends};
pub use estimate::Estimate;
pub use family::{Answer, Family, Quantity, Question};
pub use ranking::Ranking;
pub use reason::Reason;
pub use study::Study;
