//! What is fuzzed: one function for each target, which panics when something does not hold.
//!
//! The gate calls the same functions with the kept corpora (`tests/fuzz.rs`), so nothing here needs a fuzzer.

use std::sync::atomic::{AtomicU64, Ordering};

pub mod targets;

/// Calls a target and counts executions and bytes; now and then their sums go into the file that `FUZZ_COUNT` names,
/// as a fuzzer counts no bytes.
pub fn counted(target: &str, bytes: &[u8]) {
    static EXECUTIONS: AtomicU64 = AtomicU64::new(0);
    static BYTES: AtomicU64 = AtomicU64::new(0);
    targets::run(target, bytes);
    let executions = EXECUTIONS.fetch_add(1, Ordering::Relaxed) + 1;
    let sum = BYTES.fetch_add(bytes.len() as u64, Ordering::Relaxed) + bytes.len() as u64;
    if executions.is_multiple_of(100)
        && let Some(file) = std::env::var_os("FUZZ_COUNT")
    {
        // A count that cannot be written is no reason to stop.
        let _ = std::fs::write(file, format!("{executions} {sum}\n"));
    }
}
