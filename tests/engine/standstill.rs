//! Tests that policies that leave jobs waiting, or that act without letting time pass, end with an error.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use batchlab::policies::cluster::State;
use batchlab::policies::policy::PolicyError;
use batchlab::policies::{Needs, Rate, Turn};
use batchlab::replay::engine::{Budget, Interrupt, ReplayError, TimeLimit};
use batchlab::traces::{JobId, Time};

use super::script::{pool, run, secs, start_all, times};

const A: JobId = JobId(0);

#[test]
fn jobs_that_are_never_started_are_counted_and_the_first_is_named() {
    for events in ["batch", "submit-first", "finish-first", "periodic:7"] {
        let scene = pool(2, &[(0, 5, 1), (1, 5, 2), (3, 5, 2)]).events(events);
        let error = run(&scene, Needs::POOL, |turn| match turn.head() {
            Some(A) => Ok(turn.start(A).map(drop)?),
            _ => Ok(()),
        });
        let text = "policy `test` leaves 2 jobs waiting for ever; the first is job 2";
        assert_eq!(error.unwrap_err().to_string(), text, "{events}");
    }
}

#[test]
fn a_job_that_stays_paused_waits_for_ever_too() {
    for events in ["batch", "submit-first", "periodic:7"] {
        let scene = pool(2, &[(0, 5, 1), (0, 5, 2)]).events(events).within(1000);
        let error = run(&scene, Needs::TIME_SHARING, |turn| {
            if turn.head() == Some(A) {
                turn.start(A)?;
                turn.set_rate(A, Rate::PAUSED)?;
            }
            Ok(())
        });
        // At each tick of a cycle the policy could have resumed the job.
        let expected = match error {
            Err(ReplayError::Stuck { waiting: 2, first: 1 | 2, .. }) => events != "periodic:7",
            Err(ReplayError::Idle { decisions: 1001, .. }) => events == "periodic:7",
            _ => false,
        };
        assert!(expected, "{events}: {:?}", error.err());
    }
}

#[test]
fn a_policy_that_is_asked_again_and_again_for_nothing_exceeds_the_budget() {
    // The job runs from 0 to 5 s; the policy wakes every millisecond. Nothing changes after the start, so the second
    // decision is the first that does nothing, and the 101st such decision, at 101 ms, exceeds the budget.
    let every_millisecond = |turn: &mut Turn<'_>| {
        start_all(turn)?;
        Ok(turn.wake_at(turn.now() + Time::from_ticks(1000))?)
    };
    // If each event has its own decision, the wake-up at 60 s comes after the decision about the last end.
    for (events, last) in [("batch", "61.002"), ("submit-first", "61.001"), ("finish-first", "61.001")] {
        let scene = pool(1, &[(0, 5, 1)]).events(events).within(100);
        let error = run(&scene, Needs::POOL, every_millisecond).unwrap_err();
        let idle = ReplayError::Idle {
            policy: "test".into(),
            at: Time::from_ticks(101_000),
            decisions: 101,
            first: None,
        };
        assert_eq!(error, idle, "{events}");
        // Arrivals, starts and ends reset the budget: 999 wake-ups lie between two of them, up to the last end at 60 s.
        let often: Vec<(i64, i64, i64)> = (0..60).map(|at| (at, 1, 1)).collect();
        let seldom = pool(1, &often).events(events).within(1001);
        let error = run(&seldom, Needs::POOL, every_millisecond).unwrap_err();
        assert_eq!(error.to_string().split(": ").next(), Some(&*format!("policy `test` at {last} s")));
    }
}

#[test]
fn wake_ups_beyond_one_a_decision_are_work() {
    let wakes = |count: i64| {
        let mut scene = pool(1, &[(0, 5, 1)]);
        scene.scenario.budget = Budget { decisions: 200, work: 1000, ..Budget::default() };
        run(&scene, Needs::POOL, move |turn| {
            start_all(turn)?;
            let now = turn.now();
            (1..=count).try_for_each(|after| turn.wake_at(now + Time::from_ticks(1000 * after)))?;
            Ok(())
        })
    };
    assert!(matches!(wakes(81), Err(ReplayError::Laborious { decisions: 101, limit: 1000, .. })));
    // One wake-up a decision is what a policy needs to be asked again.
    assert!(matches!(wakes(1), Err(ReplayError::Idle { decisions: 201, .. })));
}

#[test]
fn a_decision_without_end_that_requests_wake_ups_is_refused() {
    let error = run(&pool(1, &[(0, 5, 1)]), Needs::POOL, |turn| {
        loop {
            turn.wake_at(secs(9))?;
        }
    });
    let text =
        "policy `test` at 0 s: cannot wake job 0 at 0 s: a decision requests at most 10000000 wake-ups";
    assert_eq!(error.unwrap_err().to_string(), text);
}

#[test]
fn cycles_in_which_nothing_happens_count_too() {
    let scene = pool(2, &[(0, 500, 2), (0, 500, 2)]).events("periodic:1");
    let eager = |turn: &mut Turn<'_>| start_all(turn);
    // The second job waits for 500 cycles.
    assert!(run(&scene.clone().within(499), Needs::POOL, eager).is_ok());
    let error = run(&scene.within(498), Needs::POOL, eager).unwrap_err();
    assert_eq!(
        error,
        ReplayError::Idle { policy: "test".into(), at: secs(499), decisions: 499, first: Some(2) }
    );
}

#[test]
fn a_rate_that_is_set_and_stays_what_it_was_is_no_change() {
    let set = |rates: &'static [Rate]| {
        let scene = pool(1, &[(0, 5, 1)]).within(100);
        run(&scene, Needs::TIME_SHARING, move |turn| {
            start_all(turn)?;
            let at = turn.now();
            for rate in rates {
                turn.set_rate(A, *rate)?;
            }
            Ok(turn.wake_at(at + Time::from_ticks(10_000))?)
        })
    };
    for rates in [&[][..], &[Rate::FULL], &[Rate::PAUSED, Rate::FULL]] {
        assert!(matches!(set(rates), Err(ReplayError::Idle { decisions: 101, .. })), "{rates:?}");
    }
    // A job that is suspended and resumed in turn, every 10 ms, ends: each decision changes a rate.
    let scene = pool(1, &[(0, 5, 1)]).within(100);
    let outcome = run(&scene, Needs::TIME_SHARING, |turn| {
        start_all(turn)?;
        if turn.state(A) == State::Resident {
            let running = turn.rate(A) == Rate::FULL && turn.now() > Time::ZERO;
            turn.set_rate(A, if running { Rate::PAUSED } else { Rate::FULL })?;
            turn.wake_at(turn.now() + Time::from_ticks(10_000))?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome.unwrap().0), [(0.0, 9.99)]);
}

#[test]
fn a_policy_that_changes_rates_for_ever_exceeds_the_budget() {
    // Each change of rate of a running job records an interval of 40 bytes and an end of 24 bytes in the event queue.
    const MOST: u64 = 100_000;
    type Act = fn(&mut Turn<'_>) -> Result<(), PolicyError>;
    // The job would run from 0 to 5 s. The policy acts at every microsecond, either by toggling the rate or by restarting.
    let toggles: Act = |turn| {
        start_all(turn)?;
        let running = turn.rate(A) == Rate::FULL && turn.now() > Time::ZERO;
        Ok(turn.set_rate(A, if running { Rate::PAUSED } else { Rate::FULL })?)
    };
    let restarts: Act = |turn| match turn.state(A) {
        State::Resident => Ok(turn.displace(A, false)?),
        _ => start_all(turn),
    };
    for (name, act) in [("toggles", toggles), ("restarts", restarts)] {
        for events in ["batch", "submit-first", "finish-first"] {
            let mut scene = pool(1, &[(0, 5, 1)]).events(events);
            scene.scenario.budget = Budget { decisions: 10, record: MOST, ..Budget::default() };
            let error = run(&scene, Needs::TIME_SHARING, |turn| {
                act(turn)?;
                Ok(turn.wake_at(turn.now() + Time::from_ticks(1))?)
            });
            let Err(ReplayError::TooMuch { at, limit: MOST, .. }) = error else {
                panic!("{name}, {events}: {:?}", error.err());
            };
            // Each microsecond records at least 40 bytes and at most 40 + 3 * 24.
            assert!(
                (MOST / 112..=MOST / 40 * 2).contains(&at.ticks().unsigned_abs()),
                "{name}, {events}: {at}"
            );
        }
    }
    // A job that is suspended every other second ends within the same budget.
    let mut scene = pool(1, &[(0, 5, 1)]);
    scene.scenario.budget = Budget { decisions: 10, record: MOST, ..Budget::default() };
    let outcome = run(&scene, Needs::TIME_SHARING, |turn| {
        start_all(turn)?;
        if turn.state(A) == State::Resident {
            let running = turn.rate(A) == Rate::FULL && turn.now() > Time::ZERO;
            turn.set_rate(A, if running { Rate::PAUSED } else { Rate::FULL })?;
            turn.wake_at(turn.now() + secs(1))?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome.unwrap().0), [(0.0, 9.0)]);
}

#[test]
fn an_interrupt_ends_a_replay_at_its_next_decision() {
    let mut scene = pool(1, &[(0, 5, 1), (7, 5, 1)]);
    let interrupt = Interrupt::default();
    scene.scenario.budget = Budget { interrupt: interrupt.clone(), ..Budget::default() };
    let outcome = run(&scene, Needs::POOL, start_all);
    assert_eq!(times(&outcome.unwrap().0), [(0.0, 5.0), (7.0, 12.0)]);
    // The request comes with the decision at 5 s, when the first job has ended.
    let outcome = run(&scene, Needs::POOL, |turn| {
        if turn.now() == secs(5) {
            interrupt.request();
        }
        start_all(turn)
    });
    assert!(matches!(outcome, Err(ReplayError::Interrupted { at, .. }) if at == secs(5)));
}

#[test]
fn a_clock_ends_a_replay_that_is_allowed_no_longer() {
    // A clock that advances by a second each time it is read: once at the beginning, then at each decision.
    fn clock() -> Duration {
        static SECONDS: AtomicU64 = AtomicU64::new(0);
        Duration::from_secs(SECONDS.fetch_add(1, Ordering::Relaxed))
    }
    let mut scene = pool(1, &[(0, 5, 1), (7, 5, 1), (14, 5, 1)]);
    let limit =
        |secs| Budget { time: Some(TimeLimit { most: Time::from_secs(secs), clock }), ..Budget::default() };
    scene.scenario.budget = limit(3);
    // Decisions at 0, 5, 7 and 12 s: the fourth is 4 s after the beginning.
    let error = run(&scene, Needs::POOL, start_all).unwrap_err();
    assert_eq!(error, ReplayError::TooLong { policy: "test".into(), at: secs(12), limit: secs(3) });
    scene.scenario.budget = limit(6);
    assert!(run(&scene, Needs::POOL, start_all).is_ok());
}

#[test]
fn a_policy_that_does_not_let_time_pass_is_endless() {
    for events in ["batch", "submit-first", "periodic:7"] {
        let scene = pool(1, &[(0, 5, 1)]).events(events);
        let error = run(&scene, Needs::TIME_SHARING, |turn| {
            start_all(turn)?;
            Ok(turn.displace(A, true)?)
        });
        let text = error.unwrap_err().to_string();
        assert_eq!(text, "policy `test` was asked 1011 times at 0 s and time does not pass", "{events}");
    }
}

#[test]
fn a_policys_own_failure_is_reported_in_its_words() {
    let error = run(&pool(1, &[(3, 5, 1)]), Needs::POOL, |_| Err(PolicyError::Failed("no model".into())));
    assert_eq!(error.unwrap_err().to_string(), "policy `test` at 3 s: no model");
}

#[test]
fn a_wake_up_asks_for_a_decision_when_nothing_else_happens() {
    // Several wake-ups at one instant count as one; a wake-up at an instant with other events needs no separate decision.
    for (events, decisions) in [("batch", 4), ("submit-first", 4), ("finish-first", 4)] {
        let scene = pool(1, &[(0, 5, 1), (1, 5, 1)]).events(events);
        let (outcome, _) = run(&scene, Needs::POOL, |turn| {
            match turn.now().ticks() / 1_000_000 {
                0 | 1 => turn.wake_at(secs(20))?,
                20 => start_all(turn)?,
                _ => {}
            }
            if turn.now() == secs(20) && turn.head().is_some() {
                turn.wake_at(secs(25))?;
            }
            if turn.now() == secs(25) {
                start_all(turn)?;
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(times(&outcome), [(20.0, 25.0), (25.0, 30.0)], "{events}");
        assert!(outcome.decisions >= decisions, "{events}: {}", outcome.decisions);
    }
}
