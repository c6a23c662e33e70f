//! The order of simultaneous events.

use std::fmt;
use std::str::FromStr;

use batchlab_traces::Time;
use batchlab_traces::reading::{UnknownValue, parse_duration};

/// What happens first when several things happen at one instant, and how often the policy is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventOrder {
    /// All ends, all arrivals, wake-ups, then one decision.
    #[default]
    Batch,
    /// Arrivals one by one, a decision after each, then ends in the order of their starts, a decision
    /// after each; a job counts as gone at its expected end if it ends then. The convention of the Python
    /// Scheduler Simulator (alias `pyss`).
    SubmitFirst,
    /// The same with ends before arrivals.
    FinishFirst,
    /// Decisions only at multiples of this length from the trace's zero. Texts name none below a second.
    Periodic(Time),
}

/// A second, the resolution of logs: while jobs wait a decision follows each cycle, and with shorter cycles a replay is little
/// but decisions in which nothing happens.
const SHORTEST_CYCLE: Time = Time::from_secs(1);

/// 52 weeks: longer cycles are typing errors, and would lead out of the clock's range.
const LONGEST_CYCLE: Time = Time::from_secs(52 * 7 * 86_400);

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
