//! How texts of logs, configurations and options write numbers, hosts, tasks, sizes, durations and instants.
//!
//! Each notation has one reader here, and every file of the workspace that meets it calls this reader. Where two systems
//! read one text differently, the caller names the system. No reader prints; those of numbers, sizes, durations and instants
//! do not allocate.

pub mod decimal;
pub mod duration;
pub mod hosts;
pub mod instant;
pub mod size;
pub mod tasks;
pub mod zones;

use crate::number::Number;

/// A bound as a file states it: a number, or a word such as `UNLIMITED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound<T> {
    /// There is no bound.
    Unlimited,
    /// The bound.
    Most(T),
}

impl<T> Bound<T> {
    /// Returns the number; `None` without a bound.
    pub fn most(self) -> Option<T> {
        match self {
            Bound::Unlimited => None,
            Bound::Most(most) => Some(most),
        }
    }
}

/// Parses a whole number with an optional sign and nothing after it; `None` if the token is not one or does not fit 64 bits.
#[inline]
pub fn whole(token: &[u8]) -> Option<i64> {
    let (negative, digits) = match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, token),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_i64;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(i64::from(digit))?;
    }
    Some(if negative { -value } else { value })
}

/// Parses a number with decimals, exactly to the millionth.
pub fn number(token: &[u8]) -> Option<Number> {
    decimal::decimal(token).ok().map(|decimal| decimal.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_digits_and_nothing_else() {
        assert_eq!(whole(b"007"), Some(7));
        assert_eq!(whole(b"-1"), Some(-1));
        for no in [&b""[..], b"-", b"1.0", b"1 ", b"9223372036854775808", b"0x1"] {
            assert_eq!(whole(no), None, "{no:?}");
        }
    }
}
