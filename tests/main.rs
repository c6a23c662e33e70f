//! All integration tests of the laboratory, in one binary.

// Test helpers outside of test functions stop at the first surprise, and say why a test was skipped.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod cmd;
mod engine;
mod fidelity;
mod lab;
mod metrics;
mod mutations;
mod properties;
mod readme;
mod report;
mod scenarios;
