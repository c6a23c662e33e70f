//! Seeded draws: one variate per row, independent of what other rows there are.

use chacha20::ChaCha12Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::seed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    Uniform,
    Normal,
    Lognormal,
    Exponential,
    Choice,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draw {
    pub(super) law: Law,
    /// The number of columns of parameters, at least 1.
    pub(super) parameters: usize,
    seed: u64,
    stream: String,
}

impl Draw {
    /// Returns the draw at a position of an expression, counted from 0; every position has its own stream.
    pub(super) fn new(law: Law, parameters: usize, (seed, name): &(u64, String), place: usize) -> Draw {
        Draw { law, parameters, seed: *seed, stream: format!("{name} #{place}") }
    }

    /// Draws for a block of rows: `columns` are the parameters, `width` numbers each, of which the first `keys.len()` are used;
    /// variates are written to the first column. The variate of a row depends on seed, stream, key and parameters alone.
    pub(super) fn run(&self, columns: &mut [f64], width: usize, keys: &[u64]) {
        let mut stream = seed::stream(self.seed, &self.stream);
        for (row, key) in keys.iter().enumerate() {
            stream.set_stream(*key);
            stream.set_word_pos(0);
            let parameter = |at: usize| columns[at * width + row];
            columns[row] = self.law.draw(&mut stream, self.parameters, parameter);
        }
    }
}

impl Law {
    fn draw(self, stream: &mut ChaCha12Rng, count: usize, parameter: impl Fn(usize) -> f64) -> f64 {
        match self {
            Law::Uniform => parameter(0) + (parameter(1) - parameter(0)) * seed::unit(stream),
            Law::Normal => parameter(0) + parameter(1).sqrt() * normal(stream),
            Law::Lognormal => (parameter(0) + parameter(1) * normal(stream)).exp(),
            Law::Exponential => -parameter(0) * (1.0 - seed::unit(stream)).ln(),
            Law::Choice => parameter((seed::unit(stream) * count as f64) as usize),
        }
    }
}

fn normal(stream: &mut ChaCha12Rng) -> f64 {
    StandardNormal.sample(stream)
}
