//! Logs.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, ScalarBuffer};
use batchlab::lab::{Failure, calls};
use batchlab::parsers::{Input, Output, swf};
use batchlab::traces;
use batchlab::traces::column::Stored;
use batchlab::traces::expr::{FIELDS, FieldInfo};
use batchlab::traces::header::ResourceDeclaration;
use batchlab::traces::shape::Shaped;
use batchlab::traces::{Field, Finding, Findings, Level, Number};
use bytes::Bytes;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zerocopy::IntoBytes;

use crate::frame::{Frame, floats};
use crate::gate;
use crate::raised::exception;
use crate::state::{self, PickledState};
use crate::work::{TypedOptions, work};

#[pyclass(frozen, module = "batchlab._batchlab")]
pub struct Trace {
    trace: Arc<traces::Trace>,
}

/// A finding: its level, its code, its text.
pub type Told = (&'static str, &'static str, String);

/// Logs with the numbers of their parts, which are empty if no step split.
type Parts = Vec<(String, Trace)>;

/// The most serious first.
pub fn told(findings: &Findings) -> Vec<Told> {
    let mut list: Vec<&Finding> = findings.list().iter().collect();
    list.sort_by_key(|finding| std::cmp::Reverse(finding.kind.level));
    list.into_iter()
        .map(|finding| (level(finding.kind.level), finding.kind.code, finding.to_string()))
        .collect()
}

pub fn level(level: Level) -> &'static str {
    match level {
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Loud => "loud",
    }
}

impl Trace {
    fn new(trace: traces::Trace) -> Trace {
        Trace { trace: Arc::new(trace) }
    }

    pub fn shared(&self) -> Arc<traces::Trace> {
        self.trace.clone()
    }

    pub fn to_log(&self) -> traces::Trace {
        traces::Trace::clone(&self.trace)
    }

    fn array(&self, place: Place) -> ArrayRef {
        let column = place.column(&self.trace);
        let rows = self.trace.len();
        if !column.is_whole() {
            let known = |number: Number| (!number.is_unknown()).then(|| number.to_f64());
            return Arc::new(floats(column.iter().map(known)));
        }
        let lent = || Buffer::from(Bytes::from_owner(Lent { trace: self.trace.clone(), place }));
        match column.stored() {
            Stored::Constant(value) => whole(vec![value; rows]),
            Stored::Counted(first) => whole((first..).take(rows).collect()),
            Stored::Narrow(values) => {
                let nulls = nulls(rows, |row| values[row] < 0);
                Arc::new(Int32Array::new(ScalarBuffer::new(lent(), 0, rows), nulls))
            }
            Stored::Wide(values) => {
                let nulls = nulls(rows, |row| values[row] < 0);
                Arc::new(Int64Array::new(ScalarBuffer::new(lent(), 0, rows), nulls))
            }
        }
    }
}

/// Numbers of 32 bits, if they are enough for all.
fn whole(values: Vec<i64>) -> ArrayRef {
    let nulls = nulls(values.len(), |row| values[row] < 0);
    let narrow: Result<Vec<i32>, _> = values.iter().map(|&value| i32::try_from(value)).collect();
    match narrow {
        Ok(narrow) => Arc::new(Int32Array::new(narrow.into(), nulls)),
        Err(_) => Arc::new(Int64Array::new(values.into(), nulls)),
    }
}

fn nulls(rows: usize, is_unknown: impl Fn(usize) -> bool) -> Option<NullBuffer> {
    let any = (0..rows).any(&is_unknown);
    any.then(|| NullBuffer::new(BooleanBuffer::collect_bool(rows, |row| !is_unknown(row))))
}

#[derive(Clone, Copy)]
enum Place {
    Field(Field),
    Resource(usize),
}

impl Place {
    fn column(self, trace: &traces::Trace) -> &traces::Column {
        // Resources are asked for only where they are.
        match self {
            Place::Field(field) => trace.column(field),
            Place::Resource(at) => trace.resource_at(at).unwrap_or_else(|| trace.column(Field::Job)),
        }
    }
}

/// The bytes of a column that Arrow uses where they are; the log lives as long as they are used.
struct Lent {
    trace: Arc<traces::Trace>,
    place: Place,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        match self.place.column(&self.trace).stored() {
            Stored::Constant(_) | Stored::Counted(_) => &[],
            Stored::Narrow(values) => values.as_bytes(),
            Stored::Wide(values) => values.as_bytes(),
        }
    }
}

/// The columns that a frame of jobs may have: name, other names, meaning.
#[pyfunction]
pub fn fields() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    let info = |field: Field| FieldInfo::find(field.key());
    let known = |field: &&FieldInfo| {
        Field::ALL.iter().any(|&own| info(own).is_some_and(|own| own.name == field.name))
    };
    FIELDS.iter().filter(known).map(|field| (field.name, field.aliases.to_vec(), field.meaning)).collect()
}

#[pymethods]
impl Trace {
    #[staticmethod]
    fn read(
        py: Python<'_>,
        path: String,
        options: TypedOptions,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Trace> {
        work(py, options, progress, move |call| call.read(&path)).map(Trace::new)
    }

    /// From columns of float64, each as bytes with the name of its field, and of named resources.
    #[staticmethod]
    fn of_columns(
        py: Python<'_>,
        log_name: String,
        header: Vec<(String, String)>,
        columns: Vec<(String, Vec<u8>)>,
        options: TypedOptions,
    ) -> PyResult<Trace> {
        let text = text(&header, &columns).map_err(PyValueError::new_err)?;
        let read = move |call: &calls::Call<'_>| call.read_from(Input::from_bytes(&log_name, text));
        work(py, options, None, read).map(Trace::new)
    }

    /// From the text in the Standard Workload Format and the state of a log.
    #[staticmethod]
    fn restored(py: Python<'_>, bytes: Vec<u8>, state: PickledState) -> PyResult<Trace> {
        let options = vec![("from".to_owned(), vec!["swf".to_owned()])];
        let name = state.0.0.clone();
        let read = move |call: &calls::Call<'_>| call.read_from(Input::from_bytes(&name, bytes));
        let mut trace = work(py, options, None, read)?;
        state::restore(&mut trace, state);
        Ok(Trace::new(trace))
    }

    /// What a pickle keeps beside the text: origin, history, findings.
    fn state(&self) -> PickledState {
        state::of(&self.trace)
    }

    /// In the Standard Workload Format.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        gate::detached(py, || swf::write(&self.trace, &mut bytes))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// In the Standard Workload Format.
    fn write(&self, py: Python<'_>, path: &str) -> PyResult<()> {
        let written = gate::detached(py, || -> std::io::Result<()> {
            let mut output = Output::create(path)?;
            swf::write(&self.trace, &mut output)?;
            output.commit()
        });
        written.map_err(|error| exception(py, &Failure::writing(path, error)))
    }

    /// Returns the new log, and what each rule did.
    fn clean(&self, py: Python<'_>, rules: String) -> PyResult<(Trace, Vec<String>)> {
        let trace = self.trace.clone();
        let cleaned = work(py, Vec::new(), None, move |_| calls::clean(&trace, &rules))?;
        let lines = calls::cleaning_lines(&cleaned);
        Ok((Trace::new(cleaned.trace), lines))
    }

    /// Returns the new logs with the numbers of their parts, and what each step did.
    fn shape(
        &self,
        py: Python<'_>,
        steps: String,
        options: TypedOptions,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Parts, Vec<String>)> {
        let trace = self.to_log();
        let Shaped { logs, reports } = work(py, options, progress, move |call| call.shape(trace, &steps))?;
        let reports = reports.iter().map(ToString::to_string).collect();
        Ok((logs.into_iter().map(|log| (log.part, Trace::new(log.trace))).collect(), reports))
    }

    fn __len__(&self) -> usize {
        self.trace.len()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.trace.provenance.source.name
    }

    /// Of the file, in hexadecimal.
    #[getter]
    fn sha256(&self) -> &str {
        &self.trace.provenance.source.sha256
    }

    /// Of the machine, as the header states them.
    #[getter]
    fn max_procs(&self) -> Option<i64> {
        self.trace.header.max_procs.as_ref().map(|counted| counted.count)
    }

    /// The further columns that the header declares: their names, and the rest of their declarations.
    #[getter]
    fn resources(&self) -> Vec<(String, String)> {
        let declared = |resource: &ResourceDeclaration| {
            let capacity = resource.capacity.map(|capacity| format!("capacity={capacity}"));
            let scope = format!("scope={}", resource.scope.name());
            let unit = Some(resource.unit.clone()).filter(|unit| !unit.is_empty());
            let words: Vec<String> = unit.into_iter().chain(capacity).chain([scope]).collect();
            (resource.name.clone(), words.join(" "))
        };
        self.trace.header.resources.iter().map(declared).collect()
    }

    fn findings(&self) -> Vec<Told> {
        told(&self.trace.findings)
    }

    /// What was done to the log: name, detail, number of jobs.
    fn steps(&self) -> Vec<(String, String, u64)> {
        let steps = self.trace.provenance.steps.iter();
        steps.map(|step| (step.name.clone(), step.detail.clone(), step.count)).collect()
    }

    /// Whole numbers are used where they are; others are floats.
    fn frame(&self) -> PyResult<Frame> {
        let fields = Field::ALL.iter().map(|&field| (field.key().to_owned(), Place::Field(field)));
        let resources = self.trace.header.resources.iter().enumerate();
        let there = resources.filter(|(at, _)| self.trace.resource_at(*at).is_some());
        let resources = there.map(|(at, resource)| (resource.name.clone(), Place::Resource(at)));
        Frame::new(fields.chain(resources).map(|(name, place)| (name, self.array(place))).collect())
    }
}

/// A log in the Standard Workload Format, with the columns that are not fields behind those of the format, in their
/// order. Its reader checks it like any other.
fn text(header: &[(String, String)], columns: &[(String, Vec<u8>)]) -> Result<Vec<u8>, String> {
    let named = |key: &str| columns.iter().find(|(known, _)| known == key).map(|(_, bytes)| bytes.as_slice());
    let is_further = |name: &str| Field::ALL.iter().all(|field| field.key() != name);
    let further = columns.iter().filter(|(name, _)| is_further(name));
    let written: Vec<(&str, Option<&[u8]>)> = Field::ALL
        .iter()
        .map(|field| (field.key(), named(field.key())))
        .chain(further.map(|(name, bytes)| (name.as_str(), Some(bytes.as_slice()))))
        .collect();
    let rows = columns.iter().map(|(_, bytes)| bytes.len() / size_of::<f64>()).max().unwrap_or(0);
    let mut text = String::new();
    for (key, value) in header {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "; {key}: {value}");
    }
    for row in 0..rows {
        for (at, (name, bytes)) in written.iter().enumerate() {
            let bytes = bytes.and_then(|bytes| bytes.get(size_of::<f64>() * row..)?.first_chunk());
            let value = bytes.map_or(f64::NAN, |bytes| f64::from_ne_bytes(*bytes));
            let number = match value {
                // A frame without numbers of jobs numbers them by its rows.
                value if value.is_nan() && at == 0 => Number::whole(row as i64 + 1),
                value if value.is_nan() => Number::UNKNOWN,
                value if value.abs() < FARTHEST => Number::from_micro((value * 1e6).round() as i64),
                value => return Err(format!("column `{name}`, row {row}: {value} is not a value of a job")),
            };
            let _ = write!(text, "{}{number}", if at == 0 { "" } else { " " });
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// The values that a count of millionths can hold.
const FARTHEST: f64 = 9e12;
