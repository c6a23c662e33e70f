//! Requested times for models that have none.

use rand_chacha::ChaCha12Rng;

use super::error::ModelError;
use super::param::{Kind, Param};
use super::settings::Settings;
use crate::reading::{Estimate, parse_duration};
use crate::seed;
use crate::time::{TICKS_PER_SECOND, Time};

/// What can be set about requested times, for every model.
pub(super) static PARAMS: [Param; 2] = [
    Param {
        name: "estimates",
        kind: Kind::Form {
            expected: "none or phi:X (0 <= X < 1)",
            valid: |text| text == "none" || phi(text).is_some(),
        },
        default: "none",
        help: "requested times (field 9) by the Phi model of Zhang et al. 2000, section 2.1: exact for a \
               share X of the jobs, else run * (1-X)/(1-y) with y uniform in [X,1), whole seconds upwards",
    },
    Param {
        name: "estimate-cap",
        kind: Kind::Form {
            expected: "none or a time of a second or more, such as 64800 or 18h",
            valid: |text| text == "none" || cap(text).is_some(),
        },
        default: "none",
        help: "the most that is requested, as a site's limit would have it; never below the run time",
    },
];

/// How requested times are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimates {
    phi: Option<f64>,
    cap: i64,
}

/// Draws the requested times of one class of jobs.
pub(super) struct EstimateDrawer {
    estimates: Estimates,
    stream: ChaCha12Rng,
}

impl Estimates {
    /// Returns what was set.
    ///
    /// # Errors
    /// When there is a cap and nothing to cap.
    pub(super) fn new(settings: &Settings) -> Result<Estimates, ModelError> {
        let phi = settings.text("estimates").and_then(phi);
        let cap = settings.text("estimate-cap").and_then(cap);
        if phi.is_none() && cap.is_some() {
            return Err(ModelError::NoEffect { key: "estimate-cap", with: "estimates=none".into() });
        }
        Ok(Estimates { phi, cap: cap.unwrap_or(i64::MAX) })
    }

    /// Returns the drawer of a class of jobs.
    pub(super) fn drawer(self, seed: u64, class: &str) -> EstimateDrawer {
        EstimateDrawer { estimates: self, stream: seed::stream(seed, &format!("model estimates {class}")) }
    }
}

impl EstimateDrawer {
    /// Returns the requested time of the next job, seconds; -1 without estimates.
    pub(super) fn draw(&mut self, run: i64) -> i64 {
        let Some(phi) = self.estimates.phi else { return -1 };
        let y = seed::unit(&mut self.stream);
        let factor = if y < phi { 1.0 } else { (1.0 - phi) / (1.0 - y) };
        ((run as f64 * factor).ceil() as i64).min(self.estimates.cap).max(run)
    }
}

fn phi(text: &str) -> Option<f64> {
    match text.parse() {
        Ok(Estimate::Phi(phi)) => Some(phi),
        _ => None,
    }
}

/// A cap in whole seconds.
fn cap(text: &str) -> Option<i64> {
    let time = parse_duration(text).ok().filter(|&time| time >= Time::SECOND)?;
    Some(time.ticks() / TICKS_PER_SECOND)
}
