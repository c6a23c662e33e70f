//! The times at which events of a calendar of capacity happen, in words.

use std::fmt;

use batchlab_traces::calendar::Calendar;
use batchlab_traces::capacity::{CapacityCalendar, Closure};
use batchlab_traces::{SourcePlace, Time};

/// One time at which an event of the calendar happens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    pub from: Time,
    /// Its end; [`Time::MAX`] for good.
    pub to: Time,
    /// The event's kind: outage, drain, maintenance, reservation, capacity.
    pub kind: &'static str,
    /// File and line of the event.
    pub place: String,
}

impl Occurrence {
    pub fn of(calendar: &CapacityCalendar, closure: &Closure) -> Occurrence {
        let event = closure.event;
        let stated = calendar.events.get(event.index);
        Occurrence {
            from: event.from,
            to: event.to,
            kind: stated.map_or("event", |event| event.kind),
            place: stated.map(|event| line(&event.place)).unwrap_or_default(),
        }
    }

    /// Returns it in words, such as "the maintenance window that begins at 2026-12-01 08:00 (c.toml:3)".
    pub fn words(&self, clock: InstantDisplay) -> String {
        let noun = match self.kind {
            "maintenance" => "maintenance window",
            "capacity" => "change of capacity",
            other => other,
        };
        let place = if self.place.is_empty() { String::new() } else { format!(" ({})", self.place) };
        format!("the {noun} that begins at {}{place}", clock.at(self.from))
    }
}

pub fn line(place: &SourcePlace) -> String {
    SourcePlace { column: 0, ..place.clone() }.to_string()
}

/// Shows instants: as dates of the site, if the log has an epoch; else in seconds from the log's zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstantDisplay(pub Option<Calendar>);

impl InstantDisplay {
    pub fn at(self, time: Time) -> String {
        let Some(local) = self.0.and_then(|calendar| calendar.local(time)) else {
            return format!("{time} s");
        };
        let whole = time.ticks() % Time::SECOND.ticks() == 0 && local.format("%S").to_string() == "00";
        local.format(if whole { "%Y-%m-%d %H:%M" } else { "%Y-%m-%d %H:%M:%S%.f" }).to_string()
    }
}

/// Shows a length of time: "40 s", "20 min", "3 h 0 min", "1 min 5.5 s".
pub struct Length(pub Time);

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.0.ticks() / (60 * Time::SECOND.ticks());
        let seconds = self.0 - Time::from_secs(60 * minutes);
        match (minutes / 60, minutes % 60) {
            (0, 0) => return write!(f, "{seconds} s"),
            (0, minutes) => write!(f, "{minutes} min")?,
            (hours, minutes) => write!(f, "{hours} h {minutes} min")?,
        }
        if seconds > Time::ZERO { write!(f, " {seconds} s") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_shown_in_hours_minutes_and_seconds() {
        let shown = |ticks| Length(Time::from_ticks(ticks)).to_string();
        assert_eq!(
            [40_000_000, 1_200_000_000, 10_800_000_000, 65_500_000].map(shown),
            ["40 s", "20 min", "3 h 0 min", "1 min 5.5 s"]
        );
    }

    #[test]
    fn instants_without_an_epoch_are_seconds() {
        assert_eq!(InstantDisplay(None).at(Time::from_secs(90)), "90 s");
    }
}
