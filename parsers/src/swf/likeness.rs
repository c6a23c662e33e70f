//! Recognises SWF by its content, whatever the number of its columns.

use batchlab_traces::Field;
use batchlab_traces::field::FIELDS;
use batchlab_traces::notation::decimal::decimal;

use crate::formats::{LIKELY, SURE, share_of_lines};
use crate::swf::careful::tokens;
use crate::swf::comments::gives_field;

/// The likeness of a file with header fields of SWF: no other format begins lines with `; MaxProcs:`.
const HEADED: u8 = 98;

/// The likeness of lines of nothing but numbers in another number of columns than the format has.
const NUMBERS: u8 = 85;

/// The likeness of lines that may be records with odd values.
const ROUGH: u8 = 60;

/// The fields that hold measurements and requests: 3 to 11.
const MEASURED: std::ops::Range<usize> = Field::Wait.index()..Field::Status.index() + 1;

/// The fields that may be names: 12 to 18.
const NAMED: usize = FIELDS - MEASURED.end;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Comment,
    /// The format's number of fields, all of them numbers.
    Regular,
    Numbers,
    /// Job number and submit time, mostly numbers in the fields of measurements, and at most as many other words as fields for names.
    Rough,
    Other,
}

/// Returns how much a file resembles SWF: nearly certain with a header of the format; without one, lines of 18 numbers are sure, and
/// lines of other numbers, or with some odd values, are likely.
pub(super) fn likeness(beginning: &[u8]) -> u8 {
    let (mut fields, mut comments, mut rough) = (0, 0, 0);
    let mut share = |fits: &[Shape]| {
        (fields, comments, rough) = (0, 0, 0);
        share_of_lines(beginning, |line| {
            let line = line.trim_ascii();
            let shape = shape(line);
            comments += u32::from(shape == Shape::Comment);
            fields += u32::from(shape == Shape::Comment && std::str::from_utf8(line).is_ok_and(gives_field));
            rough += u32::from(!matches!(shape, Shape::Comment | Shape::Other));
            shape == Shape::Comment || fits.contains(&shape)
        })
    };
    let regular = share(&[Shape::Regular]);
    let numbers = share(&[Shape::Regular, Shape::Numbers]);
    let all = share(&[Shape::Regular, Shape::Numbers, Shape::Rough]);
    match (fields > 0, rough > 0) {
        (true, _) if all >= LIKELY => HEADED,
        (false, true) if regular >= 90 => SURE,
        (false, true) if numbers >= 90 => NUMBERS,
        _ if rough > 0 || comments > 0 => ROUGH,
        _ => 0,
    }
}

fn shape(line: &[u8]) -> Shape {
    if line.starts_with(b";") {
        return Shape::Comment;
    }
    let is_number = |token: &[u8]| decimal(token).is_ok();
    let count = tokens(line).count();
    if tokens(line).take(2).filter(|token| is_number(token)).count() < 2 {
        return Shape::Other;
    }
    let measured = || tokens(line).take(MEASURED.end).skip(MEASURED.start);
    let odd = measured().filter(|token| !is_number(token)).count();
    let words = tokens(line).filter(|token| !is_number(token)).count();
    match (tokens(line).all(is_number), count) {
        (true, FIELDS) => Shape::Regular,
        (true, 4..) => Shape::Numbers,
        _ if 2 * odd <= measured().count() && words - odd <= NAMED => Shape::Rough,
        _ => Shape::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_or_numbers_tell() {
        for (text, expected) in [
            ("; MaxProcs : 64\n1 1300000000 -1 10\n", HEADED),
            ("; Computer: x\n; MaxProcs: 64\n", HEADED),
            ("; what is this\n", ROUGH),
            ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n", SURE),
            ("1 2 3 4\n", NUMBERS),
            ("1 2 3\n", ROUGH),
            ("1 0 -1 10 4 -1 -1 4 10 -1 1 ann staff x\n", ROUGH),
            (
                "1 2 2 9 9 43199 Completed [q:1] 5 5 6 176 [NONE] [NONE] [NONE] >= 1 >= 1 [NONE] [NONE] [NONE]\n",
                0,
            ),
            ("10\t10\tann\tlab\tmain\t2025-03-03T10:00:00\tNone\tNone\n", 0),
            ("a b c\n", 0),
        ] {
            assert_eq!(likeness(text.as_bytes()), expected, "{text}");
        }
    }
}
