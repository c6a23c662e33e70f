//! Answers: JSON, and columns of numbers as bytes.

use batchlab::lab::Failure;
use serde::Serialize;
use serde_json::{Value, json};

/// An answer.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// A JSON text: `{"made": …}` or `{"failed": {"code": …, "text": …}}`.
    pub json: Vec<u8>,
    /// The bytes that the JSON text describes.
    pub bytes: Vec<u8>,
}

/// A column of numbers in the bytes of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    name: &'static str,
    /// The name of its typed array.
    kind: &'static str,
    /// The first byte, a multiple of 8.
    at: usize,
    /// The number of values.
    len: usize,
}

/// Columns of numbers.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    list: Vec<Column>,
    bytes: Vec<u8>,
}

impl Columns {
    /// Adds a column of floating-point numbers.
    pub fn floats(&mut self, name: &'static str, values: impl Iterator<Item = f64>) {
        self.add(name, ("Float64Array", 8), values.map(f64::to_le_bytes));
    }

    /// Adds a column of whole numbers.
    pub fn wholes(&mut self, name: &'static str, values: impl Iterator<Item = u32>) {
        self.add(name, ("Uint32Array", 4), values.map(u32::to_le_bytes));
    }

    /// Adds a column of small numbers.
    pub fn small(&mut self, name: &'static str, values: impl Iterator<Item = u8>) {
        self.add(name, ("Uint8Array", 1), values.map(|value| [value]));
    }

    fn add<const N: usize>(
        &mut self,
        name: &'static str,
        (kind, size): (&'static str, usize),
        values: impl Iterator<Item = [u8; N]>,
    ) {
        // Typed arrays begin at multiples of the size of their values.
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let at = self.bytes.len();
        values.for_each(|value| self.bytes.extend_from_slice(&value));
        let len = (self.bytes.len() - at) / size;
        self.list.push(Column { name, kind, at, len });
    }

    /// Returns the answer that has these columns beside a value.
    pub fn with(self, value: &impl Serialize) -> Answer {
        Answer { bytes: self.bytes, ..made(&json!({ "columns": self.list, "value": value })) }
    }
}

/// Returns the answer that has a text as its bytes.
pub fn text(text: impl Into<Vec<u8>>) -> Answer {
    Answer { bytes: text.into(), ..made(&Value::Null) }
}

/// Returns the answer with a value.
pub fn made(value: &impl Serialize) -> Answer {
    written(&json!({ "made": value }))
}

/// Returns the answer that says why there is none.
pub fn failed(failure: &Failure) -> Answer {
    written(&json!({ "failed": { "code": failure.code(), "text": failure.to_string() } }))
}

fn written(value: &Value) -> Answer {
    Answer { json: value.to_string().into_bytes(), bytes: Vec::new() }
}
