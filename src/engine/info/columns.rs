//! Columns of tables about logs: a registry, one entry per column.

mod registry;
mod value;

use crate::table::{Cell, Format, TimeUnit, Unit};

use super::Info;
use batchlab_traces::nearest::{meant, nearest};

pub use registry::COLUMNS;

#[derive(Debug)]
pub struct LogColumn {
    /// Name, as `--columns` takes it and files show it.
    pub key: &'static str,
    /// Heading for readers, without the unit.
    pub heading: &'static str,
    pub kind: ValueKind,
    /// Its definition, in one exact sentence.
    pub definition: &'static str,
    /// Its source, or where the log contains it.
    pub cite: &'static str,
    /// Returns its value; [`Cell::Empty`] if the log does not contain it.
    pub value: fn(&Info) -> Cell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Text,
    /// A whole number of something.
    Count,
    /// A number without a unit, such as a mean number of processors.
    Number,
    Ratio,
    /// A share of 1, printed in per cent.
    Share,
    Seconds,
    Days,
    /// Months of 365.25 / 12 days.
    Months,
    ProcessorHours,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no column is called `{given}`{}; see `batchlab list facts`", meant(nearest(.given, COLUMNS.iter().map(|column| column.key))))]
pub struct UnknownColumn {
    pub given: String,
}

impl LogColumn {
    pub fn find(key: &str) -> Result<&'static LogColumn, UnknownColumn> {
        let column = COLUMNS.iter().find(|column| column.key == key);
        column.ok_or_else(|| UnknownColumn { given: key.into() })
    }

    /// Returns the columns of a list such as `log,jobs,load`; `all` stands for all columns.
    pub fn select(list: &str) -> Result<Vec<&'static LogColumn>, UnknownColumn> {
        let mut columns = Vec::new();
        for key in list.split(',').map(str::trim) {
            match key {
                "all" => columns.extend(COLUMNS),
                key => columns.push(LogColumn::find(key)?),
            }
        }
        Ok(columns)
    }
}

impl ValueKind {
    /// Returns the format of numbers; `None` for text.
    pub fn format(self) -> Option<Format> {
        let of = |unit| Format::of(unit, TimeUnit::Seconds);
        let plain = |unit, most_decimals| Format { unit, most_decimals, significant: 3, ..Format::PLAIN };
        Some(match self {
            ValueKind::Text => return None,
            ValueKind::Count => of(Unit::Count),
            ValueKind::Ratio => plain("", 2),
            ValueKind::Share => Format { scale: 100.0, ..plain("%", 1) },
            ValueKind::Seconds => plain("s", 1),
            ValueKind::Days => plain("d", 1),
            ValueKind::Number | ValueKind::Months => plain("", 1),
            ValueKind::ProcessorHours => plain("h", 0),
        })
    }

    /// Returns the unit of the values in files, in words.
    pub const fn unit(self) -> &'static str {
        match self {
            ValueKind::Text => "none: words",
            ValueKind::Count | ValueKind::Number => "none: a count",
            ValueKind::Ratio => "none: a ratio",
            ValueKind::Share => "fraction",
            ValueKind::Seconds => "s",
            ValueKind::Days => "d",
            ValueKind::Months => "months",
            ValueKind::ProcessorHours => "processor-hours",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::sorted::SortedSet;

    #[test]
    fn every_column_has_a_name_of_its_own_and_a_definition() {
        let keys: SortedSet<&str> = COLUMNS.iter().map(|column| column.key).collect();
        assert_eq!(keys.len(), COLUMNS.len());
        for column in COLUMNS {
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit();
            assert!(column.key.bytes().all(is_plain), "{}", column.key);
            assert!(!column.heading.is_empty() && !column.definition.is_empty() && !column.cite.is_empty());
        }
    }

    #[test]
    fn columns_are_chosen_by_name_and_unknown_ones_name_the_nearest() {
        let keys = |list| -> Vec<&str> {
            LogColumn::select(list).unwrap().iter().map(|column| column.key).collect()
        };
        assert_eq!(keys("log, jobs"), ["log", "jobs"]);
        assert_eq!(keys("all").len(), COLUMNS.len());
        let error = LogColumn::select("log,job").unwrap_err().to_string();
        assert_eq!(error, "no column is called `job` (did you mean `jobs`?); see `batchlab list facts`");
    }
}
