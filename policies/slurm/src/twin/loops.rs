//! The two loops as a policy: at each decision, what has happened, then the loops that are due.

mod backfill;
mod bounds;
mod components;
mod main_loop;
mod plan;
mod reserved;
mod trial;

use std::sync::Arc;

use batchlab_contract::policy::{Policy, PolicyError};
use batchlab_contract::spec::Setting;
use batchlab_contract::turn::Turn;
use batchlab_traces::{JobId, Time};

use super::clock::{Delays, PassDepth};
use super::controller::Controller;
use super::heard::Heard;
use super::hypothesis::Starts;
use super::queue::Waiting;
use crate::site::{Scheduler, SlurmSite};
use backfill::BackfillLoop;

#[derive(Default)]
pub(super) struct Asked {
    pub(super) pass: Option<PassDepth>,
    pub(super) cycle: bool,
    pub(super) submitted: Vec<JobId>,
}

impl Asked {
    pub(super) fn is_empty(&self) -> bool {
        self.pass.is_none() && !self.cycle && self.submitted.is_empty()
    }
}

/// The two loops, with the controller that they share.
pub(super) struct Twin {
    controller: Controller,
    backfill: BackfillLoop,
    tries: bool,
}

impl Policy for Twin {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let controller = &mut self.controller;
        let mut heard = controller.hear(turn);
        controller.reject_refused(turn, &mut heard)?;
        controller.take_turns(turn)?;
        for &job in heard.submitted.iter().filter(|_| self.tries) {
            main_loop::at_submission(controller, turn, job)?;
        }
        controller.notice(turn, &heard);
        let due = controller.pass_due(turn.now());
        if let Some(depth) = due.or(heard.vacated.then_some(PassDepth::Limited)) {
            main_loop::pass(controller, turn, depth)?;
        }
        self.backfill.run(controller, turn)?;
        controller.reject_stuck(turn)?;
        controller.sleep(turn, self.backfill.asleep_until())
    }
}

impl Twin {
    /// Returns the loops of an installation; `suspends` and `asks` are those of [`Controller::new`].
    pub(super) fn new(
        rules: Scheduler,
        delays: Delays,
        site: &Arc<SlurmSite>,
        setting: &Setting<'_>,
        suspends: bool,
        asks: bool,
    ) -> Twin {
        let rules = Arc::new(rules);
        Twin {
            controller: Controller::new(&rules, delays, site, setting, suspends, asks),
            backfill: BackfillLoop::new(&rules.backfill, site),
            tries: delays.tries,
        }
    }

    pub(super) fn controller(&self) -> &Controller {
        &self.controller
    }

    pub(super) fn controller_mut(&mut self) -> &mut Controller {
        &mut self.controller
    }

    pub(super) fn follow(&mut self, cycles: Vec<Time>) {
        self.controller.timers_mut().follow(cycles);
    }

    /// Hears of what has happened; returns it, and the loops that are due now.
    pub(super) fn hear(&mut self, turn: &mut Turn<'_>) -> (Heard, Asked) {
        let heard = self.controller.hear(turn);
        self.controller.notice(turn, &heard);
        let pass = self.controller.pass_due(turn.now()).or(heard.vacated.then_some(PassDepth::Limited));
        let cycle = self.controller.cycle_due(turn.now());
        let pass = pass.filter(|_| self.controller.has_waiting());
        (heard, Asked { pass, cycle, ..Asked::default() })
    }

    /// Returns what some loops would start now if the `late` jobs had not started.
    pub(super) fn would_start<'a>(
        &mut self,
        turn: &mut Turn<'_>,
        asked: &Asked,
        late: impl Iterator<Item = (JobId, &'a [Waiting])>,
    ) -> Result<Starts, PolicyError> {
        let before = self.controller.suppose(turn, late);
        let done = self.run_asked(turn, asked);
        let starts = self.controller.conclude(before);
        done.map(|before_cycle| Starts { before_cycle, ..starts })
    }

    /// Runs some loops; returns how many jobs started before the cycle.
    fn run_asked(&mut self, turn: &mut Turn<'_>, asked: &Asked) -> Result<usize, PolicyError> {
        let controller = &mut self.controller;
        asked.submitted.iter().try_for_each(|&job| main_loop::at_submission(controller, turn, job))?;
        if let Some(depth) = asked.pass {
            main_loop::pass(controller, turn, depth)?;
        }
        let started = controller.hypothesis().would_run().len();
        if asked.cycle && controller.rules().backfill.interval.is_some() {
            self.backfill.cycle(controller, turn)?;
        }
        Ok(started)
    }

    /// Asks for a decision when a loop is due.
    pub(super) fn sleep(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.controller.sleep(turn, self.backfill.asleep_until())
    }

    /// Returns the period of the backfill loop; without a backfill loop, that of the main loop.
    pub(super) fn interval(&self) -> Time {
        let rules = self.controller.rules();
        rules.backfill.interval.unwrap_or(rules.main.interval)
    }
}
