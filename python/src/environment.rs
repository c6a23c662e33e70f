//! Replays as environments for agents that learn to schedule.

use std::sync::{Arc, Mutex, PoisonError};

use batchlab::environment as native;
use batchlab::replay::Scenario;
use batchlab::traces;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use zerocopy::IntoBytes;

use crate::frame::interface;
use crate::gate;
use crate::replays::Replays;
use crate::trace::Trace;
use crate::work::{TypedOptions, work};

/// What environments are made of, so that the outcome of an episode can be measured.
struct Scene {
    trace: Arc<traces::Trace>,
    options: TypedOptions,
}

impl Scene {
    fn new(trace: &Trace, options: TypedOptions) -> Scene {
        Scene { trace: trace.shared(), options }
    }

    fn scenario(&self, py: Python<'_>) -> PyResult<Scenario> {
        let trace = traces::Trace::clone(&self.trace);
        let prepared = work(py, self.options.clone(), None, move |call| call.prepare(trace))?;
        Ok(prepared.scenario().clone())
    }

    /// What an agent has played, if its episode is over.
    fn played(&self, py: Python<'_>, environment: &native::Environment) -> PyResult<Option<Replays>> {
        let Some(outcome) = environment.outcome().cloned() else { return Ok(None) };
        let (scenario, prefix) = (environment.episode().clone(), environment.prefix());
        let trace = traces::Trace::clone(&self.trace);
        let mut prepared = work(py, self.options.clone(), None, move |call| call.prepare(trace))?;
        prepared.play(scenario, outcome, prefix);
        Ok(Some(Replays::new(prepared)))
    }
}

fn wrong(error: native::EnvironmentError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn of<T>(locked: &mut Mutex<T>) -> &mut T {
    locked.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Options that are not given are at their defaults.
fn settings(given: &Bound<'_, PyDict>) -> PyResult<native::EnvironmentOptions> {
    let mut options = native::EnvironmentOptions::default();
    for (name, value) in given {
        let name: String = name.extract()?;
        match name.as_str() {
            "window" => options.window = value.extract()?,
            "backfill" => options.backfill = value.extract()?,
            "commit" => options.commit = value.extract()?,
            "length" => options.length = value.extract()?,
            "penalty" => options.penalty = value.extract()?,
            "prefix_jobs" => options.prefix_jobs = value.extract()?,
            "patience" => options.patience = value.extract()?,
            "observation" => options.layout = word(&value)?,
            "reward" => options.reward = word(&value)?,
            _ => return Err(PyValueError::new_err(format!("unknown option `{name}`"))),
        }
    }
    Ok(options)
}

fn word<T: std::str::FromStr<Err: std::fmt::Display>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    value.extract::<String>()?.parse().map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}

/// Whatever is not a place of the window becomes the place behind it, which is invalid.
fn action(given: &Bound<'_, PyAny>) -> usize {
    given.extract().unwrap_or(usize::MAX)
}

/// An environment. Python's threads take turns with it, which the lock shows to the compiler; it never waits.
#[pyclass(module = "batchlab._batchlab")]
pub struct Environment {
    replay: Mutex<native::Environment>,
    scene: Scene,
    seen: Vec<f32>,
}

/// A job that has started: number in the log, submission, start, run time, request, processors, user.
type Started = (i64, f64, f64, f64, f64, i64, i64);

/// Observation, reward, whether the episode is over, whether the action was invalid, mask.
type Stepped<'py> = (Bound<'py, PyBytes>, f64, bool, bool, Bound<'py, PyBytes>);

#[pymethods]
impl Environment {
    #[new]
    fn new(
        py: Python<'_>,
        trace: &Trace,
        options: TypedOptions,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<Environment> {
        let (given, scene) = (settings(given)?, Scene::new(trace, options));
        let environment = native::Environment::new(&scene.scenario(py)?, given).map_err(wrong)?;
        let seen = vec![0.0; environment.shape().size()];
        Ok(Environment { replay: Mutex::new(environment), scene, seen })
    }

    #[getter]
    fn actions(&mut self) -> usize {
        self.it().actions()
    }

    /// Rows and columns of the jobs and of the machine in an observation.
    #[getter]
    fn shape(&mut self) -> ([usize; 2], [usize; 2]) {
        let shape = self.it().shape();
        (shape.jobs, shape.machine)
    }

    /// Begins an episode; returns the observation and the mask.
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: Option<u64>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        self.it().reset(seed).map_err(wrong)?;
        Ok((self.observed(py), self.mask(py)))
    }

    fn step<'py>(&mut self, py: Python<'py>, given: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let step = self.it().step(action(given)).map_err(wrong)?;
        Ok((self.observed(py), step.reward, step.terminated, step.invalid, self.mask(py)))
    }

    /// A byte for each action, 1 if it is valid.
    fn mask<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.it().mask().as_bytes())
    }

    /// Positions in the log's jobs: the first, and the one behind the last.
    #[getter]
    fn jobs(&mut self) -> (usize, usize) {
        let jobs = self.it().jobs();
        (jobs.start, jobs.end)
    }

    /// Seconds from the log's zero to the open decision.
    #[getter]
    fn now(&mut self) -> Option<f64> {
        self.it().now().map(traces::Time::secs)
    }

    /// For each job its number in the log, its submission, its request, its processors.
    fn window(&mut self) -> Vec<(i64, f64, f64, i64)> {
        let told = |job: batchlab::policies::JobView<'_>| {
            (job.number(), job.submit().secs(), job.estimate().secs(), job.procs())
        };
        let environment = self.it();
        environment.window().iter().filter_map(|&job| environment.job(job)).map(told).collect()
    }

    fn outcome(&mut self, py: Python<'_>) -> PyResult<Option<Replays>> {
        self.scene.played(py, of(&mut self.replay))
    }

    /// The jobs that have started, without the first `known` of them, in the order of their starts.
    fn starts(&mut self, known: usize) -> Vec<Started> {
        let environment = self.it();
        let jobs = &environment.episode().workload;
        let started = |&(job, start): &(traces::JobId, traces::Time)| {
            let time = traces::Time::secs;
            let [submit, run, estimate] = [jobs.submit(job), jobs.run(job), jobs.estimate(job)].map(time);
            let user = jobs.attribute(job, traces::Field::User);
            (jobs.number(job), submit, start.secs(), run, estimate, jobs.procs(job), user)
        };
        environment.starts().iter().skip(known).map(started).collect()
    }

    #[getter]
    fn procs(&mut self) -> i64 {
        self.it().episode().machine.procs()
    }
}

impl Environment {
    fn it(&mut self) -> &mut native::Environment {
        of(&mut self.replay)
    }

    fn observed<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        of(&mut self.replay).observe(&mut self.seen);
        PyBytes::new(py, self.seen.as_bytes())
    }
}

/// Environments that are stepped together, on all cores.
#[pyclass(module = "batchlab._batchlab")]
pub struct Environments {
    vector: Mutex<native::VectorEnvironment>,
    scene: Scene,
    /// Observations that were given away; those that are free again are used again.
    given: Vec<Arc<Vec<f32>>>,
}

/// Observations of all environments, which NumPy uses where they are, read-only.
#[pyclass(frozen, module = "batchlab._batchlab")]
pub struct Observations {
    values: Arc<Vec<f32>>,
    count: usize,
}

#[pymethods]
impl Observations {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let size = self.values.len() / self.count.max(1);
        interface(py, "f4", self.values.as_ptr() as usize, (self.count, size))
    }
}

/// Observations, masks.
type Seen<'py> = (Observations, Bound<'py, PyBytes>);

/// Observations, rewards (float64), whether episodes are over, whether actions were invalid, masks; each as bytes.
type AllStepped<'py> =
    (Observations, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl Environments {
    #[new]
    fn new(
        py: Python<'_>,
        trace: &Trace,
        options: TypedOptions,
        given: &Bound<'_, PyDict>,
        count: usize,
    ) -> PyResult<Environments> {
        let (given, scene) = (settings(given)?, Scene::new(trace, options));
        let scenario = scene.scenario(py)?;
        let vector =
            gate::detached(py, || native::VectorEnvironment::new(&scenario, &given, count)).map_err(wrong)?;
        Ok(Environments { vector: Mutex::new(vector), scene, given: Vec::new() })
    }

    #[getter]
    fn actions(&mut self) -> usize {
        of(&mut self.vector).environments()[0].actions()
    }

    #[getter]
    fn shape(&mut self) -> ([usize; 2], [usize; 2]) {
        let shape = of(&mut self.vector).environments()[0].shape();
        (shape.jobs, shape.machine)
    }

    /// Begins an episode in each; returns observations and masks.
    fn reset<'py>(&mut self, py: Python<'py>, seed: Option<u64>) -> PyResult<Seen<'py>> {
        let vector = of(&mut self.vector);
        gate::detached(py, || vector.reset(seed)).map_err(wrong)?;
        Ok((self.observed(), self.masks(py)))
    }

    fn step<'py>(&mut self, py: Python<'py>, given: Vec<Bound<'py, PyAny>>) -> PyResult<AllStepped<'py>> {
        let actions: Vec<usize> = given.iter().map(action).collect();
        let vector = of(&mut self.vector);
        gate::detached(py, || vector.step(&actions).map(|_| ())).map_err(wrong)?;
        let steps = vector.steps();
        let rewards: Vec<f64> = steps.iter().map(|step| step.reward).collect();
        let over: Vec<u8> = steps.iter().map(|step| u8::from(step.terminated)).collect();
        let invalid: Vec<u8> = steps.iter().map(|step| u8::from(step.invalid)).collect();
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
        Ok((self.observed(), bytes(rewards.as_bytes()), bytes(&over), bytes(&invalid), self.masks(py)))
    }

    fn outcome(&mut self, py: Python<'_>, at: usize) -> PyResult<Option<Replays>> {
        let Some(environment) = of(&mut self.vector).environments().get(at) else { return Ok(None) };
        self.scene.played(py, environment)
    }
}

impl Environments {
    fn observed(&mut self) -> Observations {
        let free = self.given.iter().position(|given| Arc::strong_count(given) == 1);
        let vector = of(&mut self.vector);
        let reused = free.and_then(|at| Arc::try_unwrap(self.given.swap_remove(at)).ok());
        let mut values = reused.unwrap_or_else(|| vec![0.0; vector.observations().len()]);
        vector.swap_observations(&mut values);
        let values = Arc::new(values);
        self.given.retain(|given| Arc::strong_count(given) == 1);
        self.given.push(values.clone());
        Observations { values, count: vector.environments().len() }
    }

    fn masks<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, of(&mut self.vector).masks().as_bytes())
    }
}
