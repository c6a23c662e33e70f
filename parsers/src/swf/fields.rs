//! The fields of a line as nearly all lines have them.

use batchlab_traces::Record;
use nom::character::complete::{digit1, i64, space0, space1};
use nom::multi::fill;
use nom::{Err, IResult, Parser};

use crate::swf::decimal::LARGEST;

/// Parses a line of plain numbers with at most six decimals; `false`, with a half-filled record, if the line
/// is anything else and wants the careful reader.
#[inline]
pub(super) fn regular(line: &[u8], record: &mut Record) -> bool {
    let (mut micro, mut bit) = (0, 1);
    let value = |input| {
        let (rest, (value, decimal)) = number(input)?;
        micro |= if decimal { bit } else { 0 };
        bit <<= 1;
        Ok((rest, value))
    };
    let Ok((start, _)) = space0::<_, ()>(line) else { return false };
    let Ok((mut rest, ())) = fill(value, &mut record.values).parse(start) else { return false };
    record.micro = micro;
    for extra in &mut record.extra {
        match number(rest) {
            Ok((next, (value, false))) => (rest, *extra) = (next, value),
            _ => return false,
        }
    }
    rest.is_empty()
}

/// A number, whether it counts millionths, and the blanks behind it.
#[inline]
fn number(input: &[u8]) -> IResult<&[u8], (i64, bool), ()> {
    let (rest, whole) = i64(input)?;
    if !(-LARGEST..=LARGEST).contains(&whole) {
        return Err(Err::Error(()));
    }
    match rest.first() {
        Some(b'.') => {
            let (rest, micro) = decimals(&rest[1..])?;
            let (rest, ()) = gap(rest)?;
            let micro = if input[0] == b'-' { -micro } else { micro };
            Ok((rest, if micro == 0 { (whole, false) } else { (whole * 1_000_000 + micro, true) }))
        }
        _ => gap(rest).map(|(rest, ())| (rest, (whole, false))),
    }
}

/// One to six decimals, as millionths.
fn decimals(input: &[u8]) -> IResult<&[u8], i64, ()> {
    let (rest, digits) = digit1(input)?;
    if digits.len() > 6 {
        return Err(Err::Error(()));
    }
    let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    Ok((rest, value * 10_i64.pow(6 - digits.len() as u32)))
}

/// The end of a field: blanks, or the end of the line.
#[inline]
fn gap(input: &[u8]) -> IResult<&[u8], (), ()> {
    if input.is_empty() {
        return Ok((input, ()));
    }
    space1(input).map(|(rest, _)| (rest, ()))
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Field;

    use super::*;

    fn parse(line: &str, extras: usize) -> Option<Record> {
        let mut record = Record { extra: vec![-1; extras], ..Record::default() };
        regular(line.as_bytes(), &mut record).then_some(record)
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
