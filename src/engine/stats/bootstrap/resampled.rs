use batchlab_traces::seed;

use crate::stats::{NoInterval, draws};

/// A statistic of all units and of many resamples.
pub(in crate::stats) struct Resampled {
    pub(in crate::stats) estimate: f64,
    /// The statistic of each resample, sorted.
    pub(in crate::stats) sorted: Vec<f64>,
    pub(in crate::stats) units: usize,
}

impl Resampled {
    /// Returns the share of resamples below a value, plus half of those equal to it up to rounding: sums of
    /// the same units in different orders differ in their last digits.
    pub(in crate::stats) fn share_below(&self, value: f64) -> f64 {
        let rounding = 1e-12 * value.abs();
        let below = self.sorted.partition_point(|&other| other < value - rounding);
        let up_to = self.sorted.partition_point(|&other| other <= value + rounding);
        (below + up_to) as f64 / (2.0 * self.sorted.len() as f64)
    }
}

/// Takes all nⁿ resamples if they are at most `resamples`; otherwise draws `resamples` of them, at least 1,000.
///
/// Fails if the statistic is not a finite number for some resample, or the same for all.
pub(in crate::stats) fn resample(
    units: usize,
    statistic: &dyn Fn(&[usize]) -> f64,
    resamples: usize,
    seed: u64,
) -> Result<Resampled, NoInterval> {
    let of = resample_any(units, statistic, resamples, seed)?;
    if of.sorted.iter().any(|value| value.is_infinite()) {
        return Err(NoInterval::NotFinite);
    }
    if of.sorted.first() == of.sorted.last() {
        return Err(NoInterval::NoSpread);
    }
    Ok(of)
}

/// As [`resample`], but the statistic may be infinite for some resamples, and the same for all.
pub(in crate::stats) fn resample_any(
    units: usize,
    statistic: &dyn Fn(&[usize]) -> f64,
    resamples: usize,
    seed: u64,
) -> Result<Resampled, NoInterval> {
    let mut chosen: Vec<usize> = (0..units).collect();
    let estimate = statistic(&chosen);
    let all = u32::try_from(units).ok().and_then(|power| units.checked_pow(power));
    let mut sorted = match all.filter(|&all| all <= resamples) {
        Some(all) => (0..all).map(|number| statistic(numbered(&mut chosen, number))).collect(),
        None => drawn(&mut chosen, statistic, resamples.max(1_000), seed),
    };
    if estimate.is_nan() || sorted.iter().any(|value| value.is_nan()) {
        return Err(NoInterval::NotFinite);
    }
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(Resampled { estimate, sorted, units })
}

fn drawn(chosen: &mut [usize], statistic: &dyn Fn(&[usize]) -> f64, resamples: usize, seed: u64) -> Vec<f64> {
    let mut stream = seed::stream(seed, "bootstrap");
    let units = chosen.len();
    let draw = |_| {
        chosen.fill_with(|| draws::below(&mut stream, units));
        statistic(chosen)
    };
    (0..resamples).map(draw).collect()
}

/// Writes a number in the base of the number of units: its digits are a resample.
fn numbered(chosen: &mut [usize], mut number: usize) -> &[usize] {
    let units = chosen.len();
    for digit in chosen.iter_mut() {
        *digit = number % units;
        number /= units;
    }
    chosen
}
