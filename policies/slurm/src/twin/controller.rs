//! The state that both loops share: the queue, what jobs hold, priorities and timers; and what changes it.
//!
//! The controller hears of jobs that enter and leave, tells the loops when they are due, and starts the jobs that they choose. Each
//! of its parts keeps its own rules; the loops ask and tell the controller.
//!
//! Source: `gs_job_start` and `gs_job_fini` (`gang.c`) of Slurm 22.05, for the jobs that stop for jobs of higher tiers.

mod refusals;
mod waking;

use std::sync::Arc;

use batchlab_contract::cluster::Placed;
use batchlab_contract::event::Event;
use batchlab_contract::journal::{Preemption, Why};
use batchlab_contract::placement::{Placement, Rate};
use batchlab_contract::policy::PolicyError;
use batchlab_contract::spec::Setting;
use batchlab_contract::turn::Turn;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::admission::Admission;
use super::alarms::{Alarms, Stall};
use super::allocations::{Allocations, Vacated};
use super::changed::ChangedJobs;
use super::clock::{Delays, LoopTimers};
use super::heard::Heard;
use super::hypothesis::{Held, Hypothesis, Starts};
use super::node_set::NodeSet;
use super::nodes::{GangTurn, Spaces};
use super::preempt::{Claimant, Emptied, Preempting};
use super::priorities::Priorities;
use super::priority::Holding;
use super::queue::{Queue, Waiting};
use crate::site::{Scheduler, SlurmSite};

/// How long a job that has lost its nodes waits before it may start again: for the lifetime of the credential of its run, and a
/// second (`batch_requeue_fini`).
const REQUEUED: Time = Time::from_secs(121);

pub(super) struct Controller {
    rules: Arc<Scheduler>,
    queue: Queue,
    admission: Admission,
    allocations: Allocations,
    priorities: Priorities,
    timers: LoopTimers,
    preempting: Preempting,
    /// The jobs that have lost their nodes, with the instant from which they may start again.
    requeued: Alarms,
    /// The jobs that wait for nodes below few switches, with the instant from which they take others.
    choosy: Alarms,
    /// How many components of each heterogeneous job have started.
    components: SortedMap<i64, usize>,
    changed: ChangedJobs,
    /// Whether limits on running jobs may keep waiting jobs out.
    is_limited: bool,
    /// Whether jobs that stop for others give their processors back to the engine; otherwise it has processors for all of them.
    gives_back: bool,
    hypothesis: Hypothesis,
    heard: Option<Time>,
    wake: Option<Time>,
    stall: Stall,
    /// Whether the loops are asked about jobs that run: the queue of the loops is not empty then.
    has_late: bool,
}

/// The state before hypothetical loops.
pub(super) struct Before {
    allocations: Allocations,
    queue: Queue,
    timers: LoopTimers,
}

impl Controller {
    /// Returns the controller of an installation; `suspends` is that of [`Spaces::new`], `asks` that of [`Admission`].
    pub(super) fn new(
        rules: &Arc<Scheduler>,
        delays: Delays,
        site: &Arc<SlurmSite>,
        setting: &Setting<'_>,
        suspends: bool,
        asks: bool,
    ) -> Controller {
        let precedence = Arc::new(site.precedence());
        Controller {
            admission: Admission::new(site, rules, &precedence, asks),
            queue: Queue::new(precedence),
            allocations: Allocations::new(site, setting.machine, delays.complete, suspends),
            priorities: Priorities::new(site, setting.machine),
            timers: LoopTimers::new(rules, delays, site),
            preempting: Preempting::new(site),
            requeued: Alarms::default(),
            choosy: Alarms::default(),
            components: SortedMap::new(),
            changed: ChangedJobs::new(site),
            is_limited: false,
            gives_back: !asks,
            hypothesis: Hypothesis::default(),
            heard: None,
            wake: None,
            stall: Stall::default(),
            has_late: false,
            rules: rules.clone(),
        }
    }

    pub(super) fn rules(&self) -> &Arc<Scheduler> {
        &self.rules
    }

    pub(super) fn queue(&self) -> &Queue {
        &self.queue
    }

    pub(super) fn allocations(&self) -> &Allocations {
        &self.allocations
    }

    pub(super) fn allocations_mut(&mut self) -> &mut Allocations {
        &mut self.allocations
    }

    pub(super) fn spaces_mut(&mut self) -> &mut Spaces {
        self.allocations.spaces_mut()
    }

    pub(super) fn timers_mut(&mut self) -> &mut LoopTimers {
        &mut self.timers
    }

    pub(super) fn nodes(&self) -> usize {
        self.allocations.spaces().all().nodes()
    }

    pub(super) fn started_components(&self, het: i64) -> usize {
        self.components.get(&het).copied().unwrap_or(0)
    }

    /// Whether limits on running jobs, or licences, may keep waiting jobs out.
    pub(super) fn may_hold_out(&self) -> bool {
        self.is_limited || self.allocations.has_licences()
    }

    /// Updates queue and nodes by the events.
    pub(super) fn hear(&mut self, turn: &mut Turn<'_>) -> Heard {
        let now = turn.now();
        let mut heard = Heard::default();
        self.priorities.catch_up(now);
        if self.timers.draw_phases(turn) {
            self.priorities.draw_phase(turn);
        }
        self.is_limited = turn.heeds_limits();
        self.follow_changes(turn, &mut heard);
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => {
                    // A limit may have voided its start.
                    self.leave(turn, job, false, &mut heard);
                    self.enter(turn, job, &mut heard);
                }
                Event::Displaced(job) => {
                    self.leave(turn, job, true, &mut heard);
                    self.requeued.set(job, now + REQUEUED);
                }
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    heard.changed |= self.queue.remove(job);
                    self.changed.leaves(job);
                    self.requeued.cancel(job);
                    self.preempting.forget(job);
                    heard.submitted.retain(|&other| other != job);
                    self.leave(turn, job, matches!(event, Event::Killed(_)), &mut heard);
                }
                Event::Capacity(_) => {
                    self.allocations.take_up_capacity(turn);
                    (heard.freed, heard.changed) = (true, true);
                }
                Event::Suspended(_) | Event::Resumed(_) | Event::Loaded(_) | Event::Woke(_) => {}
            }
        }
        while let Some(was_killed) = self.allocations.take_completed(now) {
            heard.frees(was_killed);
        }
        while let Some(job) = self.requeued.take_due(now) {
            self.enter(turn, job, &mut heard);
        }
        while let Some(job) = self.choosy.take_due(now) {
            heard.changed |= self.queue.spread(job);
        }
        let before = self.heard.replace(now);
        let is_new = |edge| before.is_none_or(|before| edge > before) && edge <= now;
        if self.allocations.reservations().edges().any(is_new) {
            (heard.freed, heard.changed) = (true, true);
            self.leave_reservations(turn);
        }
        let timers = &self.timers;
        let has_tested = |entered| timers.has_tested(entered, now);
        heard.changed |= self.priorities.recompute(turn, &mut self.queue, has_tested);
        heard
    }

    fn follow_changes(&mut self, turn: &Turn<'_>, heard: &mut Heard) {
        while let Some((job, limits)) = self.changed.take_due(turn.now()) {
            let Some(job) = job else { continue };
            (heard.changed, heard.updated) = (true, true);
            if self.changed.leaves(job) || self.queue.remove(job) {
                self.enter(turn, job, heard);
            } else if let [Some(before), Some(limit)] = limits {
                self.allocations.spaces_mut().lasts(job, limit - before);
            }
        }
    }

    /// Adds a job to the queue, unless it is held.
    fn enter(&mut self, turn: &Turn<'_>, job: JobId, heard: &mut Heard) {
        let state = self.changed.enters(turn.job(job).row(), job);
        self.priorities.set_by_hand(job, state.and_then(|state| state.priority));
        if state.is_some_and(|state| state.is_held) {
            heard.changed = true;
            return;
        }
        for waiting in self.waiting(turn, job) {
            if waiting.most_leaves.is_some_and(|most| most < i64::MAX)
                && let Some(until) = self.admission.choosy_until(turn, job)
            {
                self.choosy.set(job, until);
            }
            self.queue.insert(waiting);
        }
        heard.submitted.push(job);
        heard.changed = true;
    }

    fn waiting(&mut self, turn: &Turn<'_>, job: JobId) -> Vec<Waiting> {
        let (view, now) = (turn.job(job), turn.now());
        let is_tested = self.timers.has_tested(view.submit(), now);
        let (reservations, spaces) = self.allocations.reservations_and_spaces();
        let changed = self.changed.state(view.row());
        let mut all = self.admission.waiting(turn, (job, changed), reservations, spaces);
        for waiting in &mut all {
            if let Some(limit) = changed.limit {
                waiting.limit = self.admission.within(waiting.in_partition, limit);
            }
            waiting.priority = self.priorities.at_entry(view, waiting.waits(is_tested), now);
            if changed.nice != 0 && changed.priority.is_none() {
                let lower = i128::from(waiting.priority) - i128::from(changed.nice);
                waiting.priority = lower.clamp(2, u32::MAX.into()) as u64;
            }
        }
        all
    }

    fn leave(&mut self, turn: &Turn<'_>, job: JobId, was_killed: bool, heard: &mut Heard) {
        let Some(vacated) = self.allocations.end(turn, job, was_killed) else { return };
        self.preempting.forget(job);
        if vacated == Vacated::Free {
            heard.frees(was_killed);
        }
        self.priorities.ended(job, turn.now());
        heard.changed = true;
    }

    /// Lets the waiting jobs of reservations that are over run like any others.
    fn leave_reservations(&mut self, turn: &Turn<'_>) {
        let reservations = self.allocations.reservations();
        let is_over = |at: usize| reservations.is_over(at, turn.now());
        let left: Vec<JobId> =
            self.queue.iter().filter(|job| job.reservation.is_some_and(is_over)).map(|job| job.job).collect();
        for job in left {
            for waiting in self.waiting(turn, job) {
                self.queue.insert(waiting);
            }
        }
    }

    /// Whether a job that does not fit keeps its place: it is old enough and of a sufficient priority.
    pub(super) fn holds_reservations(&self, turn: &Turn<'_>, job: &Waiting) -> bool {
        let rules = &self.rules.backfill;
        turn.now() - job.entered >= rules.least_age && job.priority >= rules.least_priority
    }

    /// Whether there are enough licences for a job now, and limits on running jobs let it start; otherwise it neither starts nor
    /// keeps others from it. Of what it asks for on each node, the amounts on as few nodes as it may have count
    /// (`acct_policy_job_runnable_pre_select`).
    pub(super) fn is_allowed(&self, turn: &mut Turn<'_>, job: &Waiting) -> bool {
        self.allocations.licences_suffice(turn, job.job)
            && turn.is_within_limits((job.job, None), &self.hypothesis.would_run())
    }

    /// Whether limits on running jobs let a job start on a number of nodes, or reserve them; otherwise it is passed over
    /// (`acct_policy_job_runnable_post_select`).
    pub(super) fn is_allowed_on(&self, turn: &mut Turn<'_>, job: &Waiting, nodes: usize) -> bool {
        job.layout.over == 0
            || turn.is_within_limits((job.job, Some(nodes as i64)), &self.hypothesis.would_run())
    }

    pub(super) fn hypothesis(&self) -> &Hypothesis {
        &self.hypothesis
    }

    pub(super) fn partition_nodes(&self, job: &Waiting) -> Arc<NodeSet> {
        self.admission.partition_nodes(job)
    }

    /// Takes nodes from running jobs for a job that does not fit on some nodes, if that helps.
    pub(super) fn preempt_for(&mut self, turn: &mut Turn<'_>, job: &Waiting, nodes: &NodeSet) {
        if !self.hypothesis.is_on() && self.preempting.is_possible() {
            let claimant = Claimant { job, partition: &self.partition_nodes(job) };
            self.preempting.preempt_for(turn, claimant, nodes, self.allocations.spaces_mut());
        }
    }

    /// Whether there are running jobs that a job may preempt. O(running jobs).
    pub(super) fn may_preempt(&self, turn: &Turn<'_>, job: &Waiting) -> bool {
        !self.hypothesis.is_on() && self.preempting.is_possible() && {
            let claimant = Claimant { job, partition: &self.partition_nodes(job) };
            self.preempting.may_preempt(turn, claimant, self.allocations.spaces())
        }
    }

    /// Returns the nodes without the running jobs that a job may preempt, if there are any: as a cycle sees them for this job.
    pub(super) fn without_preemptible(&mut self, turn: &Turn<'_>, job: &Waiting) -> Option<Emptied> {
        if !self.preempting.is_possible() {
            return None;
        }
        let claimant = Claimant { job, partition: &self.partition_nodes(job) };
        self.preempting.without_preemptible(turn, claimant, self.allocations.spaces())
    }

    /// Keeps nodes for the next job that may preempt the same jobs.
    pub(super) fn keep_emptied(&mut self, emptied: Option<Emptied>) {
        self.preempting.keep(emptied);
    }

    /// Starts a job on nodes until its limit; a hypothetical start is only counted.
    pub(super) fn launch(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Waiting,
        placement: &Placement,
        why: Why,
    ) -> Result<(), PolicyError> {
        if self.hypothesis.counts(job, placement) {
            self.allocations.start(turn, job, placement);
            self.queue.remove(job.job);
            return Ok(());
        }
        if self.allocations.spaces().suspends() {
            return self.place_over(turn, job, placement, why);
        }
        let placed = if turn.machine().is_pool() {
            turn.start_as(job.job, why)?
        } else {
            turn.place_as(job.job, placement, Rate::FULL, why)?
        };
        self.leaves_queue(job);
        if placed == Placed::Holds {
            self.hold(turn, job, placement);
        }
        Ok(())
    }

    /// Notes that a job is about to hold nodes: it waits no longer.
    fn leaves_queue(&mut self, job: &Waiting) {
        self.queue.remove(job.job);
        self.preempting.forget(job.job);
        self.timers.has_changed();
    }

    fn hold(&mut self, turn: &Turn<'_>, job: &Waiting, placement: &Placement) {
        self.allocations.start(turn, job, placement);
        self.allocations.enter_reservation(job, placement);
        if let Some(het) = job.het {
            *self.components.entry(het.number).or_default() += 1;
        }
        let nodes: Vec<usize> = placement.0.iter().map(|share| share.node as usize).collect();
        let held = Holding { machine: turn.machine(), nodes: &nodes, given: None };
        self.priorities.started(turn.job(job.job), held, turn.now());
    }

    /// Places a job on nodes where jobs of lower tiers may run: these stop, and jobs of partitions with another `PreemptMode` lose
    /// their nodes.
    fn place_over(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Waiting,
        placement: &Placement,
        why: Why,
    ) -> Result<(), PolicyError> {
        self.leaves_queue(job);
        self.hold(turn, job, placement);
        let at = turn.now();
        let GangTurn { stop, go_on } = self.spaces_mut().turn(at);
        if !self.gives_back {
            turn.place_as(job.job, placement, Rate::FULL, why)?;
            return Ok(());
        }
        for stopped in stop {
            match self.preempting.preemptible(turn, stopped) {
                Some(how) => turn.preempt(stopped, Preemption { by: job.job, how: how.preempted, at }),
                None => turn.suspend(stopped)?,
            }
        }
        turn.place_over(job.job, placement, why)?;
        Ok(go_on.into_iter().try_for_each(|job| turn.resume(job))?)
    }

    /// Lets jobs go on whose processors others have left.
    pub(super) fn take_turns(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let GangTurn { stop, go_on } = self.spaces_mut().turn(turn.now());
        if !self.gives_back {
            return Ok(());
        }
        stop.into_iter().try_for_each(|job| turn.suspend(job))?;
        Ok(go_on.into_iter().try_for_each(|job| turn.resume(job))?)
    }

    /// Begins hypothetical loops in this state, in which the `late` jobs have not started yet.
    pub(super) fn suppose<'a>(
        &mut self,
        turn: &Turn<'_>,
        late: impl Iterator<Item = (JobId, &'a [Waiting])>,
    ) -> Before {
        let (queue, timers) = (self.queue.clone(), self.timers.clone());
        let before = Before { allocations: self.allocations.clone(), queue, timers };
        for (job, waiting) in late {
            self.allocations.undo_start(turn, job);
            for waiting in waiting {
                self.queue.insert(waiting.clone());
            }
        }
        self.hypothesis.begin();
        before
    }

    /// Ends hypothetical loops: returns what they started, in the state of before.
    pub(super) fn conclude(&mut self, before: Before) -> Starts {
        let Before { allocations, queue, timers } = before;
        (self.allocations, self.queue, self.timers) = (allocations, queue, timers);
        self.hypothesis.end()
    }

    /// Notes why a job does not start; only hypothetical loops do.
    pub(super) fn holds_back(&mut self, job: &Waiting, why: Held) {
        self.hypothesis.hold_back(job, why);
    }

    /// Notes that a job that does not fit closes all nodes; only hypothetical loops do.
    pub(super) fn holds_back_rest(&mut self, first: &Waiting) {
        self.hypothesis.hold_back_rest(first, &self.queue);
    }
}
