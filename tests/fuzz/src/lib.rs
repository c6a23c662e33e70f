//! The fuzzed functions, one for each target; a function panics if a property does not hold.
//!
//! The gate calls the same functions with the stored corpora (`tests/fuzz.rs`), so this crate needs no fuzzer.

use std::sync::atomic::{AtomicU64, Ordering};

pub mod targets;

/// Calls a target and counts executions and bytes. At intervals, it writes the totals to the file that
/// `FUZZ_COUNT` names, because a fuzzer does not count bytes.
pub fn counted(target: &str, bytes: &[u8]) {
    static EXECUTIONS: AtomicU64 = AtomicU64::new(0);
    static BYTES: AtomicU64 = AtomicU64::new(0);
    targets::run(target, bytes);
    let executions = EXECUTIONS.fetch_add(1, Ordering::Relaxed) + 1;
    let sum = BYTES.fetch_add(bytes.len() as u64, Ordering::Relaxed) + bytes.len() as u64;
    if executions.is_multiple_of(100)
        && let Some(file) = std::env::var_os("FUZZ_COUNT")
    {
        // A count that cannot be written does not stop the run.
        let _ = std::fs::write(file, format!("{executions} {sum}\n"));
    }
}
