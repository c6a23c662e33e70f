//! Dates in expressions.

use chrono::NaiveDate;
use nom::character::complete::{char, one_of, u32};
use nom::combinator::{all_consuming, opt};
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// Returns the seconds from 1970-01-01 00:00 to a reading of a wall clock, both on that clock; `None` if the
/// text is not of the form `2006-12-18`, `2006-12-18 07:00` or `2006-12-18 07:00:30`, or not in the
/// calendar.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let (_, ((year, month, day), clock)) = all_consuming((day, opt(clock))).parse(text.trim()).ok()?;
    let (hour, minute, second) = clock.unwrap_or_default();
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    Some(date.and_hms_opt(hour, minute, second)?.and_utc().timestamp())
}

fn day(input: &str) -> IResult<&str, (u32, u32, u32)> {
    (u32, preceded(char('-'), u32), preceded(char('-'), u32)).parse(input)
}

fn clock(input: &str) -> IResult<&str, (u32, u32, u32)> {
    let second = opt(preceded(char(':'), u32)).map(Option::unwrap_or_default);
    (preceded(one_of(" T"), u32), preceded(char(':'), u32), second).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_with_or_without_a_time() {
        assert_eq!(seconds("1970-01-02"), Some(86_400));
        assert_eq!(seconds("2006-12-18 07:00"), seconds("2006-12-18T07:00:00"));
        assert_eq!(seconds("1970-01-01 00:00:07"), Some(7));
    }

    #[test]
    fn what_is_not_in_the_calendar_is_no_date() {
        for wrong in ["2006-13-01", "2007-02-29", "2006-12-18 25:00", "2006", "18.12.2006", "", "1-1-1-1"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
