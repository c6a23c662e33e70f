//! Time as whole ticks, so that sums are exact.

use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// An instant counted from the trace's zero, or a duration, in ticks of one microsecond.
///
/// SWF seconds, including fractional ones, are exact in ticks; an `i64` of ticks spans 292,000 years.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Time(i64);

/// Ticks in one second.
pub const TICKS_PER_SECOND: i64 = 1_000_000;

impl Time {
    /// The trace's zero, and the zero duration.
    pub const ZERO: Time = Time(0);
    /// One tick, the smallest duration.
    pub const TICK: Time = Time(1);
    /// One second.
    pub const SECOND: Time = Time(TICKS_PER_SECOND);
    /// Later than every instant of any trace; longer than any job.
    pub const MAX: Time = Time(i64::MAX);
    /// The latest instant, and the longest duration, that input may state and a replay may reach: 73,000
    /// years, a quarter of the range, so that sums and differences of three of them do not overflow.
    pub const FARTHEST: Time = Time(i64::MAX / 4);

    /// Returns the time of `ticks` ticks.
    #[inline]
    pub const fn from_ticks(ticks: i64) -> Time {
        Time(ticks)
    }

    /// Returns the time of `seconds` seconds, saturating at [`Time::MAX`].
    #[inline]
    pub const fn from_secs(seconds: i64) -> Time {
        Time(seconds.saturating_mul(TICKS_PER_SECOND))
    }

    /// Returns the tick nearest to `seconds`, saturating; not-a-number becomes zero.
    pub fn from_secs_f64(seconds: f64) -> Time {
        Time((seconds * TICKS_PER_SECOND as f64).round() as i64)
    }

    /// Returns the ticks.
    #[inline]
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// Returns the time in seconds, for metrics and scores.
    pub fn secs(self) -> f64 {
        self.0 as f64 / TICKS_PER_SECOND as f64
    }

    /// Adds, saturating at [`Time::MAX`] (an unlimited reservation stays unlimited).
    #[must_use]
    #[inline]
    pub const fn saturating_add(self, other: Time) -> Time {
        Time(self.0.saturating_add(other.0))
    }
}

impl Add for Time {
    type Output = Time;
    #[inline]
    fn add(self, other: Time) -> Time {
        Time(self.0 + other.0)
    }
}

impl Sub for Time {
    type Output = Time;
    #[inline]
    fn sub(self, other: Time) -> Time {
        Time(self.0 - other.0)
    }
}

impl AddAssign for Time {
    #[inline]
    fn add_assign(&mut self, other: Time) {
        self.0 += other.0;
    }
}

impl SubAssign for Time {
    #[inline]
    fn sub_assign(&mut self, other: Time) {
        self.0 -= other.0;
    }
}

impl Time {
    /// Returns the time in the largest unit in which it is a whole number: "3 d" for 259,200 s.
    pub fn words(self) -> String {
        let units =
            [(86_400, "d"), (3_600, "h"), (60, "min")].map(|(secs, unit)| (secs * TICKS_PER_SECOND, unit));
        let whole = units.into_iter().find(|(ticks, _)| self.0 != 0 && self.0 % ticks == 0);
        whole.map_or_else(|| format!("{self} s"), |(ticks, unit)| format!("{} {unit}", self.0 / ticks))
    }

    /// Returns the time to a tenth of the largest unit that fits in it at least twice: "17.9 d" for 1,547,768 s. A whole
    /// number of a unit is written as [`Time::words`] writes it.
    pub fn rounded_words(self) -> String {
        let units = [(86_400, "d"), (3_600, "h"), (60, "min")];
        let large = units.into_iter().find(|(secs, _)| self.0 >= 2 * secs * TICKS_PER_SECOND);
        match large {
            Some((secs, unit)) if self.0 % (60 * TICKS_PER_SECOND) != 0 => {
                format!("{:.1} {unit}", self.secs() / secs as f64)
            }
            _ => self.words(),
        }
    }
}

/// Writes seconds: whole ones without decimals, others with as many decimals as needed.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_micro(self.0, f)
    }
}

/// Writes a number of millionths as a decimal number without trailing zeros.
pub(crate) fn fmt_micro(micro: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (whole, rest) = (micro.unsigned_abs() / 1_000_000, micro.unsigned_abs() % 1_000_000);
    let sign = if micro < 0 { "-" } else { "" };
    if rest == 0 {
        return write!(f, "{sign}{whole}");
    }
    let decimals = format!("{rest:06}");
    write!(f, "{sign}{whole}.{}", decimals.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_largest_unit_that_fits() {
        let words = |secs: i64| Time::from_secs(secs).words();
        assert_eq!([259_200, 86_400, 5_400, 90, 0].map(words), ["3 d", "1 d", "90 min", "90 s", "0 s"]);
        assert_eq!(Time::from_secs_f64(0.5).words(), "0.5 s");
        let rounded = |secs: i64| Time::from_secs(secs).rounded_words();
        assert_eq!(
            [1_547_768, 259_200, 7_201, 5_400, 90].map(rounded),
            ["17.9 d", "3 d", "2.0 h", "90 min", "90 s"]
        );
    }

    #[test]
    fn whole_seconds_print_whole_and_fractions_shortest() {
        let shown = |ticks| Time::from_ticks(ticks).to_string();
        assert_eq!(shown(12_000_000), "12");
        assert_eq!(shown(12_340_000), "12.34");
        assert_eq!(shown(-500_000), "-0.5");
        assert_eq!(shown(1), "0.000001");
    }

    #[test]
    fn seconds_round_to_the_nearest_tick_and_saturate() {
        assert_eq!(Time::from_secs_f64(0.000_000_6), Time::TICK);
        assert_eq!(Time::from_secs(i64::MAX), Time::MAX);
        assert_eq!(Time::MAX.saturating_add(Time::SECOND), Time::MAX);
    }
}
