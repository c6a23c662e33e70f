//! The parts that policies are composed of, and the policies that specs can name; a crate above lists the built-in ones. What a
//! policy may see and do is [`batchlab_contract`]; policies from outside the program are [`external`]. Both are found here, too.
//!
//! * [`mod@registry`]: the policies that specs can name, built in or of a user's crate.
//! * [`capacity`]: capacity that comes and goes, around any policy.
//! * All others are parts: orders, queues, profiles, host rules, books.

// Fields and functions whose names say all need no line, errors that their types name no section: no crate outside of this
// repository builds on these parts.
#![allow(missing_docs, clippy::missing_errors_doc)]
#![forbid(unsafe_code)]

pub mod amounts;
pub mod books;
pub mod bounds;
pub mod by_job;
pub mod capacity;
pub mod closures;
pub mod computed;
pub mod costs;
pub mod draft;
pub mod estimates;
pub mod expressions;
pub mod factor;
pub mod foreseen;
pub mod front;
pub mod hosts;
pub mod keeper;
pub mod kinds;
pub mod ledger;
pub mod matrix;
mod names;
pub mod order;
pub mod outlook;
pub mod params;
pub mod plan;
pub mod predictor;
pub mod profile;
pub mod queue;
pub mod registry;
pub mod releases;
pub mod score;
pub mod select;
pub mod shapes;
pub mod similar;
pub mod spaces;
pub mod standing;
pub mod starts;
pub mod tree;
pub mod wait_limit;
pub mod walk;
pub mod window;

pub use batchlab_contract::*;
pub use batchlab_external as external;
pub use batchlab_external::serve;
