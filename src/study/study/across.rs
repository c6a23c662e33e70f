//! A contrast across workloads.

use super::{ComparedNumber, Question, Reason, Study};
use batchlab_engine::stats::{Interval, NoInterval, geometric};

/// The geometric mean of ratios across design points; raw values of different logs have no meaningful mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Across {
    /// The mean; `None` if no design point has a positive ratio.
    pub mean: Option<f64>,
    /// Its interval over design points, by t on logarithms; it treats the logs as a sample of similar logs.
    pub interval: Result<Interval, Reason>,
    pub design_points: usize,
    /// Number of design points without a positive ratio.
    pub left_out: usize,
}

impl Across {
    /// Returns the geometric mean of the ratios in question, one for each design point: of the ratios that a quantity names, or
    /// of means where a unit's value is not above 0. O(questions), and the contrasts.
    pub fn of(study: &Study<'_>, questions: &[Question], quantity: ComparedNumber) -> Across {
        let level = study.frame().level;
        let ratio = |question: &Question| {
            let contrast = study.contrast(question, level);
            match quantity {
                ComparedNumber::Ratio => contrast.as_ratio().value,
                ComparedNumber::RatioOfMeans | ComparedNumber::Difference => contrast.ratio_of_means.value,
            }
        };
        let ratios: Vec<f64> = questions.iter().filter_map(ratio).filter(|&ratio| ratio > 0.0).collect();
        let count = ratios.len();
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count.max(1) as f64).exp();
        let interval = match geometric::mean_ratio(&ratios, level) {
            Err(NoInterval::TooFew { units: 0, .. }) => Err(Reason::Undefined),
            other => other.map_err(Reason::from),
        };
        Across {
            mean: (count > 0).then_some(mean),
            interval,
            design_points: count,
            left_out: questions.len() - count,
        }
    }
}
