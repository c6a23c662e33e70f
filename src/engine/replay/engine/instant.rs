//! The event orders: when the policy is asked among the events of an instant.

use std::collections::VecDeque;

use batchlab_support::{Event, Policy};
use batchlab_traces::{JobId, Time};

use super::clock::Clock;
use super::error::ReplayError;
use super::order::EventOrder;

pub(super) fn run(clock: &mut Clock, order: EventOrder, policy: &mut dyn Policy) -> Result<(), ReplayError> {
    match order {
        EventOrder::Batch => run_batch(clock, policy),
        EventOrder::SubmitFirst => run_one_by_one(clock, false, policy),
        EventOrder::FinishFirst => run_one_by_one(clock, true, policy),
        EventOrder::Periodic(cycle) => run_periodic(clock, cycle, policy),
    }
}

/// At every instant: all ends, all arrivals, wake-ups, one decision. If a decision makes something happen
/// at the same instant, the instant is handled again.
fn run_batch(clock: &mut Clock, policy: &mut dyn Policy) -> Result<(), ReplayError> {
    while let Some(now) = clock.advance(policy) {
        clock.decide(now, policy)?;
    }
    Ok(())
}

/// Events happen at their own instants; decisions come at multiples of the cycle, one in each cycle while
/// jobs wait. The instant of a decision is repeated as in `batch`.
fn run_periodic(clock: &mut Clock, cycle: Time, policy: &mut dyn Policy) -> Result<(), ReplayError> {
    let mut tick: Option<Time> = None;
    loop {
        let next = clock.upcoming();
        let Some(now) = next.into_iter().chain(tick).min() else { return Ok(()) };
        if next == Some(now) {
            clock.gather(now, policy);
            if !clock.events().is_empty() {
                tick = Some(tick_from(now, cycle));
            }
        }
        if clock.is_over() {
            return Ok(());
        }
        if tick != Some(now) {
            continue;
        }
        loop {
            clock.decide(now, policy)?;
            clock.gather(now, policy);
            if clock.is_over() {
                return Ok(());
            }
            if clock.events().is_empty() {
                break;
            }
        }
        let cluster = clock.cluster();
        let idle = cluster.resident().next().is_none();
        tick = cluster.waiting().next().map(|_| now + cycle);
        if idle && clock.upcoming().is_none() {
            // Nothing runs and no event is left, so jobs that wait now would wait for ever.
            return Ok(());
        }
    }
}

/// Every arrival and every end is followed by its own decision.
fn run_one_by_one(clock: &mut Clock, finish_first: bool, policy: &mut dyn Policy) -> Result<(), ReplayError> {
    while let Some(now) = clock.upcoming() {
        let mut ending = clock.gather_first(now, policy);
        loop {
            let (arrivals, ends) = if finish_first {
                let ends = end_all(clock, &mut ending, now, policy)?;
                (submit_all(clock, now, policy)?, ends)
            } else {
                (submit_all(clock, now, policy)?, end_all(clock, &mut ending, now, policy)?)
            };
            if clock.is_over() {
                return Ok(());
            }
            if !arrivals && !ends {
                break;
            }
        }
        clock.gather_last(now);
        while clock.events().iter().any(|event| !matches!(event, Event::Released(_))) {
            clock.decide(now, policy)?;
            if clock.is_over() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn submit_all(clock: &mut Clock, now: Time, policy: &mut dyn Policy) -> Result<bool, ReplayError> {
    let mut any = false;
    while !clock.is_over() && clock.submit(now) {
        clock.decide(now, policy)?;
        any = true;
    }
    Ok(any)
}

fn end_all(
    clock: &mut Clock,
    ending: &mut VecDeque<JobId>,
    now: Time,
    policy: &mut dyn Policy,
) -> Result<bool, ReplayError> {
    let mut any = false;
    while clock.end_next(ending, now) {
        if !clock.is_over() {
            clock.decide(now, policy)?;
        }
        any = true;
    }
    Ok(any)
}

/// Returns the first multiple of the cycle at or after an instant.
fn tick_from(now: Time, cycle: Time) -> Time {
    let cycles = now.ticks().div_euclid(cycle.ticks()) + i64::from(now.ticks().rem_euclid(cycle.ticks()) > 0);
    Time::from_ticks(cycles * cycle.ticks())
}
