//! The program: everything is in the library, so that a crate with policies of its own can be the program too.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    batchlab::main_with(&batchlab::Registry::builtin())
}
