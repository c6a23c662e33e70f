//! The handling of one instant in each of the event orders.

use std::collections::VecDeque;

use batchlab_policies::cluster::State;
use batchlab_policies::{Event, Policy};
use batchlab_traces::{JobId, Time};

use super::clock::Clock;
use super::{EventOrder, ReplayError};

impl Clock<'_> {
    /// At every instant: all ends, all arrivals, wake-ups, one decision. If a decision makes something happen
    /// at the same instant, the instant is handled again.
    pub(super) fn run_batch(&mut self, policy: &mut dyn Policy) -> Result<(), ReplayError> {
        while let Some(now) = self.advance(policy) {
            self.decide(now, policy)?;
        }
        Ok(())
    }

    /// Goes on to the next decision of the event order `batch`, whose events are gathered then. Returns its instant;
    /// `None` if the replay is over. The policy answers for jobs that outlive their expectations.
    #[inline]
    pub(super) fn advance(&mut self, policy: &mut dyn Policy) -> Option<Time> {
        // Events that a decision caused belong to its instant.
        let mut now = self.asked();
        while self.events.is_empty() && !self.is_over() {
            now = self.upcoming()?;
            self.gather(now, policy);
        }
        (!self.is_over()).then_some(now)
    }

    /// Events happen at their own instants; decisions come at multiples of the cycle, one in each cycle while
    /// jobs wait. The instant of a decision is repeated as in `batch`.
    pub(super) fn run_periodic(&mut self, cycle: Time, policy: &mut dyn Policy) -> Result<(), ReplayError> {
        let mut tick: Option<Time> = None;
        loop {
            let next = self.upcoming();
            let Some(now) = next.into_iter().chain(tick).min() else { return Ok(()) };
            if next == Some(now) {
                self.gather(now, policy);
                if !self.events.is_empty() {
                    tick = Some(tick_from(now, cycle));
                }
            }
            if self.is_over() {
                return Ok(());
            }
            if tick != Some(now) {
                continue;
            }
            loop {
                self.decide(now, policy)?;
                self.gather(now, policy);
                if self.is_over() {
                    return Ok(());
                }
                if self.events.is_empty() {
                    break;
                }
            }
            let cluster = &self.stage.cluster;
            let idle = cluster.resident().next().is_none();
            tick = cluster.waiting().next().map(|_| now + cycle);
            if idle && self.upcoming().is_none() {
                // Nothing runs and no event is left, so jobs that wait now would wait for ever.
                return Ok(());
            }
        }
    }

    /// Every arrival and every end is followed by its own decision.
    pub(super) fn run_one_by_one(&mut self, policy: &mut dyn Policy) -> Result<(), ReplayError> {
        let mut due: VecDeque<JobId> = VecDeque::new();
        while let Some(now) = self.upcoming() {
            self.expire(now, policy);
            while let Some(job) = self.take_end(now) {
                due.push_back(job);
            }
            for &job in &due {
                if self.stage.expected_end(job) <= now {
                    self.stage.cluster.release(job, now);
                    self.events.push(Event::Released(job));
                }
            }
            self.preempt(now, &due);
            self.change_capacity(now, &due);
            loop {
                let (arrivals, ends) = match self.order {
                    EventOrder::FinishFirst => {
                        let ends = self.end_all(&mut due, now, policy)?;
                        (self.submit_all(now, policy)?, ends)
                    }
                    _ => (self.submit_all(now, policy)?, self.end_all(&mut due, now, policy)?),
                };
                if self.is_over() {
                    return Ok(());
                }
                if !arrivals && !ends {
                    break;
                }
            }
            self.cancel(now);
            self.end_swaps(now);
            if self.take_wake(now) {
                self.events.push(Event::Woke(now));
            }
            while self.events.iter().any(|event| !matches!(event, Event::Released(_))) {
                self.decide(now, policy)?;
                if self.is_over() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn submit_all(&mut self, now: Time, policy: &mut dyn Policy) -> Result<bool, ReplayError> {
        let mut any = false;
        while !self.is_over()
            && let Some(job) = self.take_arrival(now)
        {
            self.events.push(Event::Submitted(job));
            self.decide(now, policy)?;
            any = true;
        }
        Ok(any)
    }

    /// Whether a job that was to end at this instant still does. An earlier decision may have displaced it:
    /// it ends nevertheless if its work is done and was not lost.
    fn is_done(&self, job: JobId, now: Time) -> bool {
        let cluster = &self.stage.cluster;
        match cluster.state(job) {
            State::Leaving => true,
            State::Resident if !cluster.shares_time() => true,
            State::Resident | State::Waiting => cluster.executed(job, now) >= cluster.workload().run(job),
            State::Future | State::Done => false,
        }
    }

    fn end_all(
        &mut self,
        due: &mut VecDeque<JobId>,
        now: Time,
        policy: &mut dyn Policy,
    ) -> Result<bool, ReplayError> {
        let mut any = false;
        while let Some(job) = due.pop_front().or_else(|| self.take_end(now)) {
            if self.is_done(job, now) {
                self.finish(job, now);
                self.events.push(Event::Finished(job));
                if !self.is_over() {
                    self.decide(now, policy)?;
                }
                any = true;
            }
        }
        Ok(any)
    }

    /// Carries out all events of an instant.
    fn gather(&mut self, now: Time, policy: &mut dyn Policy) {
        self.expire(now, policy);
        while let Some(job) = self.take_end(now) {
            self.finish(job, now);
            self.events.push(Event::Finished(job));
        }
        self.preempt(now, &VecDeque::new());
        self.change_capacity(now, &VecDeque::new());
        while let Some(job) = self.take_arrival(now) {
            self.events.push(Event::Submitted(job));
        }
        self.cancel(now);
        self.end_swaps(now);
        if self.take_wake(now) {
            self.events.push(Event::Woke(now));
        }
    }
}

/// Returns the first multiple of the cycle at or after an instant.
fn tick_from(now: Time, cycle: Time) -> Time {
    let cycles = now.ticks().div_euclid(cycle.ticks()) + i64::from(now.ticks().rem_euclid(cycle.ticks()) > 0);
    Time::from_ticks(cycles * cycle.ticks())
}
