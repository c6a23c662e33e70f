//! Tests of `batchlab replay` that compute what they expect, follow a log, or read real ones; all others are in `scripts`.

mod follow;
mod options;
mod pitfalls;
mod requeues;
