//! Why the loops do not start a waiting job, asked what they would start in a state.

use batchlab_policies::turn::Turn;
use batchlab_traces::JobId;

use super::controller::Twin;
use super::queue::Waiting;

/// Why the loops do not start a waiting job in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Limits or licences keep it out.
    Limit,
    /// Its nodes are under maintenance, or reserved for jobs that name the reservation.
    Closed,
    /// A job before it does not fit, and closes its partition or its nodes; no cycle has come to it.
    Behind(JobId),
    /// Its nodes have too little room.
    Resources,
    /// There is room, and a cycle reserves it for jobs before it.
    Reserved,
    /// A cycle tests no more jobs of its kind.
    Untested,
}

impl Twin {
    /// Notes why a job does not start; only hypothetical loops do.
    pub(super) fn holds_back(&mut self, job: &Waiting, why: Held) {
        if let Some(asked) = &mut self.hypothetical {
            asked.held.insert(job.job, why);
        }
    }

    /// Notes that a job that does not fit closes all nodes: those of which nothing is known wait behind it.
    pub(super) fn holds_back_rest(&mut self, first: &Waiting) {
        if let Some(asked) = &mut self.hypothetical {
            for job in self.queue.iter() {
                asked.held.entry(job.job).or_insert(Held::Behind(first.job));
            }
        }
    }

    /// Notes why a cycle that has tested a job has not started it.
    pub(super) fn passed_over(&mut self, turn: &Turn<'_>, job: &Waiting) {
        if self.hypothetical.is_none() {
            return;
        }
        let nodes = self.usable(turn, job);
        let why = match self.space.now(job, &nodes) {
            _ if nodes.is_empty() => Held::Closed,
            Some(_) => Held::Reserved,
            None => Held::Resources,
        };
        self.holds_back(job, why);
    }
}
