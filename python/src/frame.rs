//! Frames: named columns of equal length, as Arrow and NumPy take them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use batchlab::schedule::ColumnValues;
use batchlab::traces::Time;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

/// Columns with names. It is an Arrow stream of one batch: what takes `__arrow_c_stream__` takes it without a copy.
#[pyclass(frozen, module = "batchlab._batchlab")]
pub struct Frame {
    batch: RecordBatch,
}

/// A column. NumPy takes numbers without a copy (`__array_interface__`), read-only; the array keeps the column alive.
#[pyclass(frozen, module = "batchlab._batchlab")]
pub struct Column {
    array: ArrayRef,
}

impl Frame {
    pub fn new(columns: Vec<(String, ArrayRef)>) -> PyResult<Frame> {
        let field = |(name, array): &(String, ArrayRef)| Field::new(name, array.data_type().clone(), true);
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(Arc::new(schema), arrays).map_err(|error| wrong(&error))?;
        Ok(Frame { batch })
    }

    /// Seconds as floats, unknown values as nulls. Text columns without any value are left out.
    pub fn of_schedule(columns: Vec<(&'static str, ColumnValues)>) -> PyResult<Frame> {
        let told = |(name, values): (&str, ColumnValues)| Some((name.to_owned(), array(values)?));
        Frame::new(columns.into_iter().filter_map(told).collect())
    }
}

fn array(values: ColumnValues) -> Option<ArrayRef> {
    match values {
        ColumnValues::Whole(values) => Some(Arc::new(Int64Array::from(values))),
        ColumnValues::Time(times) => Some(Arc::new(floats(times.iter().map(|time| time.map(Time::secs))))),
        ColumnValues::Ratio(values) => Some(Arc::new(floats(values.into_iter()))),
        ColumnValues::Text(texts) if texts.iter().all(Option::is_none) => None,
        ColumnValues::Text(texts) => Some(Arc::new(StringArray::from(texts))),
    }
}

/// Unknown values are null for Arrow, and not-a-number for NumPy, which does not see nulls.
pub fn floats(values: impl Iterator<Item = Option<f64>>) -> Float64Array {
    let (plain, known): (Vec<f64>, Vec<bool>) =
        values.map(|value| (value.unwrap_or(f64::NAN), value.is_some())).unzip();
    let nulls = known.contains(&false).then(|| known.into());
    Float64Array::new(plain.into(), nulls)
}

/// What NumPy needs to use numbers where they are, read-only (NumPy's array interface, version 3).
pub fn interface<'py>(
    py: Python<'py>,
    kind: &str,
    address: usize,
    shape: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let order = if cfg!(target_endian = "big") { '>' } else { '<' };
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("shape", shape)?;
    interface.set_item("typestr", format!("{order}{kind}"))?;
    interface.set_item("data", (address, true))?;
    Ok(interface)
}

fn wrong(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Frame {
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn column(&self, name: &str) -> PyResult<Column> {
        let array = self.batch.column_by_name(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        Ok(Column { array: array.clone() })
    }

    /// Arrow PyCapsule interface. No other schema can be requested.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to ignore a request that is not understood.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    #[getter]
    fn is_text(&self) -> bool {
        self.array.data_type() == &DataType::Utf8
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let array = &self.array;
        let (kind, address) = match array.data_type() {
            DataType::Int32 => ("i4", array.as_primitive::<Int32Type>().values().as_ptr() as usize),
            DataType::Int64 => ("i8", array.as_primitive::<Int64Type>().values().as_ptr() as usize),
            DataType::Float64 => ("f8", array.as_primitive::<Float64Type>().values().as_ptr() as usize),
            other => return Err(PyTypeError::new_err(format!("a column of {other} is no array of numbers"))),
        };
        interface(py, kind, address, (array.len(),))
    }

    /// A byte for each value, 1 if it is unknown; `None` if all are known.
    fn unknown<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let nulls = self.array.nulls().filter(|nulls| nulls.null_count() > 0)?;
        let bytes: Vec<u8> = nulls.iter().map(|is_known| u8::from(!is_known)).collect();
        Some(PyBytes::new(py, &bytes))
    }

    fn texts(&self) -> PyResult<Vec<Option<String>>> {
        let texts = self.array.as_string_opt::<i32>();
        let texts = texts.ok_or_else(|| PyTypeError::new_err("the column has numbers"))?;
        Ok(texts.iter().map(|text| text.map(str::to_owned)).collect())
    }
}
