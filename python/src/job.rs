//! A job as a policy in Python sees it: that of the module `batchlab_policy`, natively.

use batchlab::policies::external::{FACTS, ToldJob};
use batchlab::traces::Time;
use batchlab::traces::workload::Milestone;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

#[pyclass(frozen, module = "batchlab._batchlab")]
pub struct Job {
    told: ToldJob,
}

impl Job {
    pub fn new(told: ToldJob) -> Job {
        Job { told }
    }

    pub fn told(&self) -> &ToldJob {
        &self.told
    }

    fn fact(&self, name: &str) -> Option<i64> {
        FACTS.iter().position(|(_, known)| *known == name).and_then(|at| self.told.facts[at])
    }

    pub fn need(&self, kind: usize) -> i64 {
        self.told.demand.get(kind).copied().unwrap_or(self.told.procs)
    }

    pub fn kinds(&self) -> usize {
        self.told.demand.len().max(1)
    }
}

#[pymethods]
impl Job {
    #[getter]
    fn job(&self) -> u32 {
        self.told.job.0
    }
    #[getter]
    fn number(&self) -> i64 {
        self.told.number
    }
    #[getter]
    fn submit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        seconds(py, self.told.submit)
    }
    #[getter]
    fn estimate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        seconds(py, self.told.estimate)
    }
    #[getter]
    fn procs(&self) -> i64 {
        self.told.procs
    }
    #[getter]
    fn task_procs(&self) -> i64 {
        self.told.task_procs
    }
    #[getter]
    fn smaller_tasks(&self) -> Option<i64> {
        self.told.smaller_tasks
    }
    #[getter]
    fn tasks_per_node(&self) -> Option<i64> {
        self.told.tasks_per_node
    }
    #[getter]
    fn exclusive(&self) -> bool {
        self.told.exclusive
    }
    #[getter]
    fn demand(&self) -> Vec<i64> {
        if self.told.demand.is_empty() { vec![self.told.procs] } else { self.told.demand.clone() }
    }
    #[getter]
    fn memory(&self) -> Option<i64> {
        self.told.memory
    }
    #[getter]
    fn run<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.told.run.map(|run| seconds(py, run)).transpose()
    }
    #[getter]
    fn user(&self) -> Option<i64> {
        self.fact("user")
    }
    #[getter]
    fn group(&self) -> Option<i64> {
        self.fact("group")
    }
    #[getter]
    fn executable(&self) -> Option<i64> {
        self.fact("executable")
    }
    #[getter]
    fn queue(&self) -> Option<i64> {
        self.fact("queue")
    }
    #[getter]
    fn partition(&self) -> Option<i64> {
        self.fact("partition")
    }
    #[getter]
    fn smaller_procs(&self) -> Option<i64> {
        self.told.smaller_procs
    }
    #[getter]
    fn even(&self) -> Vec<i64> {
        self.told.even.clone()
    }
    #[getter]
    fn sites(&self) -> Option<Vec<Vec<usize>>> {
        Some(self.told.sites.as_ref()?.iter().map(|&(first, last)| vec![first, last]).collect())
    }
    #[getter]
    fn after(&self) -> Vec<(&'static str, i64)> {
        let word = |milestone| match milestone {
            Milestone::Start => "start",
            Milestone::End => "end",
        };
        self.told.after.iter().map(|before| (word(before.milestone), before.number)).collect()
    }

    /// Its tasks, smaller ones included.
    fn count(&self) -> i64 {
        let ToldJob { procs, task_procs, .. } = self.told;
        let task = task_procs.max(1);
        let smaller = self.told.smaller_tasks.unwrap_or(i64::from(procs % task > 0));
        let of_each = self.told.smaller_procs.unwrap_or(procs % task);
        (procs - smaller * of_each) / task + smaller
    }

    /// What it holds of a resource on a node with some of its processors, if it shares its nodes.
    pub fn held(&self, kind: usize, procs: i64) -> i64 {
        let need = self.need(kind);
        if self.told.even.contains(&(kind as i64)) {
            rounded_up(need, self.count())
        } else {
            rounded_up(need.saturating_mul(procs), self.told.procs)
        }
    }

    fn __repr__(&self) -> String {
        format!("<job {}: {} processors for {} s>", self.told.number, self.told.procs, self.told.estimate)
    }
}

/// A time as policies have it: whole seconds are `int`, others `float`.
pub fn seconds(py: Python<'_>, time: Time) -> PyResult<Bound<'_, PyAny>> {
    const SECOND: i64 = Time::SECOND.ticks();
    Ok(match time.ticks() % SECOND {
        0 => (time.ticks() / SECOND).into_pyobject(py)?.into_any(),
        _ => PyFloat::new(py, time.secs()).into_any(),
    })
}

/// Rounded to the nearest microsecond.
pub fn time(given: &Bound<'_, PyAny>) -> PyResult<Time> {
    if given.is_exact_instance_of::<PyInt>() {
        return Ok(Time::from_secs(given.extract()?));
    }
    let seconds: f64 = given.extract()?;
    if seconds.is_finite() {
        Ok(Time::from_secs_f64(seconds))
    } else {
        Err(PyValueError::new_err(format!("{seconds} is no time")))
    }
}

pub fn rounded_up(amount: i64, parts: i64) -> i64 {
    let parts = parts.max(1);
    amount.div_euclid(parts) + i64::from(amount.rem_euclid(parts) > 0)
}
