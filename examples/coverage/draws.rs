//! Random values of the situations, and laws of pairs.

use batchlab::traces::seed;
use chacha20::ChaCha12Rng;
use rayon::prelude::*;

/// Jobs in a window of a queue.
const WINDOW: usize = 300;

/// A pair of values, of a policy and of the baseline in one unit.
pub type Pairs = fn(&mut ChaCha12Rng) -> (f64, f64);

/// Returns the geometric mean of the ratios and the ratio of means of a law, of 400,000 pairs.
pub fn truths(words: &str, law: Pairs) -> (f64, f64) {
    if words.contains("Pareto") {
        // E ln v = 1/2 and E v = 2.
        return (0.5 * (-0.5_f64).exp(), 0.25);
    }
    let parts: Vec<[f64; 3]> = (0..400)
        .into_par_iter()
        .map(|part| {
            let mut stream = seed::stream(part, "truth");
            (0..1_000)
                .map(|_| law(&mut stream))
                .fold([0.0; 3], |[logs, a, b], pair| [logs + (pair.0 / pair.1).ln(), a + pair.0, b + pair.1])
        })
        .collect();
    let [logs, a, b] = parts.iter().fold([0.0; 3], |[x, y, z], of| [x + of[0], y + of[1], z + of[2]]);
    ((logs / 400_000.0).exp(), a / b)
}

/// Lognormals, σ = 0.8, correlation of logarithms 0.9; none is better.
pub fn lognormal_pair(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let shared = normal(stream);
    let of = |own: f64| (0.8 * (0.9_f64.sqrt() * shared + 0.1_f64.sqrt() * own)).exp();
    (of(normal(stream)), of(normal(stream)))
}

/// A Pareto deviate of at least 1.
pub fn pareto(stream: &mut ChaCha12Rng, shape: f64) -> f64 {
    (exponential(stream) / shape).exp()
}

/// The policy halves the lognormal values and cuts the tail that only the baseline's have.
pub fn tailed(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let shared = (0.8 * normal(stream)).exp();
    (0.5 * shared, shared * pareto(stream, 2.0))
}

/// Values with heavy tails, shared (shape 1.5) and of their own (shape 3); none is better.
pub fn heavy_pair(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let shared = pareto(stream, 1.5);
    (shared * pareto(stream, 3.0), shared * pareto(stream, 3.0))
}

/// Mean waits of a window under a policy that serves 5 % slower and under the baseline, with the same arrivals and the
/// same jobs; the window's load is from 0.7 to 1.1.
pub fn slower(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let load = 0.7 + 0.4 * seed::unit(stream);
    let (mut slow, mut fast, mut sums) = (0.0_f64, 0.0_f64, (0.0, 0.0));
    for _ in 0..WINDOW {
        let (gap, work) = (exponential(stream) / load, exponential(stream));
        slow = (slow + 1.05 * work - gap).max(0.0);
        fast = (fast + work - gap).max(0.0);
        sums = (sums.0 + slow, sums.1 + fast);
    }
    sums
}

/// Mean waits of two queues with the same load, from 0.7 to 1.1, and jobs of their own; none is better.
pub fn queue_pair(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let load = 0.7 + 0.4 * seed::unit(stream);
    let mut mean = || waits(stream, load, WINDOW, 0.0).iter().sum::<f64>() / WINDOW as f64;
    (mean(), mean())
}

pub fn exponential(stream: &mut ChaCha12Rng) -> f64 {
    -(-seed::unit(stream)).ln_1p()
}

/// A normal deviate by Box and Muller.
pub fn normal(stream: &mut ChaCha12Rng) -> f64 {
    let radius = (2.0 * exponential(stream)).sqrt();
    radius * (std::f64::consts::TAU * seed::unit(stream)).cos()
}

/// A stationary autoregression around 10.
pub fn autoregression(stream: &mut ChaCha12Rng, phi: f64, n: usize) -> Vec<f64> {
    let mut value = normal(stream) / (1.0 - phi * phi).sqrt();
    let step = |_| {
        value = phi * value + normal(stream);
        10.0 + value
    };
    (0..n).map(step).collect()
}

/// Waits in an M/M/1 queue with mean service 1, by Lindley's recurrence; the first job waits `wait`.
pub fn waits(stream: &mut ChaCha12Rng, load: f64, n: usize, mut wait: f64) -> Vec<f64> {
    let step = |_| {
        let waited = wait;
        wait = (wait + exponential(stream) - exponential(stream) / load).max(0.0);
        waited
    };
    (0..n).map(step).collect()
}

/// Waits of a stationary queue: the first is 0 with probability 1 − ρ, else exponential with rate 1 − ρ.
pub fn steady_waits(stream: &mut ChaCha12Rng, load: f64, n: usize) -> Vec<f64> {
    let first = if seed::unit(stream) < load { exponential(stream) / (1.0 - load) } else { 0.0 };
    waits(stream, load, n, first)
}
