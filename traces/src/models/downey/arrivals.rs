use chacha20::rand_core::Rng;

use super::parameters::DowneySettings;
use crate::models::draw::exponential;

const DAY: f64 = 86_400.0;
const HALF: f64 = DAY / 2.0;
/// The time from which the halves of a day are not distinguished, seconds: floats are too coarse for them there.
const FARTHEST: f64 = 1e15;

/// Poisson arrivals whose rate changes twice a day.
///
/// Each job takes an exponential amount of expected arrivals; its duration depends on the rates.
#[derive(Clone, Debug)]
pub(super) struct PoissonArrivals {
    /// Arrivals per second in the busy half of the day and in the other half.
    rates: [f64; 2],
    /// Seconds from the start of a busy half; time 0 is midnight.
    clock: f64,
    /// The start of the first busy half before or at time 0, seconds.
    origin: f64,
}

impl PoissonArrivals {
    /// Returns the process at midnight, with a mean time between arrivals over the whole day.
    pub(super) fn new(set: &DowneySettings, gap: f64) -> PoissonArrivals {
        let (share, start) = set.busy;
        let origin = if start > 0.0 { start - DAY } else { 0.0 };
        PoissonArrivals { rates: [2.0 * share / gap, 2.0 * (1.0 - share) / gap], clock: -origin, origin }
    }

    /// Returns the time of the next arrival, seconds from midnight.
    pub(super) fn next(&mut self, stream: &mut impl Rng) -> f64 {
        let mut left = exponential(1.0, stream);
        // Skips whole days at once: at a low rate a gap spans very many halves.
        let of_day = HALF * (self.rates[0] + self.rates[1]);
        self.clock += DAY * (left / of_day).floor();
        left %= of_day;
        if self.clock > FARTHEST {
            self.clock += DAY * left / of_day;
            return self.clock + self.origin;
        }
        loop {
            let half = (self.clock / HALF).floor();
            let rate = self.rates[usize::from(half % 2.0 != 0.0)];
            let room = (half + 1.0) * HALF - self.clock;
            if left <= rate * room {
                self.clock += left / rate;
                return self.clock + self.origin;
            }
            left -= rate * room;
            self.clock = (half + 1.0) * HALF;
        }
    }

    /// Returns the expected number of arrivals from midnight up to a time.
    #[cfg(test)]
    pub(super) fn expected(&self, seconds: f64) -> f64 {
        let upto = |clock: f64| {
            let (days, rest) = ((clock / DAY).floor(), clock.rem_euclid(DAY));
            let [busy, quiet] = self.rates;
            days * HALF * (busy + quiet) + rest.min(HALF) * busy + (rest - HALF).max(0.0) * quiet
        };
        upto(seconds - self.origin) - upto(-self.origin)
    }
}
