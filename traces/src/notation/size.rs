//! Parses amounts of memory.

use crate::number::Number;

use super::{number, whole};

/// Parses a number with an optional unit; returns it in bytes, with the text after the unit: `4000Mn` is
/// 4,194,304,000 bytes and `n`. Units are B, K, M, G, T, P and E in either case, optionally followed by `B`
/// or `iB`; all are powers of 1024, as in batch systems. A number without a unit counts `plain` bytes each.
/// `None` if there is no number, or it does not fit.
pub fn bytes(token: &[u8], plain: i64) -> Option<(i64, &[u8])> {
    let digits = token.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let (amount, rest) = token.split_at(digits);
    let amount = whole(amount).map(Number::whole).or_else(|| number(amount))?;
    let (unit, rest) = unit(rest).unwrap_or((i128::from(plain), rest));
    if !amount.micro {
        return Some((i64::try_from(i128::from(amount.value).checked_mul(unit)?).ok()?, rest));
    }
    // A fraction of a large unit is whole in bytes or is rounded down.
    let bytes = i128::from(amount.to_micro()).checked_mul(unit)? / 1_000_000;
    Some((i64::try_from(bytes).ok()?, rest))
}

/// Returns whole KB, rounded up: a job never holds less than it asked for.
pub fn kb(bytes: i64) -> i64 {
    bytes.div_euclid(1024) + i64::from(bytes.rem_euclid(1024) > 0)
}

fn unit(text: &[u8]) -> Option<(i128, &[u8])> {
    let (&first, rest) = text.split_first()?;
    let letter = first.to_ascii_uppercase();
    if letter == b'B' {
        return Some((1, rest));
    }
    let power = b"KMGTPE".iter().position(|&unit| unit == letter)?;
    let rest = match rest {
        [b'i', b'B' | b'b', rest @ ..] | [b'B' | b'b', rest @ ..] => rest,
        _ => rest,
    };
    Some((1 << (10 * (power + 1)), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1024_and_what_follows_is_left() {
        let mega = 1 << 20;
        assert_eq!(bytes(b"4000Mn", mega), Some((4000 << 20, &b"n"[..])));
        assert_eq!(bytes(b"15240kb", 1), Some((15_240 << 10, &b""[..])));
        assert_eq!(bytes(b"62.50G", mega), Some((64_000 << 20, &b""[..])));
        assert_eq!(bytes(b"1.024t", 1), Some(((1.024 * (1_u64 << 40) as f64) as i64, &b""[..])));
        assert_eq!(bytes(b"32000", mega), Some((32_000 << 20, &b""[..])));
        assert_eq!(bytes(b"0n", mega), Some((0, &b"n"[..])));
        assert_eq!(bytes(b"?c", mega), None);
        assert_eq!((kb(0), kb(1), kb(1024), kb(1025)), (0, 1, 1, 2));
    }
}
