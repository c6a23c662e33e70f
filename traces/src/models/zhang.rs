//! The series of workloads of Zhang et al. 2000: run times that grow from one workload to the next, fitted
//! to a log or with the size mix that the paper states.

mod stated;

use super::error::ModelError;
use super::jann::{self, FIT_PARAMS, Generator, LoadScaling, Ranges};
use super::param::{ModelParamKind, Param};
use super::spec::{DrawnJob, Fitted, GeneratedJobs, ModelClass, ModelSpec, Request};
use crate::{Citation, Time};

/// The paper fits the model of Jann et al. to a log of the ASCI Blue-Pacific at LLNL and prints no parameters. Without a
/// log, the series follows what the paper states of its log (see [`stated`]); with a log, the series is fitted to it. The
/// workloads differ only in the mean run time, from 1.0 to 1.8 times that of the first; interarrival times are the same. All
/// use the same random numbers: only the run times differ, and all by the same factor.
///
/// Table 1 has the utilizations .55, .61, .66, .72, .77 (.78 under one policy), .83 and .88 (.89) for the workloads 0 to 6.
/// They come from one draw, whose load was .5535 within about .001; here one factor of the interarrival times gives the
/// drawn jobs this load.
pub(super) const SPEC: ModelSpec = ModelSpec {
    name: "zhang2000",
    summary: "a series of nine workloads, by the size mix of an LLNL machine or fitted to a log: same arrivals \
              and sizes, longer run times, estimates of the Phi model",
    cite: Citation::of(
        "Zhang, Franke, Moreira and Sivasubramaniam 2000, on backfilling, gang scheduling and migration, \
           section 2",
        &["zhang01"],
    ),
    jobs: 10_000,
    procs: 320,
    fitted: Fitted::Optionally,
    params: &PARAMS,
    draw,
};

/// Parameters of its own, in front of those of the stated mix.
const OWN: [Param; 4] = [WORKLOAD, LOAD, CALIBRATE, PHI];

static PARAMS: [Param; OWN.len() + stated::PARAMS.len() + FIT_PARAMS.len()] =
    Param::joined(&[&OWN, &stated::PARAMS, &FIT_PARAMS]);

const WORKLOAD: Param = Param::of("workload", ModelParamKind::Count { least: 0, most: 8 }, "0")
    .help("which of the nine: run times are multiplied by 1 + 0.1 * workload");

const LOAD: Param = Param::of(
    "load",
    ModelParamKind::Form {
        expected: "log or a number from 0.001 to 100",
        valid: |text| text == "log" || jann::load(text).is_some(),
    },
    "0.5535",
)
.help(
    "offered load of workload 0, reached by dividing interarrival times; 0.5535 has the utilizations of \
         the paper's workloads 0 to 6; log leaves them as fitted",
);

const CALIBRATE: Param = Param::of("calibrate", ModelParamKind::Word(&["gaps", "none"]), "gaps").help(
    "whether the jobs drawn have the load exactly, by one factor of their interarrival times, or their \
     laws have it",
);

const PHI: Param = Param::of("phi", ModelParamKind::Number { least: 0.0, most: 0.999_999 }, "0.2").help(
    "share of exact estimates in the Phi model, by which requested times are made unless `estimates` is \
     set",
);

fn draw(request: &Request<'_>) -> Result<GeneratedJobs, ModelError> {
    let settings = request.settings;
    let replaced = settings.text("estimates").filter(|&text| text != "model");
    if let (Some(text), Some(_)) = (replaced, settings.text("phi")) {
        return Err(ModelError::NoEffect { key: "phi", with: format!("estimates={text}") });
    }
    check_all_used(request)?;
    let (fit, notes) = if request.log.is_some() {
        let fit = jann::fit_of(request, Ranges::Powers)?;
        let notes = fit.notes();
        (fit, notes)
    } else {
        let fit = stated::fit(request)?;
        let notes = stated::notes(&fit);
        (fit, notes)
    };
    let run = 1.0 + 0.1 * settings.amount("workload");
    let change = LoadScaling { load: jann::load(settings.value("load")), run, top: false };
    Ok(GeneratedJobs {
        jobs: jobs(&fit, request, change)?,
        classes: vec![ModelClass::only(request, &PARAMS)],
        notes,
        phi: Some(settings.amount("phi")),
        ..GeneratedJobs::default()
    })
}

/// Draws the jobs; interarrival times are multiplied by a factor so that the jobs of workload 0 have exactly the load: work
/// / (processors * time between the first and the last arrival).
fn jobs(fit: &jann::Fit, request: &Request<'_>, change: LoadScaling) -> Result<Vec<DrawnJob>, ModelError> {
    let drawn = |change| -> Result<Vec<DrawnJob>, ModelError> {
        Ok(Generator::new(fit, request, change)?.jobs(request.jobs))
    };
    let mut jobs = drawn(change)?;
    let (Some(load), "gaps") = (change.load, request.settings.value("calibrate")) else { return Ok(jobs) };
    let first = drawn(LoadScaling { run: 1.0, ..change })?;
    let work: f64 = first.iter().map(|job| job.run.secs() * job.procs as f64).sum();
    let ends = [first.first(), first.last()].map(|job| job.map_or(0.0, |job| job.submit.secs()));
    let time = ends[1] - ends[0];
    if time > 0.0 {
        let factor = work / (load * f64::from(request.procs) * time);
        for job in &mut jobs {
            job.submit = Time::from_secs((job.submit.secs() * factor) as i64);
        }
    }
    Ok(jobs)
}

/// Checks that no parameter of the stated mix is changed if a log is fitted, and none of fitting without one.
fn check_all_used(request: &Request<'_>) -> Result<(), ModelError> {
    let settings = request.settings;
    let (idle, with): (&[Param], _) = match request.log {
        Some(_) => (&stated::PARAMS, "a log"),
        None => (&FIT_PARAMS, "the size mix of the paper: name a log (--log FILE)"),
    };
    let changed = |param: &&Param| settings.value(param.name) != param.default;
    if let Some(param) = idle.iter().find(changed) {
        return Err(ModelError::NoEffect { key: param.name, with: with.into() });
    }
    match settings.value("load") {
        "log" if request.log.is_none() => Err(ModelError::Value {
            key: "load",
            value: "log".into(),
            expected: "a number without a log (--log FILE)".into(),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
