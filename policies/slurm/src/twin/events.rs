//! What has happened since the last decision: jobs that enter and leave the queue and the machine.

use std::sync::Arc;

use batchlab_policies::event::Event;
use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;
use batchlab_traces::capacity::Closure;
use batchlab_traces::{JobId, Time};

use super::clock::{Heard, STUCK};
use super::controller::{Completing, Twin};
use super::grid::next_on;
use super::queue::Waiting;

/// How long a job that has lost its nodes waits before it may start again: for the lifetime of the credential of its run, and a
/// second (`batch_requeue_fini`).
const REQUEUED: Time = Time::from_secs(121);

impl Twin {
    /// Updates queue and nodes by the events.
    pub(super) fn hear(&mut self, turn: &mut Turn<'_>) -> Heard {
        let now = turn.now();
        let mut heard = Heard::default();
        self.draw_phases(turn);
        self.is_limited = turn.heeds_limits();
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => {
                    // A limit may have voided its start.
                    self.leave(turn, job, false, &mut heard);
                    self.enter(turn, job, &mut heard);
                }
                Event::Displaced(job) => {
                    self.leave(turn, job, true, &mut heard);
                    self.requeued.insert((now + REQUEUED, job));
                }
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    heard.changed |= self.queue.remove(job);
                    self.requeued.retain(|&(_, other)| other != job);
                    self.preempting.forget(job);
                    heard.submitted.retain(|&other| other != job);
                    self.leave(turn, job, matches!(event, Event::Killed(_)), &mut heard);
                }
                Event::Capacity(_) => {
                    for node in 0..self.space.nodes() {
                        self.space.set_free(node, &kept_free(turn, node));
                        let is_closed = turn.in_service(node).first().is_some_and(|&procs| procs == 0);
                        self.out.set(node, is_closed && foreseen(turn, node).is_none());
                    }
                    (heard.freed, heard.changed) = (true, true);
                }
                Event::Suspended(_) | Event::Resumed(_) | Event::Loaded(_) | Event::Woke(_) => {}
            }
        }
        while let Some(entry) = self.completing.first_entry().filter(|entry| entry.key().0 <= now) {
            let done = entry.remove();
            self.space.completed(&done.nodes);
            heard.notes(done.was_killed);
        }
        while let Some((_, job)) = self.requeued.first().copied().filter(|&(at, _)| at <= now) {
            self.requeued.pop_first();
            self.enter(turn, job, &mut heard);
        }
        while let Some((_, job)) = self.choosy.first().copied().filter(|&(at, _)| at <= now) {
            self.choosy.pop_first();
            heard.changed |= self.queue.spread(job);
        }
        if self.edges().any(|edge| self.clock.heard.is_none_or(|last| edge > last) && edge <= now) {
            (heard.freed, heard.changed) = (true, true);
            self.leave_reservations(turn);
        }
        self.clock.heard = Some(now);
        self.recompute(turn, &mut heard);
        heard
    }

    /// Adds a job to the queue.
    fn enter(&mut self, turn: &Turn<'_>, job: JobId, heard: &mut Heard) {
        for waiting in self.waiting(turn, job) {
            if waiting.most_leaves.is_some_and(|most| most < i64::MAX) {
                self.choosy.extend(self.choosy_until(turn, job).map(|until| (until, job)));
            }
            self.queue.insert(waiting);
        }
        heard.submitted.push(job);
        heard.changed = true;
    }

    /// Rejects the jobs that are too large for what any switch reaches: slurmctld refuses them.
    pub(super) fn reject_unreachable(
        &mut self,
        turn: &mut Turn<'_>,
        heard: &mut Heard,
    ) -> Result<(), PolicyError> {
        if self.site.system.topology.is_none() {
            return Ok(());
        }
        for job in std::mem::take(&mut heard.submitted) {
            if self.queue.has(job) && !self.queue.of(job).any(|waiting| self.space.reaches(waiting)) {
                self.queue.remove(job);
                turn.reject_as(job, "too large for what any switch reaches")?;
            } else {
                heard.submitted.push(job);
            }
        }
        Ok(())
    }

    /// Lets the waiting jobs of reservations that are over run like any others.
    fn leave_reservations(&mut self, turn: &Turn<'_>) {
        let is_over = |at: usize| self.reservations[at].to <= turn.now();
        let left: Vec<JobId> =
            self.queue.iter().filter(|job| job.reservation.is_some_and(is_over)).map(|job| job.job).collect();
        for job in left {
            for waiting in self.waiting(turn, job) {
                self.queue.insert(waiting);
            }
        }
    }

    /// Returns when reservations begin and end.
    pub(super) fn edges(&self) -> impl Iterator<Item = Time> + '_ {
        self.reservations.iter().flat_map(|one| [one.from, one.to])
    }

    /// Takes a job off the machine.
    fn leave(&mut self, turn: &Turn<'_>, job: JobId, was_killed: bool, heard: &mut Heard) {
        let completes = self.delays.complete > Time::ZERO;
        let Some(nodes) = self.space.end(job, completes) else { return };
        self.inside.remove(&job);
        self.preempting.forget(job);
        // What a job leaves may be out of service by now.
        for &node in &nodes {
            self.space.set_free(node as usize, &kept_free(turn, node as usize));
        }
        if completes {
            let left = Completing { nodes, was_killed };
            self.completing.insert((turn.now() + self.delays.complete, job), left);
        } else {
            heard.notes(was_killed);
        }
        self.take_licences(turn, job, -1);
        if let Some(priority) = &mut self.priority {
            priority.ended(job, turn.now());
        }
        heard.changed = true;
    }

    /// Computes priorities again when it is time.
    fn recompute(&mut self, turn: &Turn<'_>, heard: &mut Heard) {
        let Some(priority) = &mut self.priority else { return };
        let now = turn.now();
        let period = priority.period();
        let last = self.site.computed.map_or(now, |at| next_on(at, period, now) - period);
        let due = *self.clock.priorities.get_or_insert(last);
        let used = self.site.used.as_ref().filter(|&&(at, _)| at <= now && !self.clock.has_used);
        if due > now && used.is_none() {
            return;
        }
        if let Some((_, usage)) = used {
            priority.use_up(usage);
            if self.site.used_has_running {
                priority.charge_from(last.min(now));
            }
            self.clock.has_used = true;
        }
        priority.recompute(now, self.queue.iter().map(|job| (job.order, job.association)));
        self.clock.priorities = Some(next_on(due, period, now));
        let priority = &*priority;
        let increases = self.site.system.priority.increase_only;
        let (clock, interval) = (&self.clock, self.rules.backfill.interval);
        heard.changed |= self.queue.rank_again(|job| {
            let is_tested = clock.has_tested(job.entered, now, interval);
            let view = (turn.job(job.job), job.in_partition);
            let fresh = priority.priority(view, job.limit, now, is_tested);
            if increases { fresh.max(job.priority) } else { fresh }
        });
    }

    /// Rejects the jobs that have not started after all loops have looked at the empty machine, with nothing to come that would
    /// change it for them: no rule lets them start, and they would wait for ever.
    pub(super) fn reject_stuck(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let is_empty = self.space.is_idle() && self.completing.is_empty();
        let comes =
            !self.requeued.is_empty() || !self.choosy.is_empty() || self.edges().any(|edge| edge > now);
        let changes = || turn.foreseen().iter().any(|closure| closure.to > now && closure.to < Time::MAX);
        if !is_empty || comes || self.queue.is_empty() || changes() {
            self.clock.stuck_since = None;
            return Ok(());
        }
        let state = (self.space.generation(), self.queue.len());
        let since = match self.clock.stuck_since {
            Some((since, before)) if before == state => since,
            _ => now,
        };
        self.clock.stuck_since = Some((since, state));
        let waits = |job: &Arc<Waiting>| job.entered.max(since) + STUCK <= now;
        let stuck: Vec<JobId> = self.queue.iter().filter(|job| waits(job)).map(|job| job.job).collect();
        for job in stuck {
            self.queue.remove(job);
            turn.reject_as(job, "no rule lets it start on the empty machine")?;
        }
        Ok(())
    }
}

/// Returns what is free on a node. What a foreseen closure of the whole node has taken counts as free: slurmctld keeps jobs off the
/// nodes of a reservation, and plans with them for the time behind it.
fn kept_free(turn: &Turn<'_>, node: usize) -> Vec<i64> {
    match foreseen(turn, node) {
        Some(closure) => {
            let with_it =
                turn.balance(node).into_iter().zip(&closure.amounts).map(|(free, taken)| free + taken);
            with_it.take(turn.free(node).len()).collect()
        }
        None => turn.free(node).to_vec(),
    }
}

/// Returns the foreseen closure that has taken all processors of a node, if there is one.
fn foreseen<'a>(turn: &'a Turn<'_>, node: usize) -> Option<&'a Closure> {
    let mut begun = turn.foreseen().iter().take_while(|closure| closure.from <= turn.now());
    let whole = turn.machine().capacity(node).first();
    begun.find(|closure| closure.node == node && closure.amounts.first() == whole)
}
