//! Local times of logs as instants.

use batchlab_traces::calendar::{LocalTime, Zone};
use batchlab_traces::{Kind, Level, Refusal, Time};

use crate::desk::Desk;
use crate::text::date::Stamp;

/// Times of logs that do not say where their clock stands.
pub static ZONE_ASSUMED: Kind = Kind {
    code: "zone-assumed",
    level: Level::Note,
    what: "{log|logs} with local times and without a time zone",
    done: "read as UTC: lengths of time across a change of clocks are off by an hour",
    advice: "say where the clock stands: --zone Europe/Stockholm",
};

/// Local times that a clock showed twice.
pub static AMBIGUOUS: Kind = Kind {
    code: "time-ambiguous",
    level: Level::Warning,
    what: "local {time|times} in the hour that clocks show twice",
    done: "the first of the two is taken",
    advice: "have the log written with offsets or as epoch seconds (Slurm: SLURM_TIME_FORMAT=%s)",
};

/// Local times that no clock showed.
pub static SKIPPED: Kind = Kind {
    code: "time-skipped",
    level: Level::Warning,
    what: "local {time|times} in the hour that clocks skip",
    done: "read as if the clock had not been put forward",
    advice: "check the time zone: in the right one there are none",
};

/// Turns the readings of a log's clock into instants, counting those that are no plain ones.
///
/// The meaning of the last quarter of an hour asked for is remembered: the times of a log come in runs.
pub struct LocalClock {
    zone: Zone,
    assumed: bool,
    used: bool,
    /// Quarter of an hour since 1970 on the local clock, and how far that is ahead of UTC, seconds.
    last: Option<(i64, i64)>,
}

/// Seconds for which the meaning of a reading is remembered; offsets change at multiples of it.
const QUARTER: i64 = 900;

impl LocalClock {
    /// Returns a clock in the zone that the user named, else in the format's own, else in UTC with a finding.
    pub fn new(named: Option<Zone>, own: Option<Zone>) -> LocalClock {
        let zone = named.or(own);
        LocalClock { zone: zone.unwrap_or(Zone::UTC), assumed: zone.is_none(), used: false, last: None }
    }

    /// Returns the zone.
    pub fn zone(&self) -> Zone {
        self.zone
    }

    /// Returns the instant of a stamp, from 1970-01-01 UTC; a stamp with an offset needs no zone. `line` is
    /// where it stands, from 1.
    ///
    /// # Errors
    /// A strict refusal of a reading that is ambiguous or skipped.
    pub fn instant(&mut self, stamp: Stamp, line: u32, desk: &mut Desk<'_>) -> Result<Time, Refusal> {
        if let Some(offset) = stamp.offset {
            return Ok(Time::from_ticks(stamp.micros - offset * 1_000_000));
        }
        self.used = true;
        let local = stamp.micros.div_euclid(1_000_000);
        let quarter = local.div_euclid(QUARTER);
        let ahead = match self.last {
            Some((last, ahead)) if last == quarter => ahead,
            _ => match self.zone.instant(local) {
                LocalTime::Once(instant) => {
                    self.last = Some((quarter, local - instant));
                    local - instant
                }
                odd => {
                    let kind = if matches!(odd, LocalTime::Never(_)) { &SKIPPED } else { &AMBIGUOUS };
                    let detail = || format!("{} in {}", show(local), self.zone);
                    desk.report_at(kind, line, detail)?;
                    local - odd.seconds()
                }
            },
        };
        Ok(Time::from_ticks(stamp.micros - ahead * 1_000_000))
    }

    /// Reports that a zone was assumed, if one was and mattered.
    ///
    /// # Errors
    /// None: it is a note.
    pub fn finish(&self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        if self.assumed && self.used {
            desk.report_at(&ZONE_ASSUMED, 0, || "read as UTC".into())?;
        }
        Ok(())
    }
}

fn show(local_seconds: i64) -> String {
    match chrono::DateTime::from_timestamp(local_seconds, 0) {
        Some(time) => time.format("%Y-%m-%dT%H:%M:%S").to_string(),
        None => local_seconds.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Findings;

    use super::*;
    use crate::text::date::{iso, us};

    #[test]
    fn the_hour_shown_twice_is_the_first_one_and_counted() {
        let mut findings = Findings::lenient();
        let mut desk = Desk { findings: &mut findings, file: "nas.log".into() };
        let mut clock = LocalClock::new(None, "America/Los_Angeles".parse().ok());
        let mut at = |text: &str, line| {
            let stamp = us(text.as_bytes()).unwrap();
            clock.instant(stamp, line, &mut desk).unwrap().ticks() / 1_000_000 - 749_458_803
        };
        assert_eq!(at("10/19/93 18:06:10", 1), 1_620_367);
        assert_eq!(at("10/31/93 00:59:59", 2) + 1, at("10/31/93 01:00:00", 3));
        assert_eq!(at("10/31/93 01:59:59", 4) + 3601, at("10/31/93 02:00:00", 5));
        clock.finish(&mut desk).unwrap();
        assert_eq!(findings.count("time-ambiguous"), 2);
        assert_eq!(findings.count("zone-assumed"), 0);
    }

    #[test]
    fn an_offset_needs_no_zone() {
        let mut findings = Findings::lenient();
        let mut desk = Desk { findings: &mut findings, file: "a.log".into() };
        let mut clock = LocalClock::new(None, None);
        let stamp = iso(b"1970-01-01T02:00:01+02:00").unwrap();
        assert_eq!(clock.instant(stamp, 1, &mut desk), Ok(Time::SECOND));
        clock.finish(&mut desk).unwrap();
        assert_eq!(findings.list(), []);
    }
}
