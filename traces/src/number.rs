//! A number as printed in a log: whole, or a decimal stored exactly to six places.

use std::fmt;

use crate::time::fmt_micro;

/// A value in whole units, or in millionths of the unit.
///
/// Logs contain integers and occasional decimals (for example LANL-CM5's CPU times). A whole value costs
/// nothing extra; a decimal is exact to the millionth, the resolution of [`crate::Time`].
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The value, in whole units or in millionths.
    pub value: i64,
    /// Whether `value` counts millionths.
    pub micro: bool,
}

impl Number {
    /// Unknown or irrelevant: SWF's -1.
    pub const UNKNOWN: Number = Number::whole(-1);

    /// Returns a whole number.
    pub const fn whole(value: i64) -> Number {
        Number { value, micro: false }
    }

    /// Returns a number of millionths, as a whole number if possible.
    pub const fn from_micro(micro: i64) -> Number {
        if micro % 1_000_000 == 0 {
            Number::whole(micro / 1_000_000)
        } else {
            Number { value: micro, micro: true }
        }
    }

    /// Returns the value in millionths, saturating.
    pub const fn to_micro(self) -> i64 {
        if self.micro { self.value } else { self.value.saturating_mul(1_000_000) }
    }

    /// Returns the whole part, rounded towards zero.
    pub const fn truncated(self) -> i64 {
        if self.micro { self.value / 1_000_000 } else { self.value }
    }

    /// Returns the value as a float.
    pub fn to_f64(self) -> f64 {
        if self.micro { self.value as f64 / 1e6 } else { self.value as f64 }
    }

    /// Whether the value is below zero: how logs write "unknown".
    pub const fn is_unknown(self) -> bool {
        self.value < 0
    }
}

/// Numbers are equal if their values are, in either representation.
impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        // Identities may be so large that their millionths are not representable.
        let micro = |number: &Number| i128::from(number.value) * if number.micro { 1 } else { 1_000_000 };
        if self.micro == other.micro { self.value == other.value } else { micro(self) == micro(other) }
    }
}

impl Eq for Number {}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.micro { fmt_micro(self.value, f) } else { write!(f, "{}", self.value) }
    }
}

/// Returns a count with thousands separators: "28,476".
pub fn grouped(count: u64) -> String {
    group_digits(&count.to_string())
}

/// Returns a count with its noun: "1 job", "2,000 jobs".
pub fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(0);
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Inserts commas between groups of three digits of a whole number; a sign is kept.
pub fn group_digits(number: &str) -> String {
    let (sign, digits) = number.split_at(usize::from(number.starts_with('-')));
    let mut parted = String::with_capacity(number.len() + digits.len() / 3);
    parted.push_str(sign);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            parted.push(',');
        }
        parted.push(digit);
    }
    parted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_whole_numbers_stay_distinct() {
        let large = Number::whole(92_605_928_607_567);
        assert_ne!(large, Number::whole(29_946_708_553_445));
        assert_ne!(large, Number { value: i64::MAX, micro: true });
        assert_eq!(Number::whole(2), Number { value: 2_000_000, micro: true });
    }

    #[test]
    fn digits_are_parted_three_by_three() {
        let shown = ["7", "123", "1234", "-123", "-447794", "1000000"].map(group_digits);
        assert_eq!(shown, ["7", "123", "1,234", "-123", "-447,794", "1,000,000"]);
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }
}
