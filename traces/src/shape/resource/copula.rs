//! Uniform numbers that have a given rank correlation with a quantity of the jobs.

use std::f64::consts::PI;

use super::law::{normal_cdf, normal_quantile};
use crate::arrange::Arrange as _;
use crate::number::counted;
use crate::shape::{Draws, Formula, ShapedTrace, StepError};

/// A requested rank correlation.
///
/// A Gaussian copula whose normal scores have the Pearson correlation r = 2 sin(πρ/6) has Spearman's rank
/// correlation ρ (Pearson 1907; Nelsen 2006, section 5.1). The scores of the other quantity are those of its
/// ranks, so its own distribution does not matter.
pub struct Copula {
    pub with: Formula,
    pub rho: f64,
}

/// The numbers drawn for each row.
pub struct Scores {
    /// Uniform in (0, 1).
    pub uniform: Vec<f64>,
    /// The correlated quantity; `None` if it is unknown.
    other: Vec<Option<f64>>,
}

/// Returns uncorrelated numbers.
pub fn free(work: &ShapedTrace, seed: u64, stream: &str) -> Scores {
    let mut draws = Draws::new(seed, stream);
    let uniform = work.rows().map(|row| draws.open_unit(work.key(row))).collect();
    Scores { uniform, other: vec![None; work.len()] }
}

impl Copula {
    /// Returns numbers with the requested correlation over the chosen jobs. Fails when the correlated quantity cannot be
    /// computed.
    pub fn draw(
        &self,
        work: &ShapedTrace,
        seed: u64,
        stream: &str,
        chosen: &[bool],
    ) -> Result<Scores, StepError> {
        let values = self.with.numbers(work, seed, stream)?;
        let known = |row: u32| {
            let value = values[row as usize];
            (chosen[row as usize] && value.is_finite() && value >= 0.0).then_some(value)
        };
        let mut scores = free(work, seed, stream);
        scores.other = work.rows().map(known).collect();
        let mut ties = Draws::new(seed, &format!("{stream} ties"));
        let mut ranked: Vec<(f64, f64, u32)> = (work.rows())
            .filter_map(|row| Some((scores.other[row as usize]?, ties.unit(work.key(row)), row)))
            .collect();
        ranked.arrange_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let r = 2.0 * (PI * self.rho / 6.0).sin();
        let own = (1.0 - r * r).max(0.0).sqrt();
        for (rank, &(_, _, row)) in ranked.iter().enumerate() {
            let theirs = normal_quantile((rank as f64 + 0.5) / ranked.len() as f64);
            let uniform = &mut scores.uniform[row as usize];
            let score = normal_cdf(r * theirs + own * normal_quantile(*uniform));
            *uniform = score.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0);
        }
        Ok(scores)
    }

    /// Returns the rank correlation of the draw, and that of the amounts after rounding, bounds and scaling,
    /// with ties counted as ties.
    pub fn achieved(&self, scores: &Scores, amounts: &[i64]) -> String {
        let pairs: Vec<(f64, f64)> = (scores.other.iter().zip(amounts))
            .filter_map(|(other, &amount)| Some(((*other)?, amount as f64)))
            .collect();
        let drawn: Vec<(f64, f64)> = (scores.other.iter().zip(&scores.uniform))
            .filter_map(|(other, &uniform)| Some(((*other)?, uniform)))
            .collect();
        let shown = |rho: Option<f64>| rho.map_or_else(|| "none".into(), |rho| format!("{rho:.4}"));
        let (drawn, amounts) = (shown(spearman(&drawn)), shown(spearman(&pairs)));
        let amounts = if amounts == drawn { String::new() } else { format!(", {amounts} as amounts") };
        let free = scores.other.len() - pairs.len();
        let free =
            if free > 0 { format!(", {} without it left out", counted(free, "job")) } else { String::new() };
        format!("; Spearman correlation with {} {drawn}{amounts} (asked {}{free})", self.with, self.rho)
    }
}

/// Returns Spearman's rank correlation, with mean ranks for ties; `None` if one side is constant.
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let one = ranks(pairs.iter().map(|pair| pair.0));
    let other = ranks(pairs.iter().map(|pair| pair.1));
    let mean = f64::midpoint(pairs.len() as f64, 1.0);
    let (mut both, mut first, mut second) = (0.0, 0.0, 0.0);
    for (x, y) in one.iter().zip(&other) {
        let (x, y) = (x - mean, y - mean);
        both += x * y;
        first += x * x;
        second += y * y;
    }
    (first > 0.0 && second > 0.0).then(|| both / (first * second).sqrt())
}

fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<(f64, usize)> = values.zip(0..).collect();
    sorted.arrange_by(|one, other| one.0.total_cmp(&other.0));
    let mut ranks = vec![0.0; sorted.len()];
    let mut from = 0;
    for group in sorted.chunk_by(|one, other| one.0 == other.0) {
        let rank = from as f64 + f64::midpoint(group.len() as f64, 1.0);
        for &(_, at) in group {
            ranks[at] = rank;
        }
        from += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spearman_is_that_of_the_textbook() {
        let pairs = [(106.0, 7.0), (100.0, 27.0), (86.0, 2.0), (101.0, 50.0), (99.0, 28.0)];
        // Ranks (5,2) (3,3) (1,1) (4,5) (2,4): 1 - 6·(9+0+0+1+4)/(5·24).
        assert!((spearman(&pairs).unwrap() - 0.3).abs() < 1e-12);
        assert_eq!(ranks([3.0, 1.0, 3.0, 3.0].into_iter()), [3.0, 1.0, 3.0, 3.0]);
        assert_eq!(spearman(&[(1.0, 5.0), (2.0, 5.0)]), None);
    }
}
