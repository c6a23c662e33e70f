//! The life cycle of the jobs: when they end, what takes them off the machine before, and what is recorded of them.

use batchlab_support::cluster::{Cluster, State};
use batchlab_support::journal::Act;
use batchlab_support::stage::{Effect, Setup, Stage};
use batchlab_support::{Event, JobView, Journal, Late, Policy, Turn, tally};
use batchlab_traces::capacity::Evicted;
use batchlab_traces::priorities::Preempted;
use batchlab_traces::{JobId, Time};

use super::arrivals::ArrivalQueue;
use super::coming::Coming;
use super::decisions::Decided;
use super::ends::Ends;
use super::goal::Goal;
use super::record::Record;
use super::scenario::{Run, Scenario};
use super::stream::Stream;
use crate::outcome::{Fate, Outcome};

/// The jobs from their entry to their end.
pub(super) struct Lifecycle<'a> {
    arrivals: ArrivalQueue,
    stage: Stage,
    /// What the policy hears of at its next decision.
    events: Vec<Event>,
    ends: Ends,
    /// The expected ends of jobs that run beyond them, each with the place in the order of starts.
    expiries: Coming<(u32, JobId)>,
    goal: Goal<'a>,
    record: Record<'a>,
}

impl<'a> Lifecycle<'a> {
    pub(super) fn new(scenario: &Scenario, setup: &Setup, run: Run<'a>) -> Lifecycle<'a> {
        let mut stage = Stage::new(&scenario.machine, &scenario.workload, setup);
        let arrivals = ArrivalQueue::new(&scenario.workload);
        if arrivals.is_closed() {
            stage.cluster.open();
        }
        let jobs = stage.cluster.shares_time().then(|| scenario.workload.len());
        Lifecycle {
            arrivals,
            stage,
            events: Vec::new(),
            ends: Ends::new(jobs),
            expiries: Coming::new(),
            goal: Goal::new(&scenario.stop, run.progress),
            record: Record::new(setup),
        }
    }

    pub(super) fn with_stream(self, stream: &'a mut dyn Stream) -> Lifecycle<'a> {
        Lifecycle { record: self.record.with_stream(stream), ..self }
    }

    pub(super) fn cluster(&self) -> &Cluster {
        &self.stage.cluster
    }

    /// Returns the state that the policy acts on, for changes that concern no job.
    pub(super) fn stage(&mut self) -> &mut Stage {
        &mut self.stage
    }

    pub(super) fn len(&self) -> usize {
        self.arrivals.workload().len()
    }

    pub(super) fn turn(&mut self, now: Time) -> Turn<'_> {
        self.stage.same_turn(now, &self.events)
    }

    /// Returns what the policy has not heard of yet.
    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn tell(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Whether all jobs that the replay waits for have ended, if it does not wait for all.
    pub(super) fn is_over(&self) -> bool {
        self.goal.reached.is_some()
    }

    /// Returns the next instant of an arrival, an end, an expiry or a wake-up.
    pub(super) fn next(&mut self) -> Option<Time> {
        if self.record.has_more() {
            self.refill();
        }
        let arrival = self.arrivals.next().map(|(at, _)| at);
        let end = self.ends.next(&self.stage.cluster);
        let wake = self.stage.wakes.first().copied();
        earlier(earlier(arrival, end), earlier(self.expiries.next(), wake))
    }

    /// Takes sections of a stream until the next arrivals are all here, and hands on the jobs before the first that has not
    /// ended.
    fn refill(&mut self) {
        while self.record.has_more() {
            let workload = self.arrivals.workload();
            let last = JobId(workload.end().0.saturating_sub(1));
            if self.arrivals.next().is_some_and(|(at, _)| at < workload.submit(last)) {
                return;
            }
            let from = self.hand_on();
            // No file of a stream has processors by number or the policy's words.
            self.stage.processors.clear();
            self.stage.descriptions.clear();
            let Some(more) = self.record.more() else { return };
            self.arrivals.go_on(from, &more);
            self.stage.go_on(self.arrivals.workload());
        }
    }

    /// Hands on the jobs of a stream before the first that has not ended; returns that job.
    fn hand_on(&mut self) -> JobId {
        // The policy has not heard of the last events.
        let told = |job| !self.events.iter().any(|event| event.job() == Some(job));
        self.record.hand_on(self.arrivals.workload(), &self.stage.cluster, told)
    }

    /// Takes the next arrival if it is due. Returns the job, and when its user cancels it.
    pub(super) fn enter(&mut self, now: Time) -> Option<(JobId, Option<Time>)> {
        self.arrivals.next().filter(|&(at, _)| at <= now)?;
        let (at, job) = self.arrivals.take()?;
        let patience = self.arrivals.workload().patience(job);
        let job = self.identity(job, at);
        self.stage.cluster.submit(job);
        Some((job, patience.map(|patience| at.saturating_add(patience))))
    }

    fn identity(&mut self, job: JobId, at: Time) -> JobId {
        if self.arrivals.is_closed() {
            return self.stage.cluster.admit(self.arrivals.workload(), job, at);
        }
        job
    }

    pub(super) fn take_end(&mut self, now: Time) -> Option<JobId> {
        self.ends.take(now, &self.stage.cluster)
    }

    pub(super) fn finish(&mut self, job: JobId, now: Time) {
        if self.stage.cluster.end(job, now).is_ok() {
            self.count_end(job, now);
        }
        self.reorder(now);
        self.record.take_moves(&mut self.stage.cluster);
    }

    /// Whether a job that was to end at this instant still does. An earlier decision may have displaced it:
    /// it ends nevertheless if its work is done and was not lost.
    pub(super) fn is_done(&self, job: JobId, now: Time) -> bool {
        let cluster = &self.stage.cluster;
        match cluster.state(job) {
            State::Leaving => true,
            State::Resident if !cluster.shares_time() => true,
            State::Resident | State::Waiting => cluster.executed(job, now) >= cluster.workload().run(job),
            State::Future | State::Done => false,
        }
    }

    /// Frees the processors of a job that ends at this instant, if it is expected to.
    pub(super) fn release(&mut self, job: JobId, now: Time) {
        if self.stage.expected_end(job) <= now {
            self.stage.cluster.release(job, now);
            self.events.push(Event::Released(job));
        }
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
            changed |= self.schedule(job, self.ends.place(job), now);
        }
        changed
    }

    /// Wakes the policy if a wake-up is due; several at one instant count as one.
    pub(super) fn wake(&mut self, now: Time) {
        let mut woke = false;
        while self.stage.wakes.first().is_some_and(|at| *at <= now) {
            self.stage.wakes.pop_first();
            woke = true;
        }
        if woke {
            self.events.push(Event::Woke(now));
        }
    }

    pub(super) fn end_swap(&mut self, job: JobId, now: Time) {
        match self.stage.cluster.swapped(job, now) {
            Some(true) => self.events.push(Event::Displaced(job)),
            Some(false) => self.events.push(Event::Loaded(job)),
            // The job has ended meanwhile.
            None => {}
        }
    }

    /// Asks the policy about jobs whose expected end is at this instant. A job that actually ends at this instant is not late.
    pub(super) fn expire(&mut self, now: Time, policy: &mut dyn Policy) {
        while let Some((_, (place, job))) = self.expiries.take(now) {
            // A job that was suspended in place is expected again when it resumes.
            let is_old = self.ends.is_old(job, place)
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
            let started = started + self.stage.delay(job);
            let late = Late { job: JobView::new(self.stage.cluster.workload(), job), started, now };
            // A new expectation that is not longer than the last one is ignored.
            let longer = policy.expired(late).filter(|&duration| duration > before);
            self.stage.expected.insert(job, longer.unwrap_or(Time::MAX));
            self.expect(job, place, now);
        }
    }

    pub(super) fn ask(&mut self) {
        self.stage.decision += 1;
    }

    /// Takes the effects of the decision, after which nothing is news.
    pub(super) fn decided(&mut self) -> Vec<Effect> {
        self.events.clear();
        std::mem::take(&mut self.stage.effects)
    }

    /// The effects of the decision have been carried out, and `acted` says whether a job started or ended or changed its rate:
    /// gives the list back, and sums the decision up.
    pub(super) fn settle(&mut self, effects: Vec<Effect>, acted: bool, now: Time) -> Decided {
        self.stage.effects = effects;
        let acted = acted | self.reorder(now);
        self.record.take_moves(&mut self.stage.cluster);
        let happened = (self.arrivals.count(), self.goal.ended);
        let record = if self.stage.cluster.shares_time() { self.bytes() } else { 0 };
        Decided { acted, happened, work: std::mem::take(&mut self.stage.work), record }
    }

    /// Returns the bytes recorded so far for jobs whose rate changes, and for ends and expiries in the
    /// queues, stale ones included. O(1).
    fn bytes(&self) -> u64 {
        let queued = self.ends.bytes() + self.expiries.bytes();
        self.stage.cluster.epoch_bytes() + queued as u64 + self.record.bytes()
    }

    pub(super) fn place(&mut self, job: JobId, now: Time) {
        self.record.started(job, &self.stage.expected);
        let place = self.ends.start(job);
        self.schedule(job, place, now);
        self.expect(job, place, now);
        self.arrivals.started(job, now);
    }

    /// A job's rate or placement changed. Returns whether its end did.
    pub(super) fn rate(&mut self, job: JobId, now: Time) -> bool {
        self.schedule(job, self.ends.place(job), now)
    }

    pub(super) fn resume(&mut self, job: JobId, now: Time) {
        let place = self.ends.place(job);
        self.schedule(job, place, now);
        self.expect(job, place, now);
    }

    /// A job left the machine and waits again.
    pub(super) fn displace(&mut self, job: JobId) {
        self.ends.forget(job);
        self.events.push(Event::Displaced(job));
    }

    pub(super) fn kill(&mut self, job: JobId, now: Time) {
        self.ends.end_early(job);
        let fate = if self.stage.cluster.ended(job).is_some() { Fate::Killed } else { Fate::Rejected };
        self.leave(job, fate, now);
        self.events.push(Event::Killed(job));
    }

    pub(super) fn reject(&mut self, job: JobId, now: Time) {
        self.leave(job, Fate::Rejected, now);
    }

    fn leave(&mut self, job: JobId, fate: Fate, now: Time) {
        self.record.set_fate(job, fate, self.len());
        self.count_end(job, now);
    }

    /// Removes a job that its user cancels now, from the queue or from the machine. A job that has only just been submitted
    /// is not reported to the policy.
    pub(super) fn cancel(&mut self, job: JobId, now: Time) {
        if !matches!(self.stage.cluster.state(job), State::Waiting | State::Resident) {
            return;
        }
        self.ends.end_early(job);
        let ended = self.stage.cluster.end(job, now);
        debug_assert!(ended.is_ok(), "a job in the queue or on the machine can end");
        self.leave(job, Fate::Cancelled, now);
        match self.events.iter().position(|event| *event == Event::Submitted(job)) {
            Some(at) => drop(self.events.remove(at)),
            None => self.events.push(Event::Killed(job)),
        }
        self.reorder(now);
        self.record.take_moves(&mut self.stage.cluster);
    }

    /// Takes a job's processors for a job of a higher tier.
    pub(super) fn take_processors(&mut self, job: JobId, how: Preempted, now: Time) {
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

    fn suspend(&mut self, job: JobId, now: Time) {
        let suspended = self.stage.cluster.suspend(job, now);
        debug_assert!(suspended.is_ok(), "a job on the machine that is not suspended can be");
        self.ends.forget(job);
        self.stage.note(now, job, Act::Suspended);
        *self.stage.tallies.entry(tally::PREEMPTED_SUSPENDED).or_default() += 1;
        self.events.push(Event::Suspended(job));
        self.record.take_moves(&mut self.stage.cluster);
    }

    /// Takes a job off the machine because capacity goes out of service.
    pub(super) fn evict(&mut self, job: JobId, evicted: Evicted, now: Time) {
        let killed = self.leave_machine(job, evicted, now);
        let what = if killed { tally::EVICTED } else { tally::REQUEUED };
        *self.stage.tallies.entry(what).or_default() += 1;
    }

    /// Takes a job off the machine: it ends, or loses its work and waits again. Returns whether it has ended.
    fn leave_machine(&mut self, job: JobId, evicted: Evicted, now: Time) -> bool {
        let started = self.stage.cluster.started(job);
        self.stage.forget_delay(job);
        let ends = evicted == Evicted::Killed || self.stage.cluster.requeue(job, now).is_err();
        if ends {
            // A job on the machine can always end.
            let ended = self.stage.cluster.end(job, now);
            debug_assert!(ended.is_ok(), "a job in the way is on the machine");
            self.kill(job, now);
        } else {
            self.ends.lose(job);
            if let Some(from) = started {
                self.record.lost(job, from, now);
            }
            self.events.push(Event::Displaced(job));
        }
        self.record.take_moves(&mut self.stage.cluster);
        ends
    }

    /// Records the end of a job. Returns whether it changed.
    fn schedule(&mut self, job: JobId, place: u32, now: Time) -> bool {
        self.ends.set(job, place, self.ends_at(job, now))
    }

    /// Returns the instant at which a job on the machine ends, if nothing changes.
    pub(super) fn ends_at(&self, job: JobId, now: Time) -> Option<Time> {
        match self.stage.cluster.state(job) {
            State::Resident => self.stage.cluster.done_at(job, self.stage.cluster.workload().run(job), now),
            State::Leaving => Some(now),
            _ => None,
        }
    }

    /// Adds an expiry for a job that will run beyond its expected end. Jobs that keep their estimates cost nothing.
    fn expect(&mut self, job: JobId, place: u32, now: Time) {
        let expected = self.stage.expected_end(job);
        if self.ends_at(job, now).is_none_or(|end| expected < end) && expected < Time::MAX {
            self.expiries.add(expected.max(now), (place, job));
        }
    }

    fn count_end(&mut self, job: JobId, now: Time) {
        self.arrivals.left(job, now);
        self.goal.count(self.arrivals.in_log(job), now);
    }

    /// Ends the replay at its stop, if it was reached: jobs that have not ended, and jobs still to arrive, become unfinished.
    pub(super) fn cut(&mut self) {
        let Some(at) = self.goal.reached else { return };
        while let Some(job) = self.take_end(at) {
            self.finish(job, at);
        }
        while self.enter(at).is_some() {}
        let left: Vec<JobId> = self.stage.cluster.waiting().chain(self.stage.cluster.resident()).collect();
        for job in left {
            if self.stage.cluster.end(job, at).is_ok() {
                self.record.set_fate(job, Fate::Unfinished, self.len());
            }
        }
        self.close_entry(Fate::Unfinished, at);
        self.record.take_moves(&mut self.stage.cluster);
    }

    /// Gives a fate to the jobs that have not entered; none of them runs.
    pub(super) fn close_entry(&mut self, fate: Fate, at: Time) {
        self.arrivals.release_all(at);
        while let Some((entry, job)) = self.arrivals.take() {
            let job = self.identity(job, entry);
            self.record.set_fate(job, fate, self.len());
        }
    }

    pub(super) fn turn_away(&mut self, jobs: Vec<JobId>, reason: &'static str, at: Time) {
        for job in jobs {
            self.stage.turn_away(at, job, reason);
            self.leave(job, Fate::Rejected, at);
        }
    }

    pub(super) fn held(&self) -> Option<(usize, i64)> {
        self.arrivals.held()
    }

    /// Returns the outcome when nothing is left to happen, and the journal if one is kept.
    pub(super) fn close(mut self) -> (Outcome, Option<Journal>) {
        self.hand_on();
        let is_closed = self.arrivals.is_closed();
        let is_cancelled = self.arrivals.workload().has_cancellations();
        let workload = self.stage.cluster.share_workload();
        if is_cancelled {
            self.record.mark_cancelled(&workload);
        }
        let outcome = self.record.close(&mut self.stage, is_closed.then_some(workload));
        (outcome, self.stage.journal)
    }
}

pub(super) fn earlier(one: Option<Time>, other: Option<Time>) -> Option<Time> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        _ => one.or(other),
    }
}
