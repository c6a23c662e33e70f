//! Time zones: the meaning of a wall clock's reading.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, FixedOffset, MappedLocalTime, Offset, TimeZone};
use chrono_tz::{OffsetName, Tz};

/// A time zone: one of the IANA database, or a fixed offset from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// A zone of the database, with its daylight saving.
    Named(Tz),
    /// The same offset from UTC all year.
    Offset(FixedOffset),
}

/// The meaning of a wall clock's reading, in seconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalTime {
    /// The clock showed it once.
    Once(i64),
    /// The clock was put back and showed it twice: first and second time.
    Twice(i64, i64),
    /// The clock was put forward and skipped it: the instant at which the clock would have shown it otherwise.
    Never(i64),
}

impl LocalTime {
    /// Returns the instant: the first one if there are two.
    pub fn seconds(self) -> i64 {
        match self {
            LocalTime::Once(seconds) | LocalTime::Twice(seconds, _) | LocalTime::Never(seconds) => seconds,
        }
    }
}

impl Zone {
    /// Coordinated universal time.
    pub const UTC: Zone = Zone::Named(Tz::UTC);

    /// Returns the meaning of a wall clock's reading; `local_seconds` are the seconds from 1970-01-01 00:00
    /// to the reading, on that clock. Outside the calendar's range the reading is taken as UTC.
    pub fn instant(&self, local_seconds: i64) -> LocalTime {
        let Some(local) = DateTime::from_timestamp(local_seconds, 0).map(|time| time.naive_utc()) else {
            return LocalTime::Once(local_seconds);
        };
        let Zone::Named(zone) = self else {
            return LocalTime::Once(local_seconds - self.offset_at(local_seconds));
        };
        match zone.from_local_datetime(&local) {
            MappedLocalTime::Single(time) => LocalTime::Once(time.timestamp()),
            MappedLocalTime::Ambiguous(first, second) => {
                LocalTime::Twice(first.timestamp(), second.timestamp())
            }
            // No clock is put forward by more than a day: a day earlier the old offset was in force.
            MappedLocalTime::None => {
                LocalTime::Never(local_seconds - self.offset_at(local_seconds - 86_400 - 50_400))
            }
        }
    }

    /// Returns how far the clock is ahead of UTC when it shows a reading under an abbreviation such as `PDT`, seconds;
    /// `None` if the zone does not use the abbreviation at that reading.
    pub fn offset_called(&self, local_seconds: i64, abbreviation: &str) -> Option<i64> {
        let Zone::Named(zone) = self else { return None };
        let local = DateTime::from_timestamp(local_seconds, 0)?.naive_utc();
        let (first, second) = match zone.offset_from_local_datetime(&local) {
            MappedLocalTime::Single(offset) => (Some(offset), None),
            MappedLocalTime::Ambiguous(first, second) => (Some(first), Some(second)),
            MappedLocalTime::None => (None, None),
        };
        let called = |offset: &<Tz as TimeZone>::Offset| {
            offset.abbreviation().is_some_and(|own| own.eq_ignore_ascii_case(abbreviation))
        };
        let found = [first, second].into_iter().flatten().find(called)?;
        Some(i64::from(found.fix().local_minus_utc()))
    }

    /// Returns how far the clock is ahead of UTC at an instant (seconds since 1970-01-01 UTC), seconds.
    pub fn offset_at(&self, unix_seconds: i64) -> i64 {
        let offset = match self {
            Zone::Offset(offset) => *offset,
            Zone::Named(zone) => match DateTime::from_timestamp(unix_seconds, 0) {
                Some(utc) => zone.offset_from_utc_datetime(&utc.naive_utc()).fix(),
                None => return 0,
            },
        };
        i64::from(offset.local_minus_utc())
    }
}

/// Writes the name, or the offset: `Europe/Stockholm`, `UTC-07:00`.
impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::Named(zone) => f.write_str(zone.name()),
            Zone::Offset(offset) => write!(f, "UTC{offset}"),
        }
    }
}

/// Neither a name of the IANA database nor an offset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time zone; give a name of the IANA database such as Europe/Stockholm, or +02:00")]
pub struct UnknownZone(pub String);

/// Parses a name of the IANA database, or an offset such as `+02:00` or `UTC-07:00`.
impl FromStr for Zone {
    type Err = UnknownZone;

    fn from_str(text: &str) -> Result<Zone, UnknownZone> {
        if let Ok(zone) = text.parse::<Tz>() {
            return Ok(Zone::Named(zone));
        }
        let offset = text.strip_prefix("UTC").unwrap_or(text);
        offset.parse().map(Zone::Offset).map_err(|_| UnknownZone(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds of a local reading in October 1993: day, hour, minute.
    fn october_1993(day: i64, hour: i64, minute: i64) -> i64 {
        749_433_600 + (day - 1) * 86_400 + hour * 3600 + minute * 60
    }

    #[test]
    fn abbreviations_tell_the_two_hours_apart() {
        let pacific: Zone = "America/Los_Angeles".parse().unwrap();
        let reading = october_1993(31, 1, 30);
        let called = |name| pacific.offset_called(reading, name);
        assert_eq!([called("PDT"), called("pst"), called("CET")], [Some(-7 * 3600), Some(-8 * 3600), None]);
        assert_eq!(Zone::UTC.offset_called(reading, "UTC"), Some(0));
    }

    #[test]
    fn a_clock_put_back_shows_an_hour_twice() {
        let pacific: Zone = "America/Los_Angeles".parse().unwrap();
        let reading = october_1993(31, 1, 30);
        let first = reading + 7 * 3600;
        assert_eq!(pacific.instant(reading), LocalTime::Twice(first, first + 3600));
        assert_eq!(pacific.instant(october_1993(1, 0, 0)), LocalTime::Once(749_458_800));
    }

    #[test]
    fn a_clock_put_forward_skips_an_hour() {
        let stockholm: Zone = "Europe/Stockholm".parse().unwrap();
        // 30 March 1997, 02:30: at 02:00 the clock was put to 03:00.
        let reading = 859_689_000;
        assert_eq!(stockholm.instant(reading), LocalTime::Never(reading - 3600));
    }

    #[test]
    fn offsets_are_zones_too() {
        let zone: Zone = "UTC-07:00".parse().unwrap();
        assert_eq!(zone.instant(0), LocalTime::Once(25_200));
        assert_eq!(zone.to_string(), "UTC-07:00");
        assert_eq!("+02:00".parse::<Zone>().unwrap().offset_at(0), 7200);
        assert!("Middle/Earth".parse::<Zone>().is_err());
    }
}
