//! A workload with the moments that Setia, Squillante and Naik 1999 print for the Cray T3E at SDSC, whose log is not public.

mod laws;

use chacha20::rand_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::draw::whole_run;
use super::error::ModelError;
use super::param::{ModelParamKind, Param};
use super::spec::{DrawnJob, Fitted, GeneratedJobs, ModelClass, ModelSpec, Request};
use crate::{Citation, Time, seed};
use laws::{BATCH, BATCH_SERVICE, GAP, INTERACTIVE, JobClass, Lognormal, below};

/// Table 1 of the paper prints mean, coefficient of variation, least and greatest value of interarrival times, sizes, memory and
/// service times of batch jobs; section 3 states that there are no sequential jobs and that long jobs use more memory and more
/// processors. It prints no service times of interactive sessions, and no correlation coefficient: these are parameters. Service
/// times are correlated with memory and with sizes by a Gaussian copula. Table 3 prints the offered load, work / (processors *
/// time), for four machines: 750 processors are wanted on average.
pub(super) const SPEC: ModelSpec = ModelSpec {
    name: "setia99",
    summary: "batch jobs and interactive sessions with the moments of a Cray T3E's log, and memory that is \
              correlated with service time",
    cite: Citation::of(
        "Setia, Squillante and Naik, The impact of job memory requirements on gang-scheduling performance, \
           1999, tables 1 and 3",
        &["setia99"],
    ),
    jobs: 2520,
    procs: 1024,
    fitted: Fitted::Never,
    params: &PARAMS,
    draw,
};

/// Batch jobs in table 1, of 2520 jobs.
const BATCH_JOBS: f64 = 1467.0 / 2520.0;

static PARAMS: [Param; 8] = [
    Param::of("memory-run", ModelParamKind::Number { least: -1.0, most: 1.0 }, "0.6").help(
        "rank correlation (Spearman) of memory and service time, within batch jobs and within sessions; \
         figure 3 shows that it is positive",
    ),
    Param::of("size-run", ModelParamKind::Number { least: -1.0, most: 1.0 }, "0").help(
        "rank correlation of size and service time, before sizes become powers of two; figure 3 shows that \
         it is positive, but the jobs of table 1 want 878 processors with 0 and 1,111 with .2, and table 3 \
         has 750",
    ),
    Param::of("demand", ModelParamKind::Number { least: 0.001, most: 1e9 }, "750").help(
        "work / time of the jobs drawn, processors; table 3 has offered loads of .65, .73, .84 and .98 for \
         1152, 1024, 896 and 768 processors",
    ),
    Param::of("calibrate", ModelParamKind::Word(&["service", "gaps", "none"]), "service").help(
        "what is multiplied by one factor to reach the demand: service times of batch jobs, of which the \
         paper removed some with long ones; interarrival times; or nothing",
    ),
    Param::of("session-mean", ModelParamKind::Number { least: 1.0, most: 1e7 }, "2564").help(
        "mean service time of interactive sessions before session-max cuts it, seconds, which the paper \
         does not print; with 2564, a coefficient of variation of 29.4 and independent sizes, CPU time has \
         the mean, the coefficient of variation and the greatest and least value of table 1",
    ),
    Param::of("session-cv", ModelParamKind::Number { least: 0.01, most: 100.0 }, "29.4")
        .help("coefficient of variation of these, before session-max cuts them"),
    Param::of("session-min", ModelParamKind::Number { least: 0.001, most: 1e6 }, "2").help(
        "least service time of an interactive session, seconds; table 1 has CPU times down to .19 s; \
         service times are written as whole seconds, at least one",
    ),
    Param::of("session-max", ModelParamKind::Number { least: 2.0, most: 1e8 }, "250000").help(
        "longest service time of an interactive session, seconds; 250000 s is their greatest CPU time over \
         their mean size",
    ),
];

fn draw(request: &Request<'_>) -> Result<GeneratedJobs, ModelError> {
    let settings = request.settings;
    let [mean, cv, least, most] =
        ["mean", "cv", "min", "max"].map(|of| settings.amount(&format!("session-{of}")));
    let session = Lognormal::unbounded(mean, cv, least).up_to(most);
    let [of_memory, of_sizes] = ["memory-run", "size-run"].map(|key| Copula::of_ranks(settings.amount(key)));
    let [mut kinds, mut gaps, mut runs, mut memories, mut sizes] =
        ["kinds", "gaps", "runs", "memory", "sizes"]
            .map(|what| seed::stream(request.seed, &format!("setia {what}")));
    let mut batch_left = (BATCH_JOBS * f64::from(request.jobs)).round();
    let mut clock = 0.0;
    let mut jobs = Vec::with_capacity(request.jobs as usize);
    for left in (1..=request.jobs).rev() {
        // Selection sampling (Knuth, TAOCP 3.4.2, algorithm S): the number of batch jobs is exact.
        let is_batch = seed::unit(&mut kinds) * f64::from(left) < batch_left;
        batch_left -= f64::from(u8::from(is_batch));
        let (class, law): (&JobClass, _) =
            if is_batch { (&BATCH, &BATCH_SERVICE) } else { (&INTERACTIVE, &session) };
        let run = normal(&mut runs);
        let procs = class.sizes.at(below(of_sizes.with(run, normal(&mut sizes))));
        jobs.push(Sketch {
            submit: clock,
            is_batch,
            run: law.at(run),
            procs: procs.min(largest_power(request.procs)),
            memory: class.memory.at(below(of_memory.with(run, normal(&mut memories)))),
        });
        clock += GAP.at(normal(&mut gaps));
    }
    calibrate(&mut jobs, request)?;
    Ok(GeneratedJobs {
        jobs: jobs.iter().map(Sketch::job).collect(),
        classes: classes(request),
        notes: vec!["memory is used memory per processor; requested memory is the same".into()],
        ..GeneratedJobs::default()
    })
}

#[derive(Clone, Copy, Debug)]
struct Sketch {
    submit: f64,
    is_batch: bool,
    run: f64,
    procs: i64,
    memory: f64,
}

impl Sketch {
    fn work(&self) -> f64 {
        self.run * self.procs as f64
    }

    fn job(&self) -> DrawnJob {
        DrawnJob {
            submit: Time::from_secs(self.submit as i64),
            run: whole_run(self.run),
            procs: self.procs,
            memory: (self.memory * 1024.0).round() as i64,
            class: u32::from(self.is_batch),
            ..DrawnJob::default()
        }
    }
}

/// Multiplies service times of batch jobs, or interarrival times, so that work / time is the demand. Fails when interactive
/// sessions alone exceed the demand.
fn calibrate(jobs: &mut [Sketch], request: &Request<'_>) -> Result<(), ModelError> {
    let demand = request.settings.amount("demand");
    let work =
        |batch: bool| -> f64 { jobs.iter().filter(|job| job.is_batch == batch).map(Sketch::work).sum() };
    let (batch, sessions) = (work(true), work(false));
    let time = jobs.last().map_or(0.0, |job| job.submit);
    if time == 0.0 {
        return Ok(());
    }
    match request.settings.value("calibrate") {
        "gaps" => {
            let factor = (batch + sessions) / demand / time;
            for job in jobs {
                job.submit *= factor;
            }
        }
        "service" if batch > 0.0 => {
            let wanted = demand * time - sessions;
            if wanted <= 0.0 {
                let expected = format!("above {:.3}, which interactive sessions need", sessions / time);
                return Err(ModelError::Unfit { key: "demand".into(), value: demand, expected });
            }
            let factor = wanted / batch;
            for job in jobs.iter_mut().filter(|job| job.is_batch) {
                job.run *= factor;
            }
        }
        _ => {}
    }
    Ok(())
}

fn classes(request: &Request<'_>) -> Vec<ModelClass> {
    let parameters = request.settings.summary(&PARAMS);
    let class = |queue, name| ModelClass { queue, name, parameters: parameters.clone() };
    vec![class(0, "interactive"), class(1, "batch")]
}

/// The greatest power of two up to a number, which is at least 1.
fn largest_power(procs: u32) -> i64 {
    1 << procs.ilog2()
}

fn normal(stream: &mut impl Rng) -> f64 {
    StandardNormal.sample(stream)
}

/// A bivariate normal law with standard margins.
#[derive(Clone, Copy, Debug)]
struct Copula {
    correlation: f64,
}

impl Copula {
    /// Returns the law with a rank correlation (Spearman's): 6 / pi * arcsin(r / 2) for a correlation r.
    fn of_ranks(rank_correlation: f64) -> Copula {
        Copula { correlation: 2.0 * (std::f64::consts::PI * rank_correlation / 6.0).sin() }
    }

    /// Returns the second variate, given the first and an independent one.
    fn with(self, first: f64, other: f64) -> f64 {
        self.correlation * first + (1.0 - self.correlation * self.correlation).max(0.0).sqrt() * other
    }
}

#[cfg(test)]
mod tests;
