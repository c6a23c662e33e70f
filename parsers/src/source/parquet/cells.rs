//! The values of a column as texts.

use std::fmt::Write;

use chrono::{DateTime, Days, NaiveDate};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::ColumnDescriptor;

/// The most digits behind the point that a decimal has.
const SCALE: u32 = 38;

/// The meaning of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The value of the physical type.
    Plain,
    /// A number without a sign in an integer.
    Unsigned,
    /// Days since 1970.
    Day,
    /// Parts of a second since 1970, in UTC or in a local time.
    Instant { per_second: i64, is_utc: bool },
    /// An integer with a point before this many digits.
    Decimal(u32),
}

impl Kind {
    /// Returns the kind of a column; none if it has no text here.
    pub fn of(column: &ColumnDescriptor) -> Option<Kind> {
        if column.max_rep_level() > 0 || column.path().parts().len() != 1 {
            return None;
        }
        let kind = logical(column).or_else(|| converted(column)).unwrap_or(Kind::Plain);
        let is_decimal = matches!(kind, Kind::Decimal(_));
        (column.physical_type() != Type::FIXED_LEN_BYTE_ARRAY || is_decimal).then_some(kind)
    }
}

fn logical(column: &ColumnDescriptor) -> Option<Kind> {
    Some(match column.logical_type_ref()? {
        LogicalType::Date => Kind::Day,
        LogicalType::Timestamp(stamp) => {
            let per_second = match stamp.unit {
                TimeUnit::MILLIS => 1_000,
                TimeUnit::MICROS => 1_000_000,
                TimeUnit::NANOS => 1_000_000_000,
            };
            Kind::Instant { per_second, is_utc: stamp.is_adjusted_to_u_t_c }
        }
        LogicalType::Integer(int) if !int.is_signed => Kind::Unsigned,
        LogicalType::Decimal(decimal) => decimal_of(decimal.scale),
        _ => Kind::Plain,
    })
}

/// What files of older writers say.
fn converted(column: &ColumnDescriptor) -> Option<Kind> {
    Some(match column.converted_type() {
        ConvertedType::DATE => Kind::Day,
        ConvertedType::TIMESTAMP_MILLIS => Kind::Instant { per_second: 1_000, is_utc: true },
        ConvertedType::TIMESTAMP_MICROS => Kind::Instant { per_second: 1_000_000, is_utc: true },
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
            Kind::Unsigned
        }
        ConvertedType::DECIMAL => decimal_of(column.type_scale()),
        _ => return None,
    })
}

fn decimal_of(scale: i32) -> Kind {
    Kind::Decimal(u32::try_from(scale).unwrap_or(0).min(SCALE))
}

/// Texts in a row, each with its end.
#[derive(Default)]
pub struct Cells {
    text: String,
    ends: Vec<usize>,
}

impl Cells {
    /// Returns the text of a row, empty for a missing value.
    pub fn get(&self, row: usize) -> &str {
        let begin = row.checked_sub(1).and_then(|row| self.ends.get(row)).copied().unwrap_or(0);
        self.ends.get(row).and_then(|&end| self.text.get(begin..end)).unwrap_or("")
    }

    /// Reads the next rows of a column.
    pub fn read(
        &mut self,
        reader: &mut ColumnReader,
        column: &ColumnDescriptor,
        kind: Kind,
        rows: usize,
    ) -> Result<()> {
        self.text.clear();
        self.ends.clear();
        let mut next = Next { cells: self, rows, is_optional: column.max_def_level() > 0 };
        match reader {
            ColumnReader::BoolColumnReader(reader) => next.read(reader, |text, value| show(text, value)),
            ColumnReader::Int32ColumnReader(reader) => next.read(reader, |text, &value| match kind {
                Kind::Unsigned => show(text, value.cast_unsigned()),
                _ => whole(text, kind, value.into()),
            }),
            ColumnReader::Int64ColumnReader(reader) => {
                next.read(reader, |text, &value| whole(text, kind, value))
            }
            ColumnReader::Int96ColumnReader(reader) => {
                let kind = Kind::Instant { per_second: 1_000_000_000, is_utc: false };
                next.read(reader, |text, value| whole(text, kind, value.to_nanos()))
            }
            ColumnReader::FloatColumnReader(reader) => next.read(reader, |text, value| show(text, value)),
            ColumnReader::DoubleColumnReader(reader) => next.read(reader, |text, value| show(text, value)),
            ColumnReader::ByteArrayColumnReader(reader) => {
                next.read(reader, |text, value| bytes(text, kind, value.data()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                next.read(reader, |text, value| bytes(text, kind, value.data()))
            }
        }
    }
}

struct Next<'a> {
    cells: &'a mut Cells,
    rows: usize,
    is_optional: bool,
}

impl Next<'_> {
    fn read<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        mut show: impl FnMut(&mut String, &T::T),
    ) -> Result<()> {
        let (mut values, mut levels, mut done) = (Vec::new(), Vec::new(), 0);
        while done < self.rows {
            let (records, ..) =
                reader.read_records(self.rows - done, Some(&mut levels), None, &mut values)?;
            if records == 0 {
                return Err(ParquetError::EOF("a column is shorter than its row group".into()));
            }
            done += records;
        }
        let mut values = values.iter();
        for row in 0..self.rows {
            let is_there = !self.is_optional || levels.get(row).is_some_and(|&level| level > 0);
            if let Some(value) = if is_there { values.next() } else { None } {
                show(&mut self.cells.text, value);
            }
            self.cells.ends.push(self.cells.text.len());
        }
        Ok(())
    }
}

fn show(text: &mut String, value: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{value}");
}

fn whole(text: &mut String, kind: Kind, value: i64) {
    match kind {
        Kind::Plain => show(text, value),
        Kind::Unsigned => show(text, value.cast_unsigned()),
        Kind::Decimal(scale) => decimal(text, scale, value.into()),
        Kind::Day => {
            let epoch = NaiveDate::default();
            let days = Days::new(value.unsigned_abs());
            let day = if value < 0 { epoch.checked_sub_days(days) } else { epoch.checked_add_days(days) };
            if let Some(day) = day {
                show(text, day);
            }
        }
        Kind::Instant { per_second, is_utc } => {
            let nanos = value.rem_euclid(per_second) * (1_000_000_000 / per_second);
            let instant = DateTime::from_timestamp(value.div_euclid(per_second), nanos as u32);
            let form = if is_utc { "%Y-%m-%d %H:%M:%S%.fZ" } else { "%Y-%m-%d %H:%M:%S%.f" };
            if let Some(instant) = instant {
                show(text, instant.format(form));
            }
        }
    }
}

fn bytes(text: &mut String, kind: Kind, bytes: &[u8]) {
    match kind {
        Kind::Decimal(scale) => {
            let Some(&first) = bytes.first().filter(|_| bytes.len() <= 16) else { return };
            let sign = if first & 0x80 == 0 { 0 } else { -1 };
            decimal(text, scale, bytes.iter().fold(sign, |value: i128, &byte| value << 8 | i128::from(byte)));
        }
        _ => text.push_str(&String::from_utf8_lossy(bytes)),
    }
}

fn decimal(text: &mut String, scale: u32, value: i128) {
    let sign = if value < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale as usize + 1);
    let (whole, part) = digits.split_at(digits.len() - scale as usize);
    let point = if part.is_empty() { "" } else { "." };
    let _ = write!(text, "{sign}{whole}{point}{part}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: Kind, value: i64) -> String {
        let mut text = String::new();
        whole(&mut text, kind, value);
        text
    }

    #[test]
    fn numbers_mean_what_the_schema_says() {
        let instant = |per_second, is_utc| Kind::Instant { per_second, is_utc };
        assert_eq!(text(instant(1_000, true), 1_600_000_000_500), "2020-09-13 12:26:40.500Z");
        assert_eq!(text(instant(1_000_000, false), -1), "1969-12-31 23:59:59.999999");
        assert_eq!(text(instant(1_000_000_000, false), 1_600_000_000_000_000_000), "2020-09-13 12:26:40");
        assert_eq!(text(Kind::Day, 366), "1971-01-02");
        assert_eq!(text(Kind::Day, -1), "1969-12-31");
        assert_eq!(text(Kind::Unsigned, -1), u64::MAX.to_string());
        assert_eq!(text(Kind::Decimal(2), -5), "-0.05");
        assert_eq!(text(Kind::Decimal(0), 12), "12");
        let mut small = String::new();
        bytes(&mut small, Kind::Decimal(1), &[0xff, 0x85]);
        assert_eq!(small, "-12.3");
    }

    #[test]
    fn instants_out_of_reach_are_unknown() {
        assert_eq!(text(Kind::Instant { per_second: 1_000, is_utc: true }, i64::MAX), "");
        assert_eq!(text(Kind::Day, i64::MIN), "");
    }
}
