use chacha20::ChaCha12Rng;

use super::erlang::HyperErlang;
use super::fit::{ClassFit, Fit};
use crate::models::draw::{DiscreteDistribution, whole_run};
use crate::models::{DrawnJob, ModelError, Request};
use crate::seed;
use crate::time::Time;

/// The changes to the jobs compared with the log.
#[derive(Clone, Copy, Debug)]
pub(in crate::models) struct LoadScaling {
    /// Offered load before run times are changed, reached by dividing interarrival times.
    pub(in crate::models) load: Option<f64>,
    pub(in crate::models) run: f64,
    /// Whether every job has the greatest size of its range.
    pub(in crate::models) top: bool,
}

/// Draws jobs from a fit: each range of sizes is its own stream of arrivals.
pub(in crate::models) struct Generator {
    streams: Vec<Stream>,
}

struct Stream {
    sizes: Sizes,
    interarrival: HyperErlang,
    service: HyperErlang,
    change: LoadScaling,
    /// The divisor of interarrival times.
    faster: f64,
    /// The arrival of the next job, seconds.
    next: f64,
    random: [ChaCha12Rng; 3],
}

struct Sizes {
    values: Vec<i64>,
    law: DiscreteDistribution,
}

impl Generator {
    /// Returns the generator at time 0: the first job of each range arrives after a whole interarrival time. Fails when the
    /// machine is smaller than the log's largest job.
    pub(in crate::models) fn new(
        fit: &Fit,
        request: &Request<'_>,
        change: LoadScaling,
    ) -> Result<Generator, ModelError> {
        let procs = i64::from(request.procs);
        let largest = fit.classes.iter().flat_map(|class| &class.sizes).map(|&(size, _)| size).max();
        if let Some(largest) = largest.filter(|&largest| largest > procs) {
            let expected = format!("at least {largest}, the log's largest job");
            return Err(ModelError::Unfit { key: "procs".into(), value: procs as f64, expected });
        }
        let mut streams: Vec<Stream> =
            fit.classes.iter().map(|class| Stream::new(class, request, change)).collect();
        let load = streams.iter().map(Stream::work_rate).sum::<f64>() / f64::from(request.procs);
        for stream in &mut streams {
            stream.faster = change.load.map_or(1.0, |wanted| wanted / load);
            stream.advance();
        }
        Ok(Generator { streams })
    }

    /// Draws `count` jobs in the order of submission; among simultaneous jobs, the smaller range goes first.
    pub(in crate::models) fn jobs(&mut self, count: u32) -> Vec<DrawnJob> {
        let mut next = || {
            let earliest = |one: &&mut Stream, other: &&mut Stream| one.next.total_cmp(&other.next);
            Some(self.streams.iter_mut().min_by(earliest)?.job())
        };
        (0..count).map_while(|_| next()).collect()
    }
}

impl Stream {
    fn new(class: &ClassFit, request: &Request<'_>, change: LoadScaling) -> Stream {
        let stream =
            |what| seed::stream(request.seed, &format!("jann {}-{} {what}", class.least, class.most));
        Stream {
            sizes: Sizes::new(class, change.top, request.procs),
            interarrival: class.interarrival.law,
            service: class.service.law,
            change,
            faster: 1.0,
            next: 0.0,
            random: ["arrivals", "sizes", "runs"].map(stream),
        }
    }

    /// Returns the work that arrives per second, processor-seconds, in the log's original times.
    fn work_rate(&self) -> f64 {
        self.sizes.mean() * self.service.mean() / self.interarrival.mean()
    }

    fn job(&mut self) -> DrawnJob {
        let submit = Time::from_secs(self.next as i64);
        let procs = self.sizes.values[self.sizes.law.draw(&mut self.random[1]) as usize - 1];
        let run = whole_run(self.service.draw(&mut self.random[2]) * self.change.run);
        self.advance();
        DrawnJob { submit, run, procs, ..DrawnJob::default() }
    }

    fn advance(&mut self) {
        self.next += self.interarrival.draw(&mut self.random[0]) / self.faster;
    }
}

impl Sizes {
    fn new(class: &ClassFit, top: bool, procs: u32) -> Sizes {
        if top {
            let law = DiscreteDistribution::new(std::iter::once(1.0));
            return Sizes { values: vec![class.most.min(procs.into())], law };
        }
        let values = class.sizes.iter().map(|&(size, _)| size).collect();
        Sizes { values, law: DiscreteDistribution::new(class.sizes.iter().map(|&(_, jobs)| jobs as f64)) }
    }

    fn mean(&self) -> f64 {
        self.law.mean(|number| self.values[number as usize - 1] as f64)
    }
}
