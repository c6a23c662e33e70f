use batchlab_traces::describe::lag1;
use batchlab_traces::{Field, Time, Trace};
use serde::Serialize;

use super::rows::share;
use super::spread::Spread;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArrivalPattern {
    /// Interarrival times: from each submission to the next, seconds.
    pub gaps: Option<Spread>,
    /// Share of gaps of length 0: jobs submitted at the same instant.
    pub together: f64,
    /// Coefficient of variation of the gaps: standard deviation (divided by n − 1) / mean. It is 1 for a
    /// Poisson process; higher values mean burstier arrivals.
    pub cv: Option<f64>,
    /// Autocorrelation of the gaps at lag 1, in the order of submission; 0 for independent gaps.
    pub autocorrelation: Option<f64>,
    /// The cycles; `None` if the log does not give its date.
    pub cycle: Option<WeeklyCycle>,
}

/// Jobs by the hour and day of their submission, in the site's local time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WeeklyCycle {
    /// Jobs by hour, from midnight.
    pub hours: [u64; 24],
    /// Jobs by day, from Monday.
    pub days: [u64; 7],
    /// Jobs by day, from Monday, and hour.
    pub week: [[u64; 24]; 7],
}

impl ArrivalPattern {
    /// Analyses the submissions of some rows. O(n log n).
    pub(super) fn of(trace: &Trace, rows: &[usize]) -> ArrivalPattern {
        let submits = submits(trace, rows);
        let gaps = gaps(&submits);
        let spread = Spread::of(gaps.iter().copied());
        let together = gaps.iter().filter(|&&gap| gap == 0.0).count() as u64;
        ArrivalPattern {
            together: share(together, gaps.len() as u64),
            cv: cv(&gaps),
            autocorrelation: lag1(&gaps),
            gaps: spread,
            cycle: WeeklyCycle::of(trace, &submits),
        }
    }
}

impl WeeklyCycle {
    fn of(trace: &Trace, submits: &[Time]) -> Option<WeeklyCycle> {
        let calendar = trace.calendar?;
        let mut week = [[0; 24]; 7];
        for &submit in submits {
            let local = calendar.local(submit)?;
            let seconds = local.timestamp() + i64::from(local.offset().local_minus_utc());
            // 1 January 1970 was a Thursday.
            let day = (seconds.div_euclid(DAY) + 3).rem_euclid(7);
            let hour = seconds.rem_euclid(DAY) / HOUR;
            week[day as usize][hour as usize] += 1;
        }
        let days = week.map(|hours: [u64; 24]| hours.iter().sum());
        let hours = std::array::from_fn(|hour| week.iter().map(|day| day[hour]).sum());
        (!submits.is_empty()).then_some(WeeklyCycle { hours, days, week })
    }

    /// Returns the share of jobs submitted from Monday to Friday.
    pub fn working_days(&self) -> f64 {
        share(self.days[..5].iter().sum(), self.days.iter().sum())
    }

    /// Returns the hour of the day with the most submissions, and their ratio to the mean of all hours; the
    /// first of several equal hours.
    pub fn busiest_hour(&self) -> (usize, f64) {
        let hour = (0..24).rev().max_by_key(|&hour| self.hours[hour]).unwrap_or(0);
        (hour, self.of_mean(hour))
    }

    /// Returns the hour of the day with the fewest submissions, in the same form.
    pub fn quietest_hour(&self) -> (usize, f64) {
        let hour = (0..24).min_by_key(|&hour| self.hours[hour]).unwrap_or(0);
        (hour, self.of_mean(hour))
    }

    fn of_mean(&self, hour: usize) -> f64 {
        share(self.hours[hour] * 24, self.hours.iter().sum())
    }
}

/// Returns the known submit times in ascending order.
pub(super) fn submits(trace: &Trace, rows: &[usize]) -> Vec<Time> {
    let times = rows.iter().map(|&row| trace.time(row, Field::Submit));
    let mut submits: Vec<Time> = times.filter(|&submit| submit >= Time::ZERO).collect();
    submits.sort_unstable();
    submits
}

/// Returns the gaps between ascending times, seconds.
pub(super) fn gaps(submits: &[Time]) -> Vec<f64> {
    submits.windows(2).map(|pair| (pair[1] - pair[0]).secs()).collect()
}

/// Returns the coefficient of variation; `None` for fewer than two values, or if all are zero.
fn cv(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let sd = (squares / (values.len().checked_sub(1)? as f64)).sqrt();
    (values.len() > 1 && mean > 0.0).then(|| sd / mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variation_and_autocorrelation_of_known_values() {
        // Deviations from the mean of 2 are -1, 0, 2, -1, 0: their squares add up to 6, products of neighbours to -2.
        let values = [1.0, 2.0, 4.0, 1.0, 2.0];
        assert!((cv(&values).unwrap() - 1.5_f64.sqrt() / 2.0).abs() < 1e-15);
        assert_eq!(lag1(&values), Some(-2.0 / 6.0));
        assert_eq!((cv(&[5.0]), lag1(&[5.0])), (None, None));
        assert_eq!((cv(&[0.0, 0.0]), lag1(&[3.0, 3.0])), (None, None));
        assert_eq!((cv(&[]), lag1(&[])), (None, None));
    }
}
