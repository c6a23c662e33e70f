//! The clock of slurmctld: which of its loops runs when.
//!
//! Source: `_slurmctld_background` (controller.c), `backfill_agent` (backfill.c) of Slurm 22.05.

use std::sync::Arc;

use batchlab_contract::turn::Turn;
use batchlab_traces::Time;
use chacha20::rand_core::Rng;

use super::grid::next_on;
use crate::site::{Scheduler, SlurmSite};

/// How long slurmctld takes from an event to the pass that it causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReactClock {
    /// One time for all events.
    #[default]
    Mean,
    Drawn,
    /// Until the next tick of slurmctld's clock: one second, with a drawn phase. The phases of the other loops are drawn as far as
    /// the log leaves them open.
    Ticks,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// From an event to the pass that it causes.
    pub react: Time,
    /// Whether it takes this long, or as long as slurmctld's clock makes it.
    pub clock: ReactClock,
    /// From the end of a job until its nodes are free.
    pub complete: Time,
    /// From the first submission to the first backfill cycle; `None` for as the log tells, else at once.
    pub phase: Option<Time>,
    /// Whether a job is tried as it is submitted (`srun`, `salloc`), rather than left to the main loop (`sbatch`).
    pub tries: bool,
}

/// How many jobs a pass of the main loop comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PassDepth {
    /// As many as `default_queue_depth`.
    Limited,
    /// The whole queue.
    Whole,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LoopTimers {
    delays: Delays,
    full_interval: Time,
    /// Least time between the passes that submissions cause.
    batch_delay: Time,
    /// Time between cycles; `None` without them.
    cycle_interval: Option<Time>,
    /// An instant at which a cycle began, as the log tells.
    cycle_of_log: Option<Time>,
    /// The instants at which cycles began, ascending, where a log tells them; behind the last one the period goes on.
    told_cycles: Arc<[Time]>,
    /// A tick of slurmctld's clock, if its phase is drawn.
    tick: Option<Time>,
    /// A pass that an end or a submission has caused.
    pass: Option<Time>,
    last_pass: Option<Time>,
    last_full: Option<Time>,
    /// Whether anything has changed since the last pass over the whole queue.
    since_full: bool,
    last_cycle: Option<Time>,
    /// Whether anything has changed since the last cycle.
    since_cycle: bool,
    /// When the last cycle would come out differently although nothing has changed.
    stale: Option<Time>,
}

impl LoopTimers {
    pub(super) fn new(rules: &Scheduler, delays: Delays, site: &SlurmSite) -> LoopTimers {
        LoopTimers {
            delays,
            full_interval: rules.main.interval,
            batch_delay: rules.main.batch_delay,
            cycle_interval: rules.backfill.interval,
            cycle_of_log: site.cycle,
            ..LoopTimers::default()
        }
    }

    /// Lets cycles begin at the instants that a log tells, ascending.
    pub(super) fn follow(&mut self, cycles: Vec<Time>) {
        self.told_cycles = cycles.into();
    }

    /// Returns the first instant for a cycle after another instant; `last` is when one began.
    fn cycle_after(&self, last: Time, interval: Time, after: Time) -> Time {
        let told = self.told_cycles.partition_point(|&cycle| cycle <= after);
        self.told_cycles.get(told).copied().unwrap_or_else(|| next_on(last, interval, after))
    }

    /// Draws the phases of the loops, before the first event of a replay with `clock=ticks`: within the second that the log tells, else
    /// within the period of the loop. Returns whether it has drawn them.
    pub(super) fn draw_phases(&mut self, turn: &mut Turn<'_>) -> bool {
        if self.delays.clock != ReactClock::Ticks || self.tick.is_some() {
            return false;
        }
        let tick = drawn_in_period(turn, None, Time::SECOND);
        // A pass over the whole queue begins at a tick.
        let full = drawn_in_period(turn, None, self.full_interval);
        self.last_full = Some(next_on(tick, Time::SECOND, full) - Time::SECOND);
        if let Some(interval) = self.cycle_interval.filter(|_| self.delays.phase.is_none()) {
            self.last_cycle = Some(drawn_in_period(turn, self.cycle_of_log, interval));
        }
        self.tick = Some(tick);
        true
    }

    /// Sets the clock by what has happened: whether anything has `changed`, and whether an end or a submission `causes_pass`.
    pub(super) fn notice(&mut self, turn: &mut Turn<'_>, changed: bool, causes_pass: bool) {
        let now = turn.now();
        self.last_full.get_or_insert(now);
        if let Some(interval) = self.cycle_interval {
            let phase = self.cycle_of_log.map(|cycle| next_on(cycle, interval, now - Time::TICK) - now);
            let first = now + self.delays.phase.or(phase).unwrap_or(self.delays.react) - interval;
            self.last_cycle.get_or_insert(first);
        }
        self.since_full |= changed;
        self.since_cycle |= changed;
        if causes_pass {
            let after = self.last_pass.map_or(now, |last| last + self.batch_delay);
            let at = match (self.delays.clock, self.tick) {
                (ReactClock::Drawn, _) => now + drawn(turn),
                (ReactClock::Ticks, Some(tick)) => next_on(tick, Time::SECOND, now),
                _ => now + self.delays.react,
            };
            let at = at.max(after);
            self.pass = Some(self.pass.map_or(at, |known| known.min(at)));
        }
    }

    /// Returns the depth of the pass of the main loop that is due now, if one is. Neither loop runs before `wait`.
    pub(super) fn pass_due(&mut self, now: Time, wait: Option<Time>) -> Option<PassDepth> {
        if let Some(until) = wait.filter(|&until| until > now) {
            self.pass = self.pass.map(|pass| pass.max(until));
            return None;
        }
        let full = self.last_full.is_some_and(|last| last + self.full_interval <= now);
        let due = self.pass.is_some_and(|pass| pass <= now);
        if full {
            let interval = self.full_interval;
            self.last_full = self.last_full.map(|last| next_on(last, interval, now) - interval);
        }
        let whole = full && self.since_full;
        if !due && !whole {
            return None;
        }
        (self.pass, self.last_pass) = (None, Some(now));
        if !whole {
            return Some(PassDepth::Limited);
        }
        self.since_full = false;
        Some(PassDepth::Whole)
    }

    /// Returns the instant of the next cycle that may come out differently from the last cycle, not before `now` unless it is
    /// overdue.
    fn next_cycle(&self, now: Time, wait: Option<Time>) -> Option<Time> {
        let interval = self.cycle_interval?;
        let Some(last) = self.last_cycle else { return Some(now) };
        // A cycle that a log tells may follow sooner: its instants are whole seconds.
        let soonest = if self.told_cycles.is_empty() { last + interval } else { last + Time::TICK };
        let from = if self.since_cycle { now } else { self.stale?.max(now) };
        let next = self.cycle_after(last, interval, from.max(soonest) - Time::TICK);
        Some(wait.map_or(next, |until| next.max(until)))
    }

    /// Whether a cycle of the backfill loop is due now, which begins then.
    pub(super) fn cycle_due(&mut self, now: Time, wait: Option<Time>) -> bool {
        let due = self.next_cycle(now, wait).is_some_and(|next| next <= now);
        if due {
            self.last_cycle = Some(now);
            self.since_cycle = false;
            self.stale = None;
        }
        due
    }

    /// The cycle falls asleep; returns whether anything had changed since the last cycle.
    pub(super) fn cycle_sleeps(&mut self) -> bool {
        std::mem::take(&mut self.since_cycle)
    }

    /// The cycle goes on; `before` is what [`LoopTimers::cycle_sleeps`] returned. Returns whether anything has changed while it slept.
    pub(super) fn cycle_wakes(&mut self, now: Time, before: bool) -> bool {
        let meanwhile = self.since_cycle;
        self.since_cycle |= before;
        // The next cycle is due `bf_interval` after this one has ended.
        self.last_cycle = Some(now);
        meanwhile
    }

    /// Notes a start: a pass or a cycle may have ended before it came to all jobs.
    pub(super) fn has_changed(&mut self) {
        (self.since_cycle, self.since_full) = (true, true);
    }

    /// The cycle would come out differently from this instant on.
    pub(super) fn stale_at(&mut self, at: Time) {
        self.stale = Some(self.stale.map_or(at, |stale| stale.min(at)));
    }

    /// Whether a loop has tested a job that entered the queue at some instant: a cycle, or a pass where there are no cycles.
    pub(super) fn has_tested(&self, entered: Time, now: Time) -> bool {
        match (self.last_cycle, self.cycle_interval) {
            (Some(last), Some(interval)) => next_on(last, interval, entered - Time::TICK) < now,
            _ => self.last_pass.is_some_and(|pass| pass >= entered),
        }
    }

    /// Returns when the loops run next; without the cycles while one of them sleeps.
    pub(super) fn next(&self, now: Time, wait: Option<Time>, cycle_is_asleep: bool) -> Option<Time> {
        let full = self.last_full.filter(|_| self.since_full);
        let full = full.map(|last| next_on(last, self.full_interval, now));
        let cycle = if cycle_is_asleep { None } else { self.next_cycle(now, wait) };
        [self.pass, cycle, full].into_iter().flatten().map(|at| at.max(now + Time::TICK)).min()
    }
}

/// Returns an instant of a loop within its last period; its second is `known`, or nothing of it is.
pub(super) fn drawn_in_period(turn: &mut Turn<'_>, known: Option<Time>, period: Time) -> Time {
    let now = turn.now();
    let from = known.map_or(now - part_of(turn, period), |known| known + part_of(turn, Time::SECOND));
    next_on(from, period, now) - period
}

/// Draws the time from an event to the pass that it causes: the part of a second that the log leaves out, and the wait for
/// slurmctld's clock, which ticks once a second.
fn drawn(turn: &mut Turn<'_>) -> Time {
    part_of(turn, Time::SECOND) + part_of(turn, Time::SECOND)
}

fn part_of(turn: &mut Turn<'_>, period: Time) -> Time {
    Time::from_ticks((turn.rng().next_u64() % period.ticks().max(1) as u64) as i64)
}
