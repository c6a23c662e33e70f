//! What hypothetical loops say of the jobs that they do not start.

use batchlab_policies::turn::Turn;

use super::controller::Twin;
use super::held::Held;
use super::queue::Waiting;

impl Twin {
    /// Notes why a job does not start; only hypothetical loops do.
    pub(super) fn holds_back(&mut self, job: &Waiting, why: Held) {
        if let Some(asked) = &mut self.hypothetical {
            asked.held.insert(job.job, why);
        }
    }

    /// Notes that a job that does not fit closes all nodes: the jobs without another reason wait behind it.
    pub(super) fn holds_back_rest(&mut self, first: &Waiting) {
        if let Some(asked) = &mut self.hypothetical {
            for job in self.queue.iter() {
                asked.held.entry(job.job).or_insert(Held::Behind(first.job));
            }
        }
    }

    /// Notes why a cycle that has tested a job has not started it.
    pub(super) fn passed_over(&mut self, turn: &mut Turn<'_>, job: &Waiting) {
        if self.hypothetical.is_none() {
            return;
        }
        let nodes = self.usable(turn, job);
        let why = match self.space.now(job, &nodes) {
            _ if nodes.is_empty() => Held::Closed,
            Some(placement) if !self.is_allowed_on(turn, job, placement.0.len()) => Held::Limit,
            Some(_) => Held::Reserved,
            None => Held::Resources,
        };
        self.holds_back(job, why);
    }
}
