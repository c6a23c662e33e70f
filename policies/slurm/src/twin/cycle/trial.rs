//! The test of a job in a cycle: when and where it could start beside the reservations made before.
//!
//! A test looks at one stretch of time after another. A stretch begins where more nodes may be free than before, and is as long as the
//! job. Each look ends in a [`Step`]: the next stretch to look at, or what becomes of the job.

use std::sync::Arc;

use batchlab_policies::journal::Why;
use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;
use batchlab_traces::Time;

use super::reserved::earliest;
use super::{Cycle, Fate, Plan};
use crate::site::Backfill;
use crate::twin::controller::Twin;
use crate::twin::forecast::{Forecast, Within};
use crate::twin::grid::Resolution;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;
use crate::twin::table::{Search, Stretch};
use crate::twin::tiers::Spaces;

/// A test under way.
struct Trial<'a> {
    job: &'a Arc<Waiting>,
    plan: &'a mut Plan,
    rules: &'a Backfill,
    /// The nodes without the running jobs that the job may preempt, if there are any.
    emptied: Option<&'a mut Spaces>,
    /// Whether the job gets a reservation if it cannot start now.
    holds: bool,
    /// Whether it starts if it can; otherwise it stands for a task that the queue does not have yet.
    may_start: bool,
    now: Time,
    grid: Resolution,
    /// The job does not start before.
    floor: Time,
    /// Where the next stretch begins, or the search for it.
    from: Time,
    /// Whether the table takes no further reservation.
    is_full: bool,
}

/// How a test goes on.
enum Step {
    /// At the stretch that begins then, or later.
    Look(Time),
    /// It ends.
    End(Fate),
}

/// What becomes of a job that could start now.
enum Now {
    /// The test ends.
    Ends(Fate),
    /// It may get a reservation that begins then.
    Reserves(Time),
}

impl Trial<'_> {
    /// Returns the last instant of the window.
    fn last(&self) -> Time {
        self.now + self.rules.window
    }

    /// Returns when a reservation from an instant on begins and ends, on the grid.
    fn slot(&self, start: Time) -> (Time, Time) {
        (self.grid.round(start), self.grid.round(start + self.job.limit))
    }

    /// Returns where to look behind a stretch; nowhere if no later one may have more free nodes.
    fn behind(later: Option<Time>) -> Step {
        later.map_or(Step::End(Fate::Passed), Step::Look)
    }
}

impl Twin {
    /// Starts a job if it `may_start`, or reserves nodes for it at its earliest start if it `holds` one. The running jobs that it may
    /// preempt are not in its way (`_will_run_test`): where it can start without them, it preempts them.
    pub(super) fn consider(
        &mut self,
        turn: &mut Turn<'_>,
        cycle: &mut Cycle,
        job: &Arc<Waiting>,
        (holds, may_start): (bool, bool),
    ) -> Result<Fate, PolicyError> {
        let held = self.hold_cores(turn.now(), job);
        let may_preempt = may_start && job.het.is_none();
        let mut emptied = if may_preempt { self.without_preemptible(turn, job) } else { None };
        let trial = Trial {
            job,
            plan: &mut cycle.plan,
            rules: &cycle.rules,
            emptied: emptied.as_mut().map(|emptied| &mut emptied.space),
            holds,
            may_start,
            now: cycle.now,
            grid: Resolution::new(self.rules.backfill.resolution, self.bins.epoch),
            floor: cycle.now,
            from: cycle.now,
            is_full: false,
        };
        let fate = self.find_start(turn, trial);
        self.preempting.keep(emptied);
        self.give_back(held);
        fate
    }

    fn find_start(&mut self, turn: &mut Turn<'_>, mut trial: Trial<'_>) -> Result<Fate, PolicyError> {
        if !self.begin(&mut trial) {
            return Ok(Fate::Passed);
        }
        let mut is_first = true;
        loop {
            let Some(mut stretch) = self.stretch(&mut trial, std::mem::take(&mut is_first)) else {
                return Ok(Fate::Passed);
            };
            self.leave_to_others(trial.job, &mut stretch.free);
            match self.look(turn, &mut trial, &stretch)? {
                Step::Look(from) => trial.from = from,
                Step::End(fate) => return Ok(fate),
            }
        }
    }

    /// Sets where the search begins; whether it does.
    fn begin(&mut self, trial: &mut Trial<'_>) -> bool {
        let (job, now) = (trial.job, trial.now);
        let space = trial.emptied.as_deref_mut().unwrap_or(&mut self.space);
        let Some(floor) = space.earliest(job, now) else { return false };
        trial.floor = floor.max(self.components.floor(job));
        if trial.floor > now && !trial.holds || trial.floor > trial.last() {
            return false;
        }
        trial.is_full = trial.plan.table.len() as u64 > trial.rules.most_slots();
        if trial.holds && !trial.is_full {
            // What is known of jobs that preempt none does not hold for it.
            let is_known = trial.emptied.is_none();
            let known = if is_known { trial.plan.bounds(job).after(job, trial.floor) } else { None };
            let bound = known.unwrap_or(trial.floor);
            if bound > trial.last() {
                return false;
            }
            trial.from = trial.plan.table.skip(&job.nodes, now, job.limit, bound);
        }
        trial.emptied.as_deref_mut().unwrap_or(&mut self.space).begin_search(job);
        true
    }

    /// Returns the next stretch: for a job that holds a reservation, the next one with enough free nodes; `None` after
    /// the last. The first stretch bounds the starts of later jobs.
    fn stretch(&mut self, trial: &mut Trial<'_>, is_first: bool) -> Option<Stretch> {
        let job = trial.job;
        let partition = self.partition_nodes(job);
        loop {
            let left = trial.plan.reserved.left(job, &partition, (trial.from, trial.last()), trial.grid)?;
            trial.from = left.from;
            let nodes = left.nodes.as_ref().unwrap_or(&job.nodes);
            let table = &trial.plan.table;
            if !trial.holds {
                let (from, to) = (left.from, left.from + job.limit);
                return Some(Stretch {
                    free: table.free(nodes, from, to),
                    later: table.later(nodes, from, to),
                });
            }
            let space = trial.emptied.as_deref_mut().unwrap_or(&mut self.space);
            let found = space.candidate(job, nodes, table, left.from, trial.rules.resolution);
            let bound = match &found {
                Search::At(begin, _) => *begin,
                Search::Never { before } => *before,
            };
            // Other nodes are reserved then.
            if let Some(next) = left.next.filter(|&next| next <= bound) {
                trial.from = next;
                space.begin_search(job);
                continue;
            }
            if is_first {
                trial.plan.bounds(job).note(job, bound);
            }
            let Search::At(begin, mut stretch) = found else { return None };
            trial.from = begin;
            stretch.later = earliest([stretch.later, left.over]);
            return Some(stretch);
        }
    }

    /// Looks at a stretch: starts the job, or reserves nodes for it.
    fn look(
        &mut self,
        turn: &mut Turn<'_>,
        trial: &mut Trial<'_>,
        stretch: &Stretch,
    ) -> Result<Step, PolicyError> {
        let mut later = stretch.later.filter(|_| trial.holds);
        // What is free without any reservation is not free before: look again where it may be.
        if let Some(later) = later.filter(|&later| trial.floor > later) {
            return Ok(Step::Look(later));
        }
        let Some(forecast) = self.forecast(trial, &stretch.free, later) else {
            return Ok(Trial::behind(later));
        };
        let mut start = forecast.start.max(trial.from);
        if start <= trial.now {
            match self.start_now(turn, trial, &stretch.free, &forecast)? {
                Now::Reserves(at) => start = at,
                Now::Ends(fate) => return Ok(Step::End(fate)),
            }
            later = None;
        }
        if start > trial.now && !trial.holds {
            return Ok(Step::End(Fate::Passed));
        }
        if let Some(later) = later.filter(|&later| start > later) {
            return Ok(Step::Look(later));
        }
        if start > trial.last() {
            return Ok(Step::End(Fate::Passed));
        }
        Ok(self.reserve(turn, trial, start, forecast.nodes))
    }

    /// Returns when and where a job could start in a stretch: now beside the jobs that it may preempt, else without them.
    fn forecast(&mut self, trial: &mut Trial<'_>, nodes: &NodeSet, later: Option<Time>) -> Option<Forecast> {
        let mut emptied = trial.emptied.take();
        let (job, table) = (trial.job, &trial.plan.table);
        let stay = |start: Time| {
            let (begin, end) = trial.slot(start);
            table.still_free(nodes, trial.from + job.limit, begin, end)
        };
        let by = later.unwrap_or(trial.last());
        let within = Within { now: trial.now, floor: trial.floor, by, stay: &stay };
        let found = match &mut emptied {
            None => self.space.forecast(job, nodes, within, self.bins),
            Some(emptied) => match self.space.now_or_completing(job, nodes) {
                Some(placement) => {
                    Some(Forecast { start: trial.now, nodes: Some(self.nodes_of(&placement)) })
                }
                None => emptied.forecast(job, nodes, within, self.bins),
            },
        };
        trial.emptied = emptied;
        found
    }

    /// Starts a job that could start now, unless nodes of it are completing: it starts a second later on these.
    fn start_now(
        &mut self,
        turn: &mut Turn<'_>,
        trial: &mut Trial<'_>,
        free: &NodeSet,
        forecast: &Forecast,
    ) -> Result<Now, PolicyError> {
        // Components start at the end of the cycle.
        if trial.job.het.is_some() {
            return Ok(Now::Reserves(trial.now));
        }
        if !trial.may_start {
            return Ok(Now::Ends(Fate::Passed));
        }
        if forecast.nodes.as_ref().is_some_and(|nodes| nodes.meets(self.space.closing())) {
            return Ok(Now::Reserves(trial.now + Time::SECOND));
        }
        self.start_in(turn, trial, free)
    }

    /// Starts a job on some nodes that are not reserved. If it does not fit, it may preempt others for a reservation from now on.
    fn start_in(
        &mut self,
        turn: &mut Turn<'_>,
        trial: &mut Trial<'_>,
        free: &NodeSet,
    ) -> Result<Now, PolicyError> {
        let job = trial.job;
        let mut usable = self.usable(turn, job);
        usable.keep(free);
        let Some(placement) = self.space.now(job, &usable) else {
            if trial.emptied.is_none() {
                return Ok(Now::Ends(Fate::Passed));
            }
            self.preempt_for(turn, job, &usable);
            return Ok(Now::Reserves(trial.now));
        };
        if !self.is_allowed_on(turn, job, placement.0.len()) {
            return Ok(Now::Ends(Fate::Passed));
        }
        self.launch(turn, job, &placement, Why::Profile)?;
        // The running jobs are no part of the table, but for one that has just got whole nodes of select/cons_tres.
        if !self.bins.single && job.layout.exclusive {
            let until = trial.grid.round(trial.now + job.limit);
            trial.plan.table.reserve(&self.nodes_of(&placement), Time::ZERO, until);
        }
        Ok(Now::Ends(Fate::Started))
    }

    /// Reserves the nodes of a forecast from an instant on, if they stay free; otherwise the search goes on there.
    fn reserve(
        &mut self,
        turn: &mut Turn<'_>,
        trial: &mut Trial<'_>,
        start: Time,
        nodes: Option<NodeSet>,
    ) -> Step {
        if trial.is_full {
            return Step::End(Fate::Full);
        }
        let (begin, end) = trial.slot(start);
        let table = &mut trial.plan.table;
        let stays = |nodes: &NodeSet| start <= trial.from || !table.overlaps(nodes, begin, end);
        let Some(nodes) = nodes.filter(stays) else { return Step::Look(start) };
        if !self.is_allowed_on(turn, trial.job, nodes.len()) {
            return Step::End(Fate::Passed);
        }
        let table = &mut trial.plan.table;
        table.reserve(&nodes, begin, end);
        self.has_reserved(turn, trial.job, (start, begin), trial.may_start);
        Step::End(Fate::Reserved)
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
}
