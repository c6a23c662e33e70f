//! A log as a table of Parquet (feature `parquet`): the columns of `csv`, and the comments as metadata. It reads back to the same log.

use std::io::{self, Write};
use std::sync::Arc;

use batchlab_traces::{Field, Number, Trace};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use crate::source::parquet::{COMMENTS, failed};
use crate::swf::csv;

const ROWS: usize = 1 << 16;

/// Millionths up to which a decimal is the only one with six places near its float.
const EXACT: u64 = 1 << 52;

/// The type of a column: the simplest that has all its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Whole,
    Float,
    Text,
}

impl Width {
    fn of(numbers: impl Iterator<Item = Number>) -> Width {
        let mut width = Width::Whole;
        let mut is_exact = true;
        for number in numbers {
            if number.micro {
                width = Width::Float;
            }
            is_exact &= number.to_micro().unsigned_abs() < EXACT;
        }
        if width == Width::Float && !is_exact { Width::Text } else { width }
    }

    fn described(self, name: &str) -> Result<Type> {
        let (physical, logical) = match self {
            Width::Whole => (Physical::INT64, None),
            Width::Float => (Physical::DOUBLE, None),
            Width::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    }

    fn write(self, column: &mut SerializedColumnWriter<'_>, numbers: &[Number]) -> Result<()> {
        let levels: Vec<i16> = numbers.iter().map(|&number| i16::from(number != Number::UNKNOWN)).collect();
        let known = numbers.iter().filter(|&&number| number != Number::UNKNOWN);
        match self {
            Width::Whole => {
                let values: Vec<i64> = known.map(|number| number.value).collect();
                column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
            }
            Width::Float => {
                let values: Vec<f64> = known.map(|number| number.to_f64()).collect();
                column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
            }
            Width::Text => {
                let values: Vec<ByteArray> = known.map(|number| number.to_string().as_str().into()).collect();
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
        }
        Ok(())
    }
}

/// Writes a log as a table of Parquet with the columns of `csv`, packed by Snappy; the same log gives the same bytes.
pub fn write(trace: &Trace, out: &mut (impl Write + Send)) -> io::Result<()> {
    write_table(trace, out).map_err(failed)
}

fn write_table(trace: &Trace, out: &mut (impl Write + Send)) -> Result<()> {
    let names = csv::names(&trace.header);
    let widths: Vec<Width> = (0..names.len())
        .map(|column| Width::of((0..trace.len()).map(|row| cell(trace, row, column))))
        .collect();
    let fields = names.iter().zip(&widths).map(|(name, width)| width.described(name).map(Arc::new));
    let schema = Type::group_type_builder("log").with_fields(fields.collect::<Result<_>>()?).build()?;
    let comments = KeyValue::new(COMMENTS.into(), csv::comments(&trace.header).join("\n"));
    let properties = WriterProperties::builder()
        .set_created_by(concat!("batchlab ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(vec![comments]))
        .build();
    let mut writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
    for first in (0..trace.len()).step_by(ROWS) {
        let rows = first..trace.len().min(first + ROWS);
        let mut group = writer.next_row_group()?;
        let mut at = 0;
        while let Some(mut column) = group.next_column()? {
            let numbers: Vec<Number> = rows.clone().map(|row| cell(trace, row, at)).collect();
            widths[at].write(&mut column, &numbers)?;
            column.close()?;
            at += 1;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

/// Returns a value of a log: a field, or a resource behind the fields.
fn cell(trace: &Trace, row: usize, column: usize) -> Number {
    match Field::ALL.get(column) {
        Some(&field) => trace.get(row, field),
        None => match trace.resource_at(column - Field::ALL.len()) {
            Some(resource) => Number::whole(resource.whole(row)),
            None => Number::UNKNOWN,
        },
    }
}
