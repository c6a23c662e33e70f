//! Searches for a policy, and what they make best for searches outside of the program.

use std::path::PathBuf;
use std::sync::Arc;

use batchlab::lab::calls::{TuneObjective, UnitRole};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::gate;
use crate::raised::exception;
use crate::work::{TypedOptions, work};

/// Searches as the file of an experiment asks, or a text whose files are relative to its folder; returns the folder of the
/// search, the failures of replays that judge, and what was found in words.
#[pyfunction]
pub fn tune(
    py: Python<'_>,
    path: String,
    text: Option<String>,
    options: TypedOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(PathBuf, Vec<String>, String)> {
    let (done, words) = work(py, options, progress, move |call| call.tune(&path, text))?;
    Ok((done.folder, done.failures.iter().map(ToString::to_string).collect(), words))
}

/// Loads the units of a search.
#[pyfunction]
pub fn objective(
    py: Python<'_>,
    path: String,
    text: Option<String>,
    options: TypedOptions,
) -> PyResult<Objective> {
    let objective = work(py, options, None, move |call| call.objective(&path, text))?;
    Ok(Objective(Arc::new(objective)))
}

#[pyclass(frozen, module = "batchlab._batchlab")]
pub struct Objective(Arc<TuneObjective>);

#[pymethods]
impl Objective {
    /// The names of the space, each with what the file has beside it.
    fn names(&self) -> Vec<(String, Vec<String>)> {
        self.0.names().to_vec()
    }

    fn spec(&self, py: Python<'_>, values: Vec<(String, String)>) -> PyResult<String> {
        self.0.spec(&values).map_err(|failure| exception(py, &failure))
    }

    /// The ratios of the objectives to the baseline, and by how much constraints are broken, on the units that `fit` or `choose`.
    fn evaluate(&self, py: Python<'_>, spec: &str, units: &str) -> PyResult<(Vec<f64>, f64)> {
        let role = match units {
            "fit" => UnitRole::Fit,
            "choose" => UnitRole::Choose,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "units are those that fit or choose, not {units:?}"
                )));
            }
        };
        gate::detached(py, || self.0.evaluate(spec, role)).map_err(|failure| exception(py, &failure))
    }
}
