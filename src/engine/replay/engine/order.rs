//! The order of simultaneous events.

use std::fmt;
use std::str::FromStr;

use batchlab_traces::Time;
use batchlab_traces::reading::{UnknownValue, parse_duration};

/// The order of events at one instant, and how often the policy is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventOrder {
    /// All ends, all arrivals, wake-ups, then one decision.
    #[default]
    Batch,
    /// Arrivals one by one with a decision after each, then ends in the order of their starts with a decision
    /// after each. A job that ends at its expected end counts as gone from the beginning of that instant.
    /// This is the convention of the Python Scheduler Simulator (alias `pyss`).
    SubmitFirst,
    /// As `SubmitFirst`, with ends before arrivals.
    FinishFirst,
    /// Decisions only at multiples of this length, counted from the trace's zero. In text form it is at least a second.
    Periodic(Time),
}

/// One second, the resolution of logs. A decision follows in each cycle while jobs wait, so shorter cycles
/// would mostly add decisions at which nothing happens.
const SHORTEST_CYCLE: Time = Time::from_secs(1);

/// 52 weeks: longer cycles are typing errors, and would exceed the clock's range.
const LONGEST_CYCLE: Time = Time::from_secs(52 * 7 * 86_400);

impl EventOrder {
    /// Whether a job with a run time of zero frees its processors at once: in the orders of one event at a time.
    pub(super) fn lets_pass(self) -> bool {
        matches!(self, EventOrder::SubmitFirst | EventOrder::FinishFirst)
    }
}

impl FromStr for EventOrder {
    type Err = UnknownValue;
    fn from_str(text: &str) -> Result<EventOrder, UnknownValue> {
        let error =
            || UnknownValue::new(text, "batch, submit-first, finish-first, periodic:S (1s <= S <= 52w)");
        match text {
            "batch" => Ok(EventOrder::Batch),
            "submit-first" | "pyss" => Ok(EventOrder::SubmitFirst),
            "finish-first" => Ok(EventOrder::FinishFirst),
            _ => match text.strip_prefix("periodic:").map(parse_duration) {
                Some(Ok(cycle)) if (SHORTEST_CYCLE..=LONGEST_CYCLE).contains(&cycle) => {
                    Ok(EventOrder::Periodic(cycle))
                }
                _ => Err(error()),
            },
        }
    }
}

impl fmt::Display for EventOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventOrder::Batch => f.write_str("batch"),
            EventOrder::SubmitFirst => f.write_str("submit-first"),
            EventOrder::FinishFirst => f.write_str("finish-first"),
            EventOrder::Periodic(cycle) => write!(f, "periodic:{cycle}"),
        }
    }
}
