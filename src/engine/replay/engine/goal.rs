//! The jobs whose ends end a replay.

use batchlab_traces::{JobId, Time};

use crate::outcome::Stop;

pub(super) struct Goal<'a> {
    stop: Stop,
    /// The number of jobs that the replay still waits for, if it does not wait for all.
    awaited: Option<usize>,
    /// The instant at which the last of them ended.
    pub(super) reached: Option<Time>,
    pub(super) ended: usize,
    /// Called from time to time with that number.
    progress: Option<&'a (dyn Fn(usize) + Sync)>,
}

impl<'a> Goal<'a> {
    pub(super) fn new(stop: &Stop, progress: Option<&'a (dyn Fn(usize) + Sync)>) -> Goal<'a> {
        Goal { stop: stop.clone(), awaited: stop.awaited(), reached: None, ended: 0, progress }
    }

    pub(super) fn count(&mut self, job: JobId, now: Time) {
        self.ended += 1;
        if let Some(awaited) = self.awaited.as_mut().filter(|_| self.stop.awaits(job)) {
            *awaited -= 1;
            if *awaited == 0 {
                self.reached = Some(now);
            }
        }
        if let Some(progress) = self.progress.filter(|_| self.ended.is_multiple_of(8192)) {
            progress(self.ended);
        }
    }
}
