//! A cycle of the backfill loop: which jobs it tests, and when it ends.
//!
//! A cycle goes through the queue. Each job is passed over or tested ([`trial`](super::trial)); a test ends in a [`TrialFate`], which decides
//! how the cycle goes on.
//!
//! Source: `_attempt_backfill` (backfill.c) of Slurm 22.05.

use std::sync::Arc;

use batchlab_contract::policy::PolicyError;
use batchlab_contract::turn::Turn;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use super::components::Components;
use super::plan::Plan;
use super::trial::{TrialFate, Tried, test};
use crate::site::{Backfill, SlurmSite, SlurmVersion};
use crate::twin::controller::Controller;
use crate::twin::grid::Resolution;
use crate::twin::hypothesis::Held;
use crate::twin::nodes::Bins;
use crate::twin::queue::Waiting;

/// After how many jobs a cycle looks again whether any job behind them may still start.
const LOOK_BACK: usize = 4;

/// How many jobs a cycle has tested, by user, partition, both, or association.
#[derive(Default)]
struct Counts(SortedMap<(u8, i64, i64), u64>);

impl Counts {
    /// Counts a job, unless one of its limits is reached; returns whether it is counted.
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

pub(super) struct BackfillLoop {
    rules: Backfill,
    bins: Bins,
    grid: Resolution,
    version: SlurmVersion,
    /// The cycle that sleeps while it lets other work in (`_yield_locks`), if one does.
    asleep: Option<Asleep>,
}

struct Asleep {
    cycle: Cycle,
    until: Time,
    /// Whether something had changed since the last cycle before it slept.
    had_changed: bool,
}

struct Cycle {
    rules: Backfill,
    bins: Bins,
    now: Time,
    /// The queue, in its order.
    jobs: Vec<Arc<Waiting>>,
    /// The places of the jobs that may still start now, in the order of the queue.
    fitting: Vec<usize>,
    plan: Plan,
    counts: Counts,
    components: Components,
    tested: u64,
    /// For how long it has computed since it last slept.
    busy: Time,
    starts: u64,
    by_partition: SortedMap<i64, u64>,
    by_array: SortedMap<i64, u64>,
    /// The jobs that have a reservation in one of their partitions, if they may have one only.
    holding: SortedSet<JobId>,
    /// An array with its partition: one of its tasks neither started nor got a reservation, and neither will the others.
    rejected: Option<(i64, i64)>,
}

impl BackfillLoop {
    pub(super) fn new(rules: &Backfill, site: &SlurmSite) -> BackfillLoop {
        BackfillLoop {
            rules: rules.clone(),
            bins: Bins::new(site, rules),
            grid: Resolution::new(rules.resolution, site.epoch),
            version: site.system.version,
            asleep: None,
        }
    }

    /// Returns when the cycle that sleeps goes on, if one does.
    pub(super) fn asleep_until(&self) -> Option<Time> {
        self.asleep.as_ref().map(|asleep| asleep.until)
    }

    /// Runs a cycle if one is due, or goes on with the one that has slept long enough.
    pub(super) fn run(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
    ) -> Result<(), PolicyError> {
        let now = turn.now();
        if self.asleep.is_none() {
            return if controller.cycle_due(now) { self.cycle(controller, turn) } else { Ok(()) };
        }
        match self.asleep.take_if(|asleep| asleep.until <= now) {
            Some(asleep) => self.wake(controller, turn, asleep),
            None => Ok(()),
        }
    }

    /// Runs a cycle: each job in queue order starts, gets a reservation, or is passed over. Components of jobs that have several
    /// start at its end.
    pub(super) fn cycle(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
    ) -> Result<(), PolicyError> {
        match self.begin(controller, turn) {
            Some(cycle) => self.go_on(controller, turn, cycle),
            None => Ok(()),
        }
    }

    /// Returns a cycle at its beginning; `None` if no job may start now. Only the starts of a cycle last: reservations are of use
    /// as long as a job behind them may start now.
    fn begin(&self, controller: &mut Controller, turn: &Turn<'_>) -> Option<Cycle> {
        let most = most_reached(controller, &self.rules);
        let jobs: Vec<Arc<Waiting>> = controller.queue().iter().take(most).cloned().collect();
        let fitting = fitting(controller, turn, &jobs);
        if fitting.is_empty() {
            return None;
        }
        let plan = Plan::new(controller, turn, &self.rules, (self.grid, self.version));
        controller.keep_emptied(None);
        Some(Cycle {
            rules: self.rules.clone(),
            bins: self.bins,
            now: turn.now(),
            jobs,
            fitting,
            plan,
            counts: Counts::default(),
            components: Components::default(),
            tested: 0,
            busy: Time::ZERO,
            starts: 0,
            by_partition: SortedMap::new(),
            by_array: SortedMap::new(),
            holding: SortedSet::new(),
            rejected: None,
        })
    }

    /// Goes on with a cycle until it ends, or falls asleep.
    fn go_on(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
        mut cycle: Cycle,
    ) -> Result<(), PolicyError> {
        let Some(sleep) = cycle.test_all(controller, turn)? else {
            return cycle.components.start(controller, turn);
        };
        cycle.busy = Time::ZERO;
        let had_changed = controller.timers_mut().cycle_sleeps();
        self.asleep = Some(Asleep { cycle, until: turn.now() + sleep, had_changed });
        Ok(())
    }

    /// Goes on with the jobs that still wait. If something has changed, the cycle ends instead, unless it is to go on all the same.
    fn wake(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
        Asleep { mut cycle, had_changed, .. }: Asleep,
    ) -> Result<(), PolicyError> {
        let has_changed = controller.timers_mut().cycle_wakes(turn.now(), had_changed);
        if has_changed && !cycle.rules.goes_on {
            return cycle.components.start(controller, turn);
        }
        cycle.now = turn.now();
        cycle.jobs = cycle.jobs.iter().filter_map(|job| controller.queue().same(job).cloned()).collect();
        cycle.fitting = fitting(controller, turn, &cycle.jobs);
        self.go_on(controller, turn, cycle)
    }
}

/// Returns the places of the jobs that may start now.
fn fitting(controller: &mut Controller, turn: &Turn<'_>, jobs: &[Arc<Waiting>]) -> Vec<usize> {
    let mut fits =
        |job: &Waiting| controller.spaces_mut().seen_by(job).fits(job) || controller.may_preempt(turn, job);
    (0..jobs.len()).filter(|&at| fits(&jobs[at])).collect()
}

/// Returns how many jobs of the queue a cycle may come to: as many as it tests, where nothing but their number can keep a job from
/// being tested. Jobs behind them cannot start in it, though they may fit. A cycle that might sleep, or that is to tell why jobs do
/// not start, takes all.
fn most_reached(controller: &Controller, rules: &Backfill) -> usize {
    let most = usize::try_from(rules.most_tests).unwrap_or(usize::MAX);
    let counts = [rules.per_user, rules.per_association, rules.per_partition, rules.per_user_partition];
    let passes_over = || controller.may_hold_out() || counts.iter().any(|&most| most > 0);
    let is_tested = |job: &Arc<Waiting>| job.place == 0 && job.array.is_none() && job.het.is_none();
    let is_long = controller.queue().len() > most;
    if !is_long || controller.hypothesis().is_on() || rules.yields().is_some() || passes_over() {
        return usize::MAX;
    }
    if controller.queue().iter().all(is_tested) { most } else { usize::MAX }
}

impl Cycle {
    /// Whether the cycle has tested or started the most jobs that it may.
    fn is_over(&self) -> bool {
        let rules = &self.rules;
        self.tested >= rules.most_tests || rules.most_starts > 0 && self.starts >= rules.most_starts
    }

    /// Whether the most tasks of a job's array have reservations.
    fn has_enough_tasks(&self, job: &Waiting) -> bool {
        let count = job.array.and_then(|array| self.by_array.get(&array).copied()).unwrap_or(0);
        count >= self.rules.per_array
    }

    /// Whether a task of the same array has been rejected, or enough of them have reservations.
    fn rules_out(&self, job: &Waiting) -> bool {
        let array = job.array.map(|array| (array, job.partition));
        array.is_some() && (array == self.rejected || self.has_enough_tasks(job))
    }

    fn may_reserve(&self, job: &Waiting) -> bool {
        let most = self.rules.reservations_per_partition;
        let count = self.by_partition.get(&job.partition).copied().unwrap_or(0);
        (most == 0 || count < most) && self.rules.window > Time::ZERO
    }

    /// Returns how many tasks of its array a job stands for besides itself: the last task that a throttle lets in stands for the
    /// tasks behind it, since each of them gets a reservation, too.
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

    fn note(&mut self, job: &Waiting, fate: &TrialFate) {
        match fate {
            TrialFate::Started => {
                self.starts += 1;
                self.rejected = None;
            }
            TrialFate::Reserved(_) => {
                self.rejected = None;
                *self.by_partition.entry(job.partition).or_default() += 1;
                if self.rules.one_reservation {
                    self.holding.insert(job.job);
                }
                if let Some(array) = job.array {
                    *self.by_array.entry(array).or_default() += 1;
                }
            }
            TrialFate::Passed | TrialFate::Full => {}
        }
    }

    /// Tests the jobs one after the other; returns how long the cycle sleeps before it goes on with the rest of them.
    fn test_all(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
    ) -> Result<Option<Time>, PolicyError> {
        let yields = self.rules.yields().filter(|_| !controller.hypothesis().is_on());
        for at in 0..self.jobs.len() {
            if at % LOOK_BACK == 0 && !self.may_start_behind(controller, turn, at) || self.is_over() {
                break;
            }
            if let Some((_, sleep)) = yields.filter(|&(interval, _)| self.busy >= interval) {
                self.jobs.drain(..at);
                return Ok(Some(sleep));
            }
            let job = self.jobs[at].clone();
            if self.is_tested(controller, turn, &job)
                && let TrialFate::Full = self.test(controller, turn, at, &job)?
            {
                break;
            }
        }
        Ok(None)
    }

    /// Whether any job from a place in the queue on may still start now.
    fn may_start_behind(&mut self, controller: &mut Controller, turn: &Turn<'_>, at: usize) -> bool {
        while let Some(&last) = self.fitting.last() {
            let job = &self.jobs[last];
            if last >= at
                && (controller.may_preempt(turn, job)
                    || self.plan.leaves_room(job, turn.now(), controller.spaces_mut().seen_by(job)))
            {
                return true;
            }
            self.fitting.pop();
        }
        false
    }

    /// Whether a job is tested, rather than passed over by the rules about arrays, components and numbers of jobs.
    fn is_tested(&mut self, controller: &mut Controller, turn: &mut Turn<'_>, job: &Arc<Waiting>) -> bool {
        // It may have started in another partition.
        if !controller.queue().has(job.job) || self.rules_out(job) {
            return false;
        }
        // The job has no start until the test finds one.
        self.components.note(job, Time::FARTHEST);
        if job.het.is_some() && self.components.floor(job) > self.now + self.rules.window {
            return false;
        }
        self.rejected = job.array.map(|array| (array, job.partition));
        if !self.counts.admit(&self.rules, job) {
            controller.holds_back(job, Held::Untested);
            return false;
        }
        let is_allowed = controller.is_allowed(turn, job);
        if !is_allowed {
            controller.holds_back(job, Held::Limit);
        }
        is_allowed
    }

    /// Tests a job, and for the last task of an array the tasks behind it. Returns the last fate.
    fn test(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
        at: usize,
        job: &Arc<Waiting>,
    ) -> Result<TrialFate, PolicyError> {
        let has_one = self.holding.contains(&job.job);
        let holds = controller.holds_reservations(turn, job);
        if !holds {
            let old_enough = job.entered + self.rules.least_age;
            controller.timers_mut().stale_at(old_enough.max(self.now + Time::TICK));
        }
        let mut fate = TrialFate::Passed;
        for nth in 0..=self.tasks_behind(at) {
            if nth > 0 && !self.admits_task(job) {
                break;
            }
            self.tested += 1;
            self.busy += TEST;
            let asked = Tried {
                job,
                now: self.now,
                last: self.now + self.rules.window,
                not_before: self.components.floor(job),
                holds: holds && !has_one && self.may_reserve(job),
                may_start: nth == 0,
                bins: self.bins,
            };
            fate = test(controller, turn, &mut self.plan, asked)?;
            if let TrialFate::Reserved(start) = fate {
                self.components.note(job, start);
            }
            self.note(job, &fate);
            if nth == 0 && !matches!(fate, TrialFate::Started) {
                tell_why(controller, turn, job);
            }
            if !matches!(fate, TrialFate::Reserved(_)) {
                break;
            }
        }
        Ok(fate)
    }
}

/// Notes why a cycle that has tested a job has not started it; only hypothetical loops do.
fn tell_why(controller: &mut Controller, turn: &mut Turn<'_>, job: &Waiting) {
    if !controller.hypothesis().is_on() {
        return;
    }
    let nodes = controller.allocations().usable(turn, job);
    let why = match controller.spaces_mut().now(job, &nodes) {
        _ if nodes.is_empty() => Held::Closed,
        Some(placement) if !controller.is_allowed_on(turn, job, placement.0.len()) => Held::Limit,
        Some(_) => Held::Reserved,
        None => Held::Resources,
    };
    controller.holds_back(job, why);
}
