//! The start of a job: whether it may start, on which nodes, and what changes then.

use batchlab_policies::cluster::Placed;
use batchlab_policies::journal::Why;
use batchlab_policies::placement::{Placement, Rate};
use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;
use batchlab_traces::{JobId, Time};

use super::controller::{Starts, Twin};
use super::node_set::NodeSet;
use super::queue::Waiting;

impl Twin {
    /// Starts a job on nodes until its limit; a hypothetical start is only counted.
    pub(super) fn launch(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Waiting,
        placement: &Placement,
        why: Why,
    ) -> Result<(), PolicyError> {
        let now = turn.now();
        if let Some(started) = &mut self.hypothetical {
            started.jobs.push(job.job);
            started.placements.push(placement.clone());
            self.space.start(turn.job(job.job), job, placement, (now, now + job.limit));
            self.take_licences(turn, job.job, 1);
            self.queue.remove(job.job);
            return Ok(());
        }
        if self.space.suspends() {
            return self.launch_over(turn, job, placement, why);
        }
        let placed = if turn.machine().is_pool() {
            turn.start_as(job.job, why)?
        } else {
            turn.place_as(job.job, placement, Rate::FULL, why)?
        };
        self.queue.remove(job.job);
        self.preempting.forget(job.job);
        self.has_changed();
        if placed == Placed::Holds {
            self.holds(turn, job, placement);
        }
        Ok(())
    }

    /// Notes that a job holds its nodes from now on.
    pub(super) fn holds(&mut self, turn: &Turn<'_>, job: &Waiting, placement: &Placement) {
        let now = turn.now();
        self.space.start(turn.job(job.job), job, placement, (now, now + job.limit));
        self.enters_cores(job, placement);
        self.components.start(job);
        self.take_licences(turn, job.job, 1);
        if let Some(priority) = &mut self.priority {
            priority.started(turn.job(job.job), turn.now());
        }
    }

    /// Takes the licences of a job, or gives them back.
    pub(super) fn take_licences(&mut self, turn: &Turn<'_>, job: JobId, times: i64) {
        let needs = self.site.licences_of(turn.job(job));
        self.licences.iter_mut().zip(needs).for_each(|(free, need)| *free -= times * need);
    }

    /// Whether there are enough licences for a job now, and limits on running jobs let it start. Without, it neither starts
    /// nor keeps others from it. Of what it asks for on each node, it counts what it asks for on as few nodes as it may have
    /// (`acct_policy_job_runnable_pre_select`).
    pub(super) fn is_allowed(&self, turn: &mut Turn<'_>, job: &Waiting) -> bool {
        let needs = self.site.licences_of(turn.job(job.job));
        self.licences.iter().zip(needs).all(|(&free, need)| need <= free)
            && turn.is_within_limits((job.job, None), &self.would_run())
    }

    /// Whether limits on running jobs let a job start on so many nodes, or reserve them; without, it is passed over
    /// (`acct_policy_job_runnable_post_select`).
    pub(super) fn is_allowed_on(&self, turn: &mut Turn<'_>, job: &Waiting, nodes: usize) -> bool {
        job.layout.over == 0 || turn.is_within_limits((job.job, Some(nodes as i64)), &self.would_run())
    }

    /// Returns the jobs of hypothetical starts, each with the number of its nodes.
    pub(super) fn would_run(&self) -> Vec<(JobId, i64)> {
        self.hypothetical.as_ref().map_or_else(Vec::new, Starts::on_nodes)
    }

    /// Returns the nodes of a job that neither go out of service nor are reserved for others until it reaches its limit.
    pub(super) fn usable(&self, turn: &Turn<'_>, job: &Waiting) -> NodeSet {
        // slurmctld counts whole seconds.
        let from = turn.now();
        let to = from - Time::from_ticks(from.ticks().rem_euclid(Time::SECOND.ticks())) + job.limit;
        let mut nodes = (*job.nodes).clone();
        for closure in turn.foreseen().iter().filter(|closure| closure.from < to && closure.to > from) {
            nodes.remove(closure.node);
        }
        for (at, one) in self.reservations.iter().enumerate() {
            if job.reservation == Some(at) {
                if from < one.from || from >= one.to {
                    return NodeSet::empty(self.space.nodes());
                }
            } else if one.is_known(from) && !one.holds_cores() && one.from < to && one.to > from {
                nodes.subtract(&one.nodes);
            }
        }
        self.leave_to_others(job, &mut nodes);
        nodes
    }

    /// Takes out the nodes that a job has to leave to other users (`ExclusiveUser`).
    pub(super) fn leave_to_others(&self, job: &Waiting, nodes: &mut NodeSet) {
        if self.site.system.partitions.iter().any(|partition| partition.exclusive_user) {
            nodes.subtract(&self.space.of_others(job.user, job.owns));
        }
    }

    /// Returns the nodes of a placement.
    pub(super) fn nodes_of(&self, placement: &Placement) -> NodeSet {
        NodeSet::empty(self.space.nodes()).with(placement)
    }
}
