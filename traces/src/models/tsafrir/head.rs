//! The twenty most popular estimates, and their popularity.

use chacha20::rand_core::Rng;

use crate::seed;

const HEAD: usize = 20;

/// Share of the jobs that request one of them.
const SHARE: f64 = 0.89;

/// Common values, seconds: 5 to 30 minutes, 1 to 18 hours.
const COMMON: [i64; 15] =
    [300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000, 43_200, 64_800];

/// Units whose multiples complete the head, seconds: 200 hours down to 5 minutes.
const UNITS: [i64; 10] = [720_000, 360_000, 180_000, 36_000, 18_000, 7200, 3600, 1200, 600, 300];

/// The popularity rank, from 1, of each value in four logs (SDSC SP2, CTC, KTH, SDSC Blue): first the
/// maximum, then the other values of the head from the shortest to the longest.
#[rustfmt::skip]
const RANKS: [[u8; 4]; HEAD] = [
    [3, 1, 1, 1], [1, 3, 4, 6], [4, 4, 10, 5], [17, 2, 14, 3], [13, 12, 20, 7], [7, 9, 2, 2],
    [8, 8, 3, 18], [18, 18, 7, 19], [2, 6, 12, 4], [6, 7, 6, 11], [16, 11, 19, 20], [10, 20, 5, 9],
    [5, 16, 18, 10], [15, 5, 16, 14], [14, 14, 9, 13], [19, 13, 17, 16], [11, 10, 15, 15],
    [12, 15, 13, 17], [9, 17, 8, 8], [20, 19, 11, 12],
];

/// Returns the values of the head, seconds: the maximum, then the others in ascending order. There are
/// twenty, or fewer if there are not enough round values below the maximum.
pub(super) fn times(max: i64) -> Vec<i64> {
    let mut others: Vec<i64> = COMMON.into_iter().filter(|&time| time < max).collect();
    for unit in UNITS {
        let mut time = (max - 1) / unit * unit;
        while time > 0 && others.len() < HEAD - 1 {
            if !others.contains(&time) {
                others.push(time);
            }
            time -= unit;
        }
    }
    others.sort_unstable();
    others.insert(0, max);
    others
}

/// Returns the values of the head with their shares of the jobs.
///
/// If there are fewer different values than the head has, the least popular ones are omitted; without a
/// tail, the head has all jobs.
pub(super) fn popularity(
    times: &[i64],
    distinct: usize,
    tail: &[i64],
    share_of_max: Option<f64>,
    stream: &mut impl Rng,
) -> Vec<(i64, f64)> {
    let kept = times.len().min(distinct);
    let total = if tail.is_empty() { 1.0 } else { SHARE };
    let (shares, of_max) = shares(kept, total, share_of_max);
    let ranks = ranks(of_max, stream);
    // Gaps in the ranks are closed: only the order of popularity counts.
    let mut by_rank: Vec<(usize, i64)> = ranks.into_iter().zip(times.iter().copied()).collect();
    by_rank.sort_unstable();
    by_rank.into_iter().map(|(_, time)| time).zip(shares).collect()
}

/// Returns the shares of the ranks, the greatest first, and the rank of the maximum among them, from 1.
fn shares(kept: usize, total: f64, share_of_max: Option<f64>) -> (Vec<f64>, usize) {
    let fitted = |rank: usize| (14.0491 * (-0.177_531 * rank as f64).exp() + 0.462_513) / 100.0;
    let others: Vec<f64> = (2..=HEAD).map(fitted).collect();
    let first = SHARE - others.iter().sum::<f64>();
    let sum: f64 = others[..kept - 1].iter().sum();
    // With no other value, the maximum has all jobs.
    let of_max = share_of_max.filter(|_| kept > 1).unwrap_or(first * total / (first + sum));
    let mut shares: Vec<f64> =
        others[..kept - 1].iter().map(|share| share * (total - of_max) / sum).collect();
    let rank = if share_of_max.is_none() { 0 } else { shares.partition_point(|&share| share > of_max) };
    shares.insert(rank, of_max);
    (shares, rank + 1)
}

/// Draws the rank of popularity of each value of the head, given the rank of the maximum.
///
/// Value by value, the ranks that it has in the four logs are added to a pool, from which two are drawn; the
/// more popular one is used. A rank that has passed in all four logs is used first.
fn ranks(of_max: usize, stream: &mut impl Rng) -> Vec<usize> {
    let last = |rank: u8| RANKS.iter().rposition(|row| row.contains(&rank)).unwrap_or(0);
    let mut pool: Vec<u8> = Vec::new();
    let mut taken = Vec::with_capacity(HEAD);
    for (at, row) in RANKS.iter().enumerate() {
        pool.extend(row.iter().filter(|&&rank| !taken.contains(&rank)));
        let overdue =
            pool.iter().copied().filter(|&rank| last(rank) < at).min_by_key(|&rank| (last(rank), rank));
        let mut draw = || pool[(seed::unit(stream) * pool.len() as f64) as usize];
        let rank = match overdue {
            _ if at == 0 => of_max as u8,
            Some(rank) => rank,
            None => draw().min(draw()),
        };
        taken.push(rank);
        pool.retain(|&other| other != rank);
    }
    taken.into_iter().map(usize::from).collect()
}
