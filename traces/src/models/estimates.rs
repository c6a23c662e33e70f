//! Requested times for models that have none.

use chacha20::ChaCha12Rng;

use super::tsafrir::{self, Distinct};
use super::{DrawnJob, GeneratedJobs, ModelError, ModelParamKind, ModelSettings, Param};
use crate::reading::{Estimate, parse_duration};
use crate::seed;
use crate::time::{TICKS_PER_SECOND, Time};

pub(super) static PARAMS: [Param; 4] = [
    Param::of("estimates", ModelParamKind::Form {
            expected: "model, none, phi:X (0 <= X < 1), tsafrir or tsafrir:MAX (MAX a time of an hour or more)",
            valid: |text| text == "model" || text == "none" || drawn_by(text).is_some(),
        }, "model").help("requested times (field 9): `model` for those of the model, most having none; by the Phi model of \
         Zhang et al. 2000, section 2.1: exact for a share X of the jobs, else run * (1-X)/(1-y) with y \
         uniform in [X,1), whole seconds upwards; or few, round values up to MAX by Tsafrir et al. 2005, \
         MAX being the model's longest run time unless given, or else the longest that was drawn in whole \
         hours"),
    Param::of("estimate-cap", ModelParamKind::Form {
            expected: "none or a time of a second or more, such as 64800 or 18h",
            valid: |text| text == "none" || cap(text).is_some(),
        }, "none").help("the most that is requested in the Phi model, as a site's limit would have it; never below the run \
         time"),
    Param::of("estimate-values", ModelParamKind::Form {
            expected: "auto, power or a number from 1",
            valid: |text| distinct(text).is_some(),
        }, "auto").help("how many different values are requested in Tsafrir's model: as in the authors' logs of this size, \
         by their power law of the number of jobs, or this number"),
    Param::of("estimate-max-share", ModelParamKind::Form {
            expected: "auto or a number from 0 to 0.89",
            valid: |text| text == "auto" || share(text).is_some(),
        }, "auto").help("share of the jobs that request MAX in Tsafrir's model; auto for 0.217, the most popular"),
];

/// The way in which requested times are made.
#[derive(Clone, Copy, Debug)]
pub(super) enum EstimateModel {
    None,
    Phi { phi: f64, cap: Time },
    Tsafrir { max: Option<Time>, distinct: Distinct, share_of_max: Option<f64> },
}

impl EstimateModel {
    /// Returns the settings, or the model's own defaults. Fails when a setting belongs to another way of making requested times.
    pub(super) fn new(settings: &ModelSettings, of_model: Option<f64>) -> Result<EstimateModel, ModelError> {
        let chosen = match settings.value("estimates") {
            "model" => of_model.map(Estimate::Phi),
            text => drawn_by(text),
        };
        let (estimates, idle): (EstimateModel, &[&'static str]) = match chosen {
            Some(Estimate::Phi(phi)) => {
                let cap = cap(settings.value("estimate-cap")).unwrap_or(Time::FARTHEST);
                (EstimateModel::Phi { phi, cap }, &["estimate-values", "estimate-max-share"])
            }
            Some(Estimate::Tsafrir(max)) => {
                let distinct = distinct(settings.value("estimate-values")).unwrap_or_default();
                let share_of_max = share(settings.value("estimate-max-share"));
                (EstimateModel::Tsafrir { max, distinct, share_of_max }, &["estimate-cap"])
            }
            _ => (EstimateModel::None, &["estimate-cap", "estimate-values", "estimate-max-share"]),
        };
        let changed = |key: &str| settings.text(key).is_some_and(|text| text != "none" && text != "auto");
        match idle.iter().find(|key| changed(key)) {
            None => Ok(estimates),
            Some(key) => {
                let with = chosen.map_or_else(|| "none".into(), |estimate| estimate.to_string());
                Err(ModelError::NoEffect { key, with: format!("estimates={with}") })
            }
        }
    }

    /// Returns the requested time of each job; `None` without estimates. Fails when Tsafrir's model refuses its settings.
    pub(super) fn draw(self, drawn: &GeneratedJobs, seed: u64) -> Result<Option<Vec<Time>>, ModelError> {
        match self {
            EstimateModel::None => Ok(None),
            EstimateModel::Phi { phi, cap } => Ok(Some(draw_phi(phi, cap, drawn, seed))),
            EstimateModel::Tsafrir { max, distinct, share_of_max } => {
                let runs: Vec<Time> = drawn.jobs.iter().map(|job| job.run).collect();
                let longest = || drawn.max_runtime.map(Time::from_secs).or(runs.iter().max().copied());
                let max = max.unwrap_or_else(|| tsafrir::whole_hours(longest().unwrap_or(Time::ZERO)));
                let settings = tsafrir::SiteParameters { max, distinct, share_of_max };
                Ok(Some(tsafrir::estimates(&runs, &settings, seed)?.times))
            }
        }
    }
}

/// Draws for each class of jobs from its own stream, so that changes of one class do not affect another.
fn draw_phi(phi: f64, cap: Time, drawn: &GeneratedJobs, seed: u64) -> Vec<Time> {
    let stream = |class: &super::ModelClass| seed::stream(seed, &format!("model estimates {}", class.name));
    let mut streams: Vec<ChaCha12Rng> = drawn.classes.iter().map(stream).collect();
    let request = |job: &DrawnJob| {
        let request = Estimate::of_phi(phi, job.run, seed::unit(&mut streams[job.class as usize]));
        if request == job.run { job.run } else { whole_seconds(request).min(cap).max(job.run) }
    };
    drawn.jobs.iter().map(request).collect()
}

fn whole_seconds(time: Time) -> Time {
    let rest = time.ticks().rem_euclid(TICKS_PER_SECOND);
    if rest == 0 { time } else { time.saturating_add(Time::from_ticks(TICKS_PER_SECOND - rest)) }
}

/// Parses a way of making requested times, if models support it.
fn drawn_by(text: &str) -> Option<Estimate> {
    let estimate: Estimate = text.parse().ok()?;
    matches!(estimate, Estimate::Phi(_) | Estimate::Tsafrir(_)).then_some(estimate)
}

fn distinct(text: &str) -> Option<Distinct> {
    match text {
        "auto" => Some(Distinct::Interpolated),
        "power" => Some(Distinct::PowerLaw),
        _ => text.parse().ok().filter(|&number| number > 0).map(Distinct::Exactly),
    }
}

fn share(text: &str) -> Option<f64> {
    text.parse().ok().filter(|share| (0.0..=0.89).contains(share))
}

fn cap(text: &str) -> Option<Time> {
    let time = parse_duration(text).ok().filter(|&time| time >= Time::SECOND)?;
    Some(Time::from_secs(time.ticks() / TICKS_PER_SECOND))
}
