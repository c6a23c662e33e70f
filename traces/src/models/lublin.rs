//! The model of Lublin and Feitelson 2003: sizes, run times that depend on them, arrivals with a daily cycle.

mod arrivals;
mod parameters;
mod runs;
mod sizes;

use rand_chacha::ChaCha12Rng;

use super::error::ModelError;
use super::spec::{Class, Drawn, DrawnJob, ModelSpec, Request};
use crate::seed;
use crate::time::Time;
use arrivals::Arrivals;
use parameters::Set;
use runs::Runs;
use sizes::Sizes;

/// The model.
///
/// The authors' program draws with `drand48` from the clock, so its very jobs cannot be had again; the
/// distributions are the same. Two things are left out on purpose. The program cuts its clock to whole
/// seconds at each arrival, by which the daily cycle slips half a second a job (seven hours in its 50,000
/// jobs): here the clock is exact and only what is written is cut. And where the largest size is no power
/// of two, a power-of-two size above it is drawn as the largest one below.
pub(super) const SPEC: ModelSpec = ModelSpec {
    name: "lublin",
    summary: "rigid jobs of interactive and batch users: correlated sizes and run times, daily arrival cycle",
    cite: "Lublin and Feitelson, The workload on parallel supercomputers: modeling the characteristics of \
           rigid jobs, JPDC 63(11), 2003, and the program m_lublin99.c",
    jobs: 50_000,
    procs: 128,
    fitted: false,
    params: &parameters::PARAMS,
    draw,
};

fn draw(request: &Request<'_>) -> Result<Drawn, ModelError> {
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
        // min_by_key takes the first of equals, as the program does: interactive before batch.
        let Some((class, stream)) = streams.iter_mut().enumerate().min_by_key(|(_, stream)| stream.submit)
        else {
            break;
        };
        jobs.push(stream.job(class as u32));
    }
    Ok(Drawn {
        jobs,
        classes: streams.into_iter().map(|stream| stream.class).collect(),
        max_runtime: Some(runs::LONGEST.exp() as i64),
        notes: vec!["time 0 is midnight of the daily cycle".into()],
        phi: None,
    })
}

/// The jobs of one class. Sizes, run times and arrivals have a random stream each, so that a change of
/// one's parameters leaves the others' numbers alone.
struct Stream {
    class: Class,
    sizes: Sizes,
    runs: Runs,
    arrivals: Arrivals,
    random: [ChaCha12Rng; 3],
    /// When the next job arrives, seconds.
    submit: i64,
}

impl Stream {
    fn new(name: &'static str, queue: i64, request: &Request<'_>) -> Result<Stream, ModelError> {
        let set = Set::of(name, request);
        let load = request.settings.number("load").unwrap_or(1.0);
        let mut random = ["arrivals", "sizes", "runs"]
            .map(|what| seed::stream(request.seed, &format!("lublin {name} {what}")));
        let mut arrivals = Arrivals::new(name, &set, load)?;
        let submit = arrivals.next(&mut random[0]) as i64;
        Ok(Stream {
            class: Class { queue, name, parameters: set.to_string() },
            sizes: Sizes::new(name, &set, request.procs)?,
            runs: Runs::new(name, &set, request.procs)?,
            arrivals,
            random,
            submit,
        })
    }

    /// Draws the waiting job, and when the one after it arrives.
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
