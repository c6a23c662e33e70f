//! The model of Lublin and Feitelson 2003: sizes, run times that depend on them, arrivals with a daily cycle.

mod arrivals;
mod parameters;
mod runs;
mod sizes;

use chacha20::ChaCha12Rng;

use super::{DrawnJob, Fitted, GeneratedJobs, ModelClass, ModelError, ModelSpec, Request};
use crate::{Citation, Time, seed};
use arrivals::Arrivals;
use parameters::LublinClass;
use runs::Runs;
use sizes::Sizes;

/// The authors' program seeds `drand48` from the clock, so its exact jobs cannot be reproduced; the distributions are the same.
/// There are two deliberate differences. The program truncates its clock to whole seconds at each arrival, which shifts the daily
/// cycle by half a second per job (seven hours over its 50,000 jobs): here the clock is exact, and only the written times are
/// truncated. And if the largest size is not a power of two, a power-of-two size above it is replaced by the largest power of two
/// below it.
pub(super) const SPEC: ModelSpec = ModelSpec {
    name: "lublin",
    summary: "rigid jobs of interactive and batch users: correlated sizes and run times, daily arrival cycle",
    cite: Citation::of(
        "Lublin and Feitelson, The workload on parallel supercomputers: modeling the characteristics of \
           rigid jobs, JPDC 63(11), 2003, and the program m_lublin99.c",
        &["lublin03"],
    ),
    jobs: 50_000,
    procs: 128,
    fitted: Fitted::Never,
    params: &parameters::PARAMS,
    draw,
};

fn draw(request: &Request<'_>) -> Result<GeneratedJobs, ModelError> {
    let types = request.settings.text("types").unwrap_or("both");
    parameters::check_all_used(request.settings, types)?;
    let mut streams = Vec::new();
    for (name, queue) in [("interactive", 0), ("batch", 1), ("untyped", 0)] {
        if types == name || types == "both" && name != "untyped" {
            streams.push(Stream::new(name, queue, request)?);
        }
    }
    let mut jobs = Vec::new();
    for _ in 0..request.jobs {
        // min_by_key returns the first of equal elements, as the program does: interactive before batch.
        let Some((class, stream)) = streams.iter_mut().enumerate().min_by_key(|(_, stream)| stream.submit)
        else {
            break;
        };
        jobs.push(stream.job(class as u32));
    }
    Ok(GeneratedJobs {
        jobs,
        classes: streams.into_iter().map(|stream| stream.class).collect(),
        max_runtime: Some(runs::LONGEST.exp() as i64),
        notes: vec!["time 0 is midnight of the daily cycle".into()],
        phi: None,
    })
}

/// The jobs of one class. Sizes, run times and arrivals each have their own random stream, so that changing
/// the parameters of one does not change the numbers of the others.
struct Stream {
    class: ModelClass,
    sizes: Sizes,
    runs: Runs,
    arrivals: Arrivals,
    random: [ChaCha12Rng; 3],
    /// The arrival of the next job, seconds.
    submit: i64,
}

impl Stream {
    fn new(name: &'static str, queue: i64, request: &Request<'_>) -> Result<Stream, ModelError> {
        let set = LublinClass::of(name, request);
        let load = request.settings.number("load").unwrap_or(1.0);
        let mut random = ["arrivals", "sizes", "runs"]
            .map(|what| seed::stream(request.seed, &format!("lublin {name} {what}")));
        let mut arrivals = Arrivals::new(name, &set, load)?;
        let submit = arrivals.next(&mut random[0]) as i64;
        Ok(Stream {
            class: ModelClass { queue, name, parameters: set.to_string() },
            sizes: Sizes::new(name, &set, request.procs)?,
            runs: Runs::new(name, &set, request.procs)?,
            arrivals,
            random,
            submit,
        })
    }

    /// Draws the pending job, and the arrival of the one after it.
    fn job(&mut self, class: u32) -> DrawnJob {
        let [arrivals, sizes, runs] = &mut self.random;
        let procs = self.sizes.draw(sizes);
        let [submit, run] = [self.submit, self.runs.draw(procs, runs)].map(Time::from_secs);
        let job = DrawnJob { submit, run, procs, class, ..DrawnJob::default() };
        self.submit = self.arrivals.next(arrivals) as i64;
        job
    }
}

#[cfg(test)]
mod tests;
