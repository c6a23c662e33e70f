//! What is asked of many replays: experiments, and what their results show.
//!
//! * [`experiment`]: many replays from one file into a folder, here or on a cluster.
//! * [`study`]: what results show, and what may mislead in them.
//! * [`conform`]: tests whether a policy keeps the rules.
//! * [`tune`]: the search for a policy, and what of it holds on units that it has not seen.

#![forbid(unsafe_code)]
// No API for others: what the name of a field or function says is not said again, and errors are sentences for users.
#![allow(missing_docs, clippy::missing_errors_doc)]

pub mod conform;
pub mod experiment;
pub mod study;
pub mod tune;
