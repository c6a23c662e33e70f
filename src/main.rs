//! The program. Everything is in the library, so that a user's crate can build its own program with further policies.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    batchlab::main_with(&batchlab::Registry::builtin())
}
