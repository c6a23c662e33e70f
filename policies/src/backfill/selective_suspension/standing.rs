//! Expansion factors, compared exactly.

use std::cmp::Ordering;

use batchlab_traces::{JobId, Time};

/// The parts of a job's expansion factor: its time in the queue so far, and its estimate of at least a second.
#[derive(Clone, Copy, Debug)]
pub struct ExpansionFactor {
    wait: Time,
    estimate: Time,
}

impl ExpansionFactor {
    pub fn new(wait: Time, estimate: Time) -> ExpansionFactor {
        ExpansionFactor { wait, estimate: estimate.max(Time::SECOND) }
    }

    pub fn factor(self) -> f64 {
        (self.wait.secs() + self.estimate.secs()) / self.estimate.secs()
    }

    fn sum(self) -> i128 {
        i128::from(self.wait.ticks()) + i128::from(self.estimate.ticks())
    }

    pub fn cmp(&self, other: &ExpansionFactor) -> Ordering {
        let cross = |a: &ExpansionFactor, b: &ExpansionFactor| a.sum() * i128::from(b.estimate.ticks());
        cross(self, other).cmp(&cross(other, self))
    }
}

/// Sorts jobs: the lowest factor first, among equal factors the latest submission first.
pub fn sort_lowest_first(jobs: &mut [(JobId, ExpansionFactor)]) {
    jobs.sort_unstable_by(|(a, x), (b, y)| x.cmp(y).then(b.cmp(a)));
}

/// The ratio that an idle job's factor must have to a running job's, in millionths.
#[derive(Clone, Copy, Debug)]
pub struct Ratio(i128);

const MILLION: i128 = 1_000_000;

impl Ratio {
    pub fn new(ratio: f64) -> Ratio {
        Ratio((ratio * MILLION as f64).round() as i128)
    }

    /// Whether an idle job's factor is at least this ratio times a running job's.
    pub fn is_reached(self, idle: ExpansionFactor, running: ExpansionFactor) -> bool {
        self.until(idle, running) <= Time::ZERO
    }

    /// Whether an idle job reaches the ratio after waiting for some more time: [`Ratio::until`] without its division.
    pub fn is_reached_in(self, time: Time, idle: ExpansionFactor, running: ExpansionFactor) -> bool {
        let product = |a: i128, b: i128, c: i128| a.checked_mul(b)?.checked_mul(c);
        let needs = product(self.0, running.sum(), idle.estimate.ticks().into());
        let has = product(idle.sum() + i128::from(time.ticks()), running.estimate.ticks().into(), MILLION);
        match (needs, has) {
            (Some(needs), Some(has)) => needs <= has,
            _ => self.until(idle, running) <= time,
        }
    }

    /// Returns how much longer an idle job must wait to reach the ratio; zero or negative if it has reached it.
    pub fn until(self, idle: ExpansionFactor, running: ExpansionFactor) -> Time {
        // (wait + idle.estimate) / idle.estimate >= ratio * running.sum / running.estimate
        let most = self
            .0
            .checked_mul(running.sum())
            .and_then(|product| product.checked_mul(idle.estimate.ticks().into()));
        let least = i128::from(running.estimate.ticks()) * MILLION;
        let needed = match most {
            Some(most) => (most + least - 1).div_euclid(least),
            // Over such long times whole ticks do not matter.
            None => {
                (self.0 as f64 / least as f64 * running.sum() as f64 * idle.estimate.ticks() as f64) as i128
            }
        };
        let left = needed.saturating_sub(idle.sum());
        Time::from_ticks(left.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(wait: i64, estimate: i64) -> ExpansionFactor {
        ExpansionFactor::new(Time::from_secs(wait), Time::from_secs(estimate))
    }

    #[test]
    fn an_idle_job_waits_until_its_factor_is_so_many_times_the_other() {
        // The running job has factor 1.5; twice that is 3, which an estimate of 10 s reaches after 20 s.
        let until = |ratio: f64, wait| Ratio::new(ratio).until(standing(wait, 10), standing(50, 100));
        assert_eq!(until(2.0, 0), Time::from_secs(20));
        assert_eq!(until(2.0, 20), Time::ZERO);
        assert_eq!(until(2.0, 25), Time::from_secs(-5));
        assert!(Ratio::new(2.0).is_reached(standing(20, 10), standing(50, 100)));
        assert!(!Ratio::new(2.000_001).is_reached(standing(20, 10), standing(50, 100)));
    }

    #[test]
    fn a_fraction_of_a_tick_is_waited_for() {
        // 1.1 times 4/3 of 7 s are 10.266... s, of which 7 are the estimate.
        let until = Ratio::new(1.1).until(standing(0, 7), standing(1, 3));
        assert_eq!(until, Time::from_ticks(3_266_667));
    }

    #[test]
    fn ages_and_tiny_estimates_are_compared_all_the_same() {
        let age = ExpansionFactor::new(Time::FARTHEST, Time::ZERO);
        let long = ExpansionFactor::new(Time::ZERO, Time::FARTHEST);
        assert_eq!(
            (age.cmp(&long), long.cmp(&age), age.cmp(&age)),
            (Ordering::Greater, Ordering::Less, Ordering::Equal)
        );
        let ratio = Ratio::new(1e9);
        assert!(ratio.is_reached(age, long) && !ratio.is_reached(long, age));
        assert!(!ratio.is_reached(age, age));
    }
}
