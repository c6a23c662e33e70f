//! The series of workloads of Zhang et al. 2000: a fitted workload, with run times that grow from one
//! workload to the next.

use super::error::ModelError;
use super::jann::{self, Change, FIT_PARAMS, Generator, Ranges};
use super::param::{Kind, Param};
use super::spec::{Class, Drawn, ModelSpec, Request};
use crate::citation::Citation;

/// The workloads.
///
/// The paper fits the model of Jann et al. to a log of the ASCI Blue-Pacific and prints no parameters, so
/// the model is fitted to a log here. The workloads differ only in the mean run time, from 1.0 to 1.8 times
/// that of the first; interarrival times are the same. All use the same random numbers: only the run times
/// differ, and all by the same factor.
pub(super) const SPEC: ModelSpec = ModelSpec {
    name: "zhang2000",
    summary: "a series of nine workloads that a log is fitted for: same arrivals and sizes, longer run times, \
              estimates of the Phi model",
    cite: Citation::of(
        "Zhang, Franke, Moreira and Sivasubramaniam 2000, on backfilling, gang scheduling and migration, \
           section 2",
        &["zhang01"],
    ),
    jobs: 10_000,
    procs: 320,
    fitted: true,
    params: &PARAMS,
    draw,
};

static PARAMS: [Param; 6] = [
    Param {
        name: "workload",
        kind: Kind::Count { least: 0, most: 8 },
        default: "0",
        help: "which of the nine: run times are multiplied by 1 + 0.1 * workload",
    },
    Param {
        name: "load",
        kind: Kind::Form {
            expected: "log or a number from 0.001 to 100",
            valid: |text| text == "log" || jann::load(text).is_some(),
        },
        default: "0.55",
        help: "offered load of workload 0, reached by dividing interarrival times; 0.55 is the utilization of \
               the paper's; log leaves them as fitted",
    },
    Param {
        name: "phi",
        kind: Kind::Number { least: 0.0, most: 0.999_999 },
        default: "0.2",
        help: "share of exact estimates in the Phi model, by which requested times are made unless \
               `estimates` is set",
    },
    FIT_PARAMS[0],
    FIT_PARAMS[1],
    FIT_PARAMS[2],
];

fn draw(request: &Request<'_>) -> Result<Drawn, ModelError> {
    let settings = request.settings;
    let replaced = settings.text("estimates").filter(|&text| text != "model");
    if let (Some(text), Some(_)) = (replaced, settings.text("phi")) {
        return Err(ModelError::NoEffect { key: "phi", with: format!("estimates={text}") });
    }
    let fit = jann::fit_of(request, Ranges::Powers)?;
    let run = 1.0 + 0.1 * settings.amount("workload");
    let change = Change { load: jann::load(settings.value("load")), run, top: false };
    let mut generator = Generator::new(&fit, request, change)?;
    Ok(Drawn {
        jobs: generator.jobs(request.jobs),
        classes: vec![Class::only(request, &PARAMS)],
        notes: fit.notes(),
        phi: Some(settings.amount("phi")),
        ..Drawn::default()
    })
}

#[cfg(test)]
mod tests;
