//! The leaf parsers of all grammars: numbers, dates, durations and sizes in the forms that logs use.
//!
//! Each is a nom parser of one whole token, or a function around one; none allocates.

pub mod date;
pub mod decimal;
pub mod duration;
pub mod size;
pub mod zones;

use batchlab_traces::Number;

/// Parses a whole number with an optional sign and nothing after it; `None` if the token is not one or does
/// not fit 64 bits.
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

/// Removes blanks from both ends.
pub fn trimmed(token: &[u8]) -> &[u8] {
    token.trim_ascii()
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
