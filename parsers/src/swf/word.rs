//! Parses digits and blanks eight bytes at a time.
//!
//! A word holds eight bytes of text, the first one lowest. The bytes are tested and weighted together (D.
//! Lemire, "Quickly parsing eight digits", 2018).
#![expect(clippy::inline_always, reason = "one call for each field would cost as much as parsing it")]

/// Returns the first eight bytes, the first one lowest, if there are that many.
#[inline(always)]
pub(super) fn word(input: &[u8]) -> Option<u64> {
    input.first_chunk().copied().map(u64::from_le_bytes)
}

/// Returns the number of leading digits among the eight bytes, from the lowest.
#[inline(always)]
pub(super) fn count_digits(word: u64) -> usize {
    let digits = word ^ 0x3030_3030_3030_3030;
    let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    others.trailing_zeros() as usize / 8
}

/// Returns the number that the lowest `count` bytes (one to eight digits) represent: neighbouring digits are
/// combined to pairs, fours and eights.
#[inline(always)]
pub(super) fn weigh_digits(word: u64, count: usize) -> i64 {
    let digits = (word ^ 0x3030_3030_3030_3030) << (64 - 8 * count);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let high = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let low = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    (high.wrapping_add(low) >> 32) as i64
}

/// Returns the text without the blanks and tabs it begins with.
#[inline(always)]
pub(super) fn skip_blanks(rest: &[u8]) -> &[u8] {
    match rest {
        [first, ..] if *first > b' ' => rest,
        _ => skip_more_blanks(rest),
    }
}

fn skip_more_blanks(mut rest: &[u8]) -> &[u8] {
    while let Some(word) = word(rest) {
        let count = (word ^ 0x2020_2020_2020_2020).trailing_zeros() as usize / 8;
        rest = &rest[count..];
        if count < 8 && rest.first().is_some_and(|&first| first > b' ') {
            return rest;
        }
        if count == 0 {
            break;
        }
    }
    while let [b' ' | b'\t', next @ ..] = rest {
        rest = next;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted_and_weighed() {
        for (text, count, value) in
            [("1       ", 1, 1), ("1234567.", 7, 1_234_567), ("98765432", 8, 98_765_432)]
        {
            let word = word(text.as_bytes()).unwrap();
            assert_eq!((count_digits(word), weigh_digits(word, count)), (count, value));
        }
    }

    #[test]
    fn only_digits_are_digits() {
        for byte in (0..=255_u8).filter(|byte| !byte.is_ascii_digit()) {
            let text = [b'4', b'2', byte, b'7', b'7', b'7', b'7', b'7'];
            assert_eq!(count_digits(u64::from_le_bytes(text)), 2, "{byte}");
        }
    }

    #[test]
    fn blanks_and_tabs_go_and_nothing_else() {
        let text = format!("{}\t{}x ", " ".repeat(11), " ".repeat(9));
        for start in 0..=text.len() {
            let expected = text[start..].trim_start_matches([' ', '\t']);
            assert_eq!(skip_blanks(&text.as_bytes()[start..]), expected.as_bytes());
        }
        assert_eq!(skip_blanks(b"\r\n  12345678"), b"\r\n  12345678");
    }
}
