use chacha20::rand_core::Rng;

use super::parameters::LublinClass;
use crate::models::draw::GammaLaw;
use crate::models::error::ModelError;

pub(super) const BUCKETS: usize = 48;
const BUCKET: f64 = 1800.0;
/// The first half hour of the gamma law of the daily cycle, which ends a day later. (The program calls
/// it an hour; it counts half hours.)
const DAY_START: usize = 11;
/// The greatest ln(time between arrivals) in the mean hour: e^13 s are five days.
pub(super) const FARTHEST: f64 = 13.0;
/// The least share of draws within the limit: with a smaller share, redrawing would take too long.
const LEAST_KEPT: f64 = 0.001;

/// Arrivals: log-gamma times between them, stretched and compressed by the daily cycle.
///
/// Each job gains points, e^g in seconds of a bucket. Crossing a bucket costs its weight, with a mean weight
/// of 1, so that gaps are short in busy half hours, and the mean time between arrivals stays that of e^g.
#[derive(Clone, Debug)]
pub(super) struct Arrivals {
    gap: GammaLaw,
    weights: [f64; BUCKETS],
    load: f64,
    /// Buckets crossed since the start.
    crossed: u64,
    /// Points left in the current bucket.
    points: f64,
}

impl Arrivals {
    /// Returns the process at time 0, midnight; times between arrivals are divided by `load`. Fails when hardly any time would be
    /// within the limit, or a half hour has no arrivals at all.
    pub(super) fn new(class: &str, set: &LublinClass, load: f64) -> Result<Arrivals, ModelError> {
        let gap = GammaLaw::new(&format!("{class}.aarr"), set.aarr * set.arar, set.barr)?;
        if gap.cdf(FARTHEST) < LEAST_KEPT {
            return Err(ModelError::Unfit {
                key: format!("{class}.aarr"),
                value: set.aarr,
                expected: format!(
                    "so small that, with barr={} and arar={}, ln(time between arrivals) is often below {FARTHEST}",
                    set.barr, set.arar
                ),
            });
        }
        let weights = weights(class, set)?;
        Ok(Arrivals { gap, weights, load, crossed: 0, points: 0.0 })
    }

    /// Returns the time of the next arrival, seconds from the start.
    pub(super) fn next(&mut self, stream: &mut impl Rng) -> f64 {
        let gap = loop {
            let gap = self.gap.draw(stream);
            if gap <= FARTHEST {
                break gap;
            }
        };
        self.points += gap.exp() / self.load / BUCKET;
        while self.points > self.weight() {
            self.points -= self.weight();
            self.crossed += 1;
        }
        // The program sums whole buckets and differences of remainders, which telescopes to this.
        BUCKET * (self.crossed as f64 + self.points / self.weight())
    }

    /// Returns the weights of the half hours from midnight; their mean is 1.
    #[cfg(test)]
    pub(super) fn weights(&self) -> &[f64; BUCKETS] {
        &self.weights
    }

    fn weight(&self) -> f64 {
        self.weights[(self.crossed % BUCKETS as u64) as usize]
    }
}

fn weights(class: &str, set: &LublinClass) -> Result<[f64; BUCKETS], ModelError> {
    let cycle = GammaLaw::new(&format!("{class}.anum"), set.anum, set.bnum)?;
    let mut weights = [0.0; BUCKETS];
    for at in DAY_START..DAY_START + BUCKETS {
        // The law counts half hours from 1.
        weights[(at - 1) % BUCKETS] = cycle.cdf(at as f64 + 0.5) - cycle.cdf(at as f64 - 0.5);
    }
    let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
    if weights.iter().any(|&weight| weight.is_nan() || weight <= 0.0) {
        return Err(ModelError::Unfit {
            key: format!("{class}.anum"),
            value: set.anum,
            expected: format!("such that, with bnum={}, jobs arrive in every half hour of the day", set.bnum),
        });
    }
    Ok(weights.map(|weight| weight / mean))
}
