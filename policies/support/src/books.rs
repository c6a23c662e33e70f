//! The books of a backfilling policy: the waiting jobs in their order, the running jobs with their expected ends.
//!
//! The candidate order is by default the queue order, so that EASY on a queue in another order differs from EASY in that
//! order only.
//!
//! A policy with books is a `Keeper`: it makes decisions, and the books answer the other calls of the trait `Policy`.

mod aside;
mod starts;

use std::cell::RefCell;

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use super::estimates::Estimates;
use super::foreseen::Foreseen;
use super::front::{Need, Room};
use super::hosts::Hosts;
use super::ledger::Ledger;
use super::order::{HALF_LIFE, NAMES, ORDER, Order, Watch};
use super::queue::{Queue, Rank, THRESHOLD, need};
use super::releases::Releases;
use super::shapes::{Roomless, Shape};
use super::starts::{choose_now, free_in_all, has_room_now, may_have_room};
use super::wait_limit::WaitLimit;
use crate::cluster::{Placed, State};
use crate::event::Event;
use crate::placement::Rate;
use crate::policy::{Late, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, Setting};
use crate::turn::Turn;
use crate::view::JobView;

pub const CANDIDATES: ParamSpec = ParamSpec {
    name: "candidates",
    kind: ParamKind::OrderOr("queue", NAMES),
    default: "queue",
    help: "candidate order: the order in which the jobs behind the reservation are tried; queue is the queue order",
    ..ORDER
};

/// Whether a head that does not fit stays the head: its place no longer depends on the order.
pub const COMMIT: ParamSpec = ParamSpec {
    name: "commit",
    kind: ParamKind::Choice(&["false", "true"]),
    default: "false",
    help: "a head that does not fit stays the head until it starts, whatever comes or becomes more urgent meanwhile",
    ..ParamSpec::PLAIN
};

/// Queue, candidates, running jobs and estimates, kept up to date from events.
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Books<const K: usize> {
    pub queue: Queue<K>,
    /// The waiting jobs in candidate order, if it differs from the queue order.
    pub candidates: Option<Queue<K>>,
    /// The running jobs by expected end, unless [`Books::without_releases`].
    pub running: Releases<K>,
    lists_running: bool,
    /// Whether waiting jobs get their ranks when they arrive and keep them.
    is_steady: bool,
    /// Whether a head stays the head ([`COMMIT`]).
    commits: bool,
    pub estimates: Estimates,
    /// The rule that chooses nodes, on machines that are not pools.
    pub hosts: Option<Hosts>,
    /// Whether limits put waiting jobs aside: a decision ends at the start that exhausts a limit.
    has_aside: bool,
    suspends: bool,
    /// The end and the start under which jobs that were suspended are listed among the running jobs.
    resumed: FxHashMap<JobId, (Time, Time)>,
    /// The resources that users hold and have used, if an order looks at them.
    ledger: Option<Ledger<K>>,
    /// On a pool: the known closures, and the capacity that they leave.
    pub foreseen: Foreseen<K>,
    /// The hidden jobs that a decision waits for ([`Books::awaits`]); `None` if that is not known.
    awaited: Option<(Rank, Room<K>, Time)>,
    /// The shapes for which the nodes have no room, as of a number of gifts.
    full: RefCell<(u64, Roomless<K>)>,
}

impl<const K: usize> Books<K> {
    /// Returns empty books for the parameters `order`, `candidates` and their options, as far as declared.
    /// On machines that are not pools, nodes are chosen by the parameter `place`.
    ///
    /// # Errors
    /// When an order, the predictor or the threshold is an invalid expression, or a plug-in that cannot begin.
    pub fn new(params: &Params, setting: &Setting<'_>) -> Result<Books<K>, BuildError> {
        let threshold = WaitLimit::from_params(params, THRESHOLD.name, setting)?;
        let new = if setting.tiers { Queue::in_tiers } else { Queue::new };
        let queue = |key| -> Result<Option<Queue<K>>, BuildError> {
            let order = Order::from_params(params, key, setting)?;
            Ok(order.map(|order| new(order, threshold.clone())))
        };
        let queued = queue(ORDER.name)?.unwrap_or_else(|| new(Order::fcfs(), threshold.clone()));
        // Without a separate candidate order, candidates are tried in queue order.
        let same = params.are_equal(&CANDIDATES, &ORDER);
        let candidates = if same { None } else { queue(CANDIDATES.name)? };
        let watches = |queue: &Queue<K>| queue.order().watches() != Watch::Nothing;
        let looks = watches(&queued) || candidates.as_ref().is_some_and(watches);
        let keeps = |queue: &Queue<K>| queue.is_lasting() && !queue.order().is_computed();
        Ok(Books {
            lists_running: true,
            is_steady: keeps(&queued) && candidates.as_ref().is_none_or(keeps),
            commits: params.is_on(&COMMIT)?,
            ledger: looks.then(|| Ledger::new(setting.machine, params.duration(HALF_LIFE.name))),
            queue: queued,
            candidates,
            running: Releases::default(),
            has_aside: false,
            suspends: false,
            resumed: FxHashMap::default(),
            estimates: Estimates::from_params(params, setting)?,
            hosts: setting.by_node.then(|| Hosts::from_params(params)).transpose()?,
            foreseen: Foreseen::default(),
            awaited: None,
            full: RefCell::default(),
        })
    }

    /// Returns the books of a policy that never asks when running jobs end: they are not listed.
    #[must_use]
    pub fn without_releases(self) -> Books<K> {
        Books { lists_running: false, ..self }
    }

    /// Updates the books with the events, and ranks the queues for the present instant.
    pub fn settle(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.cover(false);
        self.awaited = None;
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => {
                    self.estimates.submitted(turn, job)?;
                    self.wait(turn, job);
                }
                Event::Displaced(job) => self.waits_again(turn, job),
                Event::Suspended(job) | Event::Resumed(job) => self.ends_later(turn, job),
                Event::Released(job) => self.gone(turn, job),
                Event::Finished(job) | Event::Killed(job) => {
                    self.gone(turn, job);
                    if let (Some(start), Some(end)) = (turn.started(job), turn.ended(job)) {
                        self.estimates.finished(turn.job(job), end - start - turn.delay(job));
                    }
                }
                Event::Loaded(_) | Event::Woke(_) | Event::Capacity(_) => {}
            }
        }
        for (job, prediction) in self.estimates.outdated(turn)? {
            let is_committed = self.queue.is_committed(job);
            self.unqueue(turn, job);
            self.estimates.set(turn, job, prediction);
            self.wait(turn, job);
            if is_committed {
                self.stay_head(turn, job);
            }
        }
        if turn.has_closures() && self.lists_running && self.hosts.is_none() {
            self.foreseen.renew(turn, &self.running);
        }
        if self.is_steady { Ok(()) } else { self.rank(turn, |_| true) }
    }

    pub fn keeps_ranks(&self) -> bool {
        self.is_steady && !self.estimates.predict()
    }

    #[inline]
    pub fn commits(&self) -> bool {
        self.commits
    }

    /// A head that does not fit stays the head until it starts, if the books say so.
    pub fn stay_head(&mut self, turn: &Turn<'_>, head: JobId) {
        if self.commits {
            let view = turn.job(head);
            self.queue.commit(view, self.estimates.expected(view));
        }
    }

    fn cover(&mut self, is_covered: bool) {
        self.queue.cover(is_covered);
        if let Some(candidates) = &mut self.candidates {
            candidates.cover(is_covered);
        }
    }

    fn rank(&mut self, turn: &Turn<'_>, meant: fn(&Queue<K>) -> bool) -> Result<(), PolicyError> {
        let (now, free) = (turn.now(), self.ledger.is_some().then(|| self.free(turn)));
        let know = |job: JobId| {
            let view = turn.job(job);
            (view, self.estimates.expected(view))
        };
        let queues = [Some(&mut self.queue), self.candidates.as_mut()];
        for queue in queues.into_iter().flatten().filter(|queue| meant(queue)) {
            match (&free, &self.ledger) {
                (Some(free), Some(ledger)) => queue.look(now, (free, ledger), know)?,
                _ => queue.refresh(now, know)?,
            }
        }
        Ok(())
    }

    #[inline]
    pub fn candidates(&self) -> &Queue<K> {
        self.candidates.as_ref().unwrap_or(&self.queue)
    }

    #[inline]
    pub fn need(&self, job: JobView<'_>) -> Need<K> {
        need(job, self.estimates.expected(job))
    }

    /// Returns how long a job is expected to stay: a second at least.
    #[inline]
    pub fn stay(&self, job: JobView<'_>) -> Time {
        self.estimates.expected(job).max(Time::SECOND)
    }

    #[inline]
    pub fn free(&self, turn: &Turn<'_>) -> [i64; K] {
        free_in_all(turn)
    }

    pub fn fits(&self, turn: &Turn<'_>, job: JobId) -> bool {
        match &self.hosts {
            None => turn.fits(job),
            Some(hosts) => choose_now::<K>(hosts, turn, job).is_some(),
        }
    }

    /// Whether some waiting job, at or after a rank if given, fits into the free resources.
    ///
    /// O(log n) on a pool; on nodes up to O(n · nodes), since the free total may be spread over nodes.
    pub fn anyone_fits(&self, turn: &Turn<'_>, from: Option<Rank>) -> bool {
        self.first_fitting(turn, from, &Room::unreserved(self.free(turn))).is_some()
    }

    /// Returns the first waiting job, at or after a rank if given, that fits into a room that is free now. As
    /// costly as [`Books::anyone_fits`].
    pub fn first_fitting(&self, turn: &Turn<'_>, from: Option<Rank>, room: &Room<K>) -> Option<Rank> {
        self.first_of(&self.queue, turn, from, room)
    }

    pub fn first_candidate(&self, turn: &Turn<'_>, from: Option<Rank>, room: &Room<K>) -> Option<Rank> {
        self.first_of(self.candidates(), turn, from, room)
    }

    fn first_of(
        &self,
        queue: &Queue<K>,
        turn: &Turn<'_>,
        mut from: Option<Rank>,
        room: &Room<K>,
    ) -> Option<Rank> {
        loop {
            let rank = queue.find(from, room)?;
            if self.nodes_have_room(turn, rank.job()) {
                return Some(rank);
            }
            from = Some(rank.next());
        }
    }

    /// Whether each task of a job that fits into the total of free resources has room on one node now; always true on a
    /// pool. O(nodes) for the first of several jobs of one shape, and O(1) for the others until room is given back.
    pub fn nodes_have_room(&self, turn: &Turn<'_>, job: JobId) -> bool {
        let Some(hosts) = &self.hosts else { return true };
        if !may_have_room(turn, job) {
            return false;
        }
        let mut full = self.full.borrow_mut();
        if full.0 != turn.gifts() {
            full.1.clear();
            full.0 = turn.gifts();
        }
        let shape = Shape::of(turn.machine(), turn.job(job));
        let room = || has_room_now::<K>(hosts, turn, job).then_some(());
        full.1.find(shape, Time::ZERO, room).is_some()
    }

    /// A waiting job goes to a place of which the policy keeps its own record, such as a matrix: it no longer waits.
    pub fn placed(&mut self, turn: &Turn<'_>, job: JobId) -> Result<(), PolicyError> {
        self.withdraw(turn, job)?;
        if let Some(ledger) = &mut self.ledger {
            ledger.starts(turn.job(job), turn.now());
            self.rank_after_start(turn)?;
        }
        Ok(())
    }

    /// Removes a waiting job that will not start.
    pub fn withdraw(&mut self, turn: &Turn<'_>, job: JobId) -> Result<(), PolicyError> {
        let known = self.unqueue(turn, job);
        self.estimates.withdrawn(turn.job(job));
        let unknown = PolicyError::Books { job, what: "it was started and does not wait" };
        if known { Ok(()) } else { Err(unknown) }
    }

    fn note_start(&mut self, turn: &Turn<'_>, job: JobId, placed: Placed) -> Result<Placed, PolicyError> {
        self.withdraw(turn, job)?;
        self.cover(self.has_aside && turn.has_exhausted_limits());
        self.note_running(turn, job, placed)?;
        Ok(placed)
    }

    fn note_running(&mut self, turn: &Turn<'_>, job: JobId, placed: Placed) -> Result<(), PolicyError> {
        let (view, now) = (turn.job(job), turn.now());
        if placed == Placed::Holds {
            if self.lists_running {
                let expected = self.estimates.expected(view);
                let end = now.saturating_add((expected - turn.executed(job)).max(Time::ZERO));
                if turn.started(job) != Some(now) {
                    self.resumed.insert(job, (end, now));
                }
                self.running.add(end, now, job, view.demands());
            }
            if let Some(ledger) = &mut self.ledger {
                ledger.starts(view, now);
                self.rank_after_start(turn)?;
            }
        }
        Ok(())
    }

    /// Re-ranks the queues whose order changes with a start; a walk through such a queue continues at [`Queue::onward`].
    fn rank_after_start(&mut self, turn: &Turn<'_>) -> Result<(), PolicyError> {
        let fluid = |queue: &Queue<K>| queue.order().is_fluid();
        if fluid(&self.queue) || self.candidates.as_ref().is_some_and(fluid) {
            self.rank(turn, fluid)?;
        }
        Ok(())
    }

    /// Corrects the prediction of a running job that has outlived it.
    pub fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        let (job, begun) = (late.job.id(), late.started);
        let first = (begun.saturating_add(self.estimates.expected(late.job)), begun);
        let longer = self.estimates.expired(late)?;
        let (before, start) = self.resumed.get(&job).copied().unwrap_or(first);
        if self.running.remove(before, start, job) {
            let end = begun.saturating_add(longer);
            self.running.add(end, start, job, late.job.demands());
            if let Some(listed) = self.resumed.get_mut(&job) {
                *listed = (end, start);
            }
        }
        Some(longer)
    }

    /// The replay is over: ends the plug-ins that rank and predict.
    pub fn finish(&mut self) -> Result<(), PolicyError> {
        self.queue.finish()?;
        self.estimates.finish()?;
        Ok(self.candidates.as_mut().map_or(Ok(()), Queue::finish)?)
    }

    /// Suspends a running job in place and records it: it waits again.
    pub fn pause(&mut self, turn: &mut Turn<'_>, job: JobId) -> Result<(), PolicyError> {
        turn.set_rate(job, Rate::PAUSED)?;
        self.waits_again(turn, job);
        Ok(())
    }

    /// Resumes a job that was suspended in place, and records it.
    pub fn resume(&mut self, turn: &mut Turn<'_>, job: JobId) -> Result<Placed, PolicyError> {
        turn.set_rate(job, Rate::FULL)?;
        self.note_start(turn, job, Placed::Holds)
    }

    fn waits_again(&mut self, turn: &Turn<'_>, job: JobId) {
        self.suspends = true;
        self.stops(turn, job, turn.now());
        self.wait(turn, job);
    }

    fn stops(&mut self, turn: &Turn<'_>, job: JobId, at: Time) {
        let view = turn.job(job);
        if self.lists_running {
            let start = turn.started(job).unwrap_or(at);
            let first = || (start.saturating_add(self.estimates.expected(view)), start);
            let (end, start) =
                if self.resumed.is_empty() { None } else { self.resumed.remove(&job) }.unwrap_or_else(first);
            self.running.remove(end, start, job);
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.ends(view, at);
        }
    }

    /// A running job was suspended in place or resumed: it is expected to end at another instant.
    fn ends_later(&mut self, turn: &Turn<'_>, job: JobId) {
        let (true, Some(start)) = (self.lists_running, turn.started(job)) else { return };
        let expected = self.estimates.expected(turn.job(job));
        let first = (start.saturating_add(expected), start);
        let (before, start) = self.resumed.get(&job).copied().unwrap_or(first);
        if self.running.remove(before, start, job) {
            let end = self.expected_end(turn, job);
            self.running.add(end, start, job, turn.job(job).demands());
            self.resumed.insert(job, (end, start));
        }
    }

    /// Returns when a job on the machine is expected to end, if it is not suspended again.
    pub fn expected_end(&self, turn: &Turn<'_>, job: JobId) -> Time {
        let left = self.estimates.expected(turn.job(job)) - turn.executed(job);
        turn.resumes_at(job).saturating_add(left.max(Time::ZERO))
    }

    pub fn wait(&mut self, turn: &Turn<'_>, job: JobId) {
        let view = turn.job(job);
        let expected = self.estimates.expected(view);
        self.queue.push(view, expected);
        if let Some(candidates) = &mut self.candidates {
            candidates.push(view, expected);
        }
    }

    /// A job is no longer on the machine, or was killed while it waited.
    fn gone(&mut self, turn: &Turn<'_>, job: JobId) {
        let (view, started) = (turn.job(job), turn.started(job).is_some());
        // A job that lost its work, and has left the queue, has started before.
        let withdrawn = turn.state(job) == State::Waiting;
        if started && !withdrawn {
            // With periodic decisions, an end is reported later than it happened.
            self.stops(turn, job, turn.ended(job).unwrap_or(turn.now()));
        }
        // A suspended job may end, or be killed, while it waits.
        if !started || withdrawn || self.suspends {
            self.unqueue(turn, job);
            self.estimates.withdrawn(view);
        }
    }

    fn unqueue(&mut self, turn: &Turn<'_>, job: JobId) -> bool {
        let view = turn.job(job);
        let expected = self.estimates.expected(view);
        let mut known = self.queue.remove(view, expected);
        if let Some(candidates) = &mut self.candidates {
            known &= candidates.remove(view, expected);
        }
        known
    }
}
