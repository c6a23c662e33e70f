//! All integration tests of the root package, in one binary.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "test helpers stop at the first surprise, and say why a test was skipped"
)]

mod additions;
mod claims;
mod cleaning;
mod cmd;
mod conform;
mod engine;
mod environment;
mod experiments;
mod fidelity;
mod fuzz;
mod lab;
mod metrics;
mod models;
mod mutations;
mod papers;
mod pitfalls;
mod plugins;
mod properties;
mod python;
mod ratchets;
mod readme;
mod recomputed;
mod report;
mod scenarios;
mod stats;
