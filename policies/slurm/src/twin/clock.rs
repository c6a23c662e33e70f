//! The clock of slurmctld: which of its loops runs when.
//!
//! Source: `_slurmctld_background` (controller.c), `backfill_agent` (backfill.c) of Slurm 22.05.

use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;
use batchlab_traces::{JobId, Time};
use rand_chacha::rand_core::Rng;

use super::controller::{ReactClock, Twin};
use super::grid::next_on;

/// After how long on the empty machine a job is taken for one that never starts: many times what the loops take.
pub(super) const STUCK: Time = Time::from_secs(86_400);

/// What has happened since the last decision.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) submitted: Vec<JobId>,
    /// Whether a job has ended, or nodes have completed.
    pub(super) freed: bool,
    /// Whether the nodes of a killed job are free. They report it when nothing of it runs any more, and slurmctld begins a pass at
    /// once (`_slurm_rpc_epilog_complete`). Where a job has ended by itself, nothing runs when they are asked, and a pass is only
    /// queued, for after `batch_sched_delay` (agent.c).
    pub(super) vacated: bool,
    pub(super) changed: bool,
}

impl Heard {
    /// Notes that the nodes of a job are free.
    pub(super) fn notes(&mut self, was_killed: bool) {
        self.changed = true;
        *(if was_killed { &mut self.vacated } else { &mut self.freed }) = true;
    }
}

/// When the loops run.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopTimers {
    /// A tick of slurmctld's clock, if its phase is drawn.
    tick: Option<Time>,
    /// A pass that an end or a submission has caused.
    pub(super) pass: Option<Time>,
    /// The last pass.
    pub(super) last_pass: Option<Time>,
    /// The last pass over the whole queue.
    pub(super) last_full: Option<Time>,
    /// Whether anything has changed since the last pass over the whole queue.
    pub(super) since_full: bool,
    /// When the last cycle ended.
    pub(super) last_cycle: Option<Time>,
    /// Whether anything has changed since the last cycle.
    pub(super) since_cycle: bool,
    /// When the last cycle would come out differently although nothing has changed.
    pub(super) stale: Option<Time>,
    /// The next computation of priorities.
    pub(super) priorities: Option<Time>,
    /// Whether the usage by jobs that are not of the replay has been added.
    pub(super) has_used: bool,
    /// The wake-up asked for.
    pub(super) wake: Option<Time>,
    /// The last instant of which anything was heard.
    pub(super) heard: Option<Time>,
    /// Since when no job has started on the empty machine, with the generation of the space and the length of the queue.
    pub(super) stuck_since: Option<(Time, (u64, usize))>,
}

impl LoopTimers {
    /// Whether a loop has tested a job that entered the queue at some instant: a cycle, or a pass where there are no cycles.
    pub(super) fn has_tested(&self, entered: Time, now: Time, interval: Option<Time>) -> bool {
        match (self.last_cycle, interval) {
            (Some(last), Some(interval)) => next_on(last, interval, entered - Time::TICK) < now,
            _ => self.last_pass.is_some_and(|pass| pass >= entered),
        }
    }
}

impl Twin {
    /// Draws the phases of the loops, before the first event of a replay with `clock=ticks`: those of the log to the second that it
    /// tells, the others within their periods.
    pub(super) fn draw_phases(&mut self, turn: &mut Turn<'_>) {
        if self.delays.clock != ReactClock::Ticks || self.clock.tick.is_some() {
            return;
        }
        let now = turn.now();
        // Returns a point of a loop within its last period.
        let mut past = |known: Option<Time>, period: Time| {
            let from = known.map_or(now - part_of(turn, period), |known| known + part_of(turn, Time::SECOND));
            next_on(from, period, now) - period
        };
        let tick = past(None, Time::SECOND);
        // It begins at a tick.
        let full = past(None, self.rules.main.interval);
        self.clock.last_full = Some(next_on(tick, Time::SECOND, full) - Time::SECOND);
        if let Some(interval) = self.rules.backfill.interval.filter(|_| self.delays.phase.is_none()) {
            self.clock.last_cycle = Some(past(self.site.cycle, interval));
        }
        if let Some(priority) = &self.priority {
            self.clock.priorities = Some(past(self.site.computed, priority.period()));
        }
        self.clock.tick = Some(tick);
    }

    /// Sets the clock by what has happened.
    pub(super) fn notice(&mut self, turn: &mut Turn<'_>, heard: &Heard) {
        let now = turn.now();
        let clock = &mut self.clock;
        clock.last_full.get_or_insert(now);
        if let Some(interval) = self.rules.backfill.interval {
            let phase = self.site.cycle.map(|cycle| next_on(cycle, interval, now - Time::TICK) - now);
            let first = now + self.delays.phase.or(phase).unwrap_or(self.delays.react) - interval;
            clock.last_cycle.get_or_insert(first);
        }
        clock.since_full |= heard.changed;
        clock.since_cycle |= heard.changed;
        let soonest =
            |known: &mut Option<Time>, at: Time| *known = Some(known.map_or(at, |known| known.min(at)));
        if (heard.freed || !heard.submitted.is_empty()) && !self.queue.is_empty() {
            let after = self.clock.last_pass.map_or(now, |last| last + self.rules.main.batch_delay);
            let at = match (self.delays.clock, self.clock.tick) {
                (ReactClock::Drawn, _) => now + drawn(turn),
                (ReactClock::Ticks, Some(tick)) => next_on(tick, Time::SECOND, now),
                _ => now + self.delays.react,
            };
            soonest(&mut self.clock.pass, at.max(after));
        }
    }

    /// Returns until when neither loop runs, as the nodes of a job complete that has ended no longer than `CompleteWait` before
    /// (`job_is_completing`).
    fn waits_until(&self) -> Option<Time> {
        let most = self.site.system.complete_wait;
        let last = self.completing.keys().next_back().filter(|_| most > Time::ZERO);
        last.map(|&(at, _)| at.min(at - self.delays.complete + most))
    }

    /// Whether a pass of the main loop is due now; `true` inside if it is one over the whole queue.
    pub(super) fn pass_due(&mut self, now: Time) -> Option<bool> {
        if let Some(until) = self.waits_until().filter(|&until| until > now) {
            self.clock.pass = self.clock.pass.map(|pass| pass.max(until));
            return None;
        }
        let interval = self.rules.main.interval;
        let clock = &mut self.clock;
        let full = clock.last_full.is_some_and(|last| last + interval <= now);
        let due = clock.pass.is_some_and(|pass| pass <= now);
        if full {
            clock.last_full = clock.last_full.map(|last| next_on(last, interval, now) - interval);
        }
        let whole = full && clock.since_full;
        if due || whole {
            (clock.pass, clock.last_pass) = (None, Some(now));
        }
        if whole {
            clock.since_full = false;
        }
        (due || whole).then_some(whole)
    }

    /// Returns the instant of the next cycle that may come out differently from the last one, not before `now` unless it is
    /// overdue.
    fn next_cycle(&self, now: Time) -> Option<Time> {
        let interval = self.rules.backfill.interval?;
        let Some(last) = self.clock.last_cycle else { return Some(now) };
        let next = if self.clock.since_cycle {
            next_on(last, interval, now.max(last + interval) - Time::TICK)
        } else {
            next_on(last, interval, self.clock.stale?.max(last + interval).max(now) - Time::TICK)
        };
        Some(self.waits_until().map_or(next, |until| next.max(until)))
    }

    /// Whether a cycle of the backfill loop is due now.
    pub(super) fn cycle_due(&mut self, now: Time) -> bool {
        let due = !self.queue.is_empty() && self.next_cycle(now).is_some_and(|next| next <= now);
        if due {
            self.clock.last_cycle = Some(now);
            self.clock.since_cycle = false;
            self.clock.stale = None;
        }
        due
    }

    /// Asks for a decision when the next loop is due.
    pub(super) fn sleep(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let mut next: Option<Time> = self.completing.keys().next().map(|&(at, _)| at);
        let mut consider = |at: Option<Time>| {
            if let Some(at) = at.map(|at| at.max(now + Time::TICK)) {
                next = Some(next.map_or(at, |next| next.min(at)));
            }
        };
        consider(self.requeued.first().map(|&(at, _)| at));
        consider(self.paused.as_ref().map(|paused| paused.until));
        consider(self.choosy.first().map(|&(at, _)| at));
        if !self.queue.is_empty() {
            consider(self.edges().filter(|&edge| edge > now).min());
            consider(self.clock.pass);
            consider(self.next_cycle(now).filter(|_| self.paused.is_none()));
            if self.clock.since_full {
                consider(self.clock.last_full.map(|last| next_on(last, self.rules.main.interval, now)));
            }
            consider(self.clock.priorities);
            consider(self.clock.stuck_since.map(|(since, _)| since + STUCK));
        }
        if let Some(next) = next
            && self.clock.wake.is_none_or(|wake| wake <= now || next < wake)
        {
            turn.wake_at(next)?;
            self.clock.wake = Some(next);
        }
        Ok(())
    }

    /// Notes a start: a pass or a cycle may have ended before it came to all jobs.
    pub(super) fn has_changed(&mut self) {
        (self.clock.since_cycle, self.clock.since_full) = (true, true);
    }
}

/// Draws the time from an event to the pass that it causes: the part of a second that the log leaves out, and the wait for
/// slurmctld's clock, which ticks once a second.
fn drawn(turn: &mut Turn<'_>) -> Time {
    part_of(turn, Time::SECOND) + part_of(turn, Time::SECOND)
}

/// Draws a part of a period.
fn part_of(turn: &mut Turn<'_>, period: Time) -> Time {
    Time::from_ticks((turn.rng().next_u64() % period.ticks().max(1) as u64) as i64)
}
