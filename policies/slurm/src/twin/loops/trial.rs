//! The test of a job in a cycle: when and where it could start beside the reservations made before.
//!
//! A test looks at one stretch of time after another. A stretch begins where more nodes may be free than before, and is as long as
//! the job. Each look ends in a [`Step`]: the next stretch to look at, or what becomes of the job.

use std::sync::Arc;

use batchlab_contract::journal::Why;
use batchlab_contract::policy::PolicyError;
use batchlab_contract::turn::Turn;
use batchlab_traces::Time;

use super::plan::Plan;
use super::reserved::earliest;
use crate::twin::controller::Controller;
use crate::twin::node_set::NodeSet;
use crate::twin::nodes::{Bins, Forecast, Space, Within};
use crate::twin::queue::Waiting;
use crate::twin::table::{Search, Stretch};

/// What becomes of a job in a cycle.
pub(super) enum TrialFate {
    Started,
    /// It has a reservation for its start at this instant.
    Reserved(Time),
    /// It can start neither now nor within the window.
    Passed,
    Full,
}

#[derive(Clone, Copy)]
pub(super) struct Tried<'a> {
    pub(super) job: &'a Arc<Waiting>,
    /// When the cycle began, or last went on.
    pub(super) now: Time,
    pub(super) last: Time,
    /// The other components of the job keep it from starting before.
    pub(super) not_before: Time,
    /// Whether the job gets a reservation if it cannot start now.
    pub(super) holds: bool,
    /// Whether it starts if it can; otherwise it stands for a task that the queue does not have yet.
    pub(super) may_start: bool,
    pub(super) bins: Bins,
}

struct Trial<'a> {
    asked: Tried<'a>,
    plan: &'a mut Plan,
    /// The nodes without the running jobs that the job may preempt, if there are any.
    emptied: Option<&'a mut Space>,
    /// The job does not start before.
    floor: Time,
    /// Where the next stretch begins, or the search for it.
    from: Time,
    is_full: bool,
}

/// How a test goes on.
enum Step {
    /// At the stretch that begins then, or later.
    Look(Time),
    End(TrialFate),
}

/// What becomes of a job that could start now.
enum Now {
    Ends(TrialFate),
    /// It may get a reservation that begins then.
    Reserves(Time),
}

/// Tests a job: starts it if it can and may, or reserves nodes for it at its earliest start if it holds a reservation. The running
/// jobs that it may preempt are not in its way (`_will_run_test`): where it can start without them, it preempts them.
pub(super) fn test(
    controller: &mut Controller,
    turn: &mut Turn<'_>,
    plan: &mut Plan,
    asked: Tried<'_>,
) -> Result<TrialFate, PolicyError> {
    let Tried { job, now, .. } = asked;
    let held = controller.allocations_mut().hold_cores(job, turn.now());
    let may_preempt = asked.may_start && job.het.is_none();
    let mut without = if may_preempt { controller.without_preemptible(turn, job) } else { None };
    let emptied = without.as_mut().map(|emptied| emptied.seen_by(job));
    let trial = Trial { asked, plan, emptied, floor: now, from: now, is_full: false };
    let fate = trial.find_start(controller, turn);
    controller.keep_emptied(without);
    controller.allocations_mut().give_back(held);
    fate
}

impl Trial<'_> {
    /// Returns the nodes as the job sees them.
    fn space<'s>(&'s mut self, controller: &'s mut Controller) -> &'s mut Space {
        match &mut self.emptied {
            Some(emptied) => emptied,
            None => controller.spaces_mut().seen_by(self.asked.job),
        }
    }

    fn find_start(
        mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
    ) -> Result<TrialFate, PolicyError> {
        if !self.begin(controller) {
            return Ok(TrialFate::Passed);
        }
        let mut is_first = true;
        loop {
            let Some(mut stretch) = self.stretch(controller, std::mem::take(&mut is_first)) else {
                return Ok(TrialFate::Passed);
            };
            controller.allocations().leave_to_others(self.asked.job, &mut stretch.free);
            match self.look(controller, turn, &stretch)? {
                Step::Look(from) => self.from = from,
                Step::End(fate) => return Ok(fate),
            }
        }
    }

    /// Sets where the search begins; returns whether it does.
    fn begin(&mut self, controller: &mut Controller) -> bool {
        let Tried { job, now, last, not_before, holds, .. } = self.asked;
        let Some(floor) = self.space(controller).earliest(job, now) else { return false };
        self.floor = floor.max(not_before);
        if self.floor > now && !holds || self.floor > last {
            return false;
        }
        self.is_full = self.plan.is_full();
        if holds && !self.is_full {
            // What is known of jobs that preempt none does not hold for it.
            let known = if self.emptied.is_none() { self.plan.bound(job, self.floor) } else { None };
            let bound = known.unwrap_or(self.floor);
            if bound > last {
                return false;
            }
            self.from = self.plan.skip(job, now, bound);
        }
        self.space(controller).begin_search();
        true
    }

    /// Returns the next stretch, with enough free nodes if the job holds a reservation; `None` after the last stretch. The first
    /// stretch bounds the starts of later jobs.
    fn stretch(&mut self, controller: &mut Controller, is_first: bool) -> Option<Stretch> {
        let Tried { job, last, holds, .. } = self.asked;
        let partition = controller.partition_nodes(job);
        loop {
            let left = self.plan.left(job, &partition, self.from, last)?;
            self.from = left.from;
            let nodes = left.nodes.as_ref().unwrap_or(&job.nodes);
            if !holds {
                return Some(self.plan.stretch(job, nodes, left.from));
            }
            let space = match &mut self.emptied {
                Some(emptied) => emptied,
                None => controller.spaces_mut().seen_by(job),
            };
            let found = self.plan.candidate(job, nodes, left.from, space);
            let bound = match &found {
                Search::At(begin, _) => *begin,
                Search::Never { before } => *before,
            };
            // Other nodes are reserved then.
            if let Some(next) = left.next.filter(|&next| next <= bound) {
                self.from = next;
                space.begin_search();
                continue;
            }
            if is_first {
                self.plan.note_bound(job, bound);
            }
            let Search::At(begin, mut stretch) = found else { return None };
            self.from = begin;
            stretch.later = earliest([stretch.later, left.over]);
            return Some(stretch);
        }
    }

    /// Looks at a stretch: starts the job, or reserves nodes for it.
    fn look(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
        stretch: &Stretch,
    ) -> Result<Step, PolicyError> {
        let Tried { now, last, holds, .. } = self.asked;
        let mut later = stretch.later.filter(|_| holds);
        // What is free without any reservation is not free before: look again where it may be.
        if let Some(later) = later.filter(|&later| self.floor > later) {
            return Ok(Step::Look(later));
        }
        let Some(forecast) = self.forecast(controller, &stretch.free, later) else {
            // Nowhere if no later stretch may have more free nodes.
            return Ok(later.map_or(Step::End(TrialFate::Passed), Step::Look));
        };
        let mut start = forecast.start.max(self.from);
        if start <= now {
            match self.start_now(controller, turn, &stretch.free, &forecast)? {
                Now::Reserves(at) => start = at,
                Now::Ends(fate) => return Ok(Step::End(fate)),
            }
            later = None;
        }
        if start > now && !holds {
            return Ok(Step::End(TrialFate::Passed));
        }
        if let Some(later) = later.filter(|&later| start > later) {
            return Ok(Step::Look(later));
        }
        if start > last {
            return Ok(Step::End(TrialFate::Passed));
        }
        Ok(self.reserve(controller, turn, start, forecast.nodes))
    }

    /// Returns when and where a job could start in a stretch: now beside the jobs that it may preempt, else without them.
    fn forecast(
        &mut self,
        controller: &mut Controller,
        nodes: &NodeSet,
        later: Option<Time>,
    ) -> Option<Forecast> {
        let Tried { job, now, last, bins, .. } = self.asked;
        let (plan, from) = (&*self.plan, self.from);
        let stay = |start: Time| plan.still_free(job, nodes, from, start);
        let by = later.unwrap_or(last);
        let within = Within { now, floor: self.floor, from, later, by, stay: &stay };
        let Some(emptied) = &mut self.emptied else {
            return controller.spaces_mut().seen_by(job).forecast(job, nodes, within, bins);
        };
        match controller.spaces_mut().seen_by(job).now_or_completing(job, nodes) {
            Some(placement) => {
                let nodes = controller.allocations().nodes_of(&placement);
                Some(Forecast { start: now, nodes: Some(nodes) })
            }
            None => emptied.forecast(job, nodes, within, bins),
        }
    }

    /// Starts a job that could start now; if some of its nodes are still completing, it gets a reservation a second later.
    fn start_now(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
        free: &NodeSet,
        forecast: &Forecast,
    ) -> Result<Now, PolicyError> {
        let Tried { job, now, .. } = self.asked;
        // Components start at the end of the cycle.
        if job.het.is_some() {
            return Ok(Now::Reserves(now));
        }
        if !self.asked.may_start {
            return Ok(Now::Ends(TrialFate::Passed));
        }
        let closing = controller.allocations().spaces().all().closing();
        if forecast.nodes.as_ref().is_some_and(|nodes| nodes.meets(closing)) {
            return Ok(Now::Reserves(now + Time::SECOND));
        }
        self.start_in(controller, turn, free)
    }

    /// Starts a job on some nodes that are not reserved. If it does not fit, it may preempt others for a reservation from now on.
    fn start_in(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
        free: &NodeSet,
    ) -> Result<Now, PolicyError> {
        let Tried { job, now, bins, .. } = self.asked;
        let mut usable = controller.allocations().usable(turn, job);
        usable.keep(free);
        let Some(placement) = controller.spaces_mut().now(job, &usable) else {
            if self.emptied.is_none() {
                return Ok(Now::Ends(TrialFate::Passed));
            }
            controller.preempt_for(turn, job, &usable);
            return Ok(Now::Reserves(now));
        };
        if !controller.is_allowed_on(turn, job, placement.0.len()) {
            return Ok(Now::Ends(TrialFate::Passed));
        }
        controller.launch(turn, job, &placement, Why::Profile)?;
        // Running jobs are no part of the table, except a job that has just got whole nodes of select/cons_tres.
        if !bins.are_single() && job.layout.exclusive {
            self.plan.take_whole(job, &controller.allocations().nodes_of(&placement), now);
        }
        Ok(Now::Ends(TrialFate::Started))
    }

    /// Reserves the nodes of a forecast from an instant on, if they stay free; otherwise the search goes on there.
    fn reserve(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
        start: Time,
        nodes: Option<NodeSet>,
    ) -> Step {
        let Tried { job, may_start, .. } = self.asked;
        if self.is_full {
            return Step::End(TrialFate::Full);
        }
        let slot = self.plan.slot(job, start);
        let stays = |nodes: &NodeSet| start <= self.from || !self.plan.overlaps(nodes, &slot);
        let Some(nodes) = nodes.filter(stays) else { return Step::Look(start) };
        if !controller.is_allowed_on(turn, job, nodes.len()) {
            return Step::End(TrialFate::Passed);
        }
        self.plan.reserve(&nodes, &slot);
        // The reservation begins on the grid; the start is a promise if the job may start.
        let now = turn.now();
        if start > now || job.het.is_none() {
            controller.timers_mut().stale_at(slot.start.max(now + Time::TICK));
        }
        if may_start && start > now && !controller.hypothesis().is_on() {
            turn.promise(job.job, start);
        }
        Step::End(TrialFate::Reserved(start))
    }
}
