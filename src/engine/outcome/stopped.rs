//! Cuts a complete schedule at the stop of a replay.

use batchlab_traces::{Time, Workload};

use super::{Fate, Outcome};
use crate::outcome::Stop;

impl Outcome {
    /// Returns the schedule cut at the end of the last job that a replay waits for; later jobs become
    /// unfinished.
    ///
    /// Used for schedules that no engine stopped: the log's own, or another tool's. A schedule that was
    /// stopped already is unchanged.
    #[must_use]
    pub fn stopped(mut self, workload: &Workload, stop: &Stop) -> Outcome {
        let ended = |job: &_| stop.awaits(*job) && self.fate(*job).has_ended() && self.took_part(*job);
        let last = workload.jobs().filter(ended).map(|job| self.end(job)).max();
        let Some(at) = last.filter(|_| stop.is_early()) else { return self };
        for job in workload.jobs() {
            let index = job.index();
            if !self.fate(job).has_ended() || self.took_part(job) && self.end[index] <= at {
                continue;
            }
            if workload.submit(job) > at {
                (self.start[index], self.end[index]) = (Time::MAX, Time::MAX);
            } else if self.took_part(job) {
                (self.start[index], self.end[index]) = (self.start[index].min(at), at);
            } else {
                // The schedule lacks this job, although it was submitted before the stop.
                continue;
            }
            self.set_fate(job, Fate::Unfinished, workload.len());
        }
        self.intervals.retain(|interval| interval.from < at);
        for interval in &mut self.intervals {
            interval.to = interval.to.min(at);
        }
        let start = &self.start;
        self.places.retain(|job| start[job.index()] < Time::MAX);
        self.epochs.cut(at);
        self
    }
}
