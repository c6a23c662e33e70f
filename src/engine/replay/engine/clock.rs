//! The clock: the queues of coming events, and the decisions of the policy.
//!
//! Arrivals are a cursor over the sorted workload; ends, expiries and wake-ups are heaps. Capacity goes out of service
//! and comes back after the ends of an instant and before its arrivals; what jobs still hold of it is owed, and taken
//! when they give it back.

use std::collections::VecDeque;

use batchlab_support::cluster::{Cluster, State};
use batchlab_support::journal::Preemption;
use batchlab_support::stage::{Effect, Setup};
use batchlab_support::{Event, Journal, Policy, PolicyError, Turn};
use batchlab_traces::capacity::{Closure, Evicted};
use batchlab_traces::priorities::Preempted;
use batchlab_traces::{JobId, Time};

use super::changes::{Change, Changes, too_large};
use super::coming::Coming;
use super::decisions::Decisions;
use super::error::ReplayError;
use super::lifecycle::{Lifecycle, earlier};
use super::scenario::{Run, Scenario};
use super::stream::Stream;
use crate::outcome::{Fate, Outcome};

/// Why the engine turns jobs away, in the words of a table's note.
const TURNED_AWAY: &str = "too large for what the calendar leaves of the machine";

/// Why the engine rejects jobs that the policy leaves waiting, in the words of a table's note.
const LEFT: &str = "left waiting after all other jobs have ended";

/// A loss of a job's processors to a job of a higher tier: the job, its start when it was given notice, and how it loses them.
type Notice = (JobId, Option<Time>, Preempted);

pub(super) struct Clock<'a> {
    jobs: Lifecycle<'a>,
    changes: Changes,
    swaps: Coming<JobId>,
    notices: Coming<Notice>,
    cancellations: Coming<JobId>,
    decisions: Decisions,
    /// Whether jobs that nothing lets start any more are rejected.
    leaves: bool,
}

impl<'a> Clock<'a> {
    pub(super) fn new(scenario: &Scenario, setup: Setup, run: Run<'a>) -> Clock<'a> {
        let mut jobs = Lifecycle::new(scenario, &setup, run);
        Clock {
            changes: Changes::new(scenario.capacity.as_ref(), jobs.stage()),
            jobs,
            swaps: Coming::new(),
            notices: Coming::new(),
            cancellations: Coming::new(),
            decisions: Decisions::new(setup.policy, scenario.budget.clone()),
            leaves: run.leaves,
        }
    }

    pub(super) fn with_stream(self, stream: &'a mut dyn Stream) -> Clock<'a> {
        Clock { jobs: self.jobs.with_stream(stream), ..self }
    }

    pub(super) fn cluster(&self) -> &Cluster {
        self.jobs.cluster()
    }

    #[inline]
    pub(super) fn asked(&self) -> Time {
        self.decisions.last()
    }

    pub(super) fn is_over(&self) -> bool {
        self.jobs.is_over()
    }

    pub(super) fn events(&self) -> &[Event] {
        self.jobs.events()
    }

    /// Returns the next instant at which something happens.
    #[inline]
    pub(super) fn upcoming(&mut self) -> Option<Time> {
        let cluster = self.jobs.cluster();
        self.notices.drop_while(|_, notice| !is_valid(notice, cluster));
        let swap = earlier(self.swaps.next(), self.notices.next());
        let next = earlier(self.jobs.next(), earlier(swap, self.cancellations.next()));
        // After the last job there is nothing to change.
        let goes_on = || next.is_some() || self.cluster().waiting().next().is_some();
        earlier(next, self.changes.next().filter(|_| goes_on()))
    }

    /// Goes on to the next decision of the event order `batch`, whose events are gathered then. Returns its instant;
    /// `None` if the replay is over. The policy answers for jobs that outlive their expectations.
    #[inline]
    pub(super) fn advance(&mut self, policy: &mut dyn Policy) -> Option<Time> {
        // Events that a decision caused belong to its instant.
        let mut now = self.asked();
        while self.events().is_empty() && !self.is_over() {
            now = self.upcoming()?;
            self.gather(now, policy);
        }
        (!self.is_over()).then_some(now)
    }

    /// Carries out all events of an instant.
    pub(super) fn gather(&mut self, now: Time, policy: &mut dyn Policy) {
        self.jobs.expire(now, policy);
        while let Some(job) = self.jobs.take_end(now) {
            self.finish(job, now);
        }
        self.take_back(now, &VecDeque::new());
        while self.submit(now) {}
        self.gather_last(now);
    }

    /// Carries out what comes before the arrivals and ends of an instant at which each has a decision of its own; jobs that
    /// are expected to end then free their processors. Returns the jobs that end.
    pub(super) fn gather_first(&mut self, now: Time, policy: &mut dyn Policy) -> VecDeque<JobId> {
        self.jobs.expire(now, policy);
        let mut ending = VecDeque::new();
        while let Some(job) = self.jobs.take_end(now) {
            ending.push_back(job);
        }
        for &job in &ending {
            self.jobs.release(job, now);
        }
        self.take_back(now, &ending);
        ending
    }

    /// Carries out what comes after the arrivals and ends of an instant: cancellations, ends of swaps, wake-ups.
    pub(super) fn gather_last(&mut self, now: Time) {
        while let Some((_, job)) = self.cancellations.take(now) {
            self.jobs.cancel(job, now);
        }
        while let Some((_, job)) = self.swaps.take(now) {
            self.jobs.end_swap(job, now);
        }
        self.jobs.wake(now);
    }

    /// Submits the next job if it is due. Returns whether it was.
    pub(super) fn submit(&mut self, now: Time) -> bool {
        let Some(job) = self.enter(now) else { return false };
        self.jobs.tell(Event::Submitted(job));
        true
    }

    fn enter(&mut self, now: Time) -> Option<JobId> {
        let (job, cancelled) = self.jobs.enter(now)?;
        if let Some(at) = cancelled {
            self.cancellations.add(at, job);
        }
        Some(job)
    }

    /// Ends the next job that ends now: the first that is `ending`, or a job that is due since the last decision. Returns
    /// whether there was one.
    pub(super) fn end_next(&mut self, ending: &mut VecDeque<JobId>, now: Time) -> bool {
        while let Some(job) = ending.pop_front().or_else(|| self.jobs.take_end(now)) {
            if self.jobs.is_done(job, now) {
                self.finish(job, now);
                return true;
            }
        }
        false
    }

    fn finish(&mut self, job: JobId, now: Time) {
        self.jobs.finish(job, now);
        self.jobs.tell(Event::Finished(job));
    }

    /// Takes the processors of the jobs whose grace time is over, and carries out the changes of the capacity that are due;
    /// jobs that are `ending` at this instant are spared.
    fn take_back(&mut self, now: Time, ending: &VecDeque<JobId>) {
        while let Some((_, notice)) = self.notices.take(now) {
            let (job, _, how) = notice;
            if is_valid(notice, self.jobs.cluster()) && !ending.contains(&job) {
                self.jobs.take_processors(job, how, now);
            }
        }
        if self.changes.next().is_some_and(|at| at <= now) {
            self.change_capacity(now, ending);
        }
    }

    /// Carries out the changes of the capacity that are due: what comes back, what goes, what is announced.
    fn change_capacity(&mut self, now: Time, ending: &VecDeque<JobId>) {
        let mut opened = false;
        while let Some(change) = self.changes.take(now) {
            match change {
                Change::Opens(closure) => {
                    self.bring_back(&closure, now, ending);
                    opened = true;
                }
                Change::Closes(closure) => self.take_out(&closure, now, ending),
                Change::Announced(closure) => {
                    let stage = self.jobs.stage();
                    stage.foreseen.add(closure);
                    stage.announced += 1;
                }
            }
        }
        if opened {
            self.jobs.stage().foreseen.drop_over(now);
        }
        self.jobs.tell(Event::Capacity(now));
    }

    /// Brings back what a closure took; a reservation for jobs is over then.
    fn bring_back(&mut self, closure: &Closure, now: Time, ending: &VecDeque<JobId>) {
        if let Some(kept) = closure.kept_for {
            for job in self.jobs.stage().cluster.keep_no_longer(kept.reservation, closure.node) {
                if ending.contains(&job) {
                    // What it holds is free at once, since the policy does not know of it; limits do.
                    self.finish(job, now);
                } else if kept.until == now && self.cluster().state(job) == State::Resident {
                    self.jobs.evict(job, Evicted::Killed, now);
                }
            }
        }
        let drains = closure.evicted == Evicted::Drained;
        self.jobs.stage().cluster.bring_back(closure.node, &closure.amounts, drains);
    }

    /// Takes capacity out of service. Jobs in the way leave in the inverse order of their starts, except those that are
    /// `ending` at this instant.
    fn take_out(&mut self, closure: &Closure, now: Time, ending: &VecDeque<JobId>) {
        let drains = closure.evicted == Evicted::Drained;
        let cluster = &mut self.jobs.stage().cluster;
        cluster.take_out(closure.node, &closure.amounts, drains);
        if let Some(kept) = closure.kept_for {
            cluster.keep(kept, closure.node, &closure.amounts);
        }
        let spared = |job| ending.contains(&job);
        while !drains && let Some(job) = self.jobs.stage().cluster.in_the_way(closure.node, spared) {
            self.jobs.evict(job, closure.evicted, now);
        }
    }

    /// Asks the policy for a decision and carries it out.
    pub(super) fn decide(&mut self, now: Time, policy: &mut dyn Policy) -> Result<(), ReplayError> {
        self.ask(now)?;
        let decided = policy.decide(&mut self.turn(now));
        decided.map_err(|error| self.failed(error))?;
        self.carry_out(now)
    }

    pub(super) fn ask(&mut self, now: Time) -> Result<(), ReplayError> {
        self.decisions.open(now, self.jobs.len())?;
        self.jobs.ask();
        Ok(())
    }

    pub(super) fn turn(&mut self, now: Time) -> Turn<'_> {
        self.jobs.turn(now)
    }

    pub(super) fn failed(&self, error: PolicyError) -> ReplayError {
        self.decisions.failed(self.cluster(), error)
    }

    pub(super) fn carry_out(&mut self, now: Time) -> Result<(), ReplayError> {
        let mut effects = self.jobs.decided();
        let mut acted = false;
        for effect in effects.drain(..) {
            acted |= self.apply(effect, now);
        }
        let mut decided = self.jobs.settle(effects, acted, now);
        decided.record += self.swaps.bytes() as u64;
        self.decisions.charge(&decided, self.jobs.cluster())
    }

    /// Carries out one effect of a decision. Returns whether it started or ended a job, took one off the
    /// machine or changed a rate.
    fn apply(&mut self, effect: Effect, now: Time) -> bool {
        let jobs = &mut self.jobs;
        match effect {
            Effect::Placed(job) => jobs.place(job, now),
            Effect::Rated(job) => return jobs.rate(job, now),
            Effect::Resumed(job) => jobs.resume(job, now),
            Effect::Displaced(job) => jobs.displace(job),
            Effect::Killed(job) => jobs.kill(job, now),
            Effect::Swapping(job, until) => self.swaps.add(until, job),
            Effect::Rejected(job) => jobs.reject(job, now),
            Effect::Preempted(job, Preemption { how, at, .. }) if at > now => {
                self.notices.add(at, (job, jobs.cluster().started(job), how));
                return false;
            }
            // A job that ends at this instant leaves its processors anyway.
            Effect::Preempted(job, _) if jobs.ends_at(job, now) == Some(now) => return false,
            Effect::Preempted(job, Preemption { how, .. }) => jobs.take_processors(job, how, now),
        }
        true
    }

    /// Ends the replay when nothing is left to happen: returns its outcome, and the journal if one is kept.
    pub(super) fn close(
        mut self,
        policy: &mut dyn Policy,
    ) -> Result<(Outcome, Option<Journal>), ReplayError> {
        let at = self.asked();
        self.jobs.cut();
        if self.changes.exist() && !self.is_over() {
            self.jobs.turn_away(too_large(self.cluster()), TURNED_AWAY, at);
        }
        if self.leaves {
            self.jobs.turn_away(self.cluster().waiting().collect(), LEFT, at);
            self.jobs.close_entry(Fate::Rejected, at);
        }
        self.decisions.stuck(self.cluster())?;
        if let Some((held, first)) = self.jobs.held() {
            return Err(ReplayError::Held { held, first });
        }
        policy.finish().map_err(|error| self.failed(error))?;
        Ok(self.jobs.close())
    }
}

/// Whether the job that was given notice has not left the machine since.
fn is_valid((job, started, _): Notice, cluster: &Cluster) -> bool {
    cluster.state(job) == State::Resident && cluster.started(job) == started && !cluster.is_suspended(job)
}
