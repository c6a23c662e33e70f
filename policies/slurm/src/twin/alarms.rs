//! Jobs for which something happens at a known instant, and the instant at which nothing has happened for too long.

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

/// Jobs, each with the instant at which something happens to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Alarms(SortedSet<(Time, JobId)>);

impl Alarms {
    pub(super) fn set(&mut self, job: JobId, at: Time) {
        self.0.insert((at, job));
    }

    pub(super) fn cancel(&mut self, job: JobId) {
        self.0.retain(|&(_, other)| other != job);
    }

    /// Takes the job whose instant came first, if it has come by now.
    pub(super) fn take_due(&mut self, now: Time) -> Option<JobId> {
        self.next().filter(|&at| at <= now)?;
        self.0.pop_first().map(|(_, job)| job)
    }

    pub(super) fn next(&self) -> Option<Time> {
        self.0.first().map(|&(at, _)| at)
    }
}

/// After how long on the empty machine a job is taken for one that never starts: many times what the loops take.
pub(super) const STUCK: Time = Time::from_secs(86_400);

/// Since when no job has started on the empty machine, with the state of then: another state ends the stall.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stall(Option<(Time, (u64, usize))>);

impl Stall {
    pub(super) fn end(&mut self) {
        self.0 = None;
    }

    /// Goes on in a state. If the queue is stuck, returns the last instant at which its jobs may have entered it.
    pub(super) fn go_on(&mut self, state: (u64, usize), now: Time) -> Option<Time> {
        let (since, _) =
            *self.0.insert(self.0.filter(|&(_, before)| before == state).unwrap_or((now, state)));
        let stuck = now - STUCK;
        (since <= stuck).then_some(stuck)
    }

    /// Returns when jobs are stuck that wait now.
    pub(super) fn next(self) -> Option<Time> {
        self.0.map(|(since, _)| since + STUCK)
    }
}
