//! When a search ends.

use std::time::Duration;

use batchlab_traces::number::counted;
use batchlab_traces::reading::parse_duration;

/// What a search may spend. With a budget in time its result depends on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    Candidates(usize),
    Replays(usize),
    Time(Duration),
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::Candidates(1000)
    }
}

impl Budget {
    /// Reads `2000`, `2000 candidates`, `50000 replays` or a time such as `10min`.
    pub fn read(text: &str) -> Option<Budget> {
        let count = |text: &str| text.trim().replace(',', "").parse().ok().filter(|count| *count > 0);
        let text = text.trim();
        if let Some(candidates) = text.strip_suffix("candidates").or(Some(text)).and_then(count) {
            return Some(Budget::Candidates(candidates));
        }
        if let Some(replays) = text.strip_suffix("replays") {
            return count(replays).map(Budget::Replays);
        }
        let seconds = parse_duration(text).ok()?.secs();
        (seconds > 0.0).then(|| Budget::Time(Duration::from_secs_f64(seconds)))
    }

    /// Returns the part of an island, from 1 on. Replays and time are not divided: only a number of candidates goes with islands.
    pub(super) fn share(self, island: usize, islands: usize) -> Budget {
        match self {
            Budget::Candidates(most) => {
                Budget::Candidates(most / islands + usize::from(island <= most % islands))
            }
            undivided => undivided,
        }
    }

    pub(super) fn is_spent(&self, candidates: usize, replays: usize, time: Duration) -> bool {
        match self {
            Budget::Candidates(most) => candidates >= *most,
            Budget::Replays(most) => replays >= *most,
            Budget::Time(most) => time >= *most,
        }
    }

    pub fn words(&self) -> String {
        match self {
            Budget::Candidates(most) => counted(*most as u64, "candidate"),
            Budget::Replays(most) => counted(*most as u64, "replay"),
            Budget::Time(most) => format!("{} s", most.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_counts_candidates_replays_or_time() {
        assert_eq!(Budget::read("2,000"), Some(Budget::Candidates(2000)));
        assert_eq!(Budget::read("300 candidates"), Some(Budget::Candidates(300)));
        assert_eq!(Budget::read("50000 replays"), Some(Budget::Replays(50000)));
        assert_eq!(Budget::read("10min"), Some(Budget::Time(Duration::from_secs(600))));
        assert_eq!(["0", "many", "-3 replays", "0s"].map(Budget::read), [None; 4]);
    }
}
