//! Days of a trace, counted from a given origin.

use super::{Param, ShapedTrace, StepError, choices};
use crate::calendar::Calendar;
use crate::time::{TICKS_PER_SECOND, Time};

/// Seconds in a day without a change of the clock.
pub(super) const DAY: i64 = 86_400;

// The beginning of day 0.
choices!(pub(super) Origin: Zero | First | Midnight);

impl Origin {
    /// The parameter of steps that count days.
    pub const PARAM: Param = Param {
        name: "origin",
        default: "zero",
        takes: "zero, first or midnight",
        help: "where day 0 begins: at the trace's zero (windows of windows add up then), at the first \
               submission, or at the last midnight of the site's clock up to the zero; from midnight days \
               are those of the calendar, 23 or 25 hours long when the clock changes",
    };
}

pub(super) enum Days {
    /// Days of 86,400 s each, from an instant.
    Even(Time),
    /// Calendar days, with the midnight at which day 0 begins, in seconds of the site's clock.
    Local(Calendar, i64),
}

impl Days {
    /// Returns the days of a trace. Fails when midnights are requested and the header has no start time.
    pub fn of(work: &ShapedTrace, origin: Origin) -> Result<Days, StepError> {
        Ok(match origin {
            Origin::Zero => Days::Even(Time::ZERO),
            Origin::First => Days::Even(work.first_submit().unwrap_or_default()),
            Origin::Midnight => {
                let missing = || StepError::NoCalendar("count days from origin = \"zero\"");
                let calendar = work.trace.calendar.ok_or_else(missing)?;
                let zero = calendar.local(Time::ZERO).ok_or_else(missing)?;
                let clock = zero.timestamp() + i64::from(zero.offset().local_minus_utc());
                Days::Local(calendar, clock - clock.rem_euclid(DAY))
            }
        })
    }

    /// Returns the beginning of a day; fractions of days are fractions of 86,400 s on the clock.
    pub fn begin(&self, day: f64) -> Time {
        match self {
            Days::Even(origin) => origin.saturating_add(Time::from_secs_f64(day * DAY as f64)),
            Days::Local(calendar, midnight) => {
                let seconds = Time::from_secs_f64(day * DAY as f64);
                let whole = seconds.ticks().div_euclid(TICKS_PER_SECOND);
                calendar.time_of(midnight + whole)
            }
        }
    }
}
