use chacha20::ChaCha12Rng;

use super::parts::Parts;
use crate::models::tsafrir::{self, AssignedEstimates, Longest};
use crate::notation::Bound;
use crate::reading::{Cancel, Estimate, Overrun, PartitionLimits, QueueFrom, Reading, Running};
use crate::trace::{Cancellations, Holds, TimeLimits, Trace, Unfinished, UnfinishedJobs};
use crate::{Field, Time, seed};

/// The longest run time and estimate of a job: 32 years.
pub(super) const LONGEST: Time = Time::from_secs(1_000_000_000);

/// The latest submission, and the limit of the sum of all run times: together they stay below
/// [`Time::FARTHEST`] even if jobs run one after the other.
pub(super) const BUDGET: Time = Time::from_ticks(Time::FARTHEST.ticks() / 2);

pub(super) struct Times<'a> {
    trace: &'a Trace,
    reading: &'a Reading,
    parts: &'a Parts,
    holds: Holds<'a>,
    unfinished: UnfinishedJobs<'a>,
    cancellations: Cancellations<'a>,
    limits: TimeLimits<'a>,
    pub(super) first: Time,
    phi: ChaCha12Rng,
    /// Estimates of Tsafrir's model, by row; empty without them.
    modelled: Vec<Time>,
    pub(super) overruns: u64,
    pub(super) guessed: u64,
    /// The number of jobs without a limit, whose estimate is what counts instead.
    pub(super) unlimited: u64,
    pub(super) cut: u64,
}

impl<'a> Times<'a> {
    pub(super) fn new(trace: &'a Trace, reading: &'a Reading, parts: &'a Parts) -> Times<'a> {
        let phi = seed::stream(reading.seed, "estimate phi");
        let (holds, unfinished, first) = (Holds::of(trace), trace.unfinished(), Time::ZERO);
        let (cancellations, limits) = (Cancellations::of(trace), TimeLimits::of(trace));
        Times {
            trace,
            reading,
            parts,
            holds,
            unfinished,
            cancellations,
            limits,
            first,
            phi,
            modelled: Vec::new(),
            overruns: 0,
            guessed: 0,
            unlimited: 0,
            cut: 0,
        }
    }

    /// Draws the estimates of the rows to replay, if a model of all jobs together is used; returns the draws
    /// and the maximum used. A maximum taken from the log is scaled like its times.
    pub(super) fn model(&mut self, rows: &[u32]) -> Option<(AssignedEstimates, Time, Longest)> {
        let Estimate::Tsafrir(given) = self.reading.estimate else { return None };
        let (longest, by) = given.map_or_else(
            || {
                let (longest, by) = tsafrir::longest_of(self.trace);
                (self.scaled(longest), by)
            },
            |longest| (longest, Longest::Given),
        );
        let longest = longest.max(tsafrir::LEAST_MAX).min(LONGEST);
        let runs: Vec<Time> = rows.iter().map(|&row| self.run(row as usize)).collect();
        let drawn =
            tsafrir::estimates(&runs, &tsafrir::SiteParameters::new(longest), self.reading.seed).ok()?;
        self.modelled = vec![Time::ZERO; self.trace.len()];
        for (&row, &estimate) in rows.iter().zip(&drawn.times) {
            self.modelled[row as usize] = estimate;
        }
        Some((drawn, longest, by))
    }

    /// Returns the submit time: counted from the first one and divided by the load factor, down to the tick.
    pub(super) fn submitted(&self, row: usize) -> Time {
        let submit = self.trace.time(row, Field::Submit);
        if self.reading.load == 1.0 {
            return submit;
        }
        let since = (submit - self.first).ticks() as f64 / self.reading.load;
        self.first.saturating_add(Time::from_ticks(since.floor() as i64))
    }

    /// Whether jobs enter the queue later than they were submitted.
    pub(super) fn hold(&self) -> bool {
        self.reading.queue_from == QueueFrom::Eligible && self.holds.any()
    }

    /// Returns when the job enters the queue: its submission plus the recorded hold, which the load factor does not change.
    pub(super) fn queued(&self, row: usize) -> Time {
        let submitted = self.submitted(row);
        if self.hold() { submitted.saturating_add(self.holds.get(row)) } else { submitted }
    }

    /// Returns the state of a row's job when the log was written, if it had not ended.
    pub(super) fn unfinished(&self, row: usize) -> Option<Unfinished> {
        self.unfinished.get(row)
    }

    /// Returns how long a job that never started was in the queue before it was cancelled, if the reading follows
    /// cancellations: zero if it was cancelled before it entered the queue.
    pub(super) fn patience(&self, row: usize) -> Option<Time> {
        if self.reading.cancel == Cancel::Ignore {
            return None;
        }
        let after = self.cancellations.after(row)?;
        let held = if self.hold() { self.holds.get(row) } else { Time::ZERO };
        Some((after - held).max(Time::ZERO))
    }

    /// Returns the run time in the log: for a job with joined parts, their total; for a job that was running when the log
    /// was written, the value by the reading's rule; for a job that was cancelled before it started, its request. Negative
    /// if unknown.
    pub(super) fn recorded(&self, row: usize) -> Time {
        if let Some(joined) = self.parts.joined.get(&row) {
            return *joined;
        }
        let run = self.trace.time(row, Field::Run);
        if let Some(patience) = self.patience(row) {
            // If a policy starts it in time, the log does not say how long it runs: at most its request.
            let limit = self.trace.time(row, Field::RequestedTime);
            return if limit > Time::ZERO { limit } else { patience };
        }
        if run >= Time::ZERO || self.reading.running == Running::Drop {
            return run;
        }
        let is_all = self.reading.running == Running::All;
        let limit = || match self.limits.get(row) {
            Some(Bound::Most(limit)) => Some(limit),
            Some(Bound::Unlimited) => Some(self.instead(row).unlimited),
            None => Some(self.instead(row).unasked).filter(|_| is_all),
        };
        match self.unfinished(row) {
            Some(Unfinished::Running(elapsed) | Unfinished::Suspended(elapsed)) => {
                limit().map_or(run, |limit| limit.max(elapsed))
            }
            Some(Unfinished::Ending(elapsed)) => elapsed,
            Some(Unfinished::Waiting) if is_all => limit().unwrap_or(run),
            _ => run,
        }
    }

    /// Returns what counts as the limit of a row's job if it has none.
    fn instead(&self, row: usize) -> PartitionLimits {
        self.reading.no_limit.of(self.trace.get(row, Field::Partition).truncated())
    }

    /// Whether a row's job has no limit that it asked for: the log states that there is none, or nothing about one of a job that has
    /// not ended.
    pub(super) fn is_unlimited(&self, row: usize) -> bool {
        match self.limits.get(row) {
            Some(limit) => limit == Bound::Unlimited,
            None => self.unfinished(row).is_some(),
        }
    }

    /// Describes the state of a job that had not ended when the log was written.
    pub(super) fn words(&self, row: usize) -> String {
        let limit = match self.limits.get(row) {
            Some(Bound::Most(limit)) => format!("a limit of {limit} s"),
            Some(Bound::Unlimited) => format!("no limit, which counts as {} s", self.instead(row).unlimited),
            None => "a limit that the log does not state".into(),
        };
        match self.unfinished(row) {
            Some(Unfinished::Running(elapsed)) => format!(" had run for {elapsed} s, with {limit}"),
            Some(Unfinished::Suspended(elapsed)) => {
                format!(" had run for {elapsed} s and was suspended, with {limit}")
            }
            Some(Unfinished::Ending(elapsed)) => format!(" had run for {elapsed} s and was ending"),
            Some(Unfinished::Waiting) => format!(" waited, with {limit}"),
            None => String::new(),
        }
    }

    pub(super) fn run(&self, row: usize) -> Time {
        self.scaled(self.recorded(row))
    }

    /// Returns run time and estimate after the rule for overruns, and counts overruns.
    pub(super) fn run_and_estimate(&mut self, row: usize) -> (Time, Time) {
        let run = self.run(row);
        let mut estimate = self.estimate(row, run);
        if estimate > LONGEST {
            self.cut += 1;
            estimate = LONGEST;
        }
        if run <= estimate {
            return (run, estimate);
        }
        self.overruns += 1;
        match self.reading.overrun {
            Overrun::Raise => (run, run),
            Overrun::Kill => (estimate, estimate),
            Overrun::Overdue => (run, estimate),
        }
    }

    fn estimate(&mut self, row: usize, run: Time) -> Time {
        match self.reading.estimate {
            Estimate::Requested => match self.limits.get(row) {
                Some(Bound::Most(request)) => self.scaled(request),
                Some(Bound::Unlimited) => {
                    self.unlimited += 1;
                    self.instead(row).unlimited.max(run)
                }
                None => {
                    self.guessed += 1;
                    run
                }
            },
            Estimate::Actual => run,
            Estimate::Phi(phi) => {
                // Keyed by the row, so that filters and sweeps keep common random numbers.
                self.phi.set_word_pos(row as u128 * 2);
                Estimate::of_phi(phi, run, seed::unit(&mut self.phi))
            }
            Estimate::Factor(factor) => Time::from_secs_f64(run.secs() * factor),
            Estimate::Tsafrir(_) => self.modelled.get(row).map_or(run, |&estimate| estimate.max(run)),
        }
    }

    pub(super) fn scaled(&self, time: Time) -> Time {
        match self.reading.scale_run {
            1.0 => time,
            factor => Time::from_secs_f64(time.secs() * factor),
        }
    }
}
