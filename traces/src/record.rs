//! One line of a log, without corrections.

use crate::field::{FIELDS, Field};
use crate::number::Number;

/// The content of one line of a log about one job, or about one part of a job.
///
/// A reader reuses the same record for every line, so that nothing is allocated per line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The values, in whole units, or in millionths if `micro` has the field's bit.
    pub values: [i64; FIELDS],
    /// One bit per field: set when the value counts millionths.
    pub micro: u32,
    /// Values of the extra resources that the log declares, in the declared order.
    pub extra: Vec<i64>,
    /// Line in the file, from 1; 0 if there is no file.
    pub line: u32,
}

impl Default for Record {
    fn default() -> Record {
        Record { values: [-1; FIELDS], micro: 0, extra: Vec::new(), line: 0 }
    }
}

impl Record {
    /// Returns a field's value.
    pub fn get(&self, field: Field) -> Number {
        Number { value: self.values[field.index()], micro: self.micro >> field.index() & 1 == 1 }
    }

    /// Sets a field's value.
    pub fn set(&mut self, field: Field, number: Number) {
        self.values[field.index()] = number.value;
        self.micro = self.micro & !(1 << field.index()) | (number.micro as u32) << field.index();
    }

    /// Sets a field to a whole value.
    pub fn set_whole(&mut self, field: Field, value: i64) {
        self.set(field, Number::whole(value));
    }
}

/// A consumer of records: a trace under construction, a writer, a counter.
pub trait RecordSink {
    /// Takes one record; the reader reuses it afterwards.
    fn record(&mut self, record: &Record);
}
