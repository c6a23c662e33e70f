//! A policy's turn: what it may know, and what it may do.

mod residents;
mod starts;

use std::borrow::Cow;

use batchlab_traces::capacity::{AdvanceReservation, Closure};
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Machine, Time, Workload};
use chacha20::ChaCha12Rng;

use crate::cluster::State;
use crate::event::Event;
use crate::journal::{Act, Preemption};
use crate::limits::guard::Guard;
use crate::placement::{Placement, Rate, Share};
use crate::priorities::claims::Claims;
use crate::refused::{Reason, Refused};
use crate::stage::{Effect, Stage, Work};
use crate::view::{JobView, Oracle};

/// One decision: the state of the machine and the queue, and the verbs that change it.
///
/// Verbs are checked, applied at once, and recorded in the journal if one is kept.
pub struct Turn<'a> {
    stage: &'a mut Stage,
    now: Time,
    events: &'a [Event],
    /// The only visible jobs, for a policy inside another policy.
    shown: Option<&'a SortedSet<JobId>>,
    /// The limits on running jobs, for a policy that they surround.
    guard: Option<&'a mut Guard>,
    /// Jobs that run in reservations: for the policy they have left its queue before they started.
    apart: Option<&'a SortedSet<JobId>>,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(stage: &'a mut Stage, now: Time, events: &'a [Event]) -> Turn<'a> {
        Turn { stage, now, events, shown: None, guard: None, apart: None }
    }

    /// Returns the same turn as seen by a policy inside the policy: with these events and these jobs only.
    pub fn screened<'b>(&'b mut self, events: &'b [Event], shown: &'b SortedSet<JobId>) -> Turn<'b> {
        let (guard, apart) = (self.guard.as_deref_mut(), self.apart);
        Turn { stage: self.stage, now: self.now, events, shown: Some(shown), guard, apart }
    }

    /// Returns the same turn without the jobs that run in reservations.
    #[must_use]
    pub fn without(self, apart: &'a SortedSet<JobId>) -> Turn<'a> {
        Turn { apart: Some(apart), ..self }
    }

    /// Returns the same turn as seen by a policy inside limits on running jobs, whose starts they check.
    pub(crate) fn guarded<'b>(&'b mut self, events: &'b [Event], guard: &'b mut Guard) -> Turn<'b> {
        let (shown, apart) = (self.shown, self.apart);
        Turn { stage: self.stage, now: self.now, events, shown, guard: Some(guard), apart }
    }

    /// Returns the same turn with other events.
    pub fn told<'b>(&'b mut self, events: &'b [Event]) -> Turn<'b> {
        let (guard, shown, apart) = (self.guard.as_deref_mut(), self.shown, self.apart);
        Turn { stage: self.stage, now: self.now, events, shown, guard, apart }
    }

    /// Returns the instant.
    #[inline]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Returns the events since the last decision, in order.
    #[inline]
    pub fn events(&self) -> &'a [Event] {
        self.events
    }

    /// Returns the waiting job that was submitted first. O(1).
    pub fn head(&self) -> Option<JobId> {
        self.waiting().next()
    }

    /// Returns the waiting jobs in the order of submission.
    pub fn waiting(&self) -> impl Iterator<Item = JobId> + '_ {
        let seen = |job: &JobId| {
            self.shown.is_none_or(|shown| shown.contains(job))
                && self.guard.as_ref().is_none_or(|guard| guard.shows(*job))
                && self.stage.claims.as_ref().is_none_or(|claims| !claims.hides(*job))
        };
        self.stage.cluster.waiting().filter(seen)
    }

    /// Returns the jobs on the machine in the order in which they were placed.
    pub fn resident(&self) -> impl Iterator<Item = JobId> + '_ {
        self.stage.cluster.resident().filter(|&job| !self.is_apart(job))
    }

    #[inline]
    fn is_apart(&self, job: JobId) -> bool {
        self.apart.is_some_and(|apart| apart.contains(&job))
    }

    /// Returns the view of a job.
    #[inline]
    pub fn job(&self, job: JobId) -> JobView<'_> {
        JobView::new(self.workload(), job)
    }

    /// Returns the number of a job in the log; for a job that does not exist, its index.
    pub(crate) fn number(&self, job: JobId) -> i64 {
        if self.workload().has(job) { self.workload().number(job) } else { i64::from(job.0) }
    }

    /// Returns the state of a job.
    pub fn state(&self, job: JobId) -> State {
        if self.is_apart(job) { State::Waiting } else { self.stage.cluster.state(job) }
    }

    /// Returns when a job first ran, if it has.
    #[inline]
    pub fn started(&self, job: JobId) -> Option<Time> {
        if self.is_apart(job) { None } else { self.stage.cluster.opened(job, self.now) }
    }

    /// Whether a job is being swapped out or in: it is resident, and cannot run.
    pub fn is_swapping(&self, job: JobId) -> bool {
        self.stage.cluster.is_swapping(job)
    }

    /// Whether a waiting job would have to be swapped in after its placement: it could be in no row before [`Event::Loaded`].
    pub fn must_load(&self, job: JobId) -> bool {
        self.stage.cluster.must_load(job)
    }

    /// Returns when a resident job will have executed for `executed` in total, if nothing changes and it
    /// does not end before; `None` if it makes no progress. O(rows).
    pub fn reaches(&self, job: JobId, executed: Time) -> Option<Time> {
        self.stage.cluster.done_at(job, executed, self.now)
    }

    /// Returns when a job ended, if it has.
    #[inline]
    pub fn ended(&self, job: JobId) -> Option<Time> {
        self.stage.cluster.ended(job)
    }

    /// Whether decisions are recorded, so that computing promises is worthwhile.
    pub fn is_journalled(&self) -> bool {
        self.stage.journal.is_some()
    }

    /// Returns for how long a job has executed, in time at full speed.
    pub fn executed(&self, job: JobId) -> Time {
        self.stage.cluster.executed(job, self.now)
    }

    /// Returns for how long a job was suspended in place, or is expected to have been so when it resumes.
    pub fn delay(&self, job: JobId) -> Time {
        self.stage.delay(job)
    }

    /// Returns when a job suspended in place is expected to resume; now for all other jobs.
    pub fn resumes_at(&self, job: JobId) -> Time {
        let begun = self.stage.cluster.started(job).filter(|_| self.stage.cluster.is_suspended(job));
        begun.map_or(self.now, |start| start + self.executed(job) + self.stage.delay(job))
    }

    /// Returns a resident job's rate; for all other jobs, paused.
    pub fn rate(&self, job: JobId) -> Rate {
        self.stage.cluster.rate(job)
    }

    /// Returns where a resident job is.
    pub fn placement(&self, job: JobId) -> Placement {
        self.stage.cluster.placement(job)
    }

    /// Returns a resident job's processors on each of its nodes.
    pub fn shares(&self, job: JobId) -> Cow<'_, [Share]> {
        self.stage.cluster.shares(job)
    }

    /// Returns the machine.
    pub fn machine(&self) -> &Machine {
        self.stage.cluster.machine()
    }

    /// Returns the free amounts of a node, one per resource, processors first.
    #[inline]
    pub fn free(&self, node: usize) -> &[i64] {
        self.stage.cluster.free(node)
    }

    /// Returns the free amounts of a node, one per resource, then one per device.
    #[inline]
    pub fn room(&self, node: usize) -> &[i64] {
        self.stage.cluster.room(node)
    }

    /// Returns the nodes with most room: a task that fits on none of them fits nowhere, because on every other node no more
    /// of any resource is free than on one of these. O(nodes · nodes returned) after a change, O(1) until the next.
    pub fn roomiest(&self) -> &[u32] {
        self.stage.cluster.roomiest()
    }

    /// Returns nodes, each with the number of nodes for which it stands: the same is free on all of them. O(nodes) after a change,
    /// O(1) until the next.
    pub fn alike(&self) -> &[(u32, u32)] {
        self.stage.cluster.alike()
    }

    /// Returns how often room was given back.
    #[inline]
    pub fn gifts(&self) -> u64 {
        self.stage.cluster.gifts()
    }

    /// Returns the known changes of the capacity that are not over, by beginning; changes that have begun are included.
    #[inline]
    pub fn foreseen(&self) -> &[Closure] {
        &self.stage.foreseen
    }

    /// Returns how many changes of the capacity have become known since the beginning: as long as the number stays the same,
    /// [`Turn::foreseen`] has only lost changes that are over.
    #[inline]
    pub fn announced(&self) -> u64 {
        self.stage.announced
    }

    /// Whether jobs may hold more than is there: the capacity may change, or jobs may be suspended in place.
    #[inline]
    pub fn has_closures(&self) -> bool {
        self.stage.closes
    }

    /// Whether only the policy starts jobs, hides them or takes room, and decisions are not recorded: free resources and the
    /// policy's own books then determine the decision.
    #[inline]
    pub fn is_plain(&self) -> bool {
        let stage = &self.stage;
        self.shown.is_none()
            && self.guard.is_none()
            && self.apart.is_none()
            && stage.claims.is_none()
            && stage.journal.is_none()
            && !stage.closes
    }

    /// Returns the amounts of a node that are in service.
    pub fn in_service(&self, node: usize) -> Vec<i64> {
        self.stage.cluster.in_service(node)
    }

    /// Returns the amounts of a node that are in service, or are known to come back.
    pub fn coming_back(&self, node: usize) -> Vec<i64> {
        let mut amounts = self.in_service(node);
        let begun = self.foreseen().partition_point(|closure| closure.from <= self.now);
        for closure in self.foreseen()[..begun].iter().filter(|closure| closure.node == node) {
            for (amount, back) in amounts.iter_mut().zip(&closure.amounts) {
                *amount += back;
            }
        }
        amounts
    }

    /// Returns the free amounts of a node less the amounts out of service that jobs still hold: below zero where jobs run on.
    pub fn balance(&self, node: usize) -> Vec<i64> {
        self.stage.cluster.balance(node)
    }

    /// Whether a job fits into the free amounts of the pool, in every resource.
    #[inline]
    pub fn fits(&self, job: JobId) -> bool {
        self.workload().demand(job).iter().zip(self.free(0)).all(|(need, free)| need <= free)
    }

    /// Whether any job has a constraint; without one, each takes every node of its partition.
    pub fn has_constraints(&self) -> bool {
        self.workload().has_constraints()
    }

    /// Returns the policy's own random stream, derived from the seed and the policy's spec.
    pub fn rng(&mut self) -> &mut ChaCha12Rng {
        &mut self.stage.rng
    }

    /// Returns actual run times, to a policy that declared clairvoyance.
    pub fn oracle(&self) -> Option<Oracle<'_>> {
        self.stage.needs.clairvoyance.then(|| Oracle::new(self.workload()))
    }

    /// Whether jobs of the workload are of different tiers.
    pub fn has_tiers(&self) -> bool {
        self.workload().has_tiers()
    }

    /// Whether an advance reservation is for a job.
    pub fn is_reserved_for(&self, reservation: &AdvanceReservation, job: JobId) -> bool {
        reservation.is_for(self.workload(), job)
    }

    #[inline]
    pub(crate) fn workload(&self) -> &Workload {
        self.stage.cluster.workload()
    }
}

impl Turn<'_> {
    /// Records what happens to a job, if decisions are recorded.
    #[inline]
    pub(crate) fn note(&mut self, job: JobId, act: Act) {
        self.stage.note(self.now, job, act);
    }

    /// Takes a resident job's processors for another job, now or after a grace time: the clock does it.
    pub fn preempt(&mut self, job: JobId, preemption: Preemption) {
        self.stage.effects.push(Effect::Preempted(job, preemption));
        self.stage.note(self.now, job, Act::Preempted(preemption));
    }

    /// Whether a job is on the machine, and not in a reservation of a calendar.
    pub(crate) fn can_be_preempted(&self, job: JobId) -> bool {
        self.state(job) == State::Resident && !self.stage.cluster.is_reserved_for(job)
    }

    pub(crate) fn claims(&mut self) -> &mut Claims {
        self.stage.claims.get_or_insert_default()
    }

    pub(crate) fn stage(&mut self) -> &mut Stage {
        self.stage
    }

    /// Returns the jobs that the policy sees again beside the kept room, each only once for the same `done`.
    pub(crate) fn readmit(&mut self, done: &mut SortedSet<JobId>) -> Vec<JobId> {
        let Stage { claims, cluster, .. } = &mut *self.stage;
        claims.get_or_insert_default().readmitted(cluster, done)
    }

    pub(crate) fn placed(&self) -> impl Iterator<Item = JobId> + '_ {
        self.stage.effects.iter().filter_map(|effect| match effect {
            Effect::Placed(job) => Some(*job),
            _ => None,
        })
    }

    pub(crate) fn rejected(&self) -> impl Iterator<Item = JobId> + '_ {
        self.stage.effects.iter().filter_map(|effect| match effect {
            Effect::Rejected(job) => Some(*job),
            _ => None,
        })
    }

    /// Requests a decision at a later instant, even without any event then.
    ///
    /// # Errors
    /// When the instant is not in the future, or the decision has requested ten million wake-ups.
    pub fn wake_at(&mut self, at: Time) -> Result<(), Refused> {
        let refused = |reason| Refused { verb: "wake", job: 0, at: self.now, reason };
        if at <= self.now {
            return Err(refused(Reason::Past(at)));
        }
        // A policy that requests wake-ups without end must not fill the memory.
        if self.stage.work.wakes >= Work::MOST_WAKES {
            return Err(refused(Reason::Wakes(Work::MOST_WAKES)));
        }
        self.stage.work.wakes += 1;
        if let Some(guard) = &mut self.guard {
            guard.wakes_at(at);
        }
        // The replay does not reach further: a job that waits for a later wake-up waits forever.
        if at <= Time::FARTHEST {
            self.stage.wakes.insert(at);
        }
        Ok(())
    }

    /// Returns the number of future instants for which the policy has requested wake-ups. O(1).
    pub fn wakes(&self) -> usize {
        self.stage.wakes.len()
    }

    /// Counts a call of a plug-in that cost `units` of work.
    pub(crate) fn called(&mut self, units: u64) {
        self.stage.work.calls = self.stage.work.calls.saturating_add(units);
    }

    /// Sets how long a job is expected to run in total, in place of its estimate; to be called before it is
    /// placed. When the job outlives the expectation, the engine calls [`crate::Policy::expired`].
    pub fn expect(&mut self, job: JobId, duration: Time) {
        self.stage.expected.insert(job, duration);
    }

    /// Records that a job was promised a start no later than this instant.
    #[inline]
    pub fn promise(&mut self, job: JobId, at: Time) {
        self.stage.note(self.now, job, Act::Promised(at));
    }

    /// Stores a drawing of the policy's plan, such as a matrix, if decisions are recorded.
    pub fn draw(&mut self, drawing: String) {
        if let Some(journal) = &mut self.stage.journal {
            journal.drawings.push((self.now, drawing));
        }
    }

    /// Increments a named counter that the outcome reports.
    pub fn tally(&mut self, what: &'static str) {
        *self.stage.tallies.entry(what).or_default() += 1;
    }

    /// Counts choices by score, and how many of them shared the best score.
    pub fn tied(&mut self, what: &'static str, choices: u64, ties: u64) {
        let counted = self.stage.ties.entry(what).or_default();
        *counted = (counted.0 + choices, counted.1 + ties);
    }

    /// A job must be swapped in; makes the clock report when this is done.
    fn watch_swap(&mut self, job: JobId) {
        if let Some(until) = self.stage.cluster.swapped_at(job) {
            self.stage.effects.push(Effect::Swapping(job, until));
        }
    }

    fn must_share_time(&self, verb: &'static str, job: JobId) -> Result<(), Refused> {
        if self.stage.needs.time_sharing {
            return Ok(());
        }
        Err(self.refused(verb, job, Reason::Undeclared("time sharing")))
    }

    fn refused(&self, verb: &'static str, job: JobId, reason: Reason) -> Refused {
        Refused { verb, job: self.number(job), at: self.now, reason }
    }
}
