//! Running jobs that lose their nodes to a waiting one.
//!
//! Source: `slurm_find_preemptable_jobs` and `slurm_job_preempt` (preempt.c), `_run_now` and `_will_run_test`
//! (`select/cons_tres`), and `select_nodes` (`node_scheduler.c`) of Slurm 22.05.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::site::{SlurmPreemption as Rules, SlurmSite};
use batchlab_traces::priorities::Preemptible;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::grid::next_on;
use super::node_set::NodeSet;
use super::nodes::{Space, Spaces};
use super::queue::Waiting;
use batchlab_contract::journal::Preemption;
use batchlab_contract::turn::Turn;

pub(super) struct Preempting {
    site: Arc<SlurmSite>,
    since: SortedMap<JobId, Time>,
    /// The running jobs that lose their nodes.
    leaving: SortedMap<JobId, Leaving>,
    /// The nodes as the job that was tested last saw them.
    emptied: Option<Emptied>,
}

/// How far a running job is that loses its nodes.
#[derive(Clone, Copy)]
enum Leaving {
    /// It has a grace time until this instant.
    InGrace(Time),
    Killed,
}

/// The nodes without the running jobs that may be preempted.
pub(super) struct Emptied {
    generation: u64,
    jobs: Vec<JobId>,
    spaces: Spaces,
}

impl Emptied {
    pub(super) fn seen_by(&mut self, job: &Waiting) -> &mut Space {
        self.spaces.seen_by(job)
    }
}

/// A waiting job that may preempt others, with all nodes of its partition.
#[derive(Clone, Copy)]
pub(super) struct Claimant<'a> {
    pub(super) job: &'a Waiting,
    pub(super) partition: &'a Arc<NodeSet>,
}

/// How long a job waits, beside `KillWait`, before it preempts further ones (`MessageTimeout`).
const PATIENCE: Time = Time::from_secs(10);

/// The time between two looks at the time limits of all running jobs (`PERIODIC_TIMEOUT` in slurmctld.h).
const LIMITS_CHECKED: Time = Time::from_secs(30);

#[derive(Clone, Copy)]
struct Candidate {
    job: JobId,
    how: Preemptible,
    nodes: usize,
    start: Time,
}

impl Preempting {
    pub(super) fn new(site: &Arc<SlurmSite>) -> Preempting {
        Preempting { site: site.clone(), since: SortedMap::new(), leaving: SortedMap::new(), emptied: None }
    }

    /// A job has started, or is out of the queue or off the machine.
    pub(super) fn forget(&mut self, job: JobId) {
        self.since.remove(&job);
        self.leaving.remove(&job);
    }

    /// Keeps nodes for the next job that may preempt the same jobs.
    pub(super) fn keep(&mut self, emptied: Option<Emptied>) {
        self.emptied = emptied;
    }

    /// Returns how a running job loses its nodes to others; `None` if it keeps them, or is suspended.
    pub(super) fn preemptible(&self, turn: &Turn<'_>, job: JobId) -> Option<Preemptible> {
        self.site.preemptible(turn.job(job))
    }

    /// Takes nodes from running jobs for a job that does not fit on some nodes, if that helps. Nothing starts now: the nodes are
    /// free once the preempted jobs have ended. O(c² · nodes) for c jobs that can be preempted.
    pub(super) fn preempt_for(
        &mut self,
        turn: &mut Turn<'_>,
        claimant: Claimant<'_>,
        nodes: &NodeSet,
        spaces: &mut Spaces,
    ) {
        let Some(rules) = self.site.system.preemption else { return };
        let (now, job) = (turn.now(), claimant.job.job);
        let patience = self.site.system.kill_wait + PATIENCE;
        if self.since.get(&job).is_some_and(|&since| since + patience > now) {
            return;
        }
        let candidates = self.candidates(turn, claimant, rules, spaces);
        for victim in victims(claimant.job, nodes, candidates, rules, spaces).unwrap_or_default() {
            self.since.insert(job, now);
            if let Some(at) = self.leaves_at(victim, now, spaces) {
                turn.preempt(victim.job, Preemption { by: job, how: victim.how.preempted, at });
            }
        }
    }

    /// Returns when a job that is preempted now is killed; `None` if that has been decided before. With a grace time, its limit is
    /// the end of this time from now on, but it is killed as late as time limits are looked at again, or another job would preempt
    /// it (`_job_check_grace_internal`, `job_time_limit`).
    fn leaves_at(&mut self, victim: Candidate, now: Time, spaces: &mut Spaces) -> Option<Time> {
        let grace = victim.how.grace;
        let next = match self.leaving.get(&victim.job) {
            None if grace > Time::ZERO => Leaving::InGrace(now.saturating_add(grace)),
            Some(Leaving::InGrace(until)) if *until > now => return None,
            Some(Leaving::Killed) => return None,
            None | Some(Leaving::InGrace(_)) => Leaving::Killed,
        };
        self.leaving.insert(victim.job, next);
        let Leaving::InGrace(until) = next else { return Some(now) };
        spaces.ends_by(victim.job, until);
        let phase = self.site.limits_checked.unwrap_or(Time::ZERO);
        Some(next_on(phase, LIMITS_CHECKED, until - Time::TICK))
    }

    pub(super) fn may_preempt(&self, turn: &Turn<'_>, claimant: Claimant<'_>, spaces: &Spaces) -> bool {
        self.preemptible_by(turn, claimant, spaces).next().is_some()
    }

    /// Whether any job may preempt others.
    pub(super) fn is_possible(&self) -> bool {
        self.site.system.preemption.is_some()
    }

    /// Returns the nodes without the running jobs that a job may preempt, if there are any: as a cycle sees them for this job.
    pub(super) fn without_preemptible(
        &mut self,
        turn: &Turn<'_>,
        claimant: Claimant<'_>,
        spaces: &Spaces,
    ) -> Option<Emptied> {
        let rules = self.site.system.preemption?;
        let candidates = self.candidates(turn, claimant, rules, spaces);
        let jobs: Vec<JobId> = candidates.iter().map(|candidate| candidate.job).collect();
        if jobs.is_empty() {
            return None;
        }
        let generation = spaces.all().generation();
        let known = self.emptied.take();
        known.filter(|known| known.generation == generation && known.jobs == jobs).or_else(|| {
            let mut spaces = spaces.clone();
            for &job in &jobs {
                spaces.end(job, false);
            }
            Some(Emptied { generation, jobs, spaces })
        })
    }

    /// Returns the running jobs that a job may preempt.
    fn preemptible_by<'a>(
        &'a self,
        turn: &'a Turn<'_>,
        claimant: Claimant<'_>,
        spaces: &'a Spaces,
    ) -> impl Iterator<Item = Candidate> + 'a {
        let (now, waiting) = (turn.now(), turn.job(claimant.job.job));
        spaces.all().running_on(claimant.partition.clone()).filter_map(move |(job, nodes)| {
            if !self.site.preempts(waiting, turn.job(job)) {
                return None;
            }
            let how = self.site.preemptible(turn.job(job))?;
            let start = turn.started(job).unwrap_or(now);
            let is_exempt = start.saturating_add(how.exempt) > now;
            (!is_exempt).then_some(Candidate { job, how, nodes, start })
        })
    }

    /// Returns the running jobs that a job may preempt, in the order in which they are taken.
    fn candidates(
        &self,
        turn: &Turn<'_>,
        claimant: Claimant<'_>,
        rules: Rules,
        spaces: &Spaces,
    ) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = self.preemptible_by(turn, claimant, spaces).collect();
        // Jobs that are alike are taken in the order of their numbers.
        candidates.sort_by_key(|candidate| turn.job(candidate.job).number());
        if rules.youngest_first {
            candidates.sort_by_key(|candidate| Reverse(candidate.start));
        } else {
            candidates.sort_by_cached_key(|candidate| {
                (self.site.preempted_rank(turn.job(candidate.job)), candidate.nodes)
            });
        }
        candidates
    }
}

/// Returns the candidates that have to go. They are taken out one by one until the job fits; then the candidates with the most
/// nodes of the job come to the front, and all is tried again, so that fewer go.
fn victims(
    job: &Waiting,
    nodes: &NodeSet,
    mut candidates: Vec<Candidate>,
    rules: Rules,
    spaces: &Spaces,
) -> Option<Vec<Candidate>> {
    let mut tries = 0;
    loop {
        let mut left = spaces.clone();
        let fits = |victim: &Candidate| {
            left.end(victim.job, false)?;
            left.now(job, nodes)
        };
        let (last, placement) =
            candidates.iter().map(fits).enumerate().find_map(|(at, found)| Some((at, found?)))?;
        let placed = NodeSet::empty(spaces.all().nodes()).with(&placement);
        let shared = |candidate: &Candidate| spaces.all().nodes_in(candidate.job, &placed);
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
