//! The clock of the site at the beginning of a chart.

use batchlab_traces::Time;
use serde::{Deserialize, Serialize};

use batchlab_engine::metrics::Measurement;

/// The longest window that is drawn with the time of day, in days.
const DAYS: i64 = 4;

/// The time of day in a chart's window, by the clock of the site at its beginning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// The last midnight before the window, in seconds after the first submission.
    pub midnight: f64,
    /// The dates of that day and of the following ones.
    pub dates: Vec<String>,
    /// The year, and the time zone.
    pub place: String,
}

/// Returns the clock of a window of some days; `None` of a longer one, if the log does not say when its zero was, or if a load
/// factor has stretched its days.
pub(super) fn clock(measurement: &Measurement<'_>, (from, to): (Time, Time)) -> Option<Clock> {
    const DAY: i64 = 86_400;
    if to - from >= Time::from_secs(DAYS * DAY) {
        return None;
    }
    let meanings = measurement.workload().meanings();
    let calendar = meanings.calendar.filter(|_| !meanings.is_stretched)?;
    let local = calendar.local(from)?;
    let clock = local.naive_local().and_utc().timestamp().rem_euclid(DAY);
    // Rounded down, as the clock is.
    let midnight = Time::from_secs(from.ticks().div_euclid(Time::SECOND.ticks()) - clock);
    // At noon a clock that changes at night shows the same date as before.
    let noon = |day: i64| calendar.local(midnight + Time::from_secs(day * DAY + DAY / 2));
    let dates = (0..=DAYS).map(|day| Some(noon(day)?.format("%-d %b").to_string()));
    Some(Clock {
        midnight: (midnight - measurement.window().first_submit).secs(),
        dates: dates.collect::<Option<_>>()?,
        place: format!("{}, {}", local.format("%Y"), calendar.zone()),
    })
}
