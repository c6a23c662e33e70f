//! What is published of experiments.
//!
//! * [`report`]: verdict, tables, plots, claims, the page, the works to cite.
//! * [`paper`]: papers reproduced from folders of experiments, and the page about their claims.

#![forbid(unsafe_code)]
// No API for others: what the name of a field or function says is not said again, and errors are sentences for users.
#![allow(missing_docs, clippy::missing_errors_doc)]

pub mod paper;
pub mod report;
