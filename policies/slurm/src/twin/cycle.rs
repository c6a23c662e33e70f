//! A cycle of the backfill loop.
//!
//! Source: `_attempt_backfill` (backfill.c) of Slurm 22.05.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::site::Backfill;
use batchlab_traces::Time;

use super::bounds::Bounds;
use super::controller::{Starts, Twin};
use super::node_set::NodeSet;
use super::queue::Waiting;
use super::space::{Forecast, Within};
use super::table::{Search, Stretch, Table};
use super::tiers::Spaces;
use batchlab_policies::journal::Why;
use batchlab_policies::placement::Placement;
use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;

/// What becomes of a job in a cycle.
enum Fate {
    Started,
    Reserved,
    /// It can start neither now nor within the window.
    Passed,
    /// The table is full: the cycle ends.
    Full,
}

/// Returns the place of a job's table: that of the jobs without an advance reservation comes first.
fn plan_of(job: &Waiting) -> usize {
    job.reservation.map_or(0, |at| at + 1)
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

/// The multiples of `bf_resolution` since 1970.
#[derive(Clone, Copy)]
struct Grid {
    step: i64,
    /// How long before the zero of the log the last of them was.
    past: i64,
}

impl Grid {
    /// Rounds an instant down to a multiple.
    fn round(self, at: Time) -> Time {
        let past = (at.ticks().rem_euclid(self.step) + self.past).rem_euclid(self.step);
        at - Time::from_ticks(past)
    }
}

impl Twin {
    /// Runs a cycle: each job in queue order starts, gets a reservation, or is passed over. Components of jobs that have several
    /// start at its end.
    pub(super) fn cycle(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.components.begin();
        self.test_all(turn)?;
        self.start_together(turn)
    }

    fn test_all(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let rules = self.rules.backfill.clone();
        let now = turn.now();
        // Only the starts of a cycle last: reservations are of use as long as a job behind them may start now.
        let jobs: Vec<Arc<Waiting>> = self.queue.iter().cloned().collect();
        let mut fitting: Vec<usize> = (0..jobs.len())
            .filter(|&at| self.space.fits(&jobs[at]) || self.may_preempt(turn, &jobs[at]))
            .collect();
        if fitting.is_empty() {
            return Ok(());
        }
        let mut plans: Vec<(Table, Bounds)> =
            self.tables(turn).into_iter().map(|table| (table, Bounds::default())).collect();
        self.preempting.keep(None);
        let mut counts = Counts::default();
        // Reservations by partition, and by array.
        let (mut reserved, mut of_arrays): (BTreeMap<i64, u64>, BTreeMap<i64, u64>) = Default::default();
        let (mut tested, mut starts, mut rejected) = (0, 0, None);
        for (at, job) in jobs.iter().enumerate() {
            if at % LOOK_BACK == 0 {
                while fitting
                    .pop_if(|last| *last < at || !self.may_start(turn, &jobs[*last], &mut plans))
                    .is_some()
                {}
                if fitting.is_empty() {
                    break;
                }
            }
            if tested >= rules.most_tests || rules.most_starts > 0 && starts >= rules.most_starts {
                break;
            }
            let array = job.array.map(|array| (array, job.partition));
            let of_array = |of_arrays: &BTreeMap<i64, u64>| {
                job.array.and_then(|array| of_arrays.get(&array).copied()).unwrap_or(0)
            };
            if array.is_some() && (array == rejected || of_array(&of_arrays) >= rules.per_array) {
                continue;
            }
            // It has no start until one is found.
            self.components.note(job, Time::FARTHEST);
            if job.het.is_some() && self.components.floor(job) > now + rules.window {
                continue;
            }
            // What holds for one task holds for the others, unless it starts or gets a reservation.
            rejected = array;
            if !counts.admit(&rules, job) || !self.is_allowed(turn, job) {
                continue;
            }
            let holds = self.holds_reservations(turn, job);
            if !holds {
                self.stale_at((job.entered + rules.least_age).max(now + Time::TICK));
            }
            // The last task that a throttle lets in stands for those behind it: a reservation is made for each, too.
            let is_last = jobs.get(at + 1).is_none_or(|next| next.array.is_none() || next.array != job.array);
            let held = if is_last { job.behind } else { 0 };
            for nth in 0..=held {
                if nth > 0
                    && (of_array(&of_arrays) >= rules.per_array
                        || tested >= rules.most_tests
                        || !counts.admit(&rules, job))
                {
                    break;
                }
                tested += 1;
                let count = reserved.get(&job.partition).copied().unwrap_or(0);
                let full = rules.reservations_per_partition > 0 && count >= rules.reservations_per_partition;
                let holds = holds && !full && rules.window > Time::ZERO;
                match self.consider(turn, job, &mut plans[plan_of(job)], holds, nth == 0)? {
                    Fate::Started => {
                        starts += 1;
                        rejected = None;
                        break;
                    }
                    Fate::Reserved => {
                        rejected = None;
                        *reserved.entry(job.partition).or_default() += 1;
                        if let Some(array) = job.array {
                            *of_arrays.entry(array).or_default() += 1;
                        }
                    }
                    Fate::Passed => break,
                    Fate::Full => return Ok(()),
                }
            }
        }
        Ok(())
    }

    /// Whether the reservations so far leave a job room to start now. Further ones only leave less.
    fn may_start(&mut self, turn: &Turn<'_>, job: &Waiting, plans: &mut [(Table, Bounds)]) -> bool {
        if self.may_preempt(turn, job) {
            return true;
        }
        let (table, bounds) = &mut plans[plan_of(job)];
        let now = turn.now();
        if bounds.of(job).is_some_and(|bound| bound > now) {
            return false;
        }
        let has_room = self.space.has_room(job, &table.free(&job.nodes, now, now + job.limit));
        if !has_room {
            bounds.note(job, now + Time::TICK);
        }
        has_room
    }

    /// Returns the tables of a cycle: that of the jobs without an advance reservation, and that of the jobs of each one. They
    /// begin with what goes out of service and what is reserved for others.
    fn tables(&self, turn: &Turn<'_>) -> Vec<Table> {
        let (nodes, now) = (self.space.nodes(), turn.now());
        let of = |own: Option<usize>| {
            let mut table = Table::new(nodes, now, now + self.rules.backfill.window);
            for closure in turn.foreseen() {
                let mut node = NodeSet::empty(nodes);
                node.insert(closure.node);
                table.reserve(&node, closure.from, closure.to);
            }
            for (at, one) in self.reservations.iter().enumerate() {
                if own == Some(at) {
                    table.reserve(&one.nodes, Time::ZERO, one.from);
                    table.reserve(&one.nodes, one.to, Time::FARTHEST);
                } else if !one.holds_cores() {
                    table.reserve(&one.nodes, one.from, one.to);
                }
            }
            table
        };
        std::iter::once(None).chain((0..self.reservations.len()).map(Some)).map(of).collect()
    }

    /// The cycle comes out differently from this instant on.
    fn stale_at(&mut self, at: Time) {
        self.clock.stale = Some(self.clock.stale.map_or(at, |stale| stale.min(at)));
    }

    /// Starts a job if it `may_start`, or reserves nodes for it at its earliest start. The running jobs that it may preempt are
    /// not in its way (`_will_run_test`): where it can start without them, it preempts them.
    fn consider(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Arc<Waiting>,
        plan: &mut (Table, Bounds),
        holds: bool,
        may_start: bool,
    ) -> Result<Fate, PolicyError> {
        let held = self.hold_cores(turn.now(), job);
        let may_preempt = may_start && job.het.is_none();
        let mut emptied = if may_preempt { self.without_preemptible(turn, job) } else { None };
        let space = emptied.as_mut().map(|emptied| &mut emptied.space);
        let fate = self.find_start(turn, job, plan, space, holds, may_start);
        self.preempting.keep(emptied);
        self.give_back(held);
        fate
    }

    /// Starts a job, or reserves nodes for it, as if the running jobs were those of `emptied`.
    fn find_start(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Arc<Waiting>,
        (table, bounds): &mut (Table, Bounds),
        mut emptied: Option<&mut Spaces>,
        holds: bool,
        may_start: bool,
    ) -> Result<Fate, PolicyError> {
        let rules = self.rules.backfill.clone();
        let now = turn.now();
        let Some(floor) = emptied.as_deref_mut().unwrap_or(&mut self.space).earliest(job, now) else {
            return Ok(Fate::Passed);
        };
        let floor = floor.max(self.components.floor(job));
        if floor > now && !holds || floor > now + rules.window {
            return Ok(Fate::Passed);
        }
        let is_full = table.len() as u64 > rules.most_slots();
        let mut from = now;
        if holds && !is_full {
            // What is known of jobs that preempt none does not hold for it.
            let known = bounds.of(job).filter(|_| emptied.is_none());
            let bound = known.map_or(floor, |bound| bound.max(floor));
            if bound > now + rules.window {
                return Ok(Fate::Passed);
            }
            from = table.skip(&job.nodes, now, job.limit, bound);
        }
        let (mut is_first, grid) = (holds, self.grid());
        emptied.as_deref_mut().unwrap_or(&mut self.space).begin_search(job);
        loop {
            let space = emptied.as_deref_mut().unwrap_or(&mut self.space);
            let mut stretch = if holds {
                let found = space.candidate(job, table, from, rules.resolution);
                let bound = match &found {
                    Search::At(begin, _) => *begin,
                    Search::Never { before } => *before,
                };
                if std::mem::take(&mut is_first) {
                    bounds.note(job, bound);
                }
                let Search::At(begin, stretch) = found else { return Ok(Fate::Passed) };
                from = begin;
                stretch
            } else {
                let to = from + job.limit;
                Stretch { free: table.free(&job.nodes, from, to), later: table.later(&job.nodes, from, to) }
            };
            self.leave_to_others(job, &mut stretch.free);
            let later = stretch.later.filter(|_| holds);
            // What is free without any reservation is not free before: look again where it may be.
            if let Some(later) = later.filter(|&later| floor > later) {
                from = later;
                continue;
            }
            let by = later.unwrap_or(now + rules.window);
            let stay = |start: Time| {
                let (begin, end) = (grid.round(start), grid.round(start + job.limit));
                table.still_free(&stretch.free, from + job.limit, begin, end)
            };
            let within = Within { now, floor, by, stay: &stay };
            let forecast = self.forecast(job, &stretch.free, emptied.as_deref_mut(), within);
            let Some(forecast) = forecast else {
                let Some(later) = later else { return Ok(Fate::Passed) };
                from = later;
                continue;
            };
            let mut start = forecast.start.max(from);
            let mut later = later;
            if start <= now && job.het.is_some() {
                later = None;
            } else if start <= now {
                if !may_start {
                    return Ok(Fate::Passed);
                }
                if forecast.nodes.as_ref().is_some_and(|nodes| nodes.meets(self.space.closing())) {
                    start = now + Time::SECOND;
                } else {
                    let fate = self.start_in(turn, job, table, &stretch.free, emptied.is_some())?;
                    if let Some(fate) = fate {
                        return Ok(fate);
                    }
                }
                later = None;
            }
            if start > now && !holds {
                return Ok(Fate::Passed);
            }
            if let Some(later) = later.filter(|&later| start > later) {
                from = later;
                continue;
            }
            if start > now + rules.window {
                return Ok(Fate::Passed);
            }
            if is_full {
                return Ok(Fate::Full);
            }
            let (begin, end) = (grid.round(start), grid.round(start + job.limit));
            let stays = |nodes: &NodeSet| start <= from || !table.overlaps(nodes, begin, end);
            let Some(nodes) = forecast.nodes.filter(stays) else {
                from = start;
                continue;
            };
            table.reserve(&nodes, begin, end);
            self.has_reserved(turn, job, (start, begin), may_start);
            return Ok(Fate::Reserved);
        }
    }

    /// Notes that a job has a reservation, which begins on the grid: its start is a promise if it may start.
    fn has_reserved(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Arc<Waiting>,
        (start, begin): (Time, Time),
        may_start: bool,
    ) {
        let now = turn.now();
        self.components.note(job, start);
        if start > now || job.het.is_none() {
            self.stale_at(begin.max(now + Time::TICK));
        }
        if may_start && start > now && self.hypothetical.is_none() {
            turn.promise(job.job, start);
        }
    }

    /// Returns when and where a job could start: now beside the jobs that it may preempt, else without them.
    fn forecast(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        emptied: Option<&mut Spaces>,
        within: Within<'_>,
    ) -> Option<Forecast> {
        let Some(emptied) = emptied else { return self.space.forecast(job, nodes, within, self.bins) };
        match self.space.now_or_completing(job, nodes) {
            Some(placement) => Some(Forecast { start: within.now, nodes: Some(self.nodes_of(&placement)) }),
            None => emptied.forecast(job, nodes, within, self.bins),
        }
    }

    /// Starts a job on some nodes that are not reserved. If it does not fit, it may preempt others for a reservation from now on,
    /// for which nothing is returned.
    fn start_in(
        &mut self,
        turn: &mut Turn<'_>,
        job: &Arc<Waiting>,
        table: &mut Table,
        free: &NodeSet,
        preempts: bool,
    ) -> Result<Option<Fate>, PolicyError> {
        let mut usable = self.usable(turn, job);
        usable.keep(free);
        let Some(placement) = self.space.now(job, &usable) else {
            if !preempts {
                return Ok(Some(Fate::Passed));
            }
            self.preempt_for(turn, job, &usable);
            return Ok(None);
        };
        self.launch(turn, job, &placement, Why::Profile)?;
        // The running jobs are no part of the table, but for one that has just got whole nodes of select/cons_tres.
        if !self.bins.single && job.layout.exclusive {
            table.reserve(&self.nodes_of(&placement), Time::ZERO, self.grid().round(turn.now() + job.limit));
        }
        Ok(Some(Fate::Started))
    }

    pub(super) fn nodes_of(&self, placement: &Placement) -> NodeSet {
        NodeSet::empty(self.space.nodes()).with(placement)
    }

    fn grid(&self) -> Grid {
        let step = self.rules.backfill.resolution.ticks();
        let epoch = i128::from(self.bins.epoch) * i128::from(Time::SECOND.ticks());
        Grid { step, past: epoch.rem_euclid(step.into()) as i64 }
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
