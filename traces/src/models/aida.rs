//! The workload of Aida, Kasahara and Narita 1998: a Poisson stream of exponential jobs.

use chacha20::rand_core::Rng;

use super::draw::{DiscreteDistribution, GammaLaw, exponential};
use super::{
    DrawnJob, Fitted, GeneratedJobs, ModelClass, ModelError, ModelParamKind, ModelSettings, ModelSpec, Param,
    Request,
};
use crate::reading::parse_duration;
use crate::{Citation, Time, seed};

/// The model, as section 4.1 of the paper states it. Times are exact to the microsecond: with a mean run time of ten seconds,
/// rounding to seconds would give a different distribution.
pub(super) const SPEC: ModelSpec = ModelSpec {
    name: "aida98",
    summary: "rigid jobs of a queueing study: uniform sizes, or those of a small machine's log, exponential run \
              times, Poisson arrivals",
    cite: Citation::of(
        "Aida, Kasahara and Narita, Job scheduling scheme for pure space sharing among rigid jobs, JSSPP \
           1998 (LNCS 1459), section 4.1",
        &["aida98"],
    ),
    jobs: 5000,
    procs: 256,
    fitted: Fitted::Never,
    params: &PARAMS,
    draw,
};

/// Ratios of the sizes 1 to 8 in table 2: 10,027 jobs of a Cenju-3; they add up to 0.9999.
const RATIOS: [f64; 8] = [0.1698, 0.1718, 0.0464, 0.1837, 0.0295, 0.0316, 0.0357, 0.3314];

static PARAMS: [Param; 9] = [
    Param::of("sizes", ModelParamKind::Word(&["uniform", "real"]), "uniform").help(
        "sizes uniform on 1 to the machine's, which has 256 processors in the paper; or real, those of \
         table 2 on its machine of 8 processors",
    ),
    Param::of("load", ModelParamKind::Number { least: 0.001, most: 100.0 }, "0.5").help(
        "the paper's load (1): arrival rate * mean size * mean run time / processors; 0.5 is that of its \
         table 3",
    ),
    Param::of("mean-run", ModelParamKind::Number { least: 0.001, most: 1e8 }, "10")
        .help("mean of the run times, seconds; 32 in the experiment on the Cenju-3"),
    Param::of("runs", ModelParamKind::Word(&["exponential", "gamma", "constant"]), "exponential").help(
        "run times are exponential, gamma-distributed, or all mean-run: the paper does not state those of \
         its jobs on the Cenju-3",
    ),
    Param::of("run-shape", ModelParamKind::Number { least: 0.01, most: 10000.0 }, "2").help(
        "with runs=gamma: the shape, 1 over the square of the coefficient of variation; 1 is exponential",
    ),
    Param::of("run-offset", ModelParamKind::Number { least: 0.0, most: 1e8 }, "0").help(
        "the part of a run time that all jobs have, seconds, which is within mean-run: section 4.1 says \
         that the 10 s include loading a program, and with 2 s of them table 3 has the paper's variances",
    ),
    Param::of(
        "run-cut",
        ModelParamKind::Form {
            expected: "none or a time, such as 47",
            valid: |text| text == "none" || cut(text).is_some(),
        },
        "none",
    )
    .help("longest run time; not of the paper"),
    Param::of("cut", ModelParamKind::Word(&["redraw", "clamp"]), "redraw")
        .help("a run time above run-cut is drawn again, or set to run-cut"),
    Param::of("arrivals", ModelParamKind::Word(&["load", "mean-run"]), "load").help(
        "which run times the arrival rate is for: those that are drawn, so that the load is `load`; or \
         those of mean-run before the cut, so that a cut lowers the load (from .5 to .478 with run-cut=47)",
    ),
];

fn draw(request: &Request<'_>) -> Result<GeneratedJobs, ModelError> {
    let settings = request.settings;
    let sizes = sizes(request)?;
    let runs = RunTimes::new(request)?;
    let mean_size = sizes.mean(|size| size as f64);
    let gap = mean_size * runs.mean_for_arrivals(settings.value("arrivals"))
        / (settings.amount("load") * f64::from(request.procs));
    let [mut of_sizes, mut of_runs, mut of_arrivals] =
        ["sizes", "runs", "arrivals"].map(|what| seed::stream(request.seed, &format!("aida {what}")));
    let mut clock = 0.0;
    let job = |_| {
        clock += exponential(gap, &mut of_arrivals);
        DrawnJob {
            submit: Time::from_secs_f64(clock),
            run: Time::from_secs_f64(runs.draw(&mut of_runs)),
            procs: sizes.draw(&mut of_sizes),
            ..DrawnJob::default()
        }
    };
    Ok(GeneratedJobs {
        jobs: (0..request.jobs).map(job).collect(),
        classes: vec![ModelClass::only(request, &PARAMS)],
        ..GeneratedJobs::default()
    })
}

/// Returns the law of sizes. Fails when the machine is not that of the log, or is larger than the table of sizes allows.
fn sizes(request: &Request<'_>) -> Result<DiscreteDistribution, ModelError> {
    let real = request.settings.value("sizes") == "real";
    let expected = match request.procs {
        procs if real && procs as usize != RATIOS.len() => "8, the machine of table 2, with sizes=real",
        procs if procs > 1_000_000 => "at most 1000000 for this model",
        _ if real => return Ok(DiscreteDistribution::new(RATIOS.into_iter())),
        procs => return Ok(DiscreteDistribution::new((0..procs).map(|_| 1.0))),
    };
    Err(ModelError::Unfit { key: "procs".into(), value: request.procs.into(), expected: expected.into() })
}

/// The law of run times: a part that all have, and a drawn one.
#[derive(Clone, Copy, Debug)]
struct RunTimes {
    offset: f64,
    /// Mean of the drawn part, seconds.
    mean: f64,
    law: RunLaw,
}

#[derive(Clone, Copy, Debug)]
enum RunLaw {
    Constant,
    /// Exponential; longer ones than `most` are drawn again, or set to it.
    Exponential {
        most: f64,
        redraw: bool,
    },
    Gamma(GammaLaw),
}

/// The least share of run times below the cut: with a smaller share, redrawing would take too long.
const LEAST_KEPT: f64 = 0.001;

impl RunTimes {
    fn new(request: &Request<'_>) -> Result<RunTimes, ModelError> {
        let settings = request.settings;
        let [whole, offset] = ["mean-run", "run-offset"].map(|key| settings.amount(key));
        let mean = whole - offset;
        let kind = settings.value("runs");
        if offset > 0.0 && mean <= 0.0 {
            let expected = format!("below mean-run, {whole} s");
            return Err(ModelError::Unfit { key: "run-offset".into(), value: offset, expected });
        }
        let idle: &[&'static str] = match kind {
            "constant" => &["run-cut", "run-offset", "run-shape"],
            "gamma" => &["run-cut"],
            _ => &["run-shape"],
        };
        let changed = |key: &&&'static str| settings.text(key).is_some_and(|given| is_changed(key, given));
        if let Some(&key) = idle.iter().find(changed) {
            return Err(ModelError::NoEffect { key, with: format!("runs={kind}") });
        }
        let law = match kind {
            "constant" => RunLaw::Constant,
            "gamma" => {
                let shape = settings.amount("run-shape");
                RunLaw::Gamma(GammaLaw::new("run-shape", shape, mean / shape)?)
            }
            _ => exponential_law(settings, offset, mean)?,
        };
        Ok(RunTimes { offset, mean, law })
    }

    /// Returns the mean run time from which the arrival rate is computed, seconds.
    fn mean_for_arrivals(&self, rule: &str) -> f64 {
        self.offset + if rule == "load" { self.mean_drawn() } else { self.mean }
    }

    /// Returns the mean of the drawn part of the run times that [`RunTimes::draw`] returns, seconds.
    ///
    /// For X exponential with mean m, cut at c: E[min(X, c)] = m (1 - e^(-c/m)), and
    /// E[X | X ≤ c] = m - c e^(-c/m) / (1 - e^(-c/m)).
    fn mean_drawn(&self) -> f64 {
        let RunLaw::Exponential { most, redraw } = self.law else { return self.mean };
        let kept = -(-most / self.mean).exp_m1();
        if kept == 1.0 {
            self.mean
        } else if redraw {
            self.mean - most * (1.0 - kept) / kept
        } else {
            self.mean * kept
        }
    }

    fn draw(&self, stream: &mut impl Rng) -> f64 {
        self.offset
            + match self.law {
                RunLaw::Constant => self.mean,
                RunLaw::Gamma(law) => law.draw(stream),
                RunLaw::Exponential { most, redraw } => loop {
                    let run = exponential(self.mean, stream);
                    if run <= most {
                        break run;
                    }
                    if !redraw {
                        break most;
                    }
                },
            }
    }
}

/// Returns the exponential law with the cut of the settings, which is of whole run times. Fails when hardly any run time is below
/// the cut.
fn exponential_law(settings: &ModelSettings, offset: f64, mean: f64) -> Result<RunLaw, ModelError> {
    let cut = cut(settings.value("run-cut")).map_or(f64::INFINITY, Time::secs);
    let (most, redraw) = ((cut - offset).max(0.0), settings.value("cut") == "redraw");
    if redraw && -(-most / mean).exp_m1() < LEAST_KEPT {
        let expected = format!("so long that a run time of mean {} is often below it", offset + mean);
        return Err(ModelError::Unfit { key: "run-cut".into(), value: cut, expected });
    }
    Ok(RunLaw::Exponential { most, redraw })
}

/// Whether a parameter has another value than its default.
fn is_changed(key: &str, given: &str) -> bool {
    PARAMS.iter().any(|param| param.name == key && param.default != given)
}

fn cut(text: &str) -> Option<Time> {
    parse_duration(text).ok().filter(|&time| time > Time::ZERO)
}

#[cfg(test)]
mod tests;
