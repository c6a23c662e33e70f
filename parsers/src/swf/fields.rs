//! Parses the fields of regular lines, which nearly all lines are.
//!
//! nom's `fill` runs one leaf parser over the line. The leaf tries, in this order: the most frequent forms,
//! eight bytes at a time; less frequent forms; and nom's own integer, for the rest.
#![expect(clippy::inline_always, reason = "one call for each field would cost as much as parsing it")]

use std::cell::Cell;

use batchlab_traces::field::FIELDS;
use batchlab_traces::notation::decimal::LARGEST;
use batchlab_traces::{Field, Number, Record};
use nom::character::complete::{digit1, i64};
use nom::multi::fill;
use nom::{Err, IResult, Mode, OutputMode, PResult, Parser};

use crate::normal::LARGEST_IDENTITY;
use crate::swf::identities::is_identity;
use crate::swf::word::{count_digits, skip_blanks, weigh_digits, word};

/// Parses the fields of a line of plain numbers with at most six decimals, and the blanks around them; the
/// remaining input begins with the line end.
///
/// Fails, with a partly filled record, on any line that needs the careful parser.
#[inline]
pub(super) fn regular<'a>(line: &'a [u8], record: &mut Record) -> IResult<&'a [u8], (), ()> {
    let micro = Cell::new(0);
    let value = Value { micro: &micro, bit: 1 };
    let (mut rest, ()) = fill(value, &mut record.values).parse(skip_blanks(line))?;
    record.micro = micro.get();
    for extra in &mut record.extra {
        let (next, number) = other_number(rest)?;
        if number.micro {
            return Err(Err::Error(()));
        }
        (rest, *extra) = (next, number.value);
    }
    Ok((rest, ()))
}

/// The parser of one field; it records which fields have millionths.
struct Value<'m> {
    micro: &'m Cell<u32>,
    bit: u32,
}

impl<'a> Parser<&'a [u8]> for Value<'_> {
    type Output = i64;
    type Error = ();

    #[inline(always)]
    fn process<M: OutputMode>(&mut self, input: &'a [u8]) -> PResult<M, &'a [u8], i64, ()> {
        let bit = self.bit;
        self.bit <<= 1;
        if let Some((rest, value)) = whole(input) {
            return Ok((rest, M::Output::bind(|| value)));
        }
        match other_number(input) {
            Ok((rest, number)) => {
                if number.micro {
                    self.micro.set(self.micro.get() | bit);
                }
                Ok((rest, M::Output::bind(|| number.value)))
            }
            Err(_) if bit & IDENTITIES != 0 => match identity(input) {
                Some((rest, value)) => Ok((rest, M::Output::bind(|| value))),
                None => Err(Err::Error(M::Error::bind(|| ()))),
            },
            Err(_) => Err(Err::Error(M::Error::bind(|| ()))),
        }
    }
}

const IDENTITIES: u32 = {
    let (mut bits, mut at) = (0, 0);
    while at < FIELDS {
        bits |= (is_identity(Field::ALL[at]) as u32) << at;
        at += 1;
    }
    bits
};

/// Parses a large whole number that identifies jobs or users, and the blanks after it.
#[inline(never)]
fn identity(input: &[u8]) -> Option<(&[u8], i64)> {
    let input = input.strip_prefix(b"+").unwrap_or(input);
    let (rest, number) = digit1::<_, ()>(input).ok()?;
    let number = batchlab_traces::notation::whole(number).filter(|&number| number <= LARGEST_IDENTITY)?;
    matches!(rest, [] | [b' ' | b'\t' | b'\r' | b'\n', ..]).then(|| (skip_blanks(rest), number))
}

/// Parses a number of one to eight digits, or -1, and the blanks after it; `None` for any other text.
#[inline(always)]
fn whole(input: &[u8]) -> Option<(&[u8], i64)> {
    let word = word(input)?;
    // About half of the fields of a typical line are unknown.
    if word & 0x00ff_ffff == UNKNOWN {
        return Some((skip_blanks(&input[3..]), -1));
    }
    let count = count_digits(word);
    match &input[count..] {
        [b' ', rest @ ..] if count > 0 => Some((skip_blanks(rest), weigh_digits(word, count))),
        _ => None,
    }
}

/// The bytes `-1` and a blank, the first byte lowest.
const UNKNOWN: u64 = 0x0020_312d;

/// Like [`whole`], for the less frequent forms: decimals, and the last field of a line.
#[inline(never)]
fn other_number(input: &[u8]) -> IResult<&[u8], Number, ()> {
    if let [b'-', b'1', b'\n', ..] = input {
        return Ok((&input[2..], Number::UNKNOWN));
    }
    let common = word(input).and_then(|word| {
        let count = count_digits(word);
        let rest = input[count..].strip_prefix(b".").filter(|_| count > 0)?;
        let whole = weigh_digits(word, count);
        let decimals = self::word(rest)?;
        let count = count_digits(decimals);
        let micro = weigh_digits(decimals, count.max(1)) * SCALE.get(count)?;
        let rest = rest[count..].strip_prefix(b" ").filter(|_| count > 0)?;
        Some((skip_blanks(rest), Number::from_micro(whole * 1_000_000 + micro)))
    });
    match common {
        Some(parsed) => Ok(parsed),
        None => any_number(input),
    }
}

/// Factor that converts a number with this many decimals to millionths.
const SCALE: [i64; 7] = [0, 100_000, 10_000, 1000, 100, 10, 1];

/// Parses any number with at most six decimals, and the blanks after it.
#[inline(never)]
fn any_number(input: &[u8]) -> IResult<&[u8], Number, ()> {
    let (rest, whole) = i64(input)?;
    if !(-LARGEST..=LARGEST).contains(&whole) {
        return Err(Err::Error(()));
    }
    let (rest, number) = match rest {
        [b'.', rest @ ..] => {
            let (rest, micro) = decimals(rest)?;
            let micro = if input[0] == b'-' { -micro } else { micro };
            (rest, Number::from_micro(whole * 1_000_000 + micro))
        }
        _ => (rest, Number::whole(whole)),
    };
    match rest {
        [] | [b' ' | b'\t' | b'\r' | b'\n', ..] => Ok((skip_blanks(rest), number)),
        _ => Err(Err::Error(())),
    }
}

/// Parses one to six decimals, as millionths.
fn decimals(input: &[u8]) -> IResult<&[u8], i64, ()> {
    let (rest, digits) = digit1(input)?;
    if digits.len() > 6 {
        return Err(Err::Error(()));
    }
    let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    Ok((rest, value * 10_i64.pow(6 - digits.len() as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str, extras: usize) -> Option<Record> {
        let mut record = Record { extra: vec![-1; extras], ..Record::default() };
        let (rest, ()) = regular(line.as_bytes(), &mut record).ok()?;
        rest.is_empty().then_some(record)
    }

    #[test]
    fn eighteen_numbers_in_any_spacing_are_regular() {
        let record = parse("  2\t465 5   3362 32 489.25 988 32 900 1024 1 3 3 3 1 -1 -0.5 +7 ", 0).unwrap();
        assert_eq!(record.values[..5], [2, 465, 5, 3362, 32]);
        assert_eq!(record.get(Field::Cpu).to_micro(), 489_250_000);
        assert_eq!(record.get(Field::Preceding).to_micro(), -500_000);
        assert_eq!(record.values[17], 7);
        assert_eq!(record.micro, 1 << 5 | 1 << 16);
    }

    #[test]
    fn resource_columns_must_be_there() {
        let line = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 640";
        assert_eq!(parse(line, 1).unwrap().extra, [640]);
        assert!(parse(line, 0).is_none() && parse(line, 2).is_none());
    }

    #[test]
    fn anything_odd_is_left_to_the_careful_reader() {
        for odd in ["1x", "1-2", "1.", ".5", "1.1234567", "1e5", "9223372036854", "", ";", "nan"] {
            assert!(parse(&format!("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 {odd}"), 0).is_none(), "{odd}");
        }
    }
}
