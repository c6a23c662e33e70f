//! What is asked of many replays: experiments, what their results show, and what is published of them.
//!
//! * [`experiment`]: many replays from one file into a folder, here or on a cluster.
//! * [`study`]: what results show, and what may mislead in them.
//! * [`report`]: verdict, tables, plots, claims, the page, the works to cite.
//! * [`paper`]: papers reproduced from folders of experiments, and the page about their claims.
//! * [`conform`]: tests whether a policy keeps the rules.

#![forbid(unsafe_code)]
// No API for others: what the name of a field or function says is not said again, and errors are sentences for users.
#![allow(missing_docs, clippy::missing_errors_doc)]

pub mod conform;
pub mod experiment;
pub mod paper;
pub mod report;
pub mod study;
