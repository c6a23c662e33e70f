//! What has happened since the last decision.

use batchlab_traces::JobId;

/// What has happened since the last decision.
#[derive(Default)]
pub(super) struct Heard {
    submitted: Vec<JobId>,
    freed: bool,
    vacated: bool,
    changed: bool,
}

impl Heard {
    /// Notes that a job has entered the queue.
    pub(super) fn enters(&mut self, job: JobId) {
        self.submitted.push(job);
        self.changed = true;
    }

    /// Notes that a job is out of the queue.
    pub(super) fn leaves(&mut self, job: JobId) {
        self.submitted.retain(|&other| other != job);
    }

    /// Notes that the nodes of a job are free.
    pub(super) fn frees(&mut self, was_killed: bool) {
        self.changed = true;
        *(if was_killed { &mut self.vacated } else { &mut self.freed }) = true;
    }

    /// Notes that other nodes may be used than before.
    pub(super) fn opens(&mut self) {
        (self.freed, self.changed) = (true, true);
    }

    /// Notes whether anything has changed.
    pub(super) fn changes(&mut self, has_changed: bool) {
        self.changed |= has_changed;
    }

    /// Returns the jobs that have entered the queue.
    pub(super) fn submitted(&self) -> &[JobId] {
        &self.submitted
    }

    /// Whether a job has ended, or nodes have completed.
    pub(super) fn has_freed(&self) -> bool {
        self.freed
    }

    /// Whether the nodes of a killed job are free. They report it when nothing of it runs any more, and slurmctld begins a pass at
    /// once (`_slurm_rpc_epilog_complete`). Where a job has ended by itself, nothing runs when they are asked, and a pass is only
    /// queued, for after `batch_sched_delay` (agent.c).
    pub(super) fn has_vacated(&self) -> bool {
        self.vacated
    }

    pub(super) fn has_changed(&self) -> bool {
        self.changed
    }
}
