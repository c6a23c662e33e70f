use chacha20::rand_core::Rng;

use super::parameters::LublinClass;
use crate::models::draw::GammaLaw;
use crate::models::error::ModelError;
use crate::seed;

/// The greatest ln(run time): e^12 s are a little less than two days.
pub(super) const LONGEST: f64 = 12.0;

/// The least share of draws within the limit: with a smaller share, redrawing would take too long.
const LEAST_KEPT: f64 = 0.001;

/// Run times: a hyper-gamma law of ln(seconds), whose mixture depends on the size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs {
    short: GammaLaw,
    long: GammaLaw,
    slope: f64,
    level: f64,
}

impl Runs {
    /// Returns the law of run times. Fails when hardly any run time would be within the limit.
    pub(super) fn new(class: &str, set: &LublinClass, procs: u32) -> Result<Runs, ModelError> {
        let runs = Runs {
            short: GammaLaw::new(&format!("{class}.a1"), set.a1, set.b1)?,
            long: GammaLaw::new(&format!("{class}.a2"), set.a2, set.b2)?,
            slope: set.pa,
            level: set.pb,
        };
        // The share is linear in the mixture, so the extreme sizes bound all sizes between them.
        let kept = |size| {
            let short = runs.share_of_short(size);
            short * runs.short.cdf(LONGEST) + (1.0 - short) * runs.long.cdf(LONGEST)
        };
        if kept(1).min(kept(i64::from(procs))) < LEAST_KEPT {
            let (key, value, scale) = if runs.short.cdf(LONGEST) < runs.long.cdf(LONGEST) {
                ("a1", set.a1, set.b1)
            } else {
                ("a2", set.a2, set.b2)
            };
            return Err(ModelError::Unfit {
                key: format!("{class}.{key}"),
                value,
                expected: format!(
                    "so small that, with the scale {scale}, ln(run time) is often below {LONGEST}"
                ),
            });
        }
        Ok(runs)
    }

    /// Draws the run time of a job of `procs` processors, whole seconds.
    pub(super) fn draw(&self, procs: i64, stream: &mut impl Rng) -> i64 {
        self.draw_log(procs, stream).exp() as i64
    }

    /// Draws ln(run time), at most [`LONGEST`].
    pub(super) fn draw_log(&self, procs: i64, stream: &mut impl Rng) -> f64 {
        let share = self.share_of_short(procs);
        loop {
            let law = if seed::unit(stream) <= share { self.short } else { self.long };
            let log = law.draw(stream);
            if log <= LONGEST {
                return log;
            }
        }
    }

    pub(super) fn share_of_short(&self, procs: i64) -> f64 {
        (self.slope * procs as f64 + self.level).clamp(0.0, 1.0)
    }
}
