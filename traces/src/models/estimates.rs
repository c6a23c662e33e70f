//! Requested times for models that have none.

use rand_chacha::ChaCha12Rng;

use super::error::ModelError;
use super::param::{Kind, Param};
use super::settings::Settings;
use super::spec::{Drawn, DrawnJob};
use crate::reading::{Estimate, parse_duration};
use crate::seed;
use crate::time::{TICKS_PER_SECOND, Time};

/// What can be set about requested times, for every model.
pub(super) static PARAMS: [Param; 2] = [
    Param {
        name: "estimates",
        kind: Kind::Form {
            expected: "model, none or phi:X (0 <= X < 1)",
            valid: |text| text == "model" || text == "none" || phi(text).is_some(),
        },
        default: "model",
        help: "requested times (field 9): `model` for those of the model, most having none; or by the Phi \
               model of Zhang et al. 2000, section 2.1: exact for a share X of the jobs, else run * \
               (1-X)/(1-y) with y uniform in [X,1), whole seconds upwards",
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
    cap: Time,
}

impl Estimates {
    /// Returns what was set, or else what the model has.
    ///
    /// # Errors
    /// When there is a cap and nothing to cap.
    pub(super) fn new(settings: &Settings, of_model: Option<f64>) -> Result<Estimates, ModelError> {
        let phi = match settings.text("estimates") {
            None | Some("model") => of_model,
            Some(text) => phi(text),
        };
        let cap = settings.text("estimate-cap").and_then(cap);
        if phi.is_none() && cap.is_some() {
            return Err(ModelError::NoEffect { key: "estimate-cap", with: "estimates=none".into() });
        }
        Ok(Estimates { phi, cap: cap.unwrap_or(Time::FARTHEST) })
    }

    /// Returns the requested time of each job; `None` without estimates.
    ///
    /// The jobs of a class are drawn for by a stream of their own, so that they stay as they are whatever
    /// happens to another class.
    pub(super) fn draw(self, drawn: &Drawn, seed: u64) -> Option<Vec<Time>> {
        let phi = self.phi?;
        let stream = |class: &super::Class| seed::stream(seed, &format!("model estimates {}", class.name));
        let mut streams: Vec<ChaCha12Rng> = drawn.classes.iter().map(stream).collect();
        let request = |job: &DrawnJob| {
            let request = Estimate::of_phi(phi, job.run, seed::unit(&mut streams[job.class as usize]));
            if request == job.run { job.run } else { whole_seconds(request).min(self.cap).max(job.run) }
        };
        Some(drawn.jobs.iter().map(request).collect())
    }
}

/// Rounds up to whole seconds.
fn whole_seconds(time: Time) -> Time {
    let rest = time.ticks().rem_euclid(TICKS_PER_SECOND);
    if rest == 0 { time } else { time.saturating_add(Time::from_ticks(TICKS_PER_SECOND - rest)) }
}

fn phi(text: &str) -> Option<f64> {
    match text.parse() {
        Ok(Estimate::Phi(phi)) => Some(phi),
        _ => None,
    }
}

/// A cap in whole seconds.
fn cap(text: &str) -> Option<Time> {
    let time = parse_duration(text).ok().filter(|&time| time >= Time::SECOND)?;
    Some(Time::from_secs(time.ticks() / TICKS_PER_SECOND))
}
