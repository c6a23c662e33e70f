use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use batchlab_traces::Time;

/// The limits of one replay: a policy that never finishes must not run for ever.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The most consecutive decisions without an arrival, a start, an end or a change of rate.
    pub decisions: u64,
    /// The most work of plug-ins, and for wake-ups beyond one a decision, in those decisions: in units of about half a
    /// microsecond ([`batchlab_support::stage::Work`]).
    pub work: u64,
    /// The most bytes recorded for jobs whose rate changes: intervals, slices, places and postponed ends. A policy that changes
    /// rates for ever acts at each decision, so the number of idle decisions does not stop it.
    pub record: u64,
    /// The real time that a replay may take; with such a limit, results depend on the speed of the machine.
    pub time: Option<TimeLimit>,
    /// A request of the caller to abandon the replay.
    pub interrupt: Interrupt,
}

/// A request to abandon replays; all clones are one request. A replay looks for it at each decision.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Makes the request, which stands for good; from any thread.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the request was made.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    pub most: Time,
    /// The clock, counted from any fixed instant. It belongs to the caller, because the engine reads no clock.
    pub clock: fn() -> Duration,
}

impl Budget {
    /// The default for [`Budget::decisions`]: 115 days of wake-ups every second at which nothing happens.
    pub const DECISIONS: u64 = 10_000_000;

    /// The default for [`Budget::work`]: some three seconds.
    pub const WORK: u64 = 5_000_000;

    /// The default for [`Budget::work`] of conformance cases.
    pub const WORK_OF_A_CASE: u64 = 1_000_000;

    /// The default for conformance cases, which are short and many: 11 days of wake-ups every second.
    pub const DECISIONS_OF_A_CASE: u64 = 1_000_000;

    /// The default for [`Budget::record`]: 1 GiB, some 16 million changes of rate.
    pub const RECORD: u64 = 1 << 30;

    /// The default for conformance cases: 64 MiB, some million changes of rate.
    pub const RECORD_OF_A_CASE: u64 = 64 << 20;

    /// Returns the default for conformance cases.
    pub fn of_a_case() -> Budget {
        Budget {
            decisions: Budget::DECISIONS_OF_A_CASE,
            work: Budget::WORK_OF_A_CASE,
            record: Budget::RECORD_OF_A_CASE,
            ..Budget::default()
        }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            decisions: Budget::DECISIONS,
            work: Budget::WORK,
            record: Budget::RECORD,
            time: None,
            interrupt: Interrupt::default(),
        }
    }
}

impl TimeLimit {
    /// Returns the most time.
    pub(super) fn duration(&self) -> Duration {
        Duration::from_micros(self.most.ticks().max(0).unsigned_abs())
    }
}
