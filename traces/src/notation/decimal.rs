//! Parses decimal numbers exactly, one token at a time.

use crate::number::Number;

/// The largest whole value: its millionths, with any decimals, fit 64 bits.
pub const LARGEST: i64 = i64::MAX / 1_000_000 - 1;

const PLACES: i64 = 6;

/// A number, with the way it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The value.
    pub number: Number,
    /// Whether decimals past the sixth were rounded away.
    pub rounded: bool,
    /// Whether it has an exponent.
    pub exponent: bool,
}

/// The reason why a token is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalError {
    /// Not written as a number.
    Garbage,
    /// Beyond [`LARGEST`].
    OutOfRange,
}

/// Parses `[+-]digits[.digits][e[+-]digits]`, with a digit before or after the point.
///
/// Halves are rounded away from zero.
///
/// # Errors
/// When the token is not written so, or the number is beyond [`LARGEST`].
pub fn decimal(token: &[u8]) -> Result<Decimal, DecimalError> {
    let (negative, rest) = sign(token);
    let (whole, rest) = digits(rest);
    let (fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => digits(rest),
        None => (&rest[..0], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return Err(DecimalError::Garbage);
    }
    let exponent = exponent(rest)?;
    // Number of digits before the place of the millionths, counted from the first digit.
    let kept = whole.len() as i64 + exponent.unwrap_or(0) + PLACES;
    let (micro, rounded) =
        shift(whole.iter().chain(fraction).copied(), kept).ok_or(DecimalError::OutOfRange)?;
    let number = Number::from_micro(if negative { -micro } else { micro });
    Ok(Decimal { number, rounded, exponent: exponent.is_some() })
}

fn sign(token: &[u8]) -> (bool, &[u8]) {
    match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, token),
    }
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

/// Parses the text after the digits: empty, or an exponent.
fn exponent(text: &[u8]) -> Result<Option<i64>, DecimalError> {
    let [b'e' | b'E', rest @ ..] = text else {
        return if text.is_empty() { Ok(None) } else { Err(DecimalError::Garbage) };
    };
    let (negative, rest) = sign(rest);
    let (digits, rest) = digits(rest);
    if digits.is_empty() || !rest.is_empty() {
        return Err(DecimalError::Garbage);
    }
    // Beyond a billion the result does not change: zero, or out of range.
    let size = digits.iter().fold(0, |size: i64, digit| (size * 10 + i64::from(digit - b'0')).min(1 << 30));
    Ok(Some(if negative { -size } else { size }))
}

/// Returns the number made of the first `kept` digits, rounded by the next one, and whether rounding changed
/// it; `None` if it is too large.
fn shift(digits: impl Iterator<Item = u8>, kept: i64) -> Option<(i64, bool)> {
    let limit = LARGEST as u64 * 1_000_000 + 999_999;
    let (mut micro, mut left, mut rounded) = (0_u64, kept, false);
    for digit in digits.map(|byte| u64::from(byte - b'0')) {
        if left > 0 {
            micro = micro.saturating_mul(10).saturating_add(digit);
        } else {
            micro += u64::from(left == 0 && digit >= 5);
            rounded |= digit > 0;
        }
        left -= 1;
        if micro > limit {
            return None;
        }
    }
    while left > 0 && micro > 0 {
        micro = micro.saturating_mul(10);
        left -= 1;
        if micro > limit {
            return None;
        }
    }
    Some((micro as i64, rounded))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micro(token: &str) -> Result<i64, DecimalError> {
        decimal(token.as_bytes()).map(|decimal| decimal.number.to_micro())
    }

    #[test]
    fn whole_numbers_and_decimals_are_exact() {
        assert_eq!(micro("489.00"), Ok(489_000_000));
        assert!(!decimal(b"489.00").unwrap().number.micro);
        assert_eq!(micro("-0.5"), Ok(-500_000));
        assert_eq!(micro(".000001"), Ok(1));
        assert_eq!(micro("5."), Ok(5_000_000));
        assert_eq!(micro("+12"), Ok(12_000_000));
        assert_eq!(micro("007"), Ok(7_000_000));
    }

    #[test]
    fn exponents_are_exact_too() {
        for (token, expected) in [("1e5", 100_000_000_000), ("1.5e+03", 1_500_000_000), ("25E-1", 2_500_000)]
        {
            assert_eq!(micro(token), Ok(expected));
            assert!(decimal(token.as_bytes()).unwrap().exponent);
        }
        assert_eq!(micro("0e99999999999999999999"), Ok(0));
        assert_eq!(micro("1e-99999999999999999999"), Ok(0));
        assert_eq!(micro("1e99999999999999999999"), Err(DecimalError::OutOfRange));
    }

    #[test]
    fn the_seventh_decimal_rounds() {
        let third = decimal(b"0.3333333").unwrap();
        assert_eq!((third.number.to_micro(), third.rounded), (333_333, true));
        assert_eq!(micro("0.0000005"), Ok(1));
        assert_eq!(micro("-0.0000005"), Ok(-1));
        assert_eq!(micro("0.00000049"), Ok(0));
        assert!(!decimal(b"489.0000000").unwrap().rounded);
    }

    #[test]
    fn the_range_ends_where_millionths_no_longer_fit() {
        assert_eq!(micro(&LARGEST.to_string()), Ok(LARGEST * 1_000_000));
        assert_eq!(micro(&format!("-{LARGEST}.999999")), Ok(-(LARGEST * 1_000_000) - 999_999));
        assert_eq!(micro(&(LARGEST + 1).to_string()), Err(DecimalError::OutOfRange));
        for beyond in ["9".repeat(400), "9999999999999999999".into(), "9223372036853e5".into()] {
            assert_eq!(micro(&beyond), Err(DecimalError::OutOfRange));
        }
    }

    #[test]
    fn everything_else_is_garbage() {
        for token in
            ["", "-", ".", "-.", "e5", "1e", "1e+", "1x", "--1", "+-1", "1.2.3", "nan", "inf", "0x1f", "1,5"]
        {
            assert_eq!(micro(token), Err(DecimalError::Garbage), "{token}");
        }
    }
}
