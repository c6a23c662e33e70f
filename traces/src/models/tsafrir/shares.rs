//! How many different values there are, and shares as numbers of jobs.

use crate::arrange::Arrange as _;

/// How many different estimates there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distinct {
    /// By linear interpolation between what the authors saw in logs of different lengths.
    #[default]
    Interpolated,
    /// 0.653566 · J^0.547761 for J jobs, the authors' alternative.
    PowerLaw,
    /// A given number, as far as that many fit.
    Exactly(u32),
}

/// Numbers of jobs of logs and of their different estimates, for interpolation.
const SEEN: [(f64, f64); 7] = [
    (0.0, 0.0),
    (20.0, 10.0),
    (200.0, 20.0),
    (1000.0, 35.0),
    (10_000.0, 90.0),
    (70_000.0, 340.0),
    (250_000.0, 565.0),
];

impl Distinct {
    /// Returns the number of different estimates of `jobs` jobs, at least 1.
    pub fn of(self, jobs: usize) -> usize {
        let jobs = jobs as f64;
        let number = match self {
            Distinct::Exactly(number) => f64::from(number),
            Distinct::PowerLaw => 0.653_566 * jobs.powf(0.547_761),
            Distinct::Interpolated => {
                let above = SEEN.iter().position(|&(seen, _)| jobs < seen).unwrap_or(SEEN.len());
                let (from, low) = SEEN[above - 1];
                SEEN.get(above).map_or(low, |&(to, high)| low + (jobs - from) / (to - from) * (high - low))
            }
        };
        number.round().max(1.0) as usize
    }
}

/// Returns the number of jobs of each value: the share rounded, at least one, adjusted until the sum is right.
///
/// The difference is spread in proportion, then job by job from the most popular value on; if there are more
/// values than jobs, the least popular ones are omitted.
pub(super) fn counts(shares: &[(i64, f64)], jobs: u64) -> Vec<(i64, u64)> {
    let mut order: Vec<&(i64, f64)> = shares.iter().collect();
    order.arrange_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    order.truncate(jobs as usize);
    let count = |share: f64| ((share * jobs as f64).round() as i64).max(1);
    let mut bins: Vec<(i64, i64)> = order.iter().map(|&&(time, share)| (time, count(share))).collect();
    let sum: i64 = bins.iter().map(|bin| bin.1).sum();
    let mut excess = sum - jobs as i64;
    let proportion = excess as f64 / sum.max(1) as f64;
    for bin in &mut bins {
        let taken = ((bin.1 as f64 * proportion).round() as i64).min(bin.1 - 1);
        bin.1 -= taken;
        excess -= taken;
    }
    while excess != 0 && !bins.is_empty() {
        for bin in &mut bins {
            let step = excess.signum();
            if excess != 0 && bin.1 - step >= 1 {
                bin.1 -= step;
                excess -= step;
            }
        }
    }
    bins.into_iter().map(|(time, count)| (time, count as u64)).collect()
}
