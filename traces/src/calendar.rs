//! Conversion between the trace's seconds and the wall clock of its site.

use chrono::{DateTime, FixedOffset, Offset, Utc};
use chrono_tz::Tz;

mod zone;

pub use zone::{LocalTime, Zone};

use crate::time::{TICKS_PER_SECOND, Time};
use crate::{Example, Findings, Header, Refusal, SourcePlace, kinds};

kinds! {
    UNKNOWN_ZONE: Warning "calendar-unknown-zone",
        "{time zone name that is|time zone names that are} not in the IANA database",
        "the TimeZone offset is used, or UTC without one",
        "correct TimeZoneString to a name such as Europe/Stockholm";
}

/// The instant of the trace's zero, and the time zone of its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    unix_start: i64,
    zone: Zone,
}

impl Calendar {
    /// Returns the calendar that a header describes; `None` without `UnixStartTime`.
    ///
    /// `TimeZoneString` decides; the deprecated `TimeZone` contradicts it in some archive logs and
    /// counts only where there is no usable name.
    pub fn from_header(
        header: &Header,
        file: &std::sync::Arc<str>,
        findings: &mut Findings,
    ) -> Result<Option<Calendar>, Refusal> {
        let Some(unix_start) = header.unix_start_time else { return Ok(None) };
        let offset = header.time_zone.and_then(|seconds| FixedOffset::east_opt(i32::try_from(seconds).ok()?));
        let fallback = Zone::Offset(offset.unwrap_or_else(|| Utc.fix()));
        let zone = match &header.time_zone_string {
            None => fallback,
            Some(name) => match name.parse::<Tz>() {
                Ok(zone) => Zone::Named(zone),
                Err(_) => {
                    let place = SourcePlace { file: file.clone(), line: 0, column: 0 };
                    findings
                        .report(&UNKNOWN_ZONE, || Example::at(&place, format!("TimeZoneString `{name}`")))?;
                    fallback
                }
            },
        };
        Ok(Some(Calendar { unix_start, zone }))
    }

    /// Returns the instant as the site's clock showed it; `None` outside the calendar's range.
    pub fn local(&self, time: Time) -> Option<DateTime<FixedOffset>> {
        // Near the end of the calendar (262,000 years away) no offset fits.
        const RANGE: std::ops::RangeInclusive<i64> = -8_000_000_000_000..=8_000_000_000_000;
        let seconds = self.unix_start.checked_add(time.ticks().div_euclid(TICKS_PER_SECOND))?;
        let seconds = Some(seconds).filter(|seconds| RANGE.contains(seconds))?;
        let micros = time.ticks().rem_euclid(TICKS_PER_SECOND) as u32;
        let utc = DateTime::from_timestamp(seconds, micros * 1000)?;
        Some(match self.zone {
            Zone::Named(zone) => {
                let local = utc.with_timezone(&zone);
                local.with_timezone(&local.offset().fix())
            }
            Zone::Offset(offset) => utc.with_timezone(&offset),
        })
    }

    /// Returns seconds since 1970-01-01 UTC at the trace's zero.
    pub fn unix_start(&self) -> i64 {
        self.unix_start
    }

    /// Returns the zone's name, or its offset.
    pub fn zone(&self) -> String {
        self.zone.to_string()
    }

    /// Returns the time of the trace at which the site's clock showed `local_seconds` since 1970-01-01 00:00
    /// on that clock: the first time if it showed this reading twice, the end of the gap if it skipped it.
    pub fn time_of(&self, local_seconds: i64) -> Time {
        Time::from_secs(self.zone.instant(local_seconds).seconds().saturating_sub(self.unix_start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calendar(zone: &str, offset: Option<i64>) -> (Calendar, Findings) {
        let header = Header {
            unix_start_time: Some(843_480_031),
            time_zone_string: Some(zone.into()),
            time_zone: offset,
            ..Header::default()
        };
        let mut findings = Findings::lenient();
        let calendar = Calendar::from_header(&header, &"kth.swf".into(), &mut findings);
        (calendar.unwrap().expect("a start time"), findings)
    }

    #[test]
    fn the_zone_name_decides_and_follows_daylight_saving() {
        // KTH-SP2's header says StartTime: Mon Sep 23 14:00:31 CEST 1996, TimeZone 3600 (winter).
        let (calendar, _) = calendar("Europe/Stockholm", Some(3600));
        assert_eq!(calendar.local(Time::ZERO).unwrap().to_rfc3339(), "1996-09-23T14:00:31+02:00");
        let december = calendar.local(Time::from_secs(80 * 86_400)).unwrap();
        assert_eq!(december.to_rfc3339(), "1996-12-12T13:00:31+01:00");
    }

    #[test]
    fn beyond_the_calendar_there_is_no_local_time() {
        let end = DateTime::<Utc>::MAX_UTC.timestamp();
        for start in [end, -end, i64::MAX, i64::MIN] {
            let zone = Zone::Offset(FixedOffset::east_opt(14 * 3600).unwrap());
            let calendar = Calendar { unix_start: start, zone };
            assert_eq!(calendar.local(Time::ZERO), None);
            assert_eq!(calendar.local(Time::MAX).map(|_| ()).is_some(), start == -end, "{start}");
        }
    }

    #[test]
    fn an_unknown_zone_is_a_finding_and_the_offset_counts() {
        let (calendar, findings) = calendar("Middle/Earth", Some(-25_200));
        assert_eq!(findings.count("calendar-unknown-zone"), 1);
        assert_eq!(calendar.zone(), "UTC-07:00");
    }
}
