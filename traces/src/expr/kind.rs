//! The kind of a value: a condition, or a quantity with its dimensions.

use std::fmt;

/// The kind of a value.
///
/// Quantities are stored in seconds and KB, so a plain number beside a time means seconds, and beside memory
/// KB. Conditions and numbers are not interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExprType {
    /// True or false.
    Condition,
    /// A number of seconds^time · KB^memory.
    Quantity {
        /// Exponent of the second.
        time: i8,
        /// Exponent of the KB.
        memory: i8,
    },
}

impl ExprType {
    /// A number without a unit.
    pub const PLAIN: ExprType = ExprType::Quantity { time: 0, memory: 0 };
    /// Seconds.
    pub const TIME: ExprType = ExprType::Quantity { time: 1, memory: 0 };
    /// KB of 1024 bytes.
    pub const MEMORY: ExprType = ExprType::Quantity { time: 0, memory: 1 };

    /// Returns the common kind of two values that are added, compared or chosen between; `None` if they
    /// conflict. A plain number takes the unit of the other side.
    pub fn beside(self, other: ExprType) -> Option<ExprType> {
        match (self, other) {
            _ if self == other => Some(self),
            (ExprType::Condition, _) | (_, ExprType::Condition) => None,
            (ExprType::PLAIN, kind) | (kind, ExprType::PLAIN) => Some(kind),
            _ => None,
        }
    }

    /// Returns the dimensions of a product with the other's power: 1 for `*`, -1 for `/`.
    pub(super) fn times(self, other: ExprType, power: i8) -> ExprType {
        let (ExprType::Quantity { time, memory }, ExprType::Quantity { time: t, memory: m }) = (self, other)
        else {
            return ExprType::Condition;
        };
        ExprType::Quantity {
            time: time.saturating_add(t.saturating_mul(power)),
            memory: memory.saturating_add(m.saturating_mul(power)),
        }
    }

    /// Returns the dimensions of a power: those of a constant whole exponent multiply; any other power, like
    /// a root or a logarithm, is a plain number, computed from the seconds or KB.
    pub(super) fn power(self, exponent: Option<f64>) -> ExprType {
        match exponent {
            Some(exponent) if exponent.fract() == 0.0 && exponent.abs() <= 9.0 => {
                ExprType::PLAIN.times(self, exponent as i8)
            }
            _ => ExprType::PLAIN,
        }
    }
}

/// Writes the kind in words, with an article: `a time`.
impl fmt::Display for ExprType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ExprType::Condition => f.write_str("a condition"),
            ExprType::PLAIN => f.write_str("a plain number"),
            ExprType::TIME => f.write_str("a time"),
            ExprType::MEMORY => f.write_str("an amount of memory"),
            ExprType::Quantity { time, memory } => {
                f.write_str("a quantity in")?;
                for (unit, exponent) in [("s", time), ("KB", memory)] {
                    match exponent {
                        0 => {}
                        1 => write!(f, " {unit}")?,
                        _ => write!(f, " {unit}^{exponent}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_quotients_have_the_dimensions_of_their_parts() {
        let work = ExprType::TIME.times(ExprType::MEMORY, 1);
        assert_eq!(work.to_string(), "a quantity in s KB");
        assert_eq!(work.times(ExprType::MEMORY, -1), ExprType::TIME);
        assert_eq!(ExprType::TIME.times(ExprType::TIME, -1), ExprType::PLAIN);
        assert_eq!(ExprType::TIME.power(Some(2.0)).to_string(), "a quantity in s^2");
        assert_eq!(ExprType::TIME.power(Some(0.5)), ExprType::PLAIN);
    }

    #[test]
    fn plain_numbers_take_the_unit_beside_them_and_other_units_clash() {
        assert_eq!(ExprType::PLAIN.beside(ExprType::TIME), Some(ExprType::TIME));
        assert_eq!(ExprType::TIME.beside(ExprType::MEMORY), None);
        assert_eq!(ExprType::Condition.beside(ExprType::PLAIN), None);
    }
}
