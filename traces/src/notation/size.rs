//! Amounts of memory, and counts with units.

use super::{number, whole};
use crate::number::Number;

/// The system by whose rule a text is an amount, where systems read one text differently: `4` counts the unit that a system takes
/// for granted, and `4g` is 4·10^9 bytes for Grid Engine and 4·2^30 bytes elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeDialect {
    /// Units are powers of 1024 in either case; a plain number counts this many bytes. In counts such as `1.5K` a "byte" is one.
    ///
    /// Source: `--mem` in sbatch(1), `rusage[mem=]` of LSF (megabytes); `MaxRSS` in sacct(1) (bytes).
    Binary(i64),
    /// As [`SizeDialect::Binary`] with bytes; a `w` behind the unit means words of eight bytes. Source: `pbs_resources(7)`, size.
    Pbs,
    /// Bytes; one letter in lower case is a power of 1000, a capital a power of 1024.
    ///
    /// Source: `sge_types(1)`, `memory_specifier`.
    GridEngine,
}

/// Plain numbers are bytes, or counts.
pub const BYTES: SizeDialect = SizeDialect::Binary(1);

/// Plain numbers are megabytes.
pub const MEGABYTES: SizeDialect = SizeDialect::Binary(1 << 20);

impl SizeDialect {
    /// Reads an amount in bytes, rounded down; `None` for another text, and if it does not fit.
    pub fn read(self, token: &[u8]) -> Option<i64> {
        match self {
            SizeDialect::Binary(plain) => {
                prefix(token, plain).filter(|(_, rest)| rest.is_empty()).map(|(bytes, _)| bytes)
            }
            SizeDialect::Pbs => match prefix(token, 1)? {
                (bytes, b"") => Some(bytes),
                (words, b"w" | b"W") => words.checked_mul(8),
                _ => None,
            },
            SizeDialect::GridEngine => {
                let (digits, unit) = match token {
                    [digits @ .., letter] if letter.is_ascii_alphabetic() => (digits, *letter),
                    _ => (token, b'b'),
                };
                let base: i128 = if unit.is_ascii_lowercase() { 1000 } else { 1024 };
                let power = b"bkmgtpe".iter().position(|&letter| letter == unit.to_ascii_lowercase())?;
                let amount = number(digits).filter(|amount| !amount.is_unknown())?;
                i64::try_from(i128::from(amount.to_micro()) * base.pow(power as u32) / 1_000_000).ok()
            }
        }
    }
}

/// Parses a number with an optional unit; returns it in bytes, with the text after the unit: `4000Mn` is
/// 4,194,304,000 bytes and `n`, which Slurm's `ReqMem` has for "on each node". Units are B, K, M, G, T, P and E in either case,
/// optionally followed by `B` or `iB`; all are powers of 1024, as in batch systems. A number without a unit counts `plain` bytes
/// each. `None` if there is no number, or it does not fit.
pub fn prefix(token: &[u8], plain: i64) -> Option<(i64, &[u8])> {
    let digits = token.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let (amount, rest) = token.split_at(digits);
    let amount = whole(amount).map(Number::whole).or_else(|| number(amount))?;
    let (unit, rest) = cut_unit(rest).unwrap_or((plain, rest));
    let unit = i128::from(unit);
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

/// Returns the bytes of a unit such as `K`, `kb` or `GiB`; `None` for another text.
pub fn unit(name: &str) -> Option<i64> {
    cut_unit(name.as_bytes()).filter(|(_, rest)| rest.is_empty()).map(|(unit, _)| unit)
}

fn cut_unit(text: &[u8]) -> Option<(i64, &[u8])> {
    let (&first, rest) = text.split_first()?;
    let letter = first.to_ascii_uppercase();
    if letter == b'B' {
        return Some((1, rest));
    }
    let power = b"KMGTPE".iter().position(|&unit| unit == letter)?;
    let rest = match rest {
        [b'i' | b'I', b'B' | b'b', rest @ ..] | [b'B' | b'b', rest @ ..] => rest,
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
        assert_eq!(prefix(b"4000Mn", mega), Some((4000 << 20, &b"n"[..])));
        assert_eq!(prefix(b"15240kb", 1), Some((15_240 << 10, &b""[..])));
        assert_eq!(prefix(b"62.50G", mega), Some((64_000 << 20, &b""[..])));
        assert_eq!(prefix(b"1.024t", 1), Some(((1.024 * (1_u64 << 40) as f64) as i64, &b""[..])));
        assert_eq!(prefix(b"32000", mega), Some((32_000 << 20, &b""[..])));
        assert_eq!(prefix(b"0n", mega), Some((0, &b"n"[..])));
        assert_eq!(prefix(b"?c", mega), None);
        assert_eq!((kb(0), kb(1), kb(1024), kb(1025)), (0, 1, 1, 2));
        assert_eq!(["B", "kb", "KIB", "M", "GiB"].map(unit), [0, 10, 10, 20, 30].map(|bits| Some(1 << bits)));
        assert_eq!(["", "x", "KBs", "cards"].map(unit), [None; 4]);
    }

    #[test]
    fn units_count_what_the_system_counts() {
        let all = |text: &str| {
            [BYTES, MEGABYTES, SizeDialect::Pbs, SizeDialect::GridEngine]
                .map(|dialect| dialect.read(text.as_bytes()))
        };
        assert_eq!(all("100"), [Some(100), Some(100 << 20), Some(100), Some(100)]);
        assert_eq!(all("4G"), [Some(4 << 30); 4]);
        assert_eq!(all("4g"), [Some(4 << 30), Some(4 << 30), Some(4 << 30), Some(4_000_000_000)]);
        assert_eq!(all("4gb"), [Some(4 << 30), Some(4 << 30), Some(4 << 30), None]);
        assert_eq!(all("2kw"), [None, None, Some(16 << 10), None]);
        assert_eq!(all("12.27M")[2], Some(12_866_027));
        assert_eq!(
            (all("1.000T")[3], all("1.024t")[3], all("9999999e")),
            (Some(1 << 40), Some(1_024_000_000_000), [None; 4])
        );
        for no in ["", "G", "lots", "-1", "4Gx"] {
            assert_eq!(all(no), [None; 4], "{no}");
        }
    }
}
