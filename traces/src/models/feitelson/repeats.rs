use std::cmp::Reverse;
use std::collections::BinaryHeap;

use chacha20::ChaCha12Rng;

use crate::models::draw::{DiscreteDistribution, exponential};
use crate::models::{DrawnJob, ModelParamKind, Param, Request};
use crate::seed;
use crate::time::Time;

pub(super) const PARAMS: [Param; 5] = [
    Param::of("repeats", ModelParamKind::Word(&["chain", "at-once", "apart", "off"]), "chain").help(
        "how the executions of a job are submitted: each when the one before would have ended had it not \
         waited, and after a think time, with fields 17 and 18 set (chain); all at the same instant \
         (at-once); one after another as arrivals of their own (apart); or once only (off), as Leinberger \
         et al. 1999 use the model",
    ),
    Param::of("repeat-order", ModelParamKind::Number { least: 1.01, most: 20.0 }, "2.5").help(
        "a job is executed r times with a probability proportional to r^-X (recalled, not checked against \
         the paper)",
    ),
    Param::of("most-repeats", ModelParamKind::Count { least: 1, most: 100_000 }, "1000")
        .help("the most executions of a job (unpublished; this project's choice)"),
    Param::of("think", ModelParamKind::Number { least: 0.0, most: 1e7 }, "0").help(
        "mean of the exponential think time before a repetition, with repeats=chain, seconds (unpublished; \
         this project's choice)",
    ),
    Param::of("load", ModelParamKind::Number { least: 0.001, most: 100.0 }, "0.7").help(
        "offered load: first submissions are Poisson, the model having no arrivals of its own, at the rate \
         that brings this load in the long run (unpublished; this project's choice)",
    ),
];

#[derive(Clone, Copy, Debug)]
pub(super) struct RepeatedJob {
    pub(super) procs: i64,
    pub(super) run: Time,
}

/// A further execution of a job: its submit time and its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    submit: Time,
    executable: u32,
    preceding: u32,
    left: i64,
    procs: i64,
    run: Time,
    think: u32,
}

/// The process by which jobs are submitted and repeated.
#[derive(Debug)]
pub(super) struct Repeats {
    law: DiscreteDistribution,
    mode: Mode,
    /// Mean time between first submissions, or between all submissions if repeats are arrivals of their own.
    gap: f64,
    think: f64,
    arrivals: ChaCha12Rng,
    counts: ChaCha12Rng,
    thoughts: ChaCha12Rng,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Chain,
    AtOnce,
    Apart,
    Off,
}

impl Repeats {
    /// Returns the process for jobs of an average work of `work` processor-seconds.
    pub(super) fn new(request: &Request<'_>, work: f64) -> Repeats {
        let settings = request.settings;
        let mode = match settings.value("repeats") {
            "at-once" => Mode::AtOnce,
            "apart" => Mode::Apart,
            "off" => Mode::Off,
            _ => Mode::Chain,
        };
        let order = settings.amount("repeat-order");
        let most = if mode == Mode::Off { 1 } else { settings.amount("most-repeats") as u32 };
        let law = DiscreteDistribution::new((1..=most).map(|times| f64::from(times).powf(-order)));
        let executions = if mode == Mode::Apart { 1.0 } else { law.mean(|times| times as f64) };
        let gap = executions * work / (settings.amount("load") * f64::from(request.procs));
        let stream = |what| seed::stream(request.seed, &format!("feitelson {what}"));
        Repeats {
            law,
            mode,
            gap,
            think: settings.amount("think"),
            arrivals: stream("arrivals"),
            counts: stream("repeats"),
            thoughts: stream("thoughts"),
        }
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.mode != Mode::Off {
            notes.push("jobs with the same number in field 14 are executions of one".into());
        }
        if self.mode == Mode::Chain {
            notes.push("at time 0 nothing is repeated yet: the load rises to its value".into());
        }
        notes
    }

    #[cfg(test)]
    pub(super) fn mean_executions(&self) -> f64 {
        self.law.mean(|times| times as f64)
    }

    /// Returns `count` executions in the order of submission, of jobs that are drawn at their first submission. O(n log n).
    pub(super) fn jobs(&mut self, count: u32, mut draw: impl FnMut() -> RepeatedJob) -> Vec<DrawnJob> {
        let mut pending: BinaryHeap<Reverse<Next>> = BinaryHeap::new();
        let mut clock = exponential(self.gap, &mut self.arrivals);
        let mut executable = 0;
        let mut jobs = Vec::with_capacity(count as usize);
        while jobs.len() < count as usize {
            let arrival = Time::from_secs(clock as i64);
            let next = match pending.pop() {
                Some(Reverse(next)) if next.submit <= arrival => next,
                later => {
                    pending.extend(later);
                    executable += 1;
                    clock += exponential(self.gap, &mut self.arrivals);
                    let RepeatedJob { procs, run } = draw();
                    let left = self.law.draw(&mut self.counts);
                    Next { submit: arrival, executable, preceding: 0, left, procs, run, think: 0 }
                }
            };
            jobs.push(self.execution(next));
            if next.left > 1 {
                let next = self.following(next, jobs.len() as u32, &mut clock);
                pending.push(Reverse(next));
            }
        }
        jobs
    }

    fn execution(&self, next: Next) -> DrawnJob {
        let Next { submit, executable, preceding, procs, run, think, .. } = next;
        let executable = if self.mode == Mode::Off { 0 } else { executable };
        DrawnJob { submit, run, procs, executable, preceding, think, ..DrawnJob::default() }
    }

    /// Returns the execution that follows one, which has become job `number`.
    fn following(&mut self, done: Next, number: u32, clock: &mut f64) -> Next {
        let next = Next { left: done.left - 1, ..done };
        match self.mode {
            Mode::Chain => {
                let think = exponential(self.think, &mut self.thoughts).round().min(1e9) as u32;
                let end = done.submit.saturating_add(done.run);
                let submit = end.saturating_add(Time::from_secs(think.into()));
                Next { submit, preceding: number, think, ..next }
            }
            Mode::Apart => {
                // It takes the place of a new job's arrival.
                let submit = Time::from_secs(*clock as i64);
                *clock += exponential(self.gap, &mut self.arrivals);
                Next { submit, ..next }
            }
            Mode::AtOnce | Mode::Off => next,
        }
    }
}
