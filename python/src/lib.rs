//! The extension module `batchlab._batchlab`: what the Python package `batchlab` takes from the library.
//!
//! It is thin. The package is written in Python, and everything that computes is in the crate `batchlab`; here, arguments
//! become options, results become Python's objects, and long work gives way to Python's signals.

#![forbid(unsafe_code)]

mod frame;
mod replays;
mod trace;
mod work;

use std::ffi::OsString;
use std::io::Write;
use std::sync::LazyLock;

use batchlab::Registry;
use pyo3::prelude::*;

/// The policies, formats and metrics of this process.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::builtin);

#[pymodule]
mod _batchlab {
    #[pymodule_export]
    use super::frame::{Column, Frame};
    #[pymodule_export]
    use super::main;
    #[pymodule_export]
    use super::replays::{Replays, compare, experiment, replay};
    #[pymodule_export]
    use super::trace::{Trace, fields};
    /// The version of the library.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}

/// Runs a command line, whose first argument is the name of the program, and returns the exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = batchlab::cli::run(&REGISTRY, arguments);
        // Python ends the process without the end of Rust's, which would write what is left.
        let _ = std::io::stdout().flush();
        code
    })
}
