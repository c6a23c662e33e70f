//! The extension module `batchlab._batchlab`: what the Python package `batchlab` takes from the library.
//!
//! It is thin. The package is written in Python, and everything that computes is in the crate `batchlab`; here, arguments
//! become options, results become Python's objects, and long work gives way to Python's signals.

use std::ffi::OsString;
use std::io::Write;

use pyo3::prelude::*;

#[pymodule]
mod _batchlab {
    #[pymodule_export]
    use super::main;
}

/// Runs a command line, whose first word is the name of the program, and returns the exit code.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = batchlab::cli::run(&batchlab::Registry::builtin(), words);
        // Python ends the process without the end of Rust's, which would write what is left.
        let _ = std::io::stdout().flush();
        code
    })
}
