//! The kind of a value: a condition, or a quantity with its dimensions.

use std::fmt;

/// The kind of a value.
///
/// Quantities are stored in seconds and KB, so a plain number beside a time means seconds, and beside memory
/// KB. Conditions and numbers are not interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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

impl Kind {
    /// A number without a unit.
    pub const PLAIN: Kind = Kind::Quantity { time: 0, memory: 0 };
    /// Seconds.
    pub const TIME: Kind = Kind::Quantity { time: 1, memory: 0 };
    /// KB of 1024 bytes.
    pub const MEMORY: Kind = Kind::Quantity { time: 0, memory: 1 };

    /// Returns the common kind of two values that are added, compared or chosen between; `None` if they
    /// conflict. A plain number takes the unit of the other side.
    pub fn beside(self, other: Kind) -> Option<Kind> {
        match (self, other) {
            _ if self == other => Some(self),
            (Kind::Condition, _) | (_, Kind::Condition) => None,
            (Kind::PLAIN, kind) | (kind, Kind::PLAIN) => Some(kind),
            _ => None,
        }
    }

    /// Returns the dimensions of a product with the other's power: 1 for `*`, -1 for `/`.
    pub(super) fn times(self, other: Kind, power: i8) -> Kind {
        let (Kind::Quantity { time, memory }, Kind::Quantity { time: t, memory: m }) = (self, other) else {
            return Kind::Condition;
        };
        Kind::Quantity {
            time: time.saturating_add(t.saturating_mul(power)),
            memory: memory.saturating_add(m.saturating_mul(power)),
        }
    }

    /// Returns the dimensions of a power: those of a constant whole exponent multiply; any other power, like
    /// a root or a logarithm, is a plain number, computed from the seconds or KB.
    pub(super) fn power(self, exponent: Option<f64>) -> Kind {
        match exponent {
            Some(exponent) if exponent.fract() == 0.0 && exponent.abs() <= 9.0 => {
                Kind::PLAIN.times(self, exponent as i8)
            }
            _ => Kind::PLAIN,
        }
    }
}

/// Writes the kind in words, with an article: `a time`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Kind::Condition => f.write_str("a condition"),
            Kind::PLAIN => f.write_str("a plain number"),
            Kind::TIME => f.write_str("a time"),
            Kind::MEMORY => f.write_str("an amount of memory"),
            Kind::Quantity { time, memory } => {
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
        let work = Kind::TIME.times(Kind::MEMORY, 1);
        assert_eq!(work.to_string(), "a quantity in s KB");
        assert_eq!(work.times(Kind::MEMORY, -1), Kind::TIME);
        assert_eq!(Kind::TIME.times(Kind::TIME, -1), Kind::PLAIN);
        assert_eq!(Kind::TIME.power(Some(2.0)).to_string(), "a quantity in s^2");
        assert_eq!(Kind::TIME.power(Some(0.5)), Kind::PLAIN);
    }

    #[test]
    fn plain_numbers_take_the_unit_beside_them_and_other_units_clash() {
        assert_eq!(Kind::PLAIN.beside(Kind::TIME), Some(Kind::TIME));
        assert_eq!(Kind::TIME.beside(Kind::MEMORY), None);
        assert_eq!(Kind::Condition.beside(Kind::PLAIN), None);
    }
}
