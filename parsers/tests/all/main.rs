//! Integration tests of the readers and writers.
#![allow(clippy::print_stderr, reason = "a skipped test says why")]

mod real_logs;
