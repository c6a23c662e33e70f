//! Jobs by the names given by their batch system.

use std::fmt;
use std::str::FromStr;

use super::Trace;
use crate::field::Field;

/// A job's name in its batch system: `150`, a task of an array `123_4` (`123[4]`, `123.4`), a component of a
/// heterogeneous job `123+1`. A server name after a dot (`150.pbs01`) is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnId {
    number: i64,
    task: Option<i64>,
    offset: Option<i64>,
}

/// A text that is not a job's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a job id such as 150, 123_4, 123[4] or 123+1")]
pub struct OwnIdError(String);

/// Why a name does not identify a job.
#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfound {
    #[error("no job of the log has the id {0}")]
    None(OwnId),
    #[error("{id} is the id of {parts} jobs of the log: give one of them, such as id:{example}")]
    Whole { id: OwnId, parts: usize, example: OwnId },
}

impl FromStr for OwnId {
    type Err = OwnIdError;

    fn from_str(text: &str) -> Result<OwnId, OwnIdError> {
        OwnId::parse(text).ok_or_else(|| OwnIdError(text.into()))
    }
}

impl OwnId {
    fn parse(text: &str) -> Option<OwnId> {
        let (number, rest) = leading(text)?;
        let plain = OwnId { number, task: None, offset: None };
        let (Some(sign), inner) = (rest.chars().next(), rest.get(1..).unwrap_or_default()) else {
            return Some(plain);
        };
        let (part, rest) = match (sign, leading(inner)) {
            ('_' | '[' | '-' | '+' | '.', Some(part)) => part,
            // A server's name.
            ('.', None) => return Some(plain),
            _ => return None,
        };
        match (sign, rest.strip_prefix(']').unwrap_or(rest)) {
            ('+', "") => Some(OwnId { offset: Some(part), ..plain }),
            ('_', rest) if rest.starts_with('+') => {
                let (offset, rest) = leading(&rest[1..])?;
                rest.is_empty().then_some(OwnId { task: Some(part), offset: Some(offset), ..plain })
            }
            ('_' | '[' | '-' | '.', "") => Some(OwnId { task: Some(part), ..plain }),
            ('[' | '-', server) if server.starts_with('.') => Some(OwnId { task: Some(part), ..plain }),
            // A server that begins with a digit, such as an address.
            ('.', _) => Some(plain),
            _ => None,
        }
    }
}

/// Splits off the whole number at the beginning of a text.
fn leading(text: &str) -> Option<(i64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    Some((number.parse().ok()?, rest))
}

impl fmt::Display for OwnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        if let Some(task) = self.task {
            write!(f, "_{task}")?;
        }
        if let Some(offset) = self.offset {
            write!(f, "+{offset}")?;
        }
        Ok(())
    }
}

impl Trace {
    /// Returns the name that its batch system gave the job of a row; `None` if it is the job's number.
    pub fn own_id(&self, row: usize) -> Option<OwnId> {
        let value = |name: &str| self.stated(row, name);
        let number = self.get(row, Field::Job).truncated();
        let plain = |number| OwnId { number, task: None, offset: None };
        let id = match (value("array"), value("het_job")) {
            (Some(array), _) => {
                OwnId { task: value("array_task"), offset: value("het_offset"), ..plain(array) }
            }
            (None, Some(whole)) => OwnId { offset: value("het_offset"), ..plain(whole) },
            (None, None) => plain(value("id")?),
        };
        (id != plain(number)).then_some(id)
    }

    /// Returns the rows of the job with a batch system's name, in the order of the log: several if the job
    /// ran several times. Logs without the columns `id`, `array` and `het_job` have only job numbers. O(n).
    ///
    /// # Errors
    /// When no job has the name, or it is that of an array or a heterogeneous job.
    pub fn rows_of(&self, id: OwnId) -> Result<Vec<usize>, Unfound> {
        let value = |name: &str, row: usize| self.stated(row, name);
        let own = |row: usize| match self.resource("id") {
            Some(column) => column.whole(row),
            None => self.get(row, Field::Job).truncated(),
        };
        let is_part = |row: usize| {
            let task = id.task.is_none_or(|task| value("array_task", row) == Some(task));
            let offset = id.offset.is_none_or(|offset| value("het_offset", row) == Some(offset));
            let whole = if id.task.is_some() { "array" } else { "het_job" };
            value(whole, row) == Some(id.number) && task && offset
        };
        let all = |fits: &dyn Fn(usize) -> bool| (0..self.len()).filter(|&row| fits(row)).collect::<Vec<_>>();
        let found = match id {
            OwnId { task: None, offset: None, number } => all(&|row| own(row) == number),
            _ => all(&is_part),
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let parts = all(&|row| ["array", "het_job"].iter().any(|whole| value(whole, row) == Some(id.number)));
        let named = |row: usize| OwnId {
            number: id.number,
            task: value("array_task", row),
            offset: value("het_offset", row),
        };
        match parts.first() {
            Some(&row) if id.task.is_none() && id.offset.is_none() => {
                Err(Unfound::Whole { id, parts: parts.len(), example: named(row) })
            }
            _ => Err(Unfound::None(id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_writes_its_own_form() {
        let shown = |text: &str| text.parse::<OwnId>().unwrap().to_string();
        for (text, id) in [
            ("150", "150"),
            ("150.pbs01", "150"),
            ("150.10.0.0.1", "150"),
            ("123_4", "123_4"),
            ("123[4]", "123_4"),
            ("123[4].pbs01", "123_4"),
            ("123-4.pbs01", "123_4"),
            ("123.4", "123_4"),
            ("123+1", "123+1"),
            ("123_4+1", "123_4+1"),
        ] {
            assert_eq!(shown(text), id, "{text}");
        }
        for wrong in ["", "x", "12x", "123_", "123_x", "-1", "12_[3-5]", "12_3_4", "12+1+2"] {
            assert!(wrong.parse::<OwnId>().is_err(), "{wrong}");
        }
    }
}
