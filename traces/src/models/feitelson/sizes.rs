//! Sizes of jobs: a harmonic law with favoured sizes.

use chacha20::rand_core::Rng;

use crate::models::draw::DiscreteDistribution;
use crate::models::{ModelError, ModelParamKind, Param, Request};

const FACTOR: ModelParamKind = ModelParamKind::Number { least: 0.0, most: 1e6 };

pub(super) const PARAMS: [Param; 5] = [
    Param::of("order", ModelParamKind::Number { least: 0.0, most: 20.0 }, "1.5")
        .help("size n has a probability proportional to n^-order, times the factors below"),
    Param::of("small", FACTOR, "1.5")
        .help("factor of sizes below 10, which the model emphasises (unpublished; this project's choice)"),
    Param::of("pow2", FACTOR, "5").help(
        "factor of powers of two from 2, which the model emphasises (unpublished; this project's choice)",
    ),
    Param::of("square", FACTOR, "1.5").help(
        "factor of squares that are no powers of two; Leinberger et al. 1999, section 4.1, saw that the \
         authors' program favours them (unpublished; this project's choice)",
    ),
    Param::of("even", FACTOR, "1.25").help(
        "factor of other even sizes, which the program favours too (unpublished; this project's choice)",
    ),
];

/// The largest machine: each of its sizes has an entry in a table.
const MOST_PROCS: u32 = 1_000_000;

#[derive(Clone, Debug)]
pub(super) struct HarmonicSizes(DiscreteDistribution);

impl HarmonicSizes {
    /// Returns the law of sizes on a machine. O(P). Fails when the machine is too large for the table.
    pub(super) fn new(request: &Request<'_>) -> Result<HarmonicSizes, ModelError> {
        let procs = request.procs;
        if procs > MOST_PROCS {
            let expected = format!("at most {MOST_PROCS} for this model");
            return Err(ModelError::Unfit { key: "procs".into(), value: procs.into(), expected });
        }
        let [order, small, pow2, square, even] = PARAMS.map(|param| request.settings.amount(param.name));
        let weight = |size: u32| {
            let kind = match size {
                1 => 1.0,
                size if size.is_power_of_two() => pow2,
                size if size.isqrt().pow(2) == size => square,
                size if size % 2 == 0 => even,
                _ => 1.0,
            };
            let small = if size < 10 { small } else { 1.0 };
            kind * small * f64::from(size).powf(-order)
        };
        let weights = (1..=procs).map(weight);
        if weights.clone().sum::<f64>() <= 0.0 {
            let expected = "above 0 where no other size is left".to_owned();
            return Err(ModelError::Unfit { key: "small".into(), value: small, expected });
        }
        Ok(HarmonicSizes(DiscreteDistribution::new(weights)))
    }

    pub(super) fn draw(&self, stream: &mut impl Rng) -> i64 {
        self.0.draw(stream)
    }

    pub(super) fn mean(&self, of: impl Fn(i64) -> f64) -> f64 {
        self.0.mean(of)
    }

    #[cfg(test)]
    pub(super) fn shares(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        self.0.shares()
    }
}
