//! The built-in scheduling policies. What a policy may see and do is [`batchlab_contract`]; policies from outside the program
//! are [`external`]. Both are found here, too.
//!
//! * [`mod@registry`]: the policies that specs can name, built in or of a user's crate.
//! * [`support`]: the parts of which policies are made: orders, queues, profiles, host rules, books.
//! * [`queue`], [`backfill`]: policies without and with reservations.
//! * [`aida`], [`leinberger`], [`setia`], [`sheikhalishahi`], [`zhang`]: policies of papers, by first author.
//! * [`capacity`]: capacity that comes and goes, around any policy.

pub mod aida;
pub mod backfill;
pub mod capacity;
pub mod leinberger;
pub mod queue;
pub mod registry;
pub mod setia;
pub mod sheikhalishahi;
pub mod support;
pub mod zhang;

pub use batchlab_contract::*;
pub use batchlab_external as external;
pub use batchlab_external::serve;
pub use registry::Registry;
