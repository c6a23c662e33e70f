//! The model of Downey 1997: moldable jobs of log-uniform work and parallelism, made rigid by a rule.

mod arrivals;
mod parameters;
mod speedup;

use super::draw::whole_run;
use super::{DrawnJob, Fitted, GeneratedJobs, ModelClass, ModelError, ModelSpec, Request};
use crate::{Citation, Time, seed};
use arrivals::PoissonArrivals;
use parameters::{DowneySettings, PARAMS};
use speedup::Speedup;

/// A job has an amount of work (its run time on one processor), an average parallelism A and its variance sigma; on n processors
/// it runs for work / S(n). The model leaves n to the scheduler; here a rule chooses n, so that the job becomes rigid.
pub(super) const SPEC: ModelSpec = ModelSpec {
    name: "downey97",
    summary: "moldable jobs made rigid by a rule: log-uniform work and parallelism, Downey's speedup, two \
              arrival rates a day",
    cite: Citation::of(
        "Downey, A parallel workload model and its implications for processor allocation, HPDC 1997, and \
           the Parallel Workloads Archive's page of the model",
        &["downey97", "feitelson14"],
    ),
    jobs: 10_000,
    procs: 400,
    fitted: Fitted::Never,
    params: &PARAMS,
    draw,
};

fn draw(request: &Request<'_>) -> Result<GeneratedJobs, ModelError> {
    let set = DowneySettings::new(request)?;
    let [mut of_work, mut of_sizes, mut of_arrivals] =
        ["work", "parallelism", "arrivals"].map(|what| seed::stream(request.seed, &format!("downey {what}")));
    let gap = set.mean_area() / (set.load * f64::from(request.procs));
    let mut arrivals = PoissonArrivals::new(&set, gap);
    let job = |_| {
        let submit = Time::from_secs(arrivals.next(&mut of_arrivals) as i64);
        let work = set.work.at(seed::unit(&mut of_work));
        let average = set.parallelism.at(seed::unit(&mut of_sizes));
        let speedup = Speedup { average, sigma: set.sigma_at(seed::unit(&mut of_sizes)) };
        let procs = set.rule.processors(speedup, request.procs);
        let run = whole_run(work / speedup.on(f64::from(procs)));
        DrawnJob { submit, run, procs: procs.into(), ..DrawnJob::default() }
    };
    Ok(GeneratedJobs {
        jobs: (0..request.jobs).map(job).collect(),
        classes: vec![ModelClass::only(request, &PARAMS)],
        notes: vec!["time 0 is midnight".into()],
        ..GeneratedJobs::default()
    })
}

#[cfg(test)]
mod tests;
