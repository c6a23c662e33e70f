//! Integration tests of the readers and writers.
#![allow(clippy::print_stderr, reason = "a skipped test says why")]

mod broken_logs;
mod properties;
mod real_logs;
