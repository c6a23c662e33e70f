//! The extension module `batchlab._batchlab`: what the Python package `batchlab` takes from the library.
//!
//! It is thin. The package is written in Python, and everything that computes is in the crate `batchlab`; here, arguments
//! become options, results become Python's objects, and long work gives way to Python's signals.

#![forbid(unsafe_code)]
#![allow(clippy::needless_pass_by_value, reason = "arguments of Python functions are owned")]

mod course;
mod environment;
mod frame;
mod gate;
mod guest;
mod job;
mod picture;
mod raised;
mod registry;
mod replays;
mod state;
mod trace;
mod tuning;
mod turn;
mod work;

use std::ffi::OsString;
use std::io::Write;

use batchlab::lab::calls::{Verb, option_list};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use work::{TypedOptions, work};

#[pymodule]
mod _batchlab {
    #[pymodule_export]
    use super::environment::{Environment, Environments};
    #[pymodule_export]
    use super::frame::{Column, Frame};
    #[pymodule_export]
    use super::gate::{close, forked, hold};
    #[pymodule_export]
    use super::guest::register;
    #[pymodule_export]
    use super::job::Job;
    #[pymodule_export]
    use super::picture::picture;
    #[pymodule_export]
    use super::replays::{Replays, compare, experiment, replay};
    #[pymodule_export]
    use super::trace::{Trace, fields};
    #[pymodule_export]
    use super::tuning::{Objective, objective, tune};
    #[pymodule_export]
    use super::turn::Turn;
    #[pymodule_export]
    use super::{main, options};
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}

/// An option: its name, the placeholder of its value, its help, its default.
type Optional = (String, &'static str, String, Option<&'static str>);

/// In the order of the help of the verb.
#[pyfunction]
fn options(verb: &str) -> PyResult<Vec<Optional>> {
    let known = Verb::ALL.iter().find(|(name, _)| *name == verb);
    let Some(&(_, verb)) = known else { return Err(PyValueError::new_err(format!("unknown verb `{verb}`"))) };
    let list = option_list(verb).into_iter();
    Ok(list.map(|option| (option.name, option.value, option.help, option.default)).collect())
}

/// Runs a command line, whose first argument is the name of the program, and returns the exit code. `is_program`: the
/// process is the program, and signals end it; otherwise they raise exceptions of Python, as elsewhere.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>, is_program: bool) -> PyResult<u8> {
    work(py, TypedOptions::new(), None, move |call| {
        let code = if is_program {
            batchlab::run(call.registry, arguments)
        } else {
            batchlab::run_within(call.registry, arguments)
        };
        // Python ends the process without the end of Rust's, which would write what is left.
        let _ = std::io::stdout().flush();
        Ok(code)
    })
}
