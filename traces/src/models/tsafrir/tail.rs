//! The many unpopular estimates.

use chacha20::rand_core::Rng;

use crate::seed;
use crate::sorted::SortedSet;

/// Share of the jobs that request one of them.
const SHARE: f64 = 0.11;

/// Where to move a value that is already taken, seconds.
const OFFSETS: [i64; 7] = [0, 30, -30, 20, -20, 10, -10];

/// Returns the values of the tail, seconds: `number` of them, less those for which there is no room, distributed below the
/// maximum as in the logs, in a shape that depends on the total number of different values.
pub(super) fn times(max: i64, head: &[i64], number: usize, distinct: usize) -> Vec<i64> {
    let mut taken: SortedSet<i64> = head.iter().copied().collect();
    let a = 1.0 + 12.1039 * (distinct as f64).powf(-0.6026);
    let mut times = Vec::with_capacity(number);
    for at in 1..=number {
        let x = at as f64 / number as f64;
        let y = (a - 1.0) * x / (a - x);
        let minutes = (y * max as f64 / 60.0).round() as i64;
        let free = |offset: &i64| {
            let time = minutes * 60 + offset;
            (time > 0 && time < max && !taken.contains(&time)).then_some(time)
        };
        if let Some(time) = OFFSETS.iter().find_map(free) {
            taken.insert(time);
            times.push(time);
        }
    }
    times
}

/// Returns the values of the tail with their shares of the jobs: a power law of the rank, from 21 on; ranks
/// are assigned at random.
pub(super) fn popularity(times: &[i64], stream: &mut impl Rng) -> Vec<(i64, f64)> {
    let mut times = times.to_vec();
    for at in (1..times.len()).rev() {
        times.swap(at, (seed::unit(stream) * (at + 1) as f64) as usize);
    }
    // The factor 795.6 of the paper cancels out.
    let weights: Vec<f64> = (21..21 + times.len()).map(|rank| (rank as f64).powf(-2.267)).collect();
    let sum: f64 = weights.iter().sum();
    times.into_iter().zip(weights.into_iter().map(|weight| SHARE * weight / sum)).collect()
}
