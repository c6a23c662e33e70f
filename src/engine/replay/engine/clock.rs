//! The clock: the queues of coming events, and the effects of decisions on them.
//!
//! Arrivals are a cursor over the sorted workload; ends, expiries and wake-ups are heaps. Capacity goes out of service
//! and comes back after the ends of an instant and before its arrivals; what jobs still hold of it is owed, and taken
//! when they give it back.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;

use batchlab_policies::cluster::State;
use batchlab_policies::cluster::record::Busy;
use batchlab_policies::journal::{Act, Preemption};
use batchlab_policies::stage::{Effect, Setup, Stage};
use batchlab_policies::{Event, Journal, Late, Policy, PolicyError, tally};
use batchlab_traces::capacity::Evicted;
use batchlab_traces::machine::has_room;
use batchlab_traces::priorities::Preempted;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::arrivals::ArrivalQueue;
use super::budget::{Exceeded, Spent};
use super::changes::{Change, Changes};
use super::stream::{Done, Stream};
use super::{EventOrder, ReplayError, Run, Scenario};
use crate::outcome::Stop;
use crate::outcome::{Fate, Interval, IntervalKind, LostRun, Outcome};

/// A coming end: its instant, then the position of the job in the order of starts.
type End = (Time, u32, JobId);

/// A coming loss of a job's processors to a job of a higher tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Notice {
    at: Time,
    job: JobId,
    /// The start of the job when it was given notice.
    started: Option<Time>,
    how: Preempted,
}

/// Why the engine turns jobs away, in the words of a table's note.
const TURNED_AWAY: &str = "too large for what the calendar leaves of the machine";

/// Why the engine rejects jobs that the policy leaves waiting, in the words of a table's note.
const LEFT: &str = "left waiting after all other jobs have ended";

/// The jobs of a stream on their way through a replay.
struct Flow<'a> {
    stream: &'a mut dyn Stream,
    /// Whether the section is the last.
    is_over: bool,
    /// The first job that has not been handed on.
    next: JobId,
    /// The fates of jobs that were killed or rejected.
    fates: HashMap<JobId, Fate>,
}

pub(super) struct Clock<'a> {
    arrivals: ArrivalQueue,
    pub(super) order: EventOrder,
    /// The coming changes of the capacity.
    changes: Changes,
    /// The place in the order of starts of the latest start of jobs that lost their work; 0 while they wait.
    requeued: HashMap<JobId, u32>,
    pub(super) stage: Stage,
    pub(super) events: Vec<Event>,
    /// The instant of the last decision, and the number of decisions at that instant.
    asked: (Time, u64),
    spent: Spent,
    spec: String,
    run: Run<'a>,
    /// The stream that the jobs are a section of.
    flow: Option<Flow<'a>>,
    ends: BinaryHeap<Reverse<End>>,
    /// Whether a job was killed; on the plain path only then may ends be stale.
    killed: bool,
    /// The valid end of each job if rates change; other ends in the heap are stale. Empty on the plain path.
    due: Vec<Option<Time>>,
    /// The order in which jobs were started, if rates change. Empty on the plain path.
    order_of: Vec<u32>,
    expiries: BinaryHeap<Reverse<End>>,
    /// Ends of swaps.
    swaps: BinaryHeap<Reverse<(Time, JobId)>>,
    /// Coming losses of processors to jobs of higher tiers.
    notices: BinaryHeap<Reverse<Notice>>,
    /// Coming cancellations of jobs that have entered.
    cancellations: BinaryHeap<Reverse<(Time, JobId)>>,
    starts: u32,
    ended: usize,
    stop: Stop,
    /// The number of jobs that the replay still waits for, if it does not wait for all.
    awaited: Option<usize>,
    /// The instant at which the last of them ended.
    stopped: Option<Time>,
    /// Whether the policy may share time; otherwise jobs run from start to end, and intervals would be redundant.
    shares: bool,
    /// Whether jobs are placed on numbered processors.
    by_processor: bool,
    outcome: Outcome,
}

impl<'a> Clock<'a> {
    pub(super) fn new(scenario: &Scenario, setup: Setup, run: Run<'a>) -> Clock<'a> {
        let mut stage = Stage::new(&scenario.machine, &scenario.workload, &setup);
        let arrivals = ArrivalQueue::new(&scenario.workload);
        if arrivals.is_closed() {
            stage.cluster.open();
        }
        let jobs = if stage.cluster.shares_time() { scenario.workload.len() } else { 0 };
        Clock {
            arrivals,
            order: scenario.order,
            changes: Changes::new(scenario.capacity.as_ref(), &mut stage),
            requeued: HashMap::new(),
            stage,
            events: Vec::new(),
            asked: (Time::ZERO, 0),
            spent: Spent::new(scenario.budget.clone()),
            run,
            flow: None,
            ends: BinaryHeap::new(),
            killed: false,
            due: vec![None; jobs],
            order_of: vec![0; jobs],
            expiries: BinaryHeap::new(),
            swaps: BinaryHeap::new(),
            notices: BinaryHeap::new(),
            cancellations: BinaryHeap::new(),
            starts: 0,
            ended: 0,
            stop: scenario.stop.clone(),
            awaited: scenario.stop.awaited(),
            stopped: None,
            shares: setup.needs.time_sharing || setup.suspends.is_some(),
            by_processor: setup.needs.processors,
            spec: setup.policy,
            outcome: Outcome { predicted: Some(SortedMap::new()), ..Outcome::default() },
        }
    }

    /// Makes the scenario's workload the first section of a stream.
    pub(super) fn with_stream(self, stream: &'a mut dyn Stream) -> Clock<'a> {
        Clock { flow: Some(Flow { stream, is_over: false, next: JobId(0), fates: HashMap::new() }), ..self }
    }

    /// Takes sections of a stream until the next arrivals are all here, and hands on the jobs before the first that has not
    /// ended.
    fn refill(&mut self) {
        while self.flow.as_ref().is_some_and(|flow| !flow.is_over) {
            let workload = &self.arrivals.workload;
            let last = JobId(workload.end().0.saturating_sub(1));
            if self.arrivals.next().is_some_and(|(at, _)| at < workload.submit(last)) {
                return;
            }
            let from = self.hand_on();
            let Some(flow) = &mut self.flow else { return };
            let Some(more) = flow.stream.more() else {
                flow.is_over = true;
                return;
            };
            self.arrivals.workload = Arc::new(self.arrivals.workload.onward(from, &more));
            self.stage.go_on(&self.arrivals.workload);
        }
    }

    /// Hands on the jobs before the first that has not ended; returns that job.
    fn hand_on(&mut self) -> JobId {
        let workload = &self.arrivals.workload;
        let Some(flow) = &mut self.flow else { return workload.end() };
        let cluster = &self.stage.cluster;
        // The policy has not heard of the last events.
        let told = |job| !self.events.iter().any(|event| event.job() == Some(job));
        let mut jobs = (flow.next.0..workload.end().0).map(JobId);
        let stays = |&job: &JobId| cluster.state(job) != State::Done || !told(job);
        let first = jobs.find(stays).unwrap_or(workload.end());
        for job in (flow.next.0..first.0).map(JobId) {
            let end = cluster.ended(job).unwrap_or(Time::MAX);
            let start = cluster.started(job).unwrap_or(Time::MAX).min(end);
            let fate = flow.fates.remove(&job).unwrap_or(Fate::Finished);
            let predicted = self.outcome.take_prediction(workload, job);
            flow.stream.done(workload, &Done { job, start, end, fate, predicted });
        }
        flow.next = first;
        first
    }

    pub(super) fn run(mut self, policy: &mut dyn Policy) -> Result<(Outcome, Option<Journal>), ReplayError> {
        match self.order {
            EventOrder::Batch => self.run_batch(policy)?,
            EventOrder::SubmitFirst | EventOrder::FinishFirst => self.run_one_by_one(policy)?,
            EventOrder::Periodic(cycle) => self.run_periodic(cycle, policy)?,
        }
        self.close(policy)
    }

    /// Ends the replay when nothing is left to happen: returns its outcome, and the journal if one is kept.
    pub(super) fn close(
        mut self,
        policy: &mut dyn Policy,
    ) -> Result<(Outcome, Option<Journal>), ReplayError> {
        self.cut();
        self.turn_away();
        if self.run.leaves {
            self.leave();
        }
        if let Some(stuck) = self.stuck() {
            return Err(stuck);
        }
        if let Some((held, first)) = self.arrivals.held() {
            return Err(ReplayError::Held { held, first });
        }
        let at = self.asked.0;
        policy.finish().map_err(|error| self.failed(at, error))?;
        self.hand_on();
        if self.flow.is_some() {
            self.stage.cluster.take_times();
        }
        if self.arrivals.workload.has_cancellations() {
            self.mark_cancelled();
        }
        let mut outcome = self.outcome;
        (outcome.start, outcome.end) = self.stage.cluster.take_times();
        // A job killed while it waited has no start; its start is set to the instant at which it left the
        // queue.
        for (start, end) in outcome.start.iter_mut().zip(&outcome.end) {
            *start = (*start).min(*end);
        }
        outcome.decisions = self.stage.decision;
        outcome.rejected = self.stage.rejected;
        outcome.tallies = self.stage.tallies;
        outcome.ties = self.stage.ties;
        outcome.epochs = self.stage.cluster.take_epochs();
        if self.shares {
            outcome.services = self.stage.cluster.take_services();
            outcome.by_processor = self.by_processor;
        }
        outcome.places = outcome.places.settle();
        outcome.entered = self.arrivals.is_closed().then(|| self.stage.cluster.share_workload());
        Ok((outcome, self.stage.journal))
    }

    /// Returns the instant of the last decision.
    #[inline]
    pub(super) fn asked(&self) -> Time {
        self.asked.0
    }

    /// Returns the next instant at which something happens.
    #[inline]
    pub(super) fn upcoming(&mut self) -> Option<Time> {
        if self.flow.is_some() {
            self.refill();
        }
        self.next()
    }

    fn next(&mut self) -> Option<Time> {
        self.drop_stale();
        while self.notices.peek().is_some_and(|Reverse(notice)| !self.is_valid(notice)) {
            self.notices.pop();
        }
        let mut next = self.arrivals.next().map(|(at, _)| at);
        let mut or = |at: Option<Time>| {
            if let Some(at) = at {
                next = Some(next.map_or(at, |next| next.min(at)));
            }
        };
        or(self.ends.peek().map(|Reverse((at, ..))| *at));
        or(self.expiries.peek().map(|Reverse((at, ..))| *at));
        or(self.stage.wakes.first().copied());
        or(self.swaps.peek().map(|Reverse((at, _))| *at));
        or(self.cancellations.peek().map(|Reverse((at, _))| *at));
        or(self.notices.peek().map(|Reverse(notice)| notice.at));
        if let Some(at) = self.changes.next() {
            // After the last job there is nothing to change.
            let goes_on = next.is_some() || self.stage.cluster.waiting().next().is_some();
            next = if goes_on { Some(next.map_or(at, |next| next.min(at))) } else { None };
        }
        next
    }

    /// Carries out the changes of the capacity that are due: what comes back, what goes, what is announced. Jobs in the
    /// way of what goes leave in the inverse order of their starts, except those that are `ending` at this instant.
    pub(super) fn change_capacity(&mut self, now: Time, ending: &VecDeque<JobId>) {
        let (mut changed, mut opened) = (false, false);
        while let Some(change) = self.changes.take(now) {
            changed = true;
            match change {
                Change::Opens(closure) => {
                    if let Some(kept) = closure.kept_for {
                        for job in self.stage.cluster.keep_no_longer(kept.reservation, closure.node) {
                            if ending.contains(&job) {
                                // What it holds is free at once, since the policy does not know of it; limits do.
                                self.finish(job, now);
                                self.events.push(Event::Finished(job));
                            } else if kept.until == now && self.stage.cluster.state(job) == State::Resident {
                                self.evict(job, Evicted::Killed, now);
                            }
                        }
                    }
                    let drains = closure.evicted == Evicted::Drained;
                    self.stage.cluster.bring_back(closure.node, &closure.amounts, drains);
                    opened = true;
                }
                Change::Closes(closure) => {
                    let drains = closure.evicted == Evicted::Drained;
                    self.stage.cluster.take_out(closure.node, &closure.amounts, drains);
                    if let Some(kept) = closure.kept_for {
                        self.stage.cluster.keep(kept, closure.node, &closure.amounts);
                    }
                    let spared = |job| ending.contains(&job);
                    while !drains && let Some(job) = self.stage.cluster.in_the_way(closure.node, spared) {
                        self.evict(job, closure.evicted, now);
                    }
                }
                Change::Announced(closure) => {
                    self.stage.foreseen.add(closure);
                    self.stage.announced += 1;
                }
            }
        }
        if opened {
            self.stage.foreseen.drop_over(now);
        }
        if changed {
            self.events.push(Event::Capacity(now));
        }
    }

    /// Takes the processors of the jobs whose grace time is over, except of those that are `ending` at this instant.
    pub(super) fn preempt(&mut self, now: Time, ending: &VecDeque<JobId>) {
        while let Some(&Reverse(notice)) = self.notices.peek().filter(|Reverse(notice)| notice.at <= now) {
            self.notices.pop();
            if self.is_valid(&notice) && !ending.contains(&notice.job) {
                self.take_processors(notice.job, notice.how, now);
            }
        }
    }

    /// Whether the job that was given notice has not left the machine since.
    fn is_valid(&self, notice: &Notice) -> bool {
        let cluster = &self.stage.cluster;
        cluster.state(notice.job) == State::Resident
            && cluster.started(notice.job) == notice.started
            && !cluster.is_suspended(notice.job)
    }

    /// Takes a job's processors for a job of a higher tier.
    fn take_processors(&mut self, job: JobId, how: Preempted, now: Time) {
        // A job that has not run yet waits again, and loses nothing.
        let how = match how {
            Preempted::Suspended if self.stage.cluster.started(job) == Some(now) => Preempted::Requeued,
            how => how,
        };
        let (evicted, what) = match how {
            Preempted::Suspended => return self.suspend(job, now),
            Preempted::Cancelled => (Evicted::Killed, tally::PREEMPTED_CANCELLED),
            Preempted::Requeued => (Evicted::Requeued, tally::PREEMPTED_REQUEUED),
        };
        self.leave_machine(job, evicted, now);
        *self.stage.tallies.entry(what).or_default() += 1;
    }

    /// Suspends a job in place for a job of a higher tier.
    fn suspend(&mut self, job: JobId, now: Time) {
        let suspended = self.stage.cluster.suspend(job, now);
        debug_assert!(suspended.is_ok(), "a job on the machine that is not suspended can be");
        if let Some(due) = self.due.get_mut(job.index()) {
            *due = None;
        }
        self.stage.note(now, job, Act::Suspended);
        *self.stage.tallies.entry(tally::PREEMPTED_SUSPENDED).or_default() += 1;
        self.events.push(Event::Suspended(job));
        self.close_stretches();
    }

    /// Takes a job off the machine because capacity goes out of service.
    fn evict(&mut self, job: JobId, evicted: Evicted, now: Time) {
        let killed = self.leave_machine(job, evicted, now);
        let what = if killed { tally::EVICTED } else { tally::REQUEUED };
        *self.stage.tallies.entry(what).or_default() += 1;
    }

    /// Takes a job off the machine: it ends, or loses its work and waits again. Returns whether it has ended.
    fn leave_machine(&mut self, job: JobId, evicted: Evicted, now: Time) -> bool {
        if let Some(due) = self.due.get_mut(job.index()) {
            *due = None;
        }
        let started = self.stage.cluster.started(job);
        self.stage.forget_delay(job);
        let ends = evicted == Evicted::Killed || self.stage.cluster.requeue(job, now).is_err();
        if ends {
            self.killed = true;
            // A job on the machine can always end.
            let ended = self.stage.cluster.end(job, now);
            debug_assert!(ended.is_ok(), "a job in the way is on the machine");
            self.set_fate(job, Fate::Killed);
            self.count_end(job, now);
            self.events.push(Event::Killed(job));
        } else {
            self.requeued.insert(job, 0);
            self.outcome.lost.extend(started.map(|from| LostRun { job, from, to: now }));
            self.events.push(Event::Displaced(job));
        }
        self.close_stretches();
        ends
    }

    /// Turns away the jobs that the rest of the machine cannot hold, when no change is to come.
    fn turn_away(&mut self) {
        if !self.changes.exist() || self.stopped.is_some() {
            return;
        }
        let cluster = &self.stage.cluster;
        let machine = cluster.machine();
        let room: Vec<Vec<i64>> = (0..machine.nodes()).map(|node| cluster.in_service(node)).collect();
        let workload = cluster.workload();
        let fits = |job: &JobId| {
            let takes = |node| workload.admits(machine, *job, node);
            has_room(machine, workload.demand(*job), &workload.layout(*job), takes, &room)
        };
        let over: Vec<JobId> = cluster.waiting().filter(|job| !fits(job)).collect();
        for job in over {
            self.stage.turn_away(self.asked.0, job, TURNED_AWAY);
            self.set_fate(job, Fate::Rejected);
            self.count_end(job, self.asked.0);
        }
    }

    /// Rejects the jobs that nothing lets start any more: those that wait, and those that depend on jobs that have not ended.
    fn leave(&mut self) {
        let at = self.asked.0;
        let waiting: Vec<JobId> = self.stage.cluster.waiting().collect();
        for job in waiting {
            self.stage.turn_away(at, job, LEFT);
            self.set_fate(job, Fate::Rejected);
            self.count_end(job, at);
        }
        self.arrivals.release_all(at);
        while let Some((entry, job)) = self.arrivals.take() {
            let job = self.identity(job, entry);
            self.set_fate(job, Fate::Rejected);
        }
    }

    /// Whether all jobs that the replay waits for have ended, if it does not wait for all.
    pub(super) fn is_over(&self) -> bool {
        self.stopped.is_some()
    }

    /// Ends the replay at its stop: jobs that have not ended, and jobs still to arrive, become unfinished.
    fn cut(&mut self) {
        let Some(at) = self.stopped else { return };
        while let Some(job) = self.take_end(at) {
            self.finish(job, at);
        }
        while self.take_arrival(at).is_some() {}
        let cluster = &mut self.stage.cluster;
        let left: Vec<JobId> = cluster.waiting().chain(cluster.resident()).collect();
        let jobs = self.arrivals.workload.len();
        for job in left {
            if cluster.end(job, at).is_ok() {
                self.outcome.set_fate(job, Fate::Unfinished, jobs);
            }
        }
        self.arrivals.release_all(at);
        while let Some((entry, job)) = self.arrivals.take() {
            let job = self.identity(job, entry);
            self.outcome.set_fate(job, Fate::Unfinished, jobs);
        }
        self.close_stretches();
    }

    /// Takes the next arrival if it is due.
    pub(super) fn take_arrival(&mut self, now: Time) -> Option<JobId> {
        self.arrivals.next().filter(|&(at, _)| at <= now)?;
        let (at, job) = self.arrivals.take()?;
        let patience = self.arrivals.workload.patience(job);
        let job = self.identity(job, at);
        self.stage.cluster.submit(job);
        self.cancellations.extend(patience.map(|patience| Reverse((at.saturating_add(patience), job))));
        Some(job)
    }

    /// Removes the jobs that their users cancel now, from the queue or from the machine. A job that has only just been
    /// submitted is not reported to the policy.
    pub(super) fn cancel(&mut self, now: Time) {
        while let Some(&Reverse((at, job))) = self.cancellations.peek() {
            if at > now {
                break;
            }
            self.cancellations.pop();
            if !matches!(self.stage.cluster.state(job), State::Waiting | State::Resident) {
                continue;
            }
            if let Some(due) = self.due.get_mut(job.index()) {
                *due = None;
            }
            self.killed = true;
            let ended = self.stage.cluster.end(job, now);
            debug_assert!(ended.is_ok(), "a job in the queue or on the machine can end");
            self.set_fate(job, Fate::Cancelled);
            self.count_end(job, now);
            match self.events.iter().position(|event| *event == Event::Submitted(job)) {
                Some(at) => drop(self.events.remove(at)),
                None => self.events.push(Event::Killed(job)),
            }
            self.reorder(now);
            self.close_stretches();
        }
    }

    /// Marks the jobs that users cancel: they are not measured, however they left.
    fn mark_cancelled(&mut self) {
        let workload = self.stage.cluster.share_workload();
        for job in workload.jobs().filter(|&job| workload.patience(job).is_some()) {
            if self.outcome.fate(job).has_ended() {
                self.outcome.set_fate(job, Fate::Cancelled, workload.len());
            }
        }
    }

    /// Returns the identity of a job that enters the queue at an instant.
    fn identity(&mut self, job: JobId, at: Time) -> JobId {
        if self.arrivals.is_closed() {
            return self.stage.cluster.admit(&self.arrivals.workload, job, at);
        }
        job
    }

    /// Removes the next job that ends now from the heap; the job is still on the machine.
    pub(super) fn take_end(&mut self, now: Time) -> Option<JobId> {
        self.drop_stale();
        let &Reverse((at, _, job)) = self.ends.peek()?;
        if at > now {
            return None;
        }
        self.ends.pop();
        if self.stage.cluster.shares_time() {
            self.due[job.index()] = None;
        }
        Some(job)
    }

    /// Ends a job that is on the machine.
    pub(super) fn finish(&mut self, job: JobId, now: Time) {
        if self.stage.cluster.end(job, now).is_ok() {
            self.count_end(job, now);
        }
        self.reorder(now);
        self.close_stretches();
    }

    /// Recomputes the ends of jobs after a change of the rows that share time: of all jobs, or of those in other rows than
    /// before. Returns whether any end changed.
    fn reorder(&mut self, now: Time) -> bool {
        let cluster = &mut self.stage.cluster;
        let mut reordered = cluster.take_reordered();
        if reordered.all {
            reordered.jobs = cluster.resident().collect();
        }
        reordered.jobs.retain(|&job| matches!(cluster.state(job), State::Resident | State::Leaving));
        let mut changed = false;
        for job in reordered.jobs {
            changed |= self.schedule(job, self.order_of[job.index()], now);
        }
        changed
    }

    /// Takes the wake-ups that are due; several at one instant count as one.
    #[inline]
    pub(super) fn take_wake(&mut self, now: Time) -> bool {
        let mut woke = false;
        while self.stage.wakes.first().is_some_and(|at| *at <= now) {
            self.stage.wakes.pop_first();
            woke = true;
        }
        woke
    }

    /// Ends the swaps that are due, and adds an event for each.
    pub(super) fn end_swaps(&mut self, now: Time) {
        while let Some(&Reverse((at, job))) = self.swaps.peek() {
            if at > now {
                break;
            }
            self.swaps.pop();
            match self.stage.cluster.swapped(job, now) {
                Some(true) => self.events.push(Event::Displaced(job)),
                Some(false) => self.events.push(Event::Loaded(job)),
                // The job has ended meanwhile.
                None => {}
            }
        }
    }

    /// Asks the policy about jobs whose expected end is at this instant. A job that actually ends at this
    /// instant is not late.
    pub(super) fn expire(&mut self, now: Time, policy: &mut dyn Policy) {
        while let Some(&Reverse((at, seq, job))) = self.expiries.peek() {
            if at > now {
                break;
            }
            self.expiries.pop();
            // A job that was suspended in place is expected again when it resumes.
            let is_old = self.is_old(job, seq)
                || self.stage.delay(job) > Time::ZERO && self.stage.expected_end(job) > now;
            if is_old
                || self.stage.cluster.is_suspended(job)
                || self.stage.cluster.state(job) != State::Resident
                || self.ends_at(job, now) == Some(now)
            {
                continue;
            }
            let Some(started) = self.stage.cluster.started(job) else { continue };
            let before = self.stage.expected_duration(job);
            let late = Late {
                job: batchlab_policies::JobView::new(self.stage.cluster.workload(), job),
                started: started + self.stage.delay(job),
                now,
            };
            // A new expectation that is not longer than the last one is ignored.
            let longer = policy.expired(late).filter(|&duration| duration > before);
            self.stage.expected.insert(job, longer.unwrap_or(Time::MAX));
            self.expect(job, seq, now);
        }
    }

    /// Asks the policy for a decision and carries it out.
    pub(super) fn decide(&mut self, now: Time, policy: &mut dyn Policy) -> Result<(), ReplayError> {
        self.ask(now)?;
        let decided = policy.decide(&mut self.stage.turn(now, &self.events));
        decided.map_err(|error| self.failed(now, error))?;
        self.carry_out(now)
    }

    /// Counts a decision that comes now; an error if there are too many at this instant, or it is too late.
    pub(super) fn ask(&mut self, now: Time) -> Result<(), ReplayError> {
        self.asked = if self.asked.0 == now { (now, self.asked.1 + 1) } else { (now, 1) };
        if self.asked.1 > 1000 + 10 * self.arrivals.workload.len() as u64 {
            return Err(ReplayError::Endless { policy: self.spec.clone(), at: now, decisions: self.asked.1 });
        }
        if now > Time::FARTHEST {
            return Err(ReplayError::TooFar { policy: self.spec.clone(), at: now });
        }
        Ok(())
    }

    pub(super) fn failed(&self, at: Time, error: PolicyError) -> ReplayError {
        let workload = self.stage.cluster.workload();
        let number = |job| if workload.has(job) { workload.number(job) } else { i64::from(job.0) };
        ReplayError::Policy { policy: self.spec.clone(), at, error: error.numbered(number) }
    }

    /// Carries out what was decided in the turn.
    pub(super) fn carry_out(&mut self, now: Time) -> Result<(), ReplayError> {
        self.events.clear();
        let mut effects = std::mem::take(&mut self.stage.effects);
        let mut acted = false;
        for effect in effects.drain(..) {
            acted |= self.apply(effect, now);
        }
        self.stage.effects = effects;
        acted |= self.reorder(now);
        let mut within = Ok(());
        if self.stage.cluster.shares_time() {
            self.close_stretches();
            within = self.spent.check_record(self.record_bytes());
        }
        let (happened, work) = ((self.arrivals.count(), self.ended), std::mem::take(&mut self.stage.work));
        let within = within.and_then(|()| self.spent.count(acted, happened, work));
        within.map_err(|exceeded| self.exceeded(now, exceeded))
    }

    fn exceeded(&self, at: Time, exceeded: Exceeded) -> ReplayError {
        let policy = self.spec.clone();
        match exceeded {
            Exceeded::Decisions(decisions) => {
                ReplayError::Idle { policy, at, decisions, first: self.first_waiting() }
            }
            Exceeded::Work(decisions, limit) => ReplayError::Laborious { policy, at, decisions, limit },
            Exceeded::Record(limit) => ReplayError::TooMuch { policy, at, limit },
            Exceeded::Time(limit) => ReplayError::TooLong { policy, at, limit },
            Exceeded::Interrupted => ReplayError::Interrupted { policy, at },
        }
    }

    /// Returns the bytes recorded so far for jobs whose rate changes, and for ends and expiries in the
    /// queues, stale ones included. O(1).
    fn record_bytes(&self) -> u64 {
        let intervals = size_of_val(self.outcome.intervals.as_slice());
        let queued = (self.ends.len() + self.expiries.len() + self.swaps.len()) * size_of::<Reverse<End>>();
        self.stage.cluster.epochs().bytes() + (intervals + queued) as u64 + self.outcome.places.bytes()
    }

    /// Returns the number of the first waiting job in the log.
    fn first_waiting(&self) -> Option<i64> {
        let cluster = &self.stage.cluster;
        cluster.waiting().next().map(|job| cluster.workload().number(job))
    }

    /// Returns an error if jobs are still waiting.
    fn stuck(&self) -> Option<ReplayError> {
        let cluster = &self.stage.cluster;
        let mut waiting = cluster.waiting().chain(cluster.resident());
        let first = cluster.workload().number(waiting.next()?);
        Some(ReplayError::Stuck { waiting: 1 + waiting.count(), policy: self.spec.clone(), first })
    }

    /// Carries out one effect of a decision. Returns whether it started or ended a job, took one off the
    /// machine or changed a rate.
    fn apply(&mut self, effect: Effect, now: Time) -> bool {
        match effect {
            Effect::Placed(job) => {
                self.starts += 1;
                self.outcome.keep_prediction(job, &self.stage.expected);
                if let Some(latest) = self.requeued.get_mut(&job) {
                    *latest = self.starts;
                }
                if self.stage.cluster.shares_time() {
                    self.order_of[job.index()] = self.starts;
                }
                self.schedule(job, self.starts, now);
                self.expect(job, self.starts, now);
                self.arrivals.started(job, now);
            }
            Effect::Rated(job) => {
                return self.schedule(job, self.order_of[job.index()], now);
            }
            Effect::Resumed(job) => {
                let order = self.order_of[job.index()];
                self.schedule(job, order, now);
                self.expect(job, order, now);
            }
            Effect::Displaced(job) => {
                self.due[job.index()] = None;
                self.events.push(Event::Displaced(job));
            }
            Effect::Killed(job) => {
                self.killed = true;
                if let Some(due) = self.due.get_mut(job.index()) {
                    *due = None;
                }
                self.set_fate(job, Fate::Killed);
                self.count_end(job, now);
                self.events.push(Event::Killed(job));
            }
            Effect::Swapping(job, until) => self.swaps.push(Reverse((until, job))),
            Effect::Rejected(job) => {
                self.set_fate(job, Fate::Rejected);
                self.count_end(job, now);
            }
            Effect::Preempted(job, Preemption { how, at, .. }) if at > now => {
                let started = self.stage.cluster.started(job);
                self.notices.push(Reverse(Notice { at, job, started, how }));
                return false;
            }
            // A job that ends at this instant leaves its processors anyway.
            Effect::Preempted(job, _) if self.ends_at(job, now) == Some(now) => return false,
            Effect::Preempted(job, Preemption { how, .. }) => self.take_processors(job, how, now),
        }
        true
    }

    fn set_fate(&mut self, job: JobId, fate: Fate) {
        match &mut self.flow {
            Some(flow) => _ = flow.fates.insert(job, fate),
            None => self.outcome.set_fate(job, fate, self.arrivals.workload.len()),
        }
    }

    /// Records the end of a job. Returns whether it changed.
    fn schedule(&mut self, job: JobId, seq: u32, now: Time) -> bool {
        let Some(end) = self.ends_at(job, now) else {
            let due = self.due.get_mut(job.index());
            return due.and_then(Option::take).is_some();
        };
        if let Some(due) = self.due.get_mut(job.index())
            && due.replace(end) == Some(end)
        {
            return false;
        }
        self.ends.push(Reverse((end, seq, job)));
        true
    }

    /// Returns the instant at which a job on the machine ends, if nothing changes.
    fn ends_at(&self, job: JobId, now: Time) -> Option<Time> {
        match self.stage.cluster.state(job) {
            State::Resident => self.stage.cluster.done_at(job, self.stage.cluster.workload().run(job), now),
            State::Leaving => Some(now),
            _ => None,
        }
    }

    /// Adds an expiry for a job that will run beyond its expected end. Jobs that keep their estimates cost
    /// nothing.
    fn expect(&mut self, job: JobId, seq: u32, now: Time) {
        let expected = self.stage.expected_end(job);
        if self.ends_at(job, now).is_none_or(|end| expected < end) && expected < Time::MAX {
            self.expiries.push(Reverse((expected.max(now), seq, job)));
        }
    }

    fn drop_stale(&mut self) {
        if !self.killed && self.requeued.is_empty() && !self.stage.cluster.shares_time() {
            return;
        }
        while let Some(&Reverse((at, seq, job))) = self.ends.peek() {
            let stale = if self.stage.cluster.shares_time() {
                self.due[job.index()] != Some(at)
            } else {
                self.stage.cluster.state(job) == State::Done || self.is_old(job, seq)
            };
            if !stale {
                break;
            }
            self.ends.pop();
        }
    }

    /// Whether a start was followed by the loss of the job's work.
    #[inline]
    fn is_old(&self, job: JobId, seq: u32) -> bool {
        !self.requeued.is_empty() && self.requeued.get(&job).is_some_and(|&latest| latest != seq)
    }

    fn count_end(&mut self, job: JobId, now: Time) {
        self.ended += 1;
        self.arrivals.left(job, now);
        let in_log = self.arrivals.in_log(job);
        if let Some(awaited) = self.awaited.as_mut().filter(|_| self.stop.awaits(in_log)) {
            *awaited -= 1;
            if *awaited == 0 {
                self.stopped = Some(now);
            }
        }
        if let Some(progress) = self.run.progress.filter(|_| self.ended.is_multiple_of(8192)) {
            progress(self.ended);
        }
    }

    /// Moves the cluster's new records to the outcome: where jobs were placed and, if time can be shared, how
    /// fast they ran.
    fn close_stretches(&mut self) {
        if !self.stage.cluster.shares_time() {
            return;
        }
        for (job, at, placement) in self.stage.cluster.drain_moves() {
            self.outcome.places.push(job, at, &placement.0);
        }
        for stretch in self.stage.cluster.drain_stretches() {
            if !self.shares {
                continue;
            }
            let rate = stretch.rate.to_f64();
            let kind = match stretch.busy {
                Some(Busy::Migrating) => IntervalKind::Migrate,
                Some(Busy::Swapping) => IntervalKind::Swap,
                None if rate > 0.0 => IntervalKind::Run,
                None => IntervalKind::Paused,
            };
            self.outcome.intervals.push(Interval {
                job: stretch.job,
                from: stretch.from,
                to: stretch.to,
                rate,
                kind,
            });
        }
    }
}
