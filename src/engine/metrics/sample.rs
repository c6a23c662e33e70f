//! The values of one quantity, one per job, and statistics computed from them once.

use std::cell::OnceCell;

use batchlab_traces::time::TICKS_PER_SECOND;

use super::statistic::Reduced;

/// The percentages of [`Sample::quantile`].
pub const PERCENTS: [usize; 4] = [50, 90, 95, 99];

/// One quantity of the measured jobs, in the order of submission.
///
/// Moments and quantiles are computed when first used, in O(n), and kept.
#[derive(Debug, Default)]
pub struct Sample {
    values: Vec<f64>,
    left_out: usize,
    mean: Option<f64>,
    variance: OnceCell<Option<f64>>,
    quantiles: OnceCell<Option<[f64; PERCENTS.len()]>>,
}

impl Sample {
    /// Returns the sample of times given in ticks; values are in seconds, and the sum for the mean is exact.
    pub fn of_ticks(ticks: impl Iterator<Item = i64>) -> Sample {
        let mut sum = 0_i128;
        let values: Vec<f64> = ticks
            .map(|ticks| {
                sum += i128::from(ticks);
                ticks as f64 / TICKS_PER_SECOND as f64
            })
            .collect();
        let mean = (!values.is_empty()).then(|| sum as f64 / values.len() as f64 / TICKS_PER_SECOND as f64);
        Sample { values, mean, ..Sample::default() }
    }

    /// Returns the sample of ratios; jobs without a ratio (`None`) are left out and counted.
    pub fn of_ratios(ratios: impl Iterator<Item = Option<f64>>) -> Sample {
        let mut left_out = 0;
        let values: Vec<f64> =
            ratios.inspect(|ratio| left_out += usize::from(ratio.is_none())).flatten().collect();
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        Sample { values, left_out, mean, ..Sample::default() }
    }

    /// Returns the values, seconds or ratios.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the number of jobs without a value.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns the arithmetic mean.
    pub fn mean(&self) -> Option<f64> {
        self.mean
    }

    /// Returns the variance, computed in two passes and divided by n − 1; `None` for fewer than two values.
    pub fn variance(&self) -> Option<f64> {
        *self.variance.get_or_init(|| {
            let mean = self.mean.filter(|_| self.values.len() > 1)?;
            let squares: f64 = self.values.iter().map(|value| (value - mean).powi(2)).sum();
            Some(squares / (self.values.len() - 1) as f64)
        })
    }

    /// Returns the standard deviation: the root of the variance.
    pub fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Returns the root of the mean square.
    pub fn rms(&self) -> Option<f64> {
        let squares: f64 = self.values.iter().map(|value| value * value).sum();
        (!self.values.is_empty()).then(|| (squares / self.values.len() as f64).sqrt())
    }

    /// Returns the largest value.
    pub fn max(&self) -> Option<f64> {
        self.values.iter().copied().max_by(f64::total_cmp)
    }

    /// Returns the quantile at a position of [`PERCENTS`].
    pub fn quantile(&self, which: usize) -> Option<f64> {
        let quantiles = self.quantiles.get_or_init(|| quantiles(&mut self.values.clone(), PERCENTS));
        quantiles.as_ref().and_then(|quantiles| quantiles.get(which)).copied()
    }
}

impl Reduced for Sample {
    fn mean(&self) -> Option<f64> {
        self.mean
    }

    fn variance(&self) -> Option<f64> {
        self.variance()
    }

    fn quantile(&self, which: usize) -> Option<f64> {
        self.quantile(which)
    }

    fn max(&self) -> Option<f64> {
        self.max()
    }
}

/// Returns quantiles by linear interpolation of order statistics: type 7 of Hyndman and Fan 1996, the default of R.
///
/// Percentages are whole and ascending, so that the position (n − 1)·percent/100 is exact; values are
/// partitioned by selection, O(n) in total. `None` for no values.
pub fn quantiles<const N: usize>(values: &mut [f64], percents: [usize; N]) -> Option<[f64; N]> {
    let last = values.len().checked_sub(1)?;
    let mut sorted_below = 0;
    Some(percents.map(|percent| {
        let (at, rest) = (last * percent / 100, last * percent % 100);
        let (_, low, above) =
            values[sorted_below..].select_nth_unstable_by(at - sorted_below, f64::total_cmp);
        let low = *low;
        sorted_below = at;
        match above.iter().copied().min_by(f64::total_cmp) {
            Some(next) if rest > 0 => low + (next - low) * (rest as f64 / 100.0),
            _ => low,
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_r_type_7() {
        // quantile(c(3, 1, 4, 1, 5, 9, 2, 6), c(.5, .9, .95, .99), type = 7)
        let sample = Sample::of_ratios([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0].map(Some).into_iter());
        let shown: Vec<String> =
            (0..4).map(|which| format!("{:.2}", sample.quantile(which).unwrap())).collect();
        assert_eq!(shown, ["3.50", "6.90", "7.95", "8.79"]);
    }

    #[test]
    fn quantiles_fall_on_values_where_the_position_is_whole() {
        let mut values: Vec<f64> = (0..101).rev().map(f64::from).collect();
        assert_eq!(quantiles(&mut values, [0, 50, 90, 99, 100]), Some([0.0, 50.0, 90.0, 99.0, 100.0]));
    }

    #[test]
    fn moments_of_eight_known_values() {
        let sample = Sample::of_ticks([2, 4, 4, 4, 5, 5, 7, 9].map(|s| s * TICKS_PER_SECOND).into_iter());
        assert_eq!(sample.mean(), Some(5.0));
        assert_eq!(sample.sd(), Some((32.0_f64 / 7.0).sqrt()));
        assert_eq!(sample.rms(), Some((232.0_f64 / 8.0).sqrt()));
        assert_eq!(sample.max(), Some(9.0));
    }

    #[test]
    fn nothing_has_no_statistics_and_one_value_no_sd() {
        let none = Sample::of_ratios([None, None].into_iter());
        assert_eq!(
            (none.mean(), none.sd(), none.rms(), none.max(), none.quantile(0)),
            (None, None, None, None, None)
        );
        assert_eq!(none.left_out(), 2);
        let one = Sample::of_ticks([3 * TICKS_PER_SECOND].into_iter());
        assert_eq!((one.mean(), one.sd(), one.quantile(3)), (Some(3.0), None, Some(3.0)));
    }
}
