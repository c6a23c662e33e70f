use batchlab_traces::Time;
use batchlab_traces::sorted::SortedMap;

use crate::site::{StartLoop, cycles};

/// What a log tells of the jobs, by their rows: where jobs wait for others, the replay has its own identities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    pub starts: Vec<Time>,
    /// Which loop made them, if the log tells.
    pub by: Vec<Option<StartLoop>>,
    pub cancelled: Vec<bool>,
    /// Whether jobs on several nodes start last of those of a second, where the log does not tell where their processors are; else
    /// starts are in the order of the loops.
    pub spread_last: bool,
    /// The processors of jobs on each of their nodes, by their rows, if they are known.
    pub procs: SortedMap<usize, Vec<(usize, i64)>>,
}

impl Recorded {
    /// Returns when cycles of the backfill loop began, as far as its starts tell.
    pub(super) fn cycles(&self, interval: Time) -> Vec<Time> {
        let by = self.starts.iter().zip(&self.by);
        let mut starts: Vec<Time> =
            by.filter(|(_, by)| **by == Some(StartLoop::Backfill)).map(|(&start, _)| start).collect();
        starts.sort_unstable();
        let last = self.starts.iter().max().map_or(Time::ZERO, |&last| last);
        cycles(&starts, interval, last + interval)
    }

    pub(super) fn was_cancelled(&self, row: usize) -> bool {
        self.cancelled.get(row) == Some(&true)
    }
}
