//! Policies and orders in Python, in this process.

use std::sync::Arc;

use batchlab::policies::external::{
    About, Asked, Asks, Begin, Conversation, Fault, GuestKind, Library, ParamValue, Verb, devices_json,
    machine_json,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::course::Course;
use crate::frame::interface;
use crate::raised::exception;
use crate::registry;
use crate::turn::Turn;

/// Registers a class whose values decide or rank, under the name in its description. An order gets whole columns as arrays if
/// `by_column`, else the values of one job at a time.
#[pyfunction]
pub fn register(py: Python<'_>, about: &str, class: Py<PyAny>, by_column: bool) -> PyResult<()> {
    let wrong = |why: String| PyValueError::new_err(why);
    let about = About::parse(about).map_err(wrong)?.remove(0);
    about.params().map_err(wrong)?;
    let hosted = Hosted { class, asks: about.asks(), kind: about.kind, by_column };
    registry::add(about, hosted).map_err(|error| exception(py, &error.into()))
}

#[derive(Debug)]
pub struct Hosted {
    class: Py<PyAny>,
    asks: Asks,
    kind: GuestKind,
    by_column: bool,
}

#[derive(Debug)]
pub struct Guest {
    pub hosted: Arc<Hosted>,
    pub course: Arc<Course>,
}

impl Library for Guest {
    fn begin(&self, begin: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        self.course.guest(|py| self.hosted.begun(py, begin, &self.course))
    }
}

impl Hosted {
    fn begun(
        &self,
        py: Python<'_>,
        begin: &Begin<'_>,
        course: &Arc<Course>,
    ) -> PyResult<Box<dyn Conversation>> {
        let course = Arc::clone(course);
        let policy = self.class.bind(py).call0()?;
        let given = PyDict::new(py);
        for (name, value) in begin.params {
            match value {
                // As in a message, where whole numbers have no point.
                ParamValue::Number(number) => given.set_item(name, plain(py, *number)?)?,
                ParamValue::Word(word) => given.set_item(name, word)?,
            }
        }
        let mut told = machine_json(begin.setting);
        if let (true, Some(devices)) = (self.asks.devices, devices_json(begin.setting)) {
            told["devices"] = devices;
        }
        let told = py.import("json")?.call_method1("loads", (told.to_string(),))?;
        let machine = py.import("batchlab_policy")?.call_method1("Machine", (told,))?;
        policy.setattr("given", given)?;
        policy.setattr("machine", &machine)?;
        policy.call_method0("begin")?;
        let end = policy.getattr("end")?.unbind();
        if self.kind == GuestKind::Policy {
            let turn = Turn::new(py, machine.unbind(), begin.setting.machine, self.asks.devices)?;
            let decide = policy.getattr("decide")?.unbind();
            return Ok(Box::new(Deciding { decide, end, turn: Py::new(py, turn)?, course }));
        }
        let ranking = if self.by_column {
            let numpy = py.import("numpy")?;
            let to_array = numpy.getattr("asarray")?.unbind();
            let to_floats = numpy.getattr("ascontiguousarray")?.unbind();
            let float = numpy.call_method1("dtype", ("float64",))?.unbind();
            Ranking::Columns { scores: policy.getattr("scores")?.unbind(), to_array, to_floats, float }
        } else {
            Ranking::Jobs { score: policy.getattr("score")?.unbind() }
        };
        Ok(Box::new(Scoring { ranking, end, course }))
    }
}

/// As in a message: a whole number is an `int`.
fn plain(py: Python<'_>, number: f64) -> PyResult<Bound<'_, PyAny>> {
    Ok(if number.fract() == 0.0 && number.abs() < 1e15 {
        (number as i64).into_pyobject(py)?.into_any()
    } else {
        number.into_pyobject(py)?.into_any()
    })
}

struct Deciding {
    decide: Py<PyAny>,
    end: Py<PyAny>,
    turn: Py<Turn>,
    course: Arc<Course>,
}

impl Conversation for Deciding {
    fn order(&mut self, _: &mut Vec<f64>, _: usize, _: &mut Vec<f64>) -> Result<(), Fault> {
        Err(Fault::GaveUp("it decides, and gives no scores".into()))
    }

    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault> {
        self.course.guest(|py| {
            let turn = self.turn.bind(py);
            turn.borrow_mut().begin(py, asked)?;
            self.decide.call1(py, (turn,))?;
            verbs.clear();
            verbs.extend_from_slice(turn.borrow().verbs());
            Ok(())
        })
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.course.guest(|py| self.end.call0(py).map(drop))
    }
}

struct Scoring {
    ranking: Ranking,
    end: Py<PyAny>,
    course: Arc<Course>,
}

enum Ranking {
    /// Job by job.
    Jobs { score: Py<PyAny> },
    /// By whole columns, as arrays.
    Columns { scores: Py<PyAny>, to_array: Py<PyAny>, to_floats: Py<PyAny>, float: Py<PyAny> },
}

impl Conversation for Scoring {
    fn order(&mut self, columns: &mut Vec<f64>, rows: usize, scores: &mut Vec<f64>) -> Result<(), Fault> {
        scores.clear();
        self.course.guest(|py| self.ranking.score(py, columns, rows, scores))?;
        match scores.iter().position(|score| score.is_nan()) {
            Some(row) => {
                let why = format!("the score of job {} of {rows} is not a number", row + 1);
                Err(Fault::Answer { during: "score", why })
            }
            None => Ok(()),
        }
    }

    fn decide(&mut self, _: &Asked<'_, '_>, _: &mut Vec<Verb>) -> Result<(), Fault> {
        Err(Fault::GaveUp("it gives scores, and decides nothing".into()))
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.course.guest(|py| self.end.call0(py).map(drop))
    }
}

impl Ranking {
    fn score(
        &self,
        py: Python<'_>,
        columns: &mut Vec<f64>,
        rows: usize,
        scores: &mut Vec<f64>,
    ) -> PyResult<()> {
        match self {
            Ranking::Jobs { score } => {
                for row in 0..rows {
                    let values = columns.iter().skip(row).step_by(rows).map(|&value| plain(py, value));
                    let values = PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)?;
                    let given = score.bind(py).call1(values)?;
                    let number = given.extract().map_err(|_| no_number(&given, "score"))?;
                    scores.push(number);
                }
                Ok(())
            }
            Ranking::Columns { scores: of_all, to_array, to_floats, float } => {
                let all = Arc::new(std::mem::take(columns));
                let given = {
                    // A row of the matrix is a column.
                    let matrix = to_array.bind(py).call1((Values { all: all.clone(), rows },))?;
                    let arrays: Vec<Bound<'_, PyAny>> = matrix.try_iter()?.collect::<PyResult<_>>()?;
                    of_all.bind(py).call1(PyTuple::new(py, arrays)?)?
                };
                let floats = to_floats.bind(py).call1((&given, float));
                let floats = floats.map_err(|_| no_number(&given, "scores"))?;
                let shape: Vec<usize> = floats.getattr("shape")?.extract()?;
                if shape != [rows] {
                    let shape = floats.getattr("shape")?;
                    return Err(PyValueError::new_err(format!(
                        "scores of shape {shape} for {rows} jobs: one number for each is wanted"
                    )));
                }
                let bytes = floats.call_method0("tobytes")?.cast_into::<PyBytes>()?;
                let (words, _) = bytes.as_bytes().as_chunks();
                scores.extend(words.iter().map(|word| f64::from_ne_bytes(*word)));
                drop((given, floats));
                // An array that was kept keeps the values; otherwise they are used again.
                *columns = Arc::try_unwrap(all).unwrap_or_default();
                Ok(())
            }
        }
    }
}

fn no_number(given: &Bound<'_, PyAny>, method: &str) -> PyErr {
    let kind = given.get_type().name().map_or_else(|_| "something else".into(), |name| name.to_string());
    PyTypeError::new_err(format!("{method} returned {kind}: a number for each job is wanted"))
}

/// Columns of values, which NumPy uses where they are, read-only. They stay as long as an array of them.
#[pyclass(frozen, module = "batchlab._batchlab")]
struct Values {
    all: Arc<Vec<f64>>,
    rows: usize,
}

#[pymethods]
impl Values {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = self.all.len().checked_div(self.rows).unwrap_or(0);
        interface(py, "f8", self.all.as_ptr() as usize, (columns, self.rows))
    }
}
