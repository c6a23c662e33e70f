//! Running jobs that lose their nodes to a waiting one.
//!
//! Source: `slurm_find_preemptable_jobs` and `slurm_job_preempt` (preempt.c), `_run_now` and `_will_run_test`
//! (`select/cons_tres`), and `select_nodes` (`node_scheduler.c`) of Slurm 22.05.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::site::SlurmPreemption as Rules;
use batchlab_traces::priorities::Preemptible;
use batchlab_traces::{JobId, Time};

use super::controller::Twin;
use super::grid::next_on;
use super::node_set::NodeSet;
use super::queue::Waiting;
use super::tiers::Spaces;
use batchlab_policies::journal::Preemption;
use batchlab_policies::turn::Turn;

/// What the loops know of jobs that preempt others, and of those that they preempt.
#[derive(Debug, Default)]
pub(super) struct Preempting {
    /// When waiting jobs last preempted others.
    since: BTreeMap<JobId, Time>,
    /// The running jobs that lose their nodes, with the end of their grace time if they have not been killed yet.
    leaving: BTreeMap<JobId, Option<Time>>,
    /// The nodes as the job saw them that was considered last.
    emptied: Option<Emptied>,
}

/// The nodes without the running jobs that may be preempted.
#[derive(Debug)]
pub(super) struct Emptied {
    /// The generation of the nodes with these jobs.
    generation: u64,
    jobs: Vec<JobId>,
    pub(super) space: Spaces,
}

impl Preempting {
    /// A job has started, or is out of the queue or off the machine.
    pub(super) fn forget(&mut self, job: JobId) {
        self.since.remove(&job);
        self.leaving.remove(&job);
    }

    /// Keeps nodes for the next job that may preempt the same jobs.
    pub(super) fn keep(&mut self, emptied: Option<Emptied>) {
        self.emptied = emptied;
    }
}

/// A job waits so long, beside `KillWait`, before it preempts further ones (`MessageTimeout`).
const PATIENCE: Time = Time::from_secs(10);

/// The time between two looks at the time limits of all running jobs (`PERIODIC_TIMEOUT` in slurmctld.h).
const LIMITS_CHECKED: Time = Time::from_secs(30);

/// A running job that can be preempted.
#[derive(Clone, Copy)]
struct Candidate {
    job: JobId,
    how: Preemptible,
}

impl Twin {
    /// Takes nodes from running jobs for a job that does not fit on some nodes, if that helps. Nothing starts now: the nodes are
    /// free once those jobs have ended. O(c² · nodes) for c jobs that can be preempted.
    pub(super) fn preempt_for(&mut self, turn: &mut Turn<'_>, job: &Waiting, nodes: &NodeSet) {
        let Some(rules) = self.site.system.preemption.filter(|_| self.hypothetical.is_none()) else { return };
        let now = turn.now();
        let patience = self.site.system.kill_wait + PATIENCE;
        if self.preempting.since.get(&job.job).is_some_and(|&since| since + patience > now) {
            return;
        }
        let candidates = self.candidates(turn, job, rules);
        for victim in self.victims(job, nodes, candidates, rules).unwrap_or_default() {
            self.preempting.since.insert(job.job, now);
            if let Some(at) = self.leaves_at(victim, now) {
                turn.preempt(victim.job, Preemption { by: job.job, how: victim.how.preempted, at });
            }
        }
    }

    /// Returns when a job that is preempted now is killed; `None` if that has been decided before. With a grace time, its limit is
    /// the end of this time from now on, but it is killed as late as time limits are looked at again, or another job would preempt
    /// it (`_job_check_grace_internal`, `job_time_limit`).
    fn leaves_at(&mut self, victim: Candidate, now: Time) -> Option<Time> {
        let known = self.preempting.leaving.get(&victim.job).copied();
        let grace = victim.how.grace;
        let until = match known {
            None if grace > Time::ZERO => Some(now.saturating_add(grace)),
            None => None,
            Some(until) if until.is_some_and(|until| until <= now) => None,
            Some(_) => return None,
        };
        self.preempting.leaving.insert(victim.job, until);
        let Some(until) = until else { return Some(now) };
        self.space.ends_by(victim.job, until);
        let phase = self.site.limits_checked.unwrap_or(Time::ZERO);
        Some(next_on(phase, LIMITS_CHECKED, until - Time::TICK))
    }

    /// Whether there are running jobs that a job may preempt. O(running jobs).
    pub(super) fn may_preempt(&self, turn: &Turn<'_>, job: &Waiting) -> bool {
        let rules = self.site.system.preemption.filter(|_| self.hypothetical.is_none());
        rules.is_some() && self.preemptible_by(turn, job).next().is_some()
    }

    /// Returns the nodes without the running jobs that a job may preempt, if there are any: so does a cycle see them for this job.
    pub(super) fn without_preemptible(&mut self, turn: &Turn<'_>, job: &Waiting) -> Option<Emptied> {
        let rules = self.site.system.preemption?;
        let jobs: Vec<JobId> = self.candidates(turn, job, rules).iter().map(|one| one.job).collect();
        if jobs.is_empty() {
            return None;
        }
        let generation = self.space.generation();
        let known = self.preempting.emptied.take();
        known.filter(|known| known.generation == generation && known.jobs == jobs).or_else(|| {
            let mut space = self.space.clone();
            for &job in &jobs {
                space.end(job, false);
            }
            Some(Emptied { generation, jobs, space })
        })
    }

    /// Returns the running jobs that a job may preempt, each with the number of its nodes and its start.
    fn preemptible_by<'a>(
        &'a self,
        turn: &'a Turn<'_>,
        job: &Waiting,
    ) -> impl Iterator<Item = (Candidate, usize, Time)> + 'a {
        let (now, waiting) = (turn.now(), turn.job(job.job));
        self.space.running_on(self.partition_nodes(job)).filter_map(move |(running, nodes)| {
            if !self.site.preempts(waiting, turn.job(running)) {
                return None;
            }
            let how = self.site.preemptible(turn.job(running))?;
            let start = turn.started(running).unwrap_or(now);
            let is_exempt = start.saturating_add(how.exempt) > now;
            (!is_exempt).then_some((Candidate { job: running, how }, nodes, start))
        })
    }

    /// Returns the running jobs that a job may preempt, in the order in which they are taken.
    fn candidates(&self, turn: &Turn<'_>, job: &Waiting, rules: Rules) -> Vec<Candidate> {
        let with_rank = |(candidate, nodes, start): (Candidate, usize, Time)| {
            (self.site.preempted_rank(turn.job(candidate.job)), nodes, start, candidate)
        };
        let mut candidates: Vec<_> = self.preemptible_by(turn, job).map(with_rank).collect();
        // Jobs that are alike are taken in the order of their numbers.
        candidates.sort_by_key(|(.., candidate)| turn.job(candidate.job).number());
        if rules.youngest_first {
            candidates.sort_by_key(|&(_, _, start, _)| Reverse(start));
        } else {
            candidates.sort_by_key(|&(rank, nodes, ..)| (rank, nodes));
        }
        candidates.into_iter().map(|(.., candidate)| candidate).collect()
    }

    /// Returns the candidates that have to go. They are taken out one by one until the job fits; then those with the most nodes of
    /// the job come to the front, and all is tried again, so that fewer go.
    fn victims(
        &self,
        job: &Waiting,
        nodes: &NodeSet,
        mut candidates: Vec<Candidate>,
        rules: Rules,
    ) -> Option<Vec<Candidate>> {
        let mut tries = 0;
        loop {
            let mut space = self.space.clone();
            let fits = |victim: &Candidate| {
                space.end(victim.job, false)?;
                space.now(job, nodes)
            };
            let (last, placement) =
                candidates.iter().map(fits).enumerate().find_map(|(at, found)| Some((at, found?)))?;
            let placed = self.nodes_of(&placement);
            let shared = |candidate: &Candidate| self.space.nodes_in(candidate.job, &placed);
            tries += 1;
            if tries > rules.reorders + 1 || candidates.len() as u64 <= tries {
                candidates.truncate(last + 1);
                candidates.retain(|candidate| shared(candidate) > 0);
                return Some(candidates);
            }
            if rules.strict_order {
                let first = candidates.remove(last);
                candidates.insert(0, first);
            } else {
                let mut counts: Vec<usize> = candidates[..last].iter().map(shared).collect();
                counts.push(usize::MAX);
                counts.resize(candidates.len(), 0);
                let mut order: Vec<(usize, Candidate)> = counts.into_iter().zip(candidates).collect();
                order.sort_by_key(|&(count, _)| Reverse(count));
                candidates = order.into_iter().map(|(_, candidate)| candidate).collect();
            }
        }
    }
}
