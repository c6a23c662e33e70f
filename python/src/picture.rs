//! Plots as files of several forms.

use batchlab::plot::Picture;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::gate;

/// The bytes of a plot in the form of a file of this name: SVG, PDF or PNG.
#[pyfunction]
pub fn picture<'py>(py: Python<'py>, svg: &str, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    let made = gate::detached(py, || Picture::of(name).and_then(|form| form.bytes(svg)));
    Ok(PyBytes::new(py, &made.map_err(PyValueError::new_err)?))
}
