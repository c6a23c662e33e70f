//! What one replay may take before it is given up.

use std::time::Duration;

use batchlab_traces::Time;

/// What one replay may take before it is given up: a policy that never comes to an end must not run for ever.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The most consecutive decisions without an arrival, a start, an end or a change of rate.
    pub decisions: u64,
    /// The most bytes of what a replay writes down of jobs whose rate changes: intervals, slices, places and ends that
    /// were put off. A policy that changes rates for ever acts at each decision, and must come to an end too.
    pub record: u64,
    /// The time on a clock that a replay may take; results then depend on the machine.
    pub time: Option<TimeLimit>,
}

/// A bound on the time that a replay takes on a clock.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    /// The most time.
    pub most: Time,
    /// The clock, counted from any fixed instant. It belongs to the caller, as the engine reads none.
    pub clock: fn() -> Duration,
}

impl Budget {
    /// The default for [`Budget::decisions`]: a wake-up every second for 115 days in which nothing happens.
    pub const DECISIONS: u64 = 10_000_000;

    /// The default for conformance cases, which are short and many: a wake-up every second for 11 days.
    pub const DECISIONS_OF_A_CASE: u64 = 1_000_000;

    /// The default for [`Budget::record`]: 1 GiB, some 16 million changes of rate.
    pub const RECORD: u64 = 1 << 30;

    /// The default for conformance cases: 64 MiB, some million changes of rate.
    pub const RECORD_OF_A_CASE: u64 = 64 << 20;

    /// Returns the default for conformance cases.
    pub fn of_a_case() -> Budget {
        Budget { decisions: Budget::DECISIONS_OF_A_CASE, record: Budget::RECORD_OF_A_CASE, time: None }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { decisions: Budget::DECISIONS, record: Budget::RECORD, time: None }
    }
}

/// What a replay has taken of its budget.
#[derive(Debug)]
pub(super) struct Spent {
    budget: Budget,
    began: Duration,
    /// Arrivals and ends so far, as of the last decision.
    happened: (u32, usize),
    /// Consecutive decisions without an arrival, a start, an end or a change of rate.
    idle: u64,
}

/// The part of a budget that is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exceeded {
    Decisions(u64),
    Record(u64),
    Time(Time),
}

impl Spent {
    pub(super) fn new(budget: Budget) -> Spent {
        let began = budget.time.map_or(Duration::ZERO, |limit| (limit.clock)());
        Spent { budget, began, happened: (0, 0), idle: 0 }
    }

    /// Counts a decision; `acted` says whether it started or ended a job or changed a rate. O(1).
    #[inline]
    pub(super) fn count(&mut self, acted: bool, happened: (u32, usize)) -> Result<(), Exceeded> {
        if acted || happened != self.happened {
            (self.happened, self.idle) = (happened, 0);
        } else {
            self.idle += 1;
            if self.idle > self.budget.decisions {
                return Err(Exceeded::Decisions(self.idle));
            }
        }
        self.check_time()
    }

    /// Checks how many bytes the record of jobs takes whose rate changes.
    pub(super) fn check_record(&self, bytes: u64) -> Result<(), Exceeded> {
        if bytes <= self.budget.record { Ok(()) } else { Err(Exceeded::Record(self.budget.record)) }
    }

    #[inline]
    fn check_time(&self) -> Result<(), Exceeded> {
        match self.budget.time {
            Some(limit) if (limit.clock)().saturating_sub(self.began) > limit.duration() => {
                Err(Exceeded::Time(limit.most))
            }
            _ => Ok(()),
        }
    }
}

impl TimeLimit {
    fn duration(&self) -> Duration {
        Duration::from_micros(self.most.ticks().max(0).unsigned_abs())
    }
}
