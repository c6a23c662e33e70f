//! A cycle of the backfill loop: which jobs it tests, and when it ends.
//!
//! A cycle goes through the queue. Each job is passed over or tested ([`trial`]); a test ends in a [`Fate`], which decides how the
//! cycle goes on.
//!
//! Source: `_attempt_backfill` (backfill.c) of Slurm 22.05.

mod reserved;
mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;
use batchlab_traces::{JobId, Time};

use super::bounds::FieldBounds;
use super::controller::{Starts, Twin};
use super::held::Held;
use super::queue::Waiting;
use super::table::NodeSpaceMap;
use crate::site::Backfill;
use reserved::Reserved;

/// What becomes of a job in a cycle.
enum Fate {
    Started,
    Reserved,
    /// It can start neither now nor within the window.
    Passed,
    /// The table is full: the cycle ends.
    Full,
}

/// The reservations of a cycle, and what they rule out.
struct Plan {
    table: NodeSpaceMap,
    /// What is known of the jobs without an advance reservation, then of those of each one.
    bounds: Vec<FieldBounds>,
    /// The advance reservations.
    reserved: Reserved,
}

impl Plan {
    /// Returns what is known of the jobs that have the same advance reservation as a job, or none as it.
    fn bounds(&mut self, job: &Waiting) -> &mut FieldBounds {
        &mut self.bounds[job.reservation.map_or(0, |at| at + 1)]
    }
}

/// After how many jobs a cycle looks again whether any job behind them may still start.
const LOOK_BACK: usize = 4;

/// How many jobs of each kind a cycle has tested: those of a user, a partition, both, or an association.
#[derive(Default)]
struct Counts(BTreeMap<(u8, i64, i64), u64>);

impl Counts {
    /// Counts a job, unless one of its kinds has had as many as it may; returns whether it is counted.
    fn admit(&mut self, rules: &Backfill, job: &Waiting) -> bool {
        let whose = match (rules.per_association, job.association) {
            (most, Some(at)) if most > 0 => (most, (0, at as i64, 0)),
            _ => (rules.per_user, (1, job.user, 0)),
        };
        let kinds = [
            whose,
            (rules.per_partition, (2, job.partition, 0)),
            (rules.per_user_partition, (3, job.user, job.partition)),
        ];
        let kinds = kinds.into_iter().filter(|&(most, _)| most > 0);
        let admits = kinds.clone().all(|(most, kind)| self.0.get(&kind).is_none_or(|&count| count < most));
        if admits {
            kinds.for_each(|(_, kind)| *self.0.entry(kind).or_default() += 1);
        }
        admits
    }
}

/// How long a test takes by the clock of `bf_yield_interval`. This is an assumption: it depends on the machine of slurmctld, and
/// no log states it.
const TEST: Time = Time::from_ticks(1000);

/// A cycle that sleeps while it lets other work in (`_yield_locks`).
pub(super) struct Paused {
    /// The cycle, with the jobs that it has not come to.
    cycle: Cycle,
    /// When it goes on.
    pub(super) until: Time,
    /// Whether something had changed since the last cycle before it slept.
    had_changed: bool,
}

/// A cycle under way.
struct Cycle {
    rules: Backfill,
    now: Time,
    /// The queue, in its order.
    jobs: Vec<Arc<Waiting>>,
    /// The places of the jobs that may still start now, in the order of the queue.
    fitting: Vec<usize>,
    plan: Plan,
    counts: Counts,
    tested: u64,
    /// For how long it has computed since it last slept.
    busy: Time,
    starts: u64,
    /// Reservations by partition.
    reserved: BTreeMap<i64, u64>,
    /// Reservations by array.
    of_arrays: BTreeMap<i64, u64>,
    /// The jobs that have a reservation in one of their partitions, if they may have one only.
    holding: BTreeSet<JobId>,
    /// The array, with its partition, of which a task was neither started nor given a reservation: what holds for one task holds
    /// for the others.
    rejected: Option<(i64, i64)>,
}

impl Cycle {
    /// Whether as many jobs were tested or started as a cycle may.
    fn is_over(&self) -> bool {
        let rules = &self.rules;
        self.tested >= rules.most_tests || rules.most_starts > 0 && self.starts >= rules.most_starts
    }

    /// Whether as many tasks of a job's array have reservations as may.
    fn has_enough_tasks(&self, job: &Waiting) -> bool {
        let count = job.array.and_then(|array| self.of_arrays.get(&array).copied()).unwrap_or(0);
        count >= self.rules.per_array
    }

    /// Whether a task of the same array has been rejected, or enough of them have reservations.
    fn rules_out(&self, job: &Waiting) -> bool {
        let array = job.array.map(|array| (array, job.partition));
        array.is_some() && (array == self.rejected || self.has_enough_tasks(job))
    }

    /// Whether a further reservation may be made in a job's partition.
    fn may_reserve(&self, job: &Waiting) -> bool {
        let most = self.rules.reservations_per_partition;
        let count = self.reserved.get(&job.partition).copied().unwrap_or(0);
        (most == 0 || count < most) && self.rules.window > Time::ZERO
    }

    /// Returns how many tasks of its array a job stands for besides itself: the last task that a throttle lets in stands for those
    /// behind it, as a reservation is made for each, too.
    fn tasks_behind(&self, at: usize) -> u64 {
        let job = &self.jobs[at];
        let is_last =
            self.jobs.get(at + 1).is_none_or(|next| next.array.is_none() || next.array != job.array);
        if is_last { job.behind } else { 0 }
    }

    /// Whether a further task that a job stands for is tested.
    fn admits_task(&mut self, job: &Waiting) -> bool {
        !self.has_enough_tasks(job)
            && self.tested < self.rules.most_tests
            && self.counts.admit(&self.rules, job)
    }

    /// Notes what has become of a job.
    fn note(&mut self, job: &Waiting, fate: &Fate) {
        match fate {
            Fate::Started => {
                self.starts += 1;
                self.rejected = None;
            }
            Fate::Reserved => {
                self.rejected = None;
                *self.reserved.entry(job.partition).or_default() += 1;
                if self.rules.one_reservation {
                    self.holding.insert(job.job);
                }
                if let Some(array) = job.array {
                    *self.of_arrays.entry(array).or_default() += 1;
                }
            }
            Fate::Passed | Fate::Full => {}
        }
    }
}

impl Twin {
    /// Runs a cycle: each job in queue order starts, gets a reservation, or is passed over. Components of jobs that have several
    /// start at its end.
    pub(super) fn cycle(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.components.begin();
        match self.begin_cycle(turn) {
            Some(cycle) => self.go_on(turn, cycle),
            None => self.start_together(turn),
        }
    }

    /// Runs a cycle if one is due, or goes on with the one that has slept long enough.
    pub(super) fn backfill(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        match self.paused.take() {
            Some(paused) if paused.until <= now => self.resume(turn, paused),
            Some(paused) => {
                self.paused = Some(paused);
                Ok(())
            }
            None if self.cycle_due(now) => self.cycle(turn),
            None => Ok(()),
        }
    }

    fn go_on(&mut self, turn: &mut Turn<'_>, mut cycle: Cycle) -> Result<(), PolicyError> {
        let Some(sleep) = self.test_all(turn, &mut cycle)? else { return self.start_together(turn) };
        cycle.busy = Time::ZERO;
        let had_changed = std::mem::take(&mut self.clock.since_cycle);
        self.paused = Some(Paused { cycle, until: turn.now() + sleep, had_changed });
        Ok(())
    }

    /// Goes on with the jobs that still wait. If something has changed, the cycle ends instead, unless it is to go on all the same.
    fn resume(&mut self, turn: &mut Turn<'_>, paused: Paused) -> Result<(), PolicyError> {
        let Paused { mut cycle, had_changed, .. } = paused;
        let has_changed = self.clock.since_cycle;
        self.clock.since_cycle |= had_changed;
        // The next cycle is due `bf_interval` after this one has ended.
        self.clock.last_cycle = Some(turn.now());
        if has_changed && !cycle.rules.goes_on {
            return self.start_together(turn);
        }
        cycle.now = turn.now();
        cycle.jobs = cycle.jobs.iter().filter_map(|job| self.queue.same(job).cloned()).collect();
        cycle.fitting = self.fitting(turn, &cycle.jobs);
        self.go_on(turn, cycle)
    }

    /// Returns the places of the jobs that may start now.
    fn fitting(&mut self, turn: &Turn<'_>, jobs: &[Arc<Waiting>]) -> Vec<usize> {
        let fits = |&at: &usize| self.space.fits(&jobs[at]) || self.may_preempt(turn, &jobs[at]);
        (0..jobs.len()).filter(fits).collect()
    }

    /// Returns a cycle at its beginning; `None` if no job may start now. Only the starts of a cycle last: reservations are of use
    /// as long as a job behind them may start now.
    fn begin_cycle(&mut self, turn: &Turn<'_>) -> Option<Cycle> {
        let jobs: Vec<Arc<Waiting>> = self.queue.iter().take(self.most_reached()).cloned().collect();
        let fitting = self.fitting(turn, &jobs);
        if fitting.is_empty() {
            return None;
        }
        let now = turn.now();
        let plan = Plan {
            table: self.table(now),
            bounds: (0..=self.reservations.len()).map(|_| FieldBounds::default()).collect(),
            reserved: Reserved::known(&self.reservations, turn, self.space.nodes()),
        };
        self.preempting.keep(None);
        Some(Cycle {
            rules: self.rules.backfill.clone(),
            now,
            jobs,
            fitting,
            plan,
            counts: Counts::default(),
            tested: 0,
            busy: Time::ZERO,
            starts: 0,
            reserved: BTreeMap::new(),
            of_arrays: BTreeMap::new(),
            holding: BTreeSet::new(),
            rejected: None,
        })
    }

    /// Returns how many jobs of the queue a cycle may come to: it tests so many of them, where nothing but their number can keep a
    /// job from being tested. Jobs behind them cannot start in it, though they may fit. A cycle that might sleep, or that is to
    /// tell why jobs do not start, takes all.
    fn most_reached(&self) -> usize {
        let rules = &self.rules.backfill;
        let most = usize::try_from(rules.most_tests).unwrap_or(usize::MAX);
        let counts = [rules.per_user, rules.per_association, rules.per_partition, rules.per_user_partition];
        let passes_over =
            || self.is_limited || !self.licences.is_empty() || counts.iter().any(|&most| most > 0);
        let is_tested = |job: &Arc<Waiting>| job.place == 0 && job.array.is_none() && job.het.is_none();
        let is_long = self.queue.len() > most;
        if !is_long || self.hypothetical.is_some() || rules.yields().is_some() || passes_over() {
            return usize::MAX;
        }
        if self.queue.iter().all(is_tested) { most } else { usize::MAX }
    }

    /// Tests the jobs one after the other; returns how long the cycle sleeps before it goes on with the rest of them.
    fn test_all(&mut self, turn: &mut Turn<'_>, cycle: &mut Cycle) -> Result<Option<Time>, PolicyError> {
        let yields = cycle.rules.yields().filter(|_| self.hypothetical.is_none());
        for at in 0..cycle.jobs.len() {
            if at % LOOK_BACK == 0 && !self.may_start_behind(turn, cycle, at) || cycle.is_over() {
                break;
            }
            if let Some((_, sleep)) = yields.filter(|&(interval, _)| cycle.busy >= interval) {
                cycle.jobs.drain(..at);
                return Ok(Some(sleep));
            }
            let job = cycle.jobs[at].clone();
            if self.is_tested(turn, cycle, &job)
                && let Fate::Full = self.test(turn, cycle, at, &job)?
            {
                break;
            }
        }
        Ok(None)
    }

    /// Whether any job from a place in the queue on may still start now.
    fn may_start_behind(&mut self, turn: &Turn<'_>, cycle: &mut Cycle, at: usize) -> bool {
        let Cycle { jobs, fitting, plan, .. } = cycle;
        while let Some(&last) = fitting.last() {
            let job = &jobs[last];
            if last >= at && self.may_start(turn, job, plan) {
                return true;
            }
            fitting.pop();
        }
        false
    }

    /// Whether a job is tested, rather than passed over by the rules about arrays, components and numbers of jobs.
    fn is_tested(&mut self, turn: &mut Turn<'_>, cycle: &mut Cycle, job: &Arc<Waiting>) -> bool {
        // It may have started in another partition.
        if !self.queue.has(job.job) || cycle.rules_out(job) {
            return false;
        }
        // It has no start until one is found.
        self.components.note(job, Time::FARTHEST);
        if job.het.is_some() && self.components.floor(job) > cycle.now + cycle.rules.window {
            return false;
        }
        cycle.rejected = job.array.map(|array| (array, job.partition));
        if !cycle.counts.admit(&cycle.rules, job) {
            self.holds_back(job, Held::Untested);
            return false;
        }
        let is_allowed = self.is_allowed(turn, job);
        if !is_allowed {
            self.holds_back(job, Held::Limit);
        }
        is_allowed
    }

    /// Tests a job, and for the last task of an array those behind it. Returns the last fate.
    fn test(
        &mut self,
        turn: &mut Turn<'_>,
        cycle: &mut Cycle,
        at: usize,
        job: &Arc<Waiting>,
    ) -> Result<Fate, PolicyError> {
        let has_one = cycle.holding.contains(&job.job);
        let holds = self.holds_reservations(turn, job);
        if !holds {
            self.stale_at((job.entered + cycle.rules.least_age).max(cycle.now + Time::TICK));
        }
        let mut fate = Fate::Passed;
        for nth in 0..=cycle.tasks_behind(at) {
            if nth > 0 && !cycle.admits_task(job) {
                break;
            }
            cycle.tested += 1;
            cycle.busy += TEST;
            let holds = holds && !has_one && cycle.may_reserve(job);
            fate = self.consider(turn, cycle, job, (holds, nth == 0))?;
            cycle.note(job, &fate);
            if nth == 0 && !matches!(fate, Fate::Started) {
                self.passed_over(turn, job);
            }
            if !matches!(fate, Fate::Reserved) {
                break;
            }
        }
        Ok(fate)
    }

    /// Whether the reservations so far leave a job room to start now. Further ones only leave less.
    fn may_start(&mut self, turn: &Turn<'_>, job: &Waiting, plan: &mut Plan) -> bool {
        if self.may_preempt(turn, job) {
            return true;
        }
        let now = turn.now();
        if plan.bounds(job).after(job, now).is_some() {
            return false;
        }
        let nodes = plan.reserved.leave(job, &job.nodes, now);
        let has_room = nodes
            .is_some_and(|nodes| self.space.has_room(job, &plan.table.free(&nodes, now, now + job.limit)));
        if !has_room {
            plan.bounds(job).note(job, now + Time::TICK);
        }
        has_room
    }

    /// Returns the table of a cycle that begins now: nodes that are down or drain are not in it (`avail_node_bitmap`).
    fn table(&self, now: Time) -> NodeSpaceMap {
        let mut table = NodeSpaceMap::new(self.space.nodes(), now, now + self.rules.backfill.window);
        if !self.out.is_empty() {
            table.reserve(&self.out, Time::ZERO, Time::FARTHEST);
        }
        table
    }

    /// The cycle comes out differently from this instant on.
    fn stale_at(&mut self, at: Time) {
        self.clock.stale = Some(self.clock.stale.map_or(at, |stale| stale.min(at)));
    }

    /// Returns what a pass and a cycle would start now, in a space and a queue of their own.
    pub(super) fn would_start(&mut self, turn: &mut Turn<'_>) -> Result<Starts, PolicyError> {
        let (space, queue, clock) = (self.space.clone(), self.queue.clone(), self.clock.clone());
        let licences = self.licences.clone();
        self.hypothetical = Some(Starts::default());
        let done = self.pass(turn, true).and_then(|()| match self.rules.backfill.interval {
            Some(_) => self.cycle(turn),
            None => Ok(()),
        });
        let started = self.hypothetical.take().unwrap_or_default();
        (self.space, self.queue, self.clock, self.licences) = (space, queue, clock, licences);
        done.map(|()| started)
    }
}
