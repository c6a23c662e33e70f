//! Limits on the jobs on the machine: a policy around another that considers the jobs within the limits only.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use batchlab_traces::limits::{Counted, Limit, LimitTable, LimitedQuantity};
use batchlab_traces::{JobId, Time, Workload};

use crate::event::Event;
use crate::journal::{Act, HeldBy};
use crate::policy::{Late, Overtaking, Policy, PolicyError};
use crate::tally;
use crate::turn::Turn;

/// Shows a policy the waiting jobs that may start under limits on running jobs.
///
/// A job that would exceed a limit is not in the policy's queue: it holds no reservation and blocks no other job, as
/// in Slurm, whose scheduler skips jobs that wait for an association or QOS limit. When jobs of its class end, it is
/// in the queue again, at its place in the order of priority. If a start exhausts a limit, the policy's further starts
/// of the same decision do not count; it decides again without the jobs that have to wait now. So a schedule is that
/// of the policy on the jobs that may start, at every instant.
///
/// A change of what a class may still use costs O(w log n) for the w waiting jobs that may start because of it, or may
/// not any more.
pub(super) struct Running<'a> {
    inner: Box<dyn Policy + 'a>,
    guard: Guard,
}

impl<'a> Running<'a> {
    pub(super) fn new(inner: Box<dyn Policy + 'a>, table: &LimitTable) -> Running<'a> {
        let limits = table.limits.iter().enumerate();
        let shares = limits.filter(|(_, limit)| limit.counted == Counted::Running).map(|(at, limit)| {
            let classes = vec![Class::default(); limit.count_classes()];
            Share { at, limit: Arc::new(limit.clone()), classes }
        });
        Running { inner, guard: Guard { shares: shares.collect(), ..Guard::default() } }
    }
}

impl Policy for Running<'_> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut events = self.guard.screen(turn);
        if events.is_empty() && !turn.events().is_empty() {
            return self.guard.wake(turn);
        }
        loop {
            let mut guard = std::mem::take(&mut self.guard);
            let shown = std::mem::take(&mut guard.shown);
            let decided = self.inner.decide(&mut turn.guarded(&events, &shown, &mut guard));
            guard.shown = shown;
            self.guard = guard;
            decided?;
            events = self.guard.settle(turn);
            if events.is_empty() {
                return self.guard.wake(turn);
            }
        }
    }

    fn finish(&mut self) -> Result<(), PolicyError> {
        self.inner.finish()
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.inner.expired(late)
    }

    fn in_order(&mut self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>) {
        self.inner.in_order(visit);
    }

    fn overtaking(&self) -> Overtaking {
        self.inner.overtaking()
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        let mut guard = std::mem::take(&mut self.guard);
        let shown = std::mem::take(&mut guard.shown);
        let taken = self.inner.take_over(&mut turn.guarded(&[], &shown, &mut guard), job, room);
        guard.shown = shown;
        self.guard = guard;
        let taken = taken?;
        let withdrawn = self.guard.settle(turn);
        self.guard.untold.extend(withdrawn);
        Ok(taken)
    }
}

/// What the running jobs use of the limits, and which waiting jobs may start.
#[derive(Default)]
pub(crate) struct Guard {
    shares: Vec<Share>,
    /// The waiting jobs that the policy sees.
    shown: BTreeSet<JobId>,
    /// The jobs on the machine, with the instants of their expected ends.
    running: BTreeMap<JobId, Time>,
    /// Jobs started in this decision.
    started: Vec<JobId>,
    /// Jobs whose start did not count: the policy has dropped them from its queue.
    void: BTreeSet<JobId>,
    /// Whether a start has exhausted a limit for which other jobs wait, so that further starts do not count.
    exhausted: bool,
    /// Whether the policy asks before each start, so that its further starts count all the same.
    heeded: bool,
    /// The classes, by limit, whose use has changed.
    touched: BTreeSet<(usize, usize)>,
    /// The classes, by limit, in which jobs have no room.
    full: BTreeSet<(usize, usize)>,
    /// The instants for which the policy, and not the limits, requested wake-ups.
    wakes: BTreeSet<Time>,
    /// Events that the policy has not heard of yet.
    untold: Vec<Event>,
    /// What became of jobs in this decision, for the journal.
    notes: Vec<(JobId, Act)>,
}

/// One limit, and its classes.
struct Share {
    /// Its position in the table.
    at: usize,
    limit: Arc<Limit>,
    classes: Vec<Class>,
}

/// What the jobs of a class use, and who of it waits.
#[derive(Clone, Default)]
struct Class {
    used: i128,
    /// For processor-time: the running jobs by expected end, with their processors; `used` is Σ processors × end.
    ends: BTreeMap<(Time, JobId), i64>,
    /// Σ processors of `ends`.
    procs: i128,
    /// The waiting jobs that the policy sees, by amount.
    shown: BTreeSet<(i128, JobId)>,
    /// The waiting jobs that have no room in this class, by amount.
    parked: BTreeSet<(i128, JobId)>,
}

impl Class {
    /// Returns what the running jobs use at an instant.
    fn used(&self, now: Time) -> i128 {
        self.used - self.procs * i128::from(now.ticks())
    }

    /// Removes jobs that have outlived their estimate: they may use nothing more.
    fn retire(&mut self, now: Time) {
        while let Some((&(end, job), &procs)) =
            self.ends.first_key_value().filter(|((end, _), _)| *end <= now)
        {
            self.ends.remove(&(end, job));
            self.drop_work(end, procs);
        }
    }

    fn drop_work(&mut self, end: Time, procs: i64) {
        self.used -= i128::from(procs) * i128::from(end.ticks());
        self.procs -= i128::from(procs);
    }
}

impl Share {
    fn room(&mut self, class: usize, now: Time) -> i128 {
        self.classes[class].retire(now);
        self.limit.most - self.classes[class].used(now)
    }

    fn begins(&mut self, workload: &Workload, job: JobId, end: Time) {
        let Some(class) = self.limit.class(workload, job) else { return };
        let amount = self.limit.amount(workload, job);
        let class = &mut self.classes[class];
        class.shown.remove(&(amount, job));
        if self.limit.quantity == LimitedQuantity::Work {
            let procs = workload.procs(job);
            class.ends.insert((end, job), procs);
            class.used += i128::from(procs) * i128::from(end.ticks());
            class.procs += i128::from(procs);
        } else {
            class.used += amount;
        }
    }

    fn ends(&mut self, workload: &Workload, job: JobId, end: Time) {
        let Some(class) = self.limit.class(workload, job) else { return };
        let class = &mut self.classes[class];
        if self.limit.quantity == LimitedQuantity::Work {
            if let Some(procs) = class.ends.remove(&(end, job)) {
                class.drop_work(end, procs);
            }
        } else {
            class.used -= self.limit.amount(workload, job);
        }
    }
}

impl Guard {
    /// Whether a waiting job may start now.
    pub(crate) fn has_room(&mut self, workload: &Workload, job: JobId, now: Time) -> bool {
        !self.exhausted && self.blocking(workload, job, now).is_none()
    }

    /// Whether a waiting job may start now; if not, the policy drops it.
    pub(crate) fn admits(&mut self, workload: &Workload, job: JobId, now: Time) -> bool {
        let admits = self.has_room(workload, job, now);
        if !admits {
            self.void.insert(job);
        }
        admits
    }

    /// The policy asks [`Guard::has_room_beside`] before each start.
    pub(crate) fn heed(&mut self) {
        self.heeded = true;
    }

    /// Whether a job may start now beside the running jobs and some others; it may be one of the running jobs itself.
    /// O(limits × others).
    pub(crate) fn has_room_beside(
        &mut self,
        workload: &Workload,
        job: JobId,
        others: &[JobId],
        now: Time,
    ) -> bool {
        let runs = self.running.contains_key(&job);
        self.shares.iter_mut().filter(|share| share.limit.binds(workload, job)).all(|share| {
            let Some(class) = share.limit.class(workload, job) else { return true };
            let others = others.iter().filter(|&&other| share.limit.class(workload, other) == Some(class));
            let beside: i128 = others.map(|&other| share.limit.amount(workload, other)).sum();
            let own = if runs { 0 } else { share.limit.amount(workload, job) };
            beside + own <= share.room(class, now)
        })
    }

    /// A waiting job starts.
    pub(crate) fn starts(&mut self, workload: &Workload, job: JobId, now: Time) {
        let end = now.saturating_add(workload.estimate(job));
        for (at, share) in self.shares.iter_mut().enumerate() {
            share.begins(workload, job, end);
            if let Some(class) = share.limit.class(workload, job) {
                self.touched.insert((at, class));
                let room = share.room(class, now);
                let others = share.classes[class].shown.last();
                self.exhausted |= !self.heeded && others.is_some_and(|&(amount, _)| amount > room);
            }
        }
        self.running.insert(job, end);
        self.started.push(job);
    }

    /// Whether the policy has dropped a waiting job in this decision.
    pub(crate) fn has_dropped(&self, job: JobId) -> bool {
        self.void.contains(&job)
    }

    /// The policy requests a wake-up.
    pub(crate) fn wakes_at(&mut self, at: Time) {
        self.wakes.insert(at);
    }

    /// Returns the first limit under which a job has no room.
    fn blocking(&mut self, workload: &Workload, job: JobId, now: Time) -> Option<usize> {
        self.shares.iter_mut().position(|share| {
            let class = share.limit.class(workload, job).filter(|_| share.limit.binds(workload, job));
            class.is_some_and(|class| share.limit.amount(workload, job) > share.room(class, now))
        })
    }

    /// Returns the events for the policy: those of the jobs that it sees, and of the jobs that it sees from now on.
    fn screen(&mut self, turn: &mut Turn<'_>) -> Vec<Event> {
        let now = turn.now();
        let mut events = std::mem::take(&mut self.untold);
        let mut has_room = false;
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => match self.blocking(turn.workload(), job, now) {
                    None => self.show(turn.workload(), job),
                    Some(share) => {
                        self.park(turn.workload(), job, share);
                        turn.tally(tally::HELD_BACK);
                        continue;
                    }
                },
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    let ran = self.running.contains_key(&job);
                    has_room |= ran;
                    self.leave(turn.workload(), job);
                    if !ran && event == Event::Killed(job) && !self.shown.contains(&job) {
                        self.unpark(turn.workload(), job);
                        continue;
                    }
                    self.hide(turn.workload(), job);
                }
                Event::Displaced(job) => {
                    has_room = true;
                    self.leave(turn.workload(), job);
                    self.show(turn.workload(), job);
                }
                Event::Woke(at) => {
                    has_room = true;
                    if !self.wakes.remove(&at) {
                        continue;
                    }
                }
                Event::Suspended(_) | Event::Resumed(_) | Event::Loaded(_) | Event::Capacity(_) => {}
            }
            events.push(event);
        }
        if has_room {
            self.readmit(turn.workload(), now, &mut events);
        }
        self.withdraw(turn.workload(), now, &mut events);
        events
    }

    /// Takes note of a decision; returns the events after which the policy has to decide again: starts that did not
    /// count, and jobs that have to wait now.
    fn settle(&mut self, turn: &Turn<'_>) -> Vec<Event> {
        let workload = turn.workload();
        let mut events = Vec::new();
        for job in std::mem::take(&mut self.started) {
            self.shown.remove(&job);
        }
        let rejected: Vec<JobId> = turn.rejected().collect();
        for job in rejected {
            self.hide(workload, job);
        }
        self.withdraw(workload, turn.now(), &mut events);
        for job in std::mem::take(&mut self.void) {
            if self.shown.contains(&job) {
                events.push(Event::Submitted(job));
            }
        }
        self.exhausted = false;
        events
    }

    /// Requests a decision for the instant at which the remaining processor-time of running jobs leaves room for a job.
    fn wake(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.notes.drain(..).for_each(|(job, act)| turn.note(job, act));
        let now = turn.now();
        let mut next: Option<Time> = None;
        for &(share, class) in &self.full {
            let Share { limit, classes, .. } = &mut self.shares[share];
            let class = &mut classes[class];
            let parked = class.parked.first().filter(|_| limit.quantity == LimitedQuantity::Work);
            let Some(&(amount, _)) = parked else { continue };
            class.retire(now);
            let Some(&(first_end, _)) = class.ends.keys().next() else { continue };
            let excess = class.used(now) + amount - limit.most;
            let ticks = (excess + class.procs - 1).div_euclid(class.procs.max(1)).max(1);
            let at = now.saturating_add(Time::from_ticks(i64::try_from(ticks).unwrap_or(i64::MAX)));
            next = Some(next.unwrap_or(Time::MAX).min(at.min(first_end)));
        }
        if let Some(at) = next {
            turn.wake_at(at)?;
        }
        Ok(())
    }

    fn leave(&mut self, workload: &Workload, job: JobId) {
        let Some(end) = self.running.remove(&job) else { return };
        for (at, share) in self.shares.iter_mut().enumerate() {
            share.ends(workload, job, end);
            self.touched.extend(share.limit.class(workload, job).map(|class| (at, class)));
        }
    }

    fn show(&mut self, workload: &Workload, job: JobId) {
        self.shown.insert(job);
        for share in self.shares.iter_mut().filter(|share| share.limit.binds(workload, job)) {
            if let Some(class) = share.limit.class(workload, job) {
                share.classes[class].shown.insert((share.limit.amount(workload, job), job));
            }
        }
    }

    fn hide(&mut self, workload: &Workload, job: JobId) {
        self.shown.remove(&job);
        for share in &mut self.shares {
            if let Some(class) = share.limit.class(workload, job) {
                share.classes[class].shown.remove(&(share.limit.amount(workload, job), job));
            }
        }
    }

    fn park(&mut self, workload: &Workload, job: JobId, at: usize) {
        let share = &mut self.shares[at];
        if let Some(class) = share.limit.class(workload, job) {
            share.classes[class].parked.insert((share.limit.amount(workload, job), job));
            self.full.insert((at, class));
            self.notes.push((job, Act::HeldBack(HeldBy::Table(share.at))));
        }
    }

    fn unpark(&mut self, workload: &Workload, job: JobId) {
        for share in &mut self.shares {
            if let Some(class) = share.limit.class(workload, job) {
                share.classes[class].parked.remove(&(share.limit.amount(workload, job), job));
            }
        }
    }

    /// Shows the jobs that have room again, in the order of submission.
    fn readmit(&mut self, workload: &Workload, now: Time, events: &mut Vec<Event>) {
        let mut found = Vec::new();
        // The work that running jobs may still do shrinks with time, everything else with ends only.
        let is_work = |&&(at, _): &&(usize, usize)| self.shares[at].limit.quantity == LimitedQuantity::Work;
        let mut due: BTreeSet<(usize, usize)> = self.touched.intersection(&self.full).copied().collect();
        if self.shares.iter().any(|share| share.limit.quantity == LimitedQuantity::Work) {
            due.extend(self.full.iter().filter(is_work));
        }
        for (at, class) in due {
            let share = &mut self.shares[at];
            let room = share.room(class, now);
            let parked = &mut share.classes[class].parked;
            let none = parked.split_off(&(room + 1, JobId(0)));
            if none.is_empty() {
                self.full.remove(&(at, class));
            }
            found.extend(std::mem::replace(parked, none).into_iter().map(|(_, job)| job));
        }
        found.sort_unstable();
        for job in found {
            match self.blocking(workload, job, now) {
                Some(share) => self.park(workload, job, share),
                None => {
                    self.show(workload, job);
                    self.notes.push((job, Act::Admitted));
                    events.push(Event::Submitted(job));
                }
            }
        }
    }

    /// Withdraws the jobs that have no room any more from the policy.
    fn withdraw(&mut self, workload: &Workload, now: Time, events: &mut Vec<Event>) {
        for (at, class) in std::mem::take(&mut self.touched) {
            let share = &mut self.shares[at];
            let room = share.room(class, now);
            let over = share.classes[class].shown.split_off(&(room + 1, JobId(0)));
            for (_, job) in over {
                self.hide(workload, job);
                self.park(workload, job, at);
                self.void.remove(&job);
                events.push(Event::Killed(job));
            }
        }
    }
}
