//! The built-in scheduling policies. The parts of which they are made are [`support`], what a policy may see and do is the
//! crate `batchlab-contract`, and policies from outside the program are [`external`]. All are found here, too.
//!
//! * [`mod@registry`]: the policies that specs can name, built in or of a user's crate.
//! * [`queue`], [`backfill`]: policies without and with reservations.
//! * [`aida`], [`leinberger`], [`setia`], [`sheikhalishahi`], [`zhang`]: policies of papers, by first author.

// No API for others but the registry: names that say all need no line, errors that their types name no section.
#![allow(missing_docs, clippy::missing_errors_doc)]

pub mod aida;
pub mod backfill;
pub mod leinberger;
pub mod queue;
pub mod registry;
pub mod setia;
pub mod sheikhalishahi;
pub mod zhang;

pub use batchlab_contract::*;
pub use batchlab_support::{self as support, capacity, external, serve};
pub use registry::Registry;
