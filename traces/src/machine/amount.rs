//! Amounts of resources as users write them: `16`, `64GB`.

use std::fmt;
use std::str::FromStr;

use crate::notation::size;

/// The bytes of a KB: memory without a unit is counted in it.
const KB: f64 = 1024.0;

/// An amount of a resource, with or without a unit of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    number: f64,
    /// The size of the unit in bytes; `None` for a plain count.
    size: Option<f64>,
}

/// A text that is not an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an amount such as 16 or 64GB")]
pub struct AmountError(String);

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Amount, AmountError> {
        let error = || AmountError(text.into());
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let size = match &text[digits.len()..] {
            "" => None,
            unit => Some(size::unit(unit).ok_or_else(error)? as f64),
        };
        let number: f64 = digits.trim_end().parse().map_err(|_| error())?;
        if number >= 0.0 && number * (size.unwrap_or(1.0) / KB).max(1.0) < 9e18 {
            Ok(Amount { number, size })
        } else {
            Err(error())
        }
    }
}

impl Amount {
    /// Returns a plain count.
    pub fn count(number: f64) -> Amount {
        Amount { number, size: None }
    }

    /// Whether it has a unit of memory.
    pub fn has_unit(self) -> bool {
        self.size.is_some()
    }

    /// Returns the amount in whole units of a resource, rounded down, so that it never exceeds what was
    /// stated. `None` if the amount has a unit of memory and the resource is not counted in one.
    pub fn in_units_of(self, unit: &str) -> Option<i64> {
        let factor = match self.size {
            None => 1.0,
            Some(size) if unit.is_empty() || unit == "-" => size / KB,
            Some(size) => size / size::unit(unit)? as f64,
        };
        Some((self.number * factor) as i64)
    }
}

/// An amount in whole units, with its unit, if any.
pub struct Shown<'a>(pub i64, pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(amount, unit) = self;
        // Headers write `-` as the unit of a plain count.
        if unit.is_empty() || *unit == "-" { write!(f, "{amount}") } else { write!(f, "{amount} {unit}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_converted_to_the_unit_of_the_resource() {
        let amount = |text: &str, unit| text.parse::<Amount>().unwrap().in_units_of(unit);
        assert_eq!((amount("64GB", "KB"), amount("64GiB", "GB")), (Some(64 << 20), Some(64)));
        assert_eq!((amount("16", "KB"), amount("16", "")), (Some(16), Some(16)));
        assert_eq!((amount("0.1MB", "KB"), amount("1.5GB", "gb")), (Some(102), Some(1)));
        assert_eq!(
            (amount("2MB", ""), amount("2MB", "cards"), amount("4G", "MB")),
            (Some(2048), None, Some(4096))
        );
        for wrong in ["", "GB", "-1", "4XB", "nan", "1e18TB", "inf"] {
            assert!(wrong.parse::<Amount>().is_err(), "{wrong}");
        }
    }
}
