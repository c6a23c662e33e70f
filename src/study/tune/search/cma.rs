//! The evolution strategy with covariance matrix adaptation, CMA-ES (Hansen, The CMA evolution strategy: a tutorial, 2016,
//! arXiv:1604.00772; its equations and default constants).

use chacha20::ChaCha12Rng;

use batchlab_traces::seed::unit;

use super::Proposer;
use crate::tune::space::{Genome, SearchSpace, normal};

/// Draws candidates from a normal distribution over the cube of numbers from 0 to 1, and moves and shapes it by the better half.
/// When it has become narrow it restarts with twice as many candidates (Auger and Hansen, CEC 2005).
pub(super) struct Cma {
    random: ChaCha12Rng,
    candidates: usize,
    mean: Vec<f64>,
    step: f64,
    covariance: Vec<Vec<f64>>,
    /// Evolution paths of the step and of the covariance.
    path_step: Vec<f64>,
    path: Vec<f64>,
    generation: usize,
}

/// The step at which the distribution is narrow: a change of a thousandth of each range.
const NARROW: f64 = 1e-3;

impl Cma {
    pub(super) fn new(dimensions: usize, random: ChaCha12Rng) -> Cma {
        let candidates = (4 + (3.0 * (dimensions as f64).ln()) as usize).max(8);
        let mut cma = Cma {
            random,
            candidates,
            mean: vec![0.5; dimensions],
            step: 0.3,
            covariance: Vec::new(),
            path_step: Vec::new(),
            path: Vec::new(),
            generation: 0,
        };
        cma.begin();
        cma
    }

    fn begin(&mut self) {
        let dimensions = self.mean.len();
        self.step = 0.3;
        self.covariance = (0..dimensions)
            .map(|row| (0..dimensions).map(|column| f64::from(u8::from(row == column))).collect())
            .collect();
        self.path_step = vec![0.0; dimensions];
        self.path = vec![0.0; dimensions];
        self.generation = 0;
    }

    /// Returns the weights of the better half, which add to 1, and the effective number of parents.
    fn weights(&self) -> (Vec<f64>, f64) {
        let half = self.candidates / 2;
        let raw: Vec<f64> = (1..=half)
            .map(|rank| f64::midpoint(self.candidates as f64, 1.0).ln() - (rank as f64).ln())
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        (weights, effective)
    }
}

impl Proposer for Cma {
    fn ask(&mut self) -> Vec<Genome> {
        let (lengths, axes) = eigen(self.covariance.clone());
        let draw = |_| {
            let along: Vec<f64> =
                lengths.iter().map(|length| length.max(0.0).sqrt() * normal(&mut self.random)).collect();
            let place = |row: usize| -> f64 {
                let offset: f64 = axes[row].iter().zip(&along).map(|(axis, along)| axis * along).sum();
                mirrored(self.mean[row] + self.step * offset)
            };
            SearchSpace::of_numbers(&(0..along.len()).map(place).collect::<Vec<f64>>())
        };
        (0..self.candidates).map(draw).collect()
    }

    fn tell(&mut self, ranked: &[&Genome], _: &[&Genome]) {
        if ranked.len() < 2 {
            return;
        }
        let n = self.mean.len() as f64;
        let (weights, parents) = self.weights();
        let steps: Vec<Vec<f64>> = ranked
            .iter()
            .take(weights.len())
            .map(|genome| {
                let places = genome.numbers();
                places.iter().zip(&self.mean).map(|(place, mean)| (place - mean) / self.step).collect()
            })
            .collect();
        let dimensions = 0..self.mean.len();
        let weighted =
            |at: usize| -> f64 { steps.iter().zip(&weights).map(|(step, weight)| weight * step[at]).sum() };
        let moved: Vec<f64> = dimensions.clone().map(weighted).collect();
        for (mean, moved) in self.mean.iter_mut().zip(&moved) {
            *mean = (*mean + self.step * moved).clamp(0.0, 1.0);
        }
        self.generation += 1;
        let (lengths, axes) = eigen(self.covariance.clone());
        // The inverse root of the covariance, applied to the move.
        let turned: Vec<f64> = dimensions
            .clone()
            .map(|axis| {
                let along: f64 = dimensions.clone().map(|row| axes[row][axis] * moved[row]).sum();
                along / lengths[axis].max(1e-20).sqrt()
            })
            .collect();
        let white =
            |row: usize| -> f64 { dimensions.clone().map(|axis| axes[row][axis] * turned[axis]).sum() };
        let c_step = (parents + 2.0) / (n + parents + 5.0);
        for row in dimensions.clone() {
            self.path_step[row] = (1.0 - c_step) * self.path_step[row]
                + (c_step * (2.0 - c_step) * parents).sqrt() * white(row);
        }
        let length = self.path_step.iter().map(|x| x * x).sum::<f64>().sqrt();
        let expected = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        let damping = 1.0 + 2.0 * (((parents - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_step;
        let settled = (1.0 - (1.0 - c_step).powi(2 * self.generation as i32)).sqrt();
        let is_straight = length / settled < (1.4 + 2.0 / (n + 1.0)) * expected;
        let c_path = (4.0 + parents / n) / (n + 4.0 + 2.0 * parents / n);
        for row in dimensions.clone() {
            let added =
                if is_straight { (c_path * (2.0 - c_path) * parents).sqrt() * moved[row] } else { 0.0 };
            self.path[row] = (1.0 - c_path) * self.path[row] + added;
        }
        let c_one = 2.0 / ((n + 1.3).powi(2) + parents);
        let c_many = (2.0 * (parents - 2.0 + 1.0 / parents) / ((n + 2.0).powi(2) + parents)).min(1.0 - c_one);
        let stalled = if is_straight { 0.0 } else { c_path * (2.0 - c_path) };
        for row in dimensions.clone() {
            for column in dimensions.clone() {
                let many: f64 =
                    steps.iter().zip(&weights).map(|(step, weight)| weight * step[row] * step[column]).sum();
                let here = &mut self.covariance[row][column];
                *here = (1.0 - c_one - c_many + c_one * stalled) * *here
                    + c_one * self.path[row] * self.path[column]
                    + c_many * many;
            }
        }
        self.step = (self.step * (c_step / damping * (length / expected - 1.0)).exp()).clamp(1e-6, 1.0);
        let widest = lengths.iter().copied().fold(0.0, f64::max).sqrt();
        if self.step * widest < NARROW {
            self.candidates *= 2;
            self.mean = (0..self.mean.len()).map(|_| unit(&mut self.random)).collect();
            self.begin();
        }
    }
}

/// Returns a number mirrored at 0 and 1 until it lies between them.
fn mirrored(x: f64) -> f64 {
    let x = x.rem_euclid(2.0);
    if x > 1.0 { 2.0 - x } else { x }
}

/// Returns the eigenvalues of a symmetric matrix, and its eigenvectors as columns, by Jacobi's rotations. O(n³) for each sweep.
fn eigen(mut matrix: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.len();
    let mut axes: Vec<Vec<f64>> =
        (0..n).map(|row| (0..n).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for _ in 0..50 {
        let off = |matrix: &[Vec<f64>]| -> f64 {
            (0..n)
                .flat_map(|row| (0..row).map(move |column| (row, column)))
                .map(|(a, b)| matrix[a][b].powi(2))
                .sum()
        };
        if off(&matrix) < 1e-24 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if matrix[p][q].abs() < 1e-300 {
                    continue;
                }
                let slope = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                let tangent = slope.signum() / (slope.abs() + (slope * slope + 1.0).sqrt());
                let tangent = if slope == 0.0 { 1.0 } else { tangent };
                let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
                rotate(&mut matrix, &mut axes, (p, q), (cosine, tangent * cosine));
            }
        }
    }
    ((0..n).map(|at| matrix[at][at]).collect(), axes)
}

fn rotate(
    matrix: &mut [Vec<f64>],
    axes: &mut [Vec<f64>],
    (p, q): (usize, usize),
    (cosine, sine): (f64, f64),
) {
    let turn = |a: f64, b: f64| (cosine * a - sine * b, sine * a + cosine * b);
    for row in matrix.iter_mut() {
        (row[p], row[q]) = turn(row[p], row[q]);
    }
    let (upper, lower) = matrix.split_at_mut(q);
    for (a, b) in upper[p].iter_mut().zip(&mut lower[0]) {
        (*a, *b) = turn(*a, *b);
    }
    for row in axes.iter_mut() {
        (row[p], row[q]) = turn(row[p], row[q]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_make_the_matrix_again() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        let (lengths, axes) = eigen(matrix.clone());
        for row in 0..3 {
            for column in 0..3 {
                let made: f64 = (0..3).map(|axis| lengths[axis] * axes[row][axis] * axes[column][axis]).sum();
                assert!((made - matrix[row][column]).abs() < 1e-10, "{row}, {column}: {made}");
            }
        }
        assert!((lengths.iter().sum::<f64>() - 9.0).abs() < 1e-10);
    }

    #[test]
    fn places_outside_are_mirrored() {
        let places = [-0.25, 0.5, 1.25, 2.5].map(mirrored);
        assert_eq!(places, [0.25, 0.5, 0.75, 0.5]);
    }
}
