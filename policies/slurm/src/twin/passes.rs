//! The main loop: a pass in queue order, and the attempt at submission.
//!
//! Source: `_schedule` and `_top_priority` (`job_scheduler.c`, `job_mgr.c`) of Slurm 22.05.

use std::collections::BTreeMap;
use std::sync::Arc;

use batchlab_traces::JobId;

use super::controller::Twin;
use super::held::Held;
use super::node_set::NodeSet;
use super::queue::Waiting;
use batchlab_policies::journal::Why;
use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;

/// What becomes of a job that the main loop tries.
enum Tried {
    Started,
    /// Its nodes have too little room.
    NoRoom,
    /// Its limits do not admit it on the nodes that it would get.
    AtLimit,
}

/// What the jobs that do not fit close in a pass.
struct Closed {
    /// Partitions, with the first job that closed each.
    lanes: BTreeMap<(Option<usize>, i64), JobId>,
    nodes: NodeSet,
    /// The last job that closed nodes.
    last: Option<JobId>,
}

/// Returns what a job closes: its partition, or only its advance reservation.
fn lane(job: &Waiting) -> (Option<usize>, i64) {
    (job.reservation, if job.reservation.is_some() { 0 } else { job.partition })
}

impl Twin {
    /// Tries a job as it is submitted, unless a waiting job of a higher priority competes with it: one of its partition, or
    /// one of a higher tier on its nodes.
    pub(super) fn at_submission(&mut self, turn: &mut Turn<'_>, job: JobId) -> Result<(), PolicyError> {
        let tries = |waiting: &&Arc<Waiting>| !self.rules.main.defer && waiting.het.is_none();
        let mut all: Vec<Arc<Waiting>> = self.queue.of(job).filter(tries).cloned().collect();
        all.sort_by_key(|waiting| waiting.rank());
        for waiting in &all {
            self.at_submission_in(turn, waiting)?;
        }
        Ok(())
    }

    /// Tries a job as it is submitted, in one of its partitions.
    fn at_submission_in(&mut self, turn: &mut Turn<'_>, waiting: &Arc<Waiting>) -> Result<(), PolicyError> {
        let rank = waiting.rank();
        let ahead = self.queue.iter().take_while(|other| other.rank() < rank);
        let competes = |other: &Arc<Waiting>| {
            if other.partition == waiting.partition {
                other.priority > waiting.priority
            } else {
                other.tier > waiting.tier && other.nodes.meets(&waiting.nodes)
            }
        };
        let is_free = !ahead.into_iter().any(competes);
        if is_free && self.queue.has(waiting.job) && self.is_allowed(turn, waiting) {
            self.try_now(turn, waiting, &NodeSet::empty(self.space.nodes()))?;
        }
        Ok(())
    }

    /// Runs the main loop once: over the whole queue, or as deep as `default_queue_depth`.
    pub(super) fn pass(&mut self, turn: &mut Turn<'_>, full: bool) -> Result<(), PolicyError> {
        let rules = self.rules.main.clone();
        let (mut tested, mut starts) = (0, 0);
        let mut closed =
            Closed { lanes: BTreeMap::new(), nodes: NodeSet::empty(self.space.nodes()), last: None };
        let mut of_partition: BTreeMap<i64, u64> = BTreeMap::new();
        // One job more than the depth is tested.
        let most =
            if full || rules.partition_depth > 0 { u64::MAX } else { rules.queue_depth.saturating_add(1) };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let jobs: Vec<Arc<Waiting>> = self.queue.iter().take(most).cloned().collect();
        for job in jobs {
            // Jobs of closed partitions count towards the depths, too.
            if rules.partition_depth > 0 {
                let count = of_partition.entry(job.partition).or_default();
                *count += 1;
                if *count > rules.partition_depth {
                    continue;
                }
            }
            if !full && tested > rules.queue_depth || rules.most_starts > 0 && starts >= rules.most_starts {
                break;
            }
            // It may have started in another partition.
            if !self.queue.has(job.job) {
                continue;
            }
            tested += 1;
            if let Some(&first) = closed.lanes.get(&lane(&job)) {
                self.holds_back(&job, Held::Behind(first));
                continue;
            }
            // Components start at the end of a cycle.
            if job.het.is_none() {
                if !self.is_allowed(turn, &job) {
                    self.holds_back(&job, Held::Limit);
                    continue;
                }
                match self.try_now(turn, &job, &closed.nodes)? {
                    Tried::Started => {
                        starts += 1;
                        continue;
                    }
                    Tried::AtLimit => {
                        self.holds_back(&job, Held::Limit);
                        continue;
                    }
                    Tried::NoRoom => {}
                }
            }
            if self.closes(turn, &job, &mut closed) && closed.nodes.len() == self.space.nodes() {
                self.holds_back_rest(&job);
                break;
            }
        }
        Ok(())
    }

    /// A job does not fit: it closes its partition, and its nodes, for the rest of the pass; whether it does so.
    fn closes(&mut self, turn: &mut Turn<'_>, job: &Arc<Waiting>, closed: &mut Closed) -> bool {
        // Maintenance keeps the job out, not the other jobs.
        let mut usable = self.usable(turn, job);
        if usable.is_empty() {
            self.holds_back(job, Held::Closed);
            return false;
        }
        let all = usable.len();
        if job.reservation.is_none() {
            usable.subtract(&closed.nodes);
        }
        let first = closed.last.filter(|_| usable.len() < all);
        self.holds_back(job, first.map_or(Held::Resources, Held::Behind));
        if job.het.is_none() {
            let held = self.hold_cores(turn.now(), job);
            self.preempt_for(turn, job, &usable);
            self.give_back(held);
        }
        let holds = self.holds_reservations(turn, job);
        if holds {
            closed.lanes.insert(lane(job), job.job);
            if job.reservation.is_none() {
                closed.last = Some(job.job);
                closed.nodes.unite(&self.partition_nodes(job));
            }
        }
        holds && job.reservation.is_none()
    }

    /// Whether a job that does not fit keeps its place: it is old enough and of a sufficient priority.
    pub(super) fn holds_reservations(&self, turn: &Turn<'_>, job: &Waiting) -> bool {
        let rules = &self.rules.backfill;
        turn.now() - job.entered >= rules.least_age && job.priority >= rules.least_priority
    }

    /// Starts a job if it fits now, off some nodes, and its limits admit it on the nodes that it gets.
    fn try_now(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Arc<Waiting>,
        gone: &NodeSet,
    ) -> Result<Tried, PolicyError> {
        let mut nodes = self.usable(turn, job);
        if job.reservation.is_none() {
            nodes.subtract(gone);
        }
        let held = self.hold_cores(turn.now(), job);
        let placement = self.space.now(job, &nodes);
        self.give_back(held);
        let Some(placement) = placement else { return Ok(Tried::NoRoom) };
        if !self.is_allowed_on(turn, job, placement.0.len()) {
            return Ok(Tried::AtLimit);
        }
        self.launch(turn, job, &placement, Why::Head)?;
        Ok(Tried::Started)
    }
}
