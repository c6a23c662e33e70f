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

/// The two loops, with the controller that they share.
pub(super) struct Twin {
    controller: Controller,
    backfill: BackfillLoop,
    /// Whether a job is tried as it is submitted.
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

    /// Hears of what has happened; returns it, and whether a loop would run now.
    pub(super) fn hear(&mut self, turn: &mut Turn<'_>) -> (Heard, bool) {
        let heard = self.controller.hear(turn);
        self.controller.notice(turn, &heard);
        let passes = self.controller.pass_due(turn.now()).is_some();
        let cycles = self.controller.cycle_due(turn.now());
        let would_run = cycles || passes && !self.controller.queue().is_empty();
        (heard, would_run)
    }

    /// Returns what a pass and a cycle would start now if the `late` jobs had not started.
    pub(super) fn would_start<'a>(
        &mut self,
        turn: &mut Turn<'_>,
        late: impl Iterator<Item = (JobId, &'a [Waiting])>,
    ) -> Result<Starts, PolicyError> {
        let before = self.controller.suppose(turn, late);
        let has_cycles = self.controller.rules().backfill.interval.is_some();
        let done = main_loop::pass(&mut self.controller, turn, PassDepth::Whole)
            .and_then(|()| if has_cycles { self.backfill.cycle(&mut self.controller, turn) } else { Ok(()) });
        let starts = self.controller.conclude(before);
        done.map(|()| starts)
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
