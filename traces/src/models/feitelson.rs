//! The models of Feitelson 1996 and 1997: harmonic sizes, run times that grow with the size, and jobs that
//! are executed repeatedly.

mod repeats;
mod runs;
mod sizes;

use super::draw::whole_run;
use super::{Fitted, GeneratedJobs, ModelClass, ModelError, ModelSpec, Param, Request};
use crate::citation::Citation;
use crate::seed;
use repeats::{RepeatedJob, Repeats};
use runs::Runs;
use sizes::HarmonicSizes;

const CITE_96: Citation = Citation::of(
    "Feitelson, Packing schemes for gang scheduling, JSSPP 1996 (LNCS 1162), and the \
                       Parallel Workloads Archive's page of the model",
    &["feitelson96", "feitelson14"],
);
const CITE_97: Citation = Citation::of(
    "Feitelson and Jette, Improved utilization and responsiveness with gang scheduling, \
                       JSSPP 1997 (LNCS 1291)",
    &["feitelsonjette97"],
);

/// The model of 1996: run times of three exponential stages.
///
/// The archive's page states the harmonic order of the sizes and what else was adjusted by hand, without
/// numbers. Each unpublished number is a parameter, and its help says so.
pub(super) const SPEC_96: ModelSpec = ModelSpec {
    name: "feitelson96",
    summary: "rigid jobs that are executed repeatedly: harmonic sizes that favour powers of two, run times of \
              three exponential stages",
    cite: CITE_96,
    jobs: 10_000,
    procs: 128,
    fitted: Fitted::Never,
    params: &PARAMS_96,
    draw: |request| draw(request, &PARAMS_96, Runs::three_stages),
};

/// The model of 1997: run times of two exponential stages.
pub(super) const SPEC_97: ModelSpec = ModelSpec {
    name: "feitelson97",
    summary: "rigid jobs that are executed repeatedly, as feitelson96 with run times of two exponential stages",
    cite: CITE_97,
    jobs: 10_000,
    procs: 128,
    fitted: Fitted::Never,
    params: &PARAMS_97,
    draw: |request| draw(request, &PARAMS_97, Runs::two_stages),
};

const SHARED: usize = sizes::PARAMS.len() + repeats::PARAMS.len();
static PARAMS_96: [Param; SHARED + runs::PARAMS_96.len()] =
    Param::joined(&[&sizes::PARAMS, &runs::PARAMS_96, &repeats::PARAMS]);
static PARAMS_97: [Param; SHARED + runs::PARAMS_97.len()] =
    Param::joined(&[&sizes::PARAMS, &runs::PARAMS_97, &repeats::PARAMS]);

fn draw(
    request: &Request<'_>,
    params: &[Param],
    runs: fn(&Request<'_>) -> Result<Runs, ModelError>,
) -> Result<GeneratedJobs, ModelError> {
    let (sizes, runs) = (HarmonicSizes::new(request)?, runs(request)?);
    let [mut of_sizes, mut of_runs] =
        ["sizes", "runs"].map(|what| seed::stream(request.seed, &format!("feitelson {what}")));
    let job = || {
        let procs = sizes.draw(&mut of_sizes);
        RepeatedJob { procs, run: whole_run(runs.draw(procs, &mut of_runs)) }
    };
    let work = sizes.mean(|procs| procs as f64 * runs.mean(procs));
    let mut repeats = Repeats::new(request, work);
    Ok(GeneratedJobs {
        notes: repeats.notes(),
        jobs: repeats.jobs(request.jobs, job),
        classes: vec![ModelClass::only(request, params)],
        ..GeneratedJobs::default()
    })
}

#[cfg(test)]
mod tests;
