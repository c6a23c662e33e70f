//! Run times: hyperexponential laws in which long stages are likelier for large jobs.

use chacha20::rand_core::Rng;

use crate::models::draw::exponential;
use crate::models::{ModelError, ModelParamKind, Param, Request};
use crate::seed;

const MEAN: ModelParamKind = ModelParamKind::Number { least: 0.001, most: 1e8 };
const SHARE: ModelParamKind = ModelParamKind::Number { least: 0.0, most: 1.0 };

pub(super) const PARAMS_96: [Param; 7] = [
    Param::of("mean1", MEAN, "60")
        .help("mean of the short stage, seconds (unpublished; this project's choice)"),
    Param::of("mean2", MEAN, "1200")
        .help("mean of the middle stage, seconds (unpublished; this project's choice)"),
    Param::of("mean3", MEAN, "14400")
        .help("mean of the long stage, seconds (unpublished; this project's choice)"),
    Param::of("p1", SHARE, "0.6")
        .help("probability of the short stage for the smallest jobs (unpublished; this project's choice)"),
    Param::of("p1-large", SHARE, "0.3").help(
        "probability of the short stage for a job of the whole machine, linear in the size between \
         (unpublished; this project's choice)",
    ),
    Param::of("p3", SHARE, "0.1").help(
        "probability of the long stage for the smallest jobs; the middle one has the rest (unpublished; \
         this project's choice)",
    ),
    Param::of("p3-large", SHARE, "0.3").help(
        "probability of the long stage for a job of the whole machine, linear in the size between \
         (unpublished; this project's choice)",
    ),
];

pub(super) const PARAMS_97: [Param; 5] = [
    Param::of("mean1", MEAN, "1").help("mean of the short stage, in units"),
    Param::of("mean2", MEAN, "7").help("mean of the long stage, in units"),
    Param::of("unit", MEAN, "900").help("seconds of a unit of run time (unpublished; this project's choice)"),
    Param::of("p", SHARE, "0.95")
        .help("the short stage has the probability p-slope*n/N for n of N processors"),
    Param::of("slope", SHARE, "0.2")
        .help("by how much that probability falls up to a job of the whole machine"),
];

/// Run times: one of three exponential stages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs {
    means: [f64; 3],
    /// Probability of each stage for a job of size 0, the intercept of the linear law.
    none: [f64; 3],
    /// Probability of each stage for a job of the whole machine.
    whole: [f64; 3],
    procs: f64,
}

impl Runs {
    /// Returns the law of 1996. Fails when the probabilities of two stages exceed 1.
    pub(super) fn three_stages(request: &Request<'_>) -> Result<Runs, ModelError> {
        let [mean1, mean2, mean3, p1, p1_large, p3, p3_large] =
            PARAMS_96.map(|param| request.settings.amount(param.name));
        for (key, p1, p3) in [("p3", p1, p3), ("p3-large", p1_large, p3_large)] {
            if p1 + p3 > 1.0 + 1e-12 {
                let expected = format!("at most {}, what the short stage leaves", 1.0 - p1);
                return Err(ModelError::Unfit { key: key.into(), value: p3, expected });
            }
        }
        Ok(Runs {
            means: [mean1, mean2, mean3],
            none: [p1, (1.0 - p1 - p3).max(0.0), p3],
            whole: [p1_large, (1.0 - p1_large - p3_large).max(0.0), p3_large],
            procs: request.procs.into(),
        })
    }

    /// Returns the law of 1997. Fails when the probability falls below 0.
    pub(super) fn two_stages(request: &Request<'_>) -> Result<Runs, ModelError> {
        let [mean1, mean2, unit, p, slope] = PARAMS_97.map(|param| request.settings.amount(param.name));
        if slope > p {
            let expected = format!("at most p={p}");
            return Err(ModelError::Unfit { key: "slope".into(), value: slope, expected });
        }
        Ok(Runs {
            means: [mean1 * unit, 0.0, mean2 * unit],
            none: [p, 0.0, 1.0 - p],
            whole: [p - slope, 0.0, 1.0 - p + slope],
            procs: request.procs.into(),
        })
    }

    /// Draws the run time of a job of `procs` processors, seconds.
    pub(super) fn draw(&self, procs: i64, stream: &mut impl Rng) -> f64 {
        let [short, middle, _] = self.shares(procs);
        let u = seed::unit(stream);
        let stage = usize::from(u >= short) + usize::from(u >= short + middle);
        exponential(self.means[stage], stream)
    }

    /// Returns the mean run time of a job of `procs` processors, seconds.
    pub(super) fn mean(&self, procs: i64) -> f64 {
        self.shares(procs).iter().zip(self.means).map(|(share, mean)| share * mean).sum()
    }

    /// Returns the mean of a stage, seconds.
    #[cfg(test)]
    pub(super) fn stage_mean(&self, stage: usize) -> f64 {
        self.means[stage]
    }

    /// Returns the probability of a run time up to `seconds`.
    #[cfg(test)]
    pub(super) fn cdf(&self, procs: i64, seconds: f64) -> f64 {
        let stage =
            |(share, mean): (f64, f64)| if share > 0.0 { share * -(-seconds / mean).exp_m1() } else { 0.0 };
        self.shares(procs).into_iter().zip(self.means).map(stage).sum()
    }

    /// Returns the probability of each stage for a job of `procs` processors.
    pub(super) fn shares(&self, procs: i64) -> [f64; 3] {
        let part = procs as f64 / self.procs;
        std::array::from_fn(|stage| self.none[stage] + part * (self.whole[stage] - self.none[stage]))
    }
}
