//! Dates with times. How numbers count instants is known to each format.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while_m_n};
use nom::character::complete::one_of;
use nom::combinator::{all_consuming, map_opt, opt};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

/// A date: the reading of a clock, and the clock's offset from UTC if the date gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Microseconds from 1970-01-01 00:00 to the reading, on the same clock.
    pub micros: i64,
    /// Seconds by which the clock is ahead of UTC, if the date gives them.
    pub offset: Option<i64>,
}

impl Stamp {
    /// Returns the whole seconds from 1970-01-01 00:00 to the reading, on the same clock; decimals are cut off.
    pub fn secs(self) -> i64 {
        self.micros.div_euclid(1_000_000)
    }
}

/// Parses `2016-12-21T21:43:34`, with a `T` or a blank, and with optional decimals and offset (`Z`, `+02:00`,
/// `+0200`); a missing time of day means midnight, and month, day and hour may have one digit. `None` for any other text and for
/// dates that do not exist.
pub fn iso(token: &[u8]) -> Option<Stamp> {
    if let Some(stamp) = plain(token) {
        return Some(stamp);
    }
    all_consuming(iso_stamp).parse(token).ok().map(|(_, stamp)| stamp)
}

/// Parses `10/19/93 18:06:10`: month, day, a year of two or four digits (two digits 70 to 99 are 1970 to
/// 1999), and the time of day after a blank or an `@`; seconds and the time may be missing.
pub fn us(token: &[u8]) -> Option<Stamp> {
    all_consuming(us_stamp).parse(token).ok().map(|(_, stamp)| stamp)
}

/// Like [`us`], for a date and a time of day in separate tokens.
pub fn us_apart(date: &[u8], time: &[u8]) -> Option<Stamp> {
    let (_, micros) = all_consuming(time_of_day).parse(time).ok()?;
    // A date token that already contains a time is refused.
    let stamp = us(date).filter(|_| date.len() <= 10)?;
    Some(Stamp { micros: stamp.micros + micros, ..stamp })
}

/// Whether a text is an instant relative to the day on which it was written: `10:31:05`, `Ystday 14:31`, `Tomorr 08:00`,
/// `Mon 14:31`, `15 Jan 14:31` and `3 Jan 2019`. Such an instant cannot be read without that day.
///
/// Source: `_relative_date_fmt` in Slurm's `src/common/parse_time.c`, for `SLURM_TIME_FORMAT=relative`.
pub fn is_relative(token: &[u8]) -> bool {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    const DAYS: &[u8] = b"SunMonTueWedThuFriSat";
    let is_of = |word: &[u8], names: &[u8]| names.chunks(3).any(|name| name == word);
    let is_time = |word: &[u8], colons: usize| {
        word.split(|&byte| byte == b':').count() == colons + 1
            && time_of_day(word).is_ok_and(|(rest, _)| rest.is_empty())
    };
    let is_number =
        |word: &[u8], most: usize| (1..=most).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
    let words: Vec<&[u8]> = token.split(|&byte| byte == b' ').collect();
    match words[..] {
        [time] => is_time(time, 2) || matches!(time, b"Ystday" | b"Tomorr"),
        [day, time] => (matches!(day, b"Ystday" | b"Tomorr") || is_of(day, DAYS)) && is_time(time, 1),
        [day, month, last] => {
            is_number(day, 2)
                && is_of(month, MONTHS)
                && (is_time(last, 1) || is_number(last, 4) && last.len() == 4)
        }
        _ => false,
    }
}

/// Parses the form that nearly all dates of a log have, `2016-12-21T21:43:34`, without the alternatives of the grammar.
fn plain(token: &[u8]) -> Option<Stamp> {
    let &[y1, y2, y3, y4, b'-', mo1, mo2, b'-', d1, d2, b'T' | b' ', h1, h2, b':', mi1, mi2, b':', s1, s2] =
        token
    else {
        return None;
    };
    let digits = [y1, y2, y3, y4, mo1, mo2, d1, d2, h1, h2, mi1, mi2, s1, s2];
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let two = |tens: u8, ones: u8| i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
    let (year, month, day) = (two(y1, y2) * 100 + two(y3, y4), two(mo1, mo2), two(d1, d2));
    let (hour, minute, second) = (two(h1, h2), two(mi1, mi2), two(s1, s2));
    let seconds = (hour * 60 + minute) * 60 + second;
    let valid = hour < 24 && minute < 60 && second < 60;
    Some(Stamp { micros: days(year, month, day)? * DAY + seconds * 1_000_000, offset: None })
        .filter(|_| valid)
}

fn iso_stamp(input: &[u8]) -> IResult<&[u8], Stamp> {
    let date = (digits(4, 4), preceded(tag("-"), digits(1, 2)), preceded(tag("-"), digits(1, 2)));
    let (input, days) = map_opt(date, |(year, month, day)| days(year, month, day)).parse(input)?;
    let (input, micros) = opt(preceded(one_of("T "), time_of_day)).parse(input)?;
    let (input, offset) = opt(offset).parse(input)?;
    Ok((input, Stamp { micros: days * DAY + micros.unwrap_or(0), offset }))
}

fn us_stamp(input: &[u8]) -> IResult<&[u8], Stamp> {
    let date = (digits(1, 2), preceded(tag("/"), digits(1, 2)), preceded(tag("/"), digits(2, 4)));
    let (input, days) = map_opt(date, |(month, day, year)| days(full_year(year), month, day)).parse(input)?;
    let (input, micros) = opt(preceded(one_of("@ T"), time_of_day)).parse(input)?;
    Ok((input, Stamp { micros: days * DAY + micros.unwrap_or(0), offset: None }))
}

const DAY: i64 = 86_400_000_000;

/// Parses hours, minutes and optional seconds with decimals, as microseconds since midnight.
fn time_of_day(input: &[u8]) -> IResult<&[u8], i64> {
    let seconds = (preceded(tag(":"), digits(2, 2)), opt(preceded(tag("."), fraction)));
    let parts = (terminated(digits(1, 2), tag(":")), digits(2, 2), opt(seconds));
    map_opt(parts, |(hour, minute, seconds)| {
        let (second, micros) = seconds.map_or((0, 0), |(second, micros)| (second, micros.unwrap_or(0)));
        // A leap second is read as the second after it.
        let valid = hour < 24 && minute < 60 && second <= 60;
        valid.then_some(((hour * 60 + minute) * 60 + second) * 1_000_000 + micros)
    })
    .parse(input)
}

/// Parses decimals of a second as microseconds; further digits are cut off.
fn fraction(input: &[u8]) -> IResult<&[u8], i64> {
    let (rest, digits) = take_while_m_n(1, 9, |byte: u8| byte.is_ascii_digit()).parse(input)?;
    let micros =
        (0..6).fold(0, |sum, at| sum * 10 + digits.get(at).map_or(0, |digit| i64::from(digit - b'0')));
    Ok((rest, micros))
}

fn offset(input: &[u8]) -> IResult<&[u8], i64> {
    let numeric = (one_of("+-"), digits(2, 2), opt(tag(":")), digits(2, 2));
    let seconds = numeric.map(|(sign, hours, _, minutes)| {
        let seconds = (hours * 60 + minutes) * 60;
        if sign == '-' { -seconds } else { seconds }
    });
    alt((tag("Z").map(|_| 0), seconds)).parse(input)
}

/// Parses between `least` and `most` digits.
fn digits<'a>(
    least: usize,
    most: usize,
) -> impl Parser<&'a [u8], Output = i64, Error = nom::error::Error<&'a [u8]>> {
    take_while_m_n(least, most, |byte: u8| byte.is_ascii_digit())
        .map(|digits: &[u8]| digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
}

fn full_year(year: i64) -> i64 {
    match year {
        0..=69 => 2000 + year,
        70..=99 => 1900 + year,
        _ => year,
    }
}

/// Days from 1970-01-01 to a date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    const LENGTHS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = LENGTHS.get(usize::try_from(month - 1).ok()?)? + i64::from(leap && month == 2);
    if !(1..=length).contains(&day) {
        return None;
    }
    // In years that begin in March, the leap day is the last day; from March, five months have 153 days.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    Some(years * 365 + leaps + (153 * months + 2) / 5 + day - 1 - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(stamp: Option<Stamp>) -> Option<i64> {
        stamp.map(Stamp::secs)
    }

    #[test]
    fn dates_come_with_and_without_times_decimals_and_offsets() {
        assert_eq!(seconds(iso(b"2016-12-21T21:43:34")), Some(1_482_356_614));
        assert_eq!(iso(b"2020-06-09 18:41:01.25+02:00").unwrap().offset, Some(7200));
        assert_eq!(iso(b"1970-01-01T00:00:00.000001Z"), Some(Stamp { micros: 1, offset: Some(0) }));
        assert_eq!(iso(b"2006-12-1 7:00"), iso(b"2006-12-01T07:00:00"));
        assert_eq!(seconds(iso(b"1970-01-02")), Some(86_400));
        assert_eq!(seconds(us(b"10/19/93 18:06:10")), Some(751_053_970));
        assert_eq!(us(b"10/19/1993@18:06:10"), us(b"10/19/93 18:06:10"));
        assert_eq!(seconds(us(b"1/2/2003")), Some(1_041_465_600));
        assert_eq!(us_apart(b"10/19/93", b"18:06:10"), us(b"10/19/93 18:06:10"));
        assert_eq!((us_apart(b"10/19/93", b""), us_apart(b"1/2/93@9:00", b"1:00")), (None, None));
    }

    #[test]
    fn relative_instants_are_known_by_their_form() {
        for relative in
            ["10:31:05", "Ystday 14:31", "Tomorr 08:00", "Mon 14:31", "15 Jan 14:31", "3 Jan 2019", "Ystday"]
        {
            assert!(is_relative(relative.as_bytes()), "{relative}");
            assert_eq!(iso(relative.as_bytes()), None, "{relative}");
        }
        for other in "|10:31|tomorrow|Unknown|2026-01-01T00:00:00|Mon 25:00|15 Jin 14:31|3 Jan 19|\
                  1 day, 2:03:04"
            .split('|')
        {
            assert!(!is_relative(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for year in [0, 1, 4, 99, 1600, 1900, 1970, 1999, 2000, 2023, 2024, 2100, 9999] {
            for (month, day) in (0..=13).flat_map(|month| (0..=32).map(move |day| (month, day))) {
                let date = chrono::NaiveDate::from_ymd_opt(year as i32, month as u32, day as u32);
                let expected = date.map(|date| i64::from(date.to_epoch_days()));
                assert_eq!(days(year, month, day), expected, "{year}-{month}-{day}");
            }
        }
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        for no in "2021-02-29T00:00:00|2021-13-01T00:00:00|Unknown||2021-01-01T24:00:00|\
                  2021-01-01T00:00:00x|2006|18.12.2006|1-1-1-1"
            .split('|')
        {
            assert_eq!(iso(no.as_bytes()), None, "{no}");
        }
        assert_eq!(us(b"13/19/93 18:06:10"), None);
    }
}
