//! Replays of a log.

use std::path::PathBuf;
use std::sync::Arc;

use batchlab::experiment::detail::Extent;
use batchlab::lab::Failure;
use batchlab::lab::calls;
use batchlab::report::plots::Colour;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::frame::Frame;
use crate::gate;
use crate::raised::exception;
use crate::trace::{Told, Trace, level, told};
use crate::work::{TypedOptions, work};

/// A row of a table: its label, its values.
type Row = (String, Vec<Option<f64>>);

#[pyclass(frozen, module = "batchlab._batchlab")]
pub struct Replays {
    replays: Arc<calls::Replays>,
}

#[pyfunction]
pub fn replay(
    py: Python<'_>,
    trace: &Trace,
    policy: String,
    options: TypedOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Replays> {
    let log = trace.to_log();
    let replays = work(py, options, progress, move |call| call.replay(log, &policy))?;
    Ok(Replays::new(replays))
}

#[pyfunction]
pub fn compare(
    py: Python<'_>,
    trace: &Trace,
    policies: Vec<String>,
    options: TypedOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Replays> {
    let log = trace.to_log();
    let replays = work(py, options, progress, move |call| call.compare(log, &policies))?;
    Ok(Replays::new(replays))
}

/// Runs the experiment of a file, or of a text whose files are relative to its folder; returns the folder of its results,
/// and the failures of replays.
#[pyfunction]
pub fn experiment(
    py: Python<'_>,
    path: String,
    text: Option<String>,
    options: TypedOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(PathBuf, Vec<String>)> {
    let done = work(py, options, progress, move |call| call.experiment(&path, text))?;
    Ok((done.folder, done.failures.iter().map(ToString::to_string).collect()))
}

impl Replays {
    pub fn new(replays: calls::Replays) -> Replays {
        Replays { replays: Arc::new(replays) }
    }

    fn made<T: Send>(
        &self,
        py: Python<'_>,
        make: impl FnOnce(&calls::Replays) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        gate::detached(py, || make(&self.replays)).map_err(|failure| exception(py, &failure))
    }

    fn check(&self, at: usize) -> PyResult<()> {
        let count = self.replays.labels().len();
        if at < count { Ok(()) } else { Err(PyIndexError::new_err(format!("policy {at} of {count}"))) }
    }
}

#[pymethods]
impl Replays {
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.replays.labels()
    }

    fn findings(&self) -> Vec<Told> {
        told(self.replays.findings())
    }

    /// What may mislead in the comparison, as findings.
    fn pitfalls(&self) -> Vec<Told> {
        let told = |pitfall: &batchlab::study::pitfalls::Pitfall| {
            (level(pitfall.spec.level), pitfall.spec.code, pitfall.in_short())
        };
        self.replays.pitfalls().iter().map(told).collect()
    }

    /// Keys of the metrics, and rows of labels and values.
    fn rows(&self, py: Python<'_>) -> PyResult<(Vec<String>, Vec<Row>)> {
        let (keys, rows) = self.made(py, calls::Replays::rows)?;
        Ok((keys, rows.into_iter().map(|row| (row.label, row.values)).collect()))
    }

    fn table(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        self.made(py, |replays| replays.table(form))
    }

    fn metrics(&self, py: Python<'_>, at: usize) -> PyResult<Vec<(String, Option<f64>)>> {
        self.check(at)?;
        self.made(py, |replays| replays.metrics(at))
    }

    /// All columns if none are named.
    fn frame(&self, py: Python<'_>, at: usize, columns: Option<&str>) -> PyResult<Frame> {
        self.check(at)?;
        Frame::of_schedule(self.made(py, |replays| replays.columns(at, columns))?)
    }

    fn write(&self, py: Python<'_>, at: usize, path: &str, columns: Option<&str>) -> PyResult<()> {
        self.check(at)?;
        self.made(py, |replays| replays.write_schedule(at, path, columns))
    }

    /// The rules that the schedule of a policy breaks.
    fn verify(&self, py: Python<'_>, at: usize) -> PyResult<Vec<String>> {
        self.check(at)?;
        self.made(py, |replays| Ok(replays.verify(at).iter().map(ToString::to_string).collect()))
    }

    /// The jobs of a policy, between two times in seconds after the first submission.
    fn gantt(
        &self,
        py: Python<'_>,
        at: usize,
        between: Option<(f64, Option<f64>)>,
        colour: &str,
    ) -> PyResult<String> {
        self.check(at)?;
        let extent = between.map_or(Extent::Whole, |(from, to)| Extent::Between(from, to));
        let colour = match colour {
            "user" => Colour::User,
            "width" => Colour::Width,
            "class" => Colour::Class,
            _ => Colour::None,
        };
        self.made(py, |replays| replays.gantt(at, extent, colour))
    }

    fn utilization(&self, py: Python<'_>, policies: Vec<usize>) -> PyResult<String> {
        policies.iter().try_for_each(|&at| self.check(at))?;
        self.made(py, |replays| replays.utilization(policies))
    }

    fn decisions(&self, at: usize) -> PyResult<u64> {
        self.check(at)?;
        Ok(self.replays.outcome(at).decisions)
    }
}
