//! Lists of the tasks of a job array: `5-30:5%2`, `[1,3,7-9]`.
//!
//! Source: `--array` in sbatch(1); squeue(1), `%K`, and `SLURM_BITSTR_LEN`, beyond which Slurm cuts a list off.

use super::hosts::NumberRange;
use super::whole;

/// Returns how many tasks a list has, with or without brackets; of a list that is cut off, how many are there. `None` for another
/// text, and for no task.
pub fn count(list: &[u8]) -> Option<u64> {
    let number = |&(from, to, step): &(i64, i64, i64)| ((to - from) / step).unsigned_abs().saturating_add(1);
    let count = ranges(list)?.iter().map(number).fold(0_u64, u64::saturating_add);
    (count > 0).then_some(count)
}

/// Returns the numbers of the tasks of a list, at most `most` of them.
pub fn numbers(list: &[u8], most: usize) -> Vec<i64> {
    let numbers = ranges(list).unwrap_or_default().into_iter().flat_map(|(from, to, step)| {
        std::iter::successors(Some(from), move |at| at.checked_add(step)).take_while(move |&at| at <= to)
    });
    numbers.take(most).collect()
}

/// Whether Slurm has cut a list off: `1,3,5,...%4`.
pub fn is_cut(list: &[u8]) -> bool {
    list.windows(3).any(|three| three == b"...")
}

/// Returns how many tasks of a list may run at a time: 4 in `9-11,13%4]`.
pub fn throttle(list: &[u8]) -> Option<i64> {
    let list = list.strip_suffix(b"]").unwrap_or(list);
    let at = list.iter().position(|&byte| byte == b'%')?;
    whole(&list[at + 1..]).filter(|&at_most| at_most > 0)
}

/// Returns the first task, the last bound and the step of each part of a list. Of a range that is cut off, the first task is left.
fn ranges(list: &[u8]) -> Option<Vec<(i64, i64, i64)>> {
    let list = list.strip_prefix(b"[").unwrap_or(list);
    let list = list.strip_suffix(b"]").unwrap_or(list);
    let list = list.split(|&byte| byte == b'%').next().unwrap_or_default();
    let mut ranges = Vec::new();
    for part in list.split(|&byte| byte == b',').filter(|part| !part.starts_with(b"...")) {
        let is_number = |&byte: &u8| byte.is_ascii_digit();
        let (range, step) = match part.strip_suffix(b"...") {
            Some(part) => (part.split(|byte| !is_number(byte)).next()?, None),
            None => match part.iter().position(|&byte| byte == b':') {
                Some(at) => (&part[..at], Some(&part[at + 1..])),
                None => (part, None),
            },
        };
        let step = step.map_or(Some(1), whole).filter(|&step| step > 0)?;
        let range = NumberRange::parse(range)
            .filter(|_| range.iter().all(|byte| is_number(byte) || *byte == b'-'))?;
        ranges.push((i64::try_from(range.first).ok()?, i64::try_from(range.last).ok()?, step));
    }
    Some(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_counted_and_written_out() {
        for (list, expected) in [
            ("5-30:5%2", Some(6)),
            ("[9-11,13,16-20]", Some(9)),
            ("1-3,7,...", Some(4)),
            ("1,3,5,...%4]", Some(3)),
            ("1,3,5-1...", Some(3)),
            ("1,3,5:...]", Some(3)),
            ("0-9223372036854775807", Some(1 << 63)),
            ("3-1", None),
            ("1-9:0", None),
            ("", None),
            ("x", None),
            ("-1", None),
            ("1 - 3", None),
            ("...", None),
        ] {
            assert_eq!(count(list.as_bytes()), expected, "{list}");
        }
        assert_eq!(numbers(b"1-9:4,11%2]", 9), [1, 5, 9, 11]);
        assert_eq!(numbers(b"[0-9999999999]", 3), [0, 1, 2]);
        assert!(is_cut(b"1,3,...%4") && !is_cut(b"1-3%4"));
        assert_eq!(
            ["5-30:5%2", "[1,3%4]", "5-30", "5-30%0"].map(|list| throttle(list.as_bytes())),
            [Some(2), Some(4), None, None]
        );
    }
}
