//! What has happened since the last decision.

use batchlab_traces::JobId;

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an event of its own")]
pub(super) struct Heard {
    pub(super) submitted: Vec<JobId>,
    /// Whether a job has ended, or nodes have completed.
    pub(super) freed: bool,
    /// Whether the nodes of a killed job are free. They report it when nothing of it runs any more, and slurmctld begins a pass at
    /// once (`_slurm_rpc_epilog_complete`). Where a job has ended by itself, nothing runs when they are asked, and a pass is only
    /// queued, for after `batch_sched_delay` (agent.c).
    pub(super) vacated: bool,
    pub(super) changed: bool,
    /// Whether a job was updated: slurmctld queues a pass (`_slurm_rpc_update_job`).
    pub(super) updated: bool,
}

impl Heard {
    /// Notes that the nodes of a job are free.
    pub(super) fn frees(&mut self, was_killed: bool) {
        self.changed = true;
        *(if was_killed { &mut self.vacated } else { &mut self.freed }) = true;
    }
}
