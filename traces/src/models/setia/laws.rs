//! The laws of sizes, memory and times: each has the mean and the coefficient of variation of table 1.

use statrs::function::beta::checked_beta_reg;
use statrs::function::erf::erfc;

#[derive(Clone, Copy, Debug)]
pub(super) struct JobClass {
    pub(super) sizes: Powers,
    pub(super) memory: Bounded,
}

/// Batch jobs: sizes 2 to 128 of mean 32 and coefficient of variation 1.23; memory 34.6 MB, .99.
///
/// The table has 2.9 and 34.5 MB as the least and greatest memory, although the mean is 34.6 MB: the greatest
/// is taken from the line of all jobs.
pub(super) const BATCH: JobClass = JobClass {
    sizes: Powers { linear: 0.087_800_354, square: -0.021_706_697, most: 7 },
    memory: Bounded::new(34.6, 0.99, 2.9, 116.0),
};

/// Interactive sessions: sizes 2 to 256 (260 in the table) of mean 22 and coefficient of variation 1.4; memory 20 MB, 1.71.
pub(super) const INTERACTIVE: JobClass = JobClass {
    sizes: Powers { linear: 0.902_799_966, square: -0.180_869_688, most: 8 },
    memory: Bounded::new(20.0, 1.71, 0.7, 116.0),
};

/// Service times of batch jobs: 51059 s, 1.5, from 2 to 782305 s. Those of interactive sessions are not in the table.
pub(super) const BATCH_SERVICE: Lognormal =
    Lognormal { mu: 10.185_590, sigma: 1.155_479, least: 2.0, most: 782_305.0 };

/// Interarrival times: 1141 s, 1.78, at most 32905 s.
pub(super) const GAP: Lognormal = Lognormal { mu: 6.271_760, sigma: 1.244_164, least: 0.0, most: 32_905.0 };

/// Returns the probability that a standard normal variate is below a value.
pub(super) fn below(value: f64) -> f64 {
    erfc(-value / std::f64::consts::SQRT_2) / 2.0
}

/// A lognormal law; values outside of its bounds are set to the bounds. With its parameters, mean and coefficient of
/// variation, bounds included, are those of table 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lognormal {
    pub(super) mu: f64,
    pub(super) sigma: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Lognormal {
    /// Returns the law that has a mean and a coefficient of variation without bounds.
    pub(super) fn unbounded(mean: f64, cv: f64, least: f64) -> Lognormal {
        let variance = (cv * cv).ln_1p();
        Lognormal { mu: mean.ln() - variance / 2.0, sigma: variance.sqrt(), least, most: f64::INFINITY }
    }

    /// Returns the law with another greatest value, at least its least one.
    pub(super) fn up_to(self, most: f64) -> Lognormal {
        Lognormal { most: most.max(self.least), ..self }
    }

    /// Returns the value whose logarithm is `normal` standard deviations above its mean.
    pub(super) fn at(&self, normal: f64) -> f64 {
        (self.mu + self.sigma * normal).exp().clamp(self.least, self.most)
    }
}

/// A beta law between two bounds: the law of two parameters with mean, coefficient of variation, least and greatest value as
/// given. With the values of table 1, half of all jobs are below 10 MB, as section 3 says; under a lognormal law within the
/// bounds, 44 % are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounded {
    alpha: f64,
    beta: f64,
    least: f64,
    most: f64,
}

impl Bounded {
    const fn new(mean: f64, cv: f64, least: f64, most: f64) -> Bounded {
        let width = most - least;
        let (share, deviation) = ((mean - least) / width, mean * cv / width);
        let sum = share * (1.0 - share) / (deviation * deviation) - 1.0;
        Bounded { alpha: share * sum, beta: (1.0 - share) * sum, least, most }
    }

    /// Returns the quantile of a probability, by bisection.
    pub(super) fn at(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            match checked_beta_reg(self.alpha, self.beta, middle) {
                Ok(share) if share < probability => low = middle,
                _ => high = middle,
            }
        }
        self.least + (self.most - self.least) * high
    }
}

/// A law on the powers of two from 2: the weight of 2^(k+1), k = 0, 1, ..., is exp(linear k + square k²). It
/// is the least specific one (of maximum entropy in the exponent) with two moments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Powers {
    linear: f64,
    square: f64,
    most: i32,
}

impl Powers {
    pub(super) fn at(&self, probability: f64) -> i64 {
        let weight = |k: i32| (self.linear * f64::from(k) + self.square * f64::from(k * k)).exp();
        let sum: f64 = (0..self.most).map(weight).sum();
        let mut below = 0.0;
        let below_it = |&k: &i32| {
            below += weight(k) / sum;
            below <= probability
        };
        let smaller = (0..self.most - 1).take_while(below_it).count();
        2 << smaller
    }
}
