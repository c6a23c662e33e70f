//! Policies that leave jobs waiting, or that act without letting time pass, end with an error.

use batchlab::engine::ReplayError;
use batchlab::policies::policy::PolicyError;
use batchlab::policies::{Needs, Rate};
use batchlab::traces::JobId;

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
        let scene = pool(2, &[(0, 5, 1), (0, 5, 2)]).events(events);
        let error = run(&scene, Needs::TIME_SHARING, |turn| {
            if turn.head() == Some(A) {
                turn.start(A)?;
                turn.set_rate(A, Rate::PAUSED)?;
            }
            Ok(())
        });
        assert!(
            matches!(error, Err(ReplayError::Stuck { waiting: 2, first: 1 | 2, .. })),
            "{events}: {:?}",
            error.err()
        );
    }
}

#[test]
fn a_policy_that_only_wakes_up_is_stuck() {
    let error = run(&pool(1, &[(0, 5, 1)]), Needs::POOL, |turn| Ok(turn.wake_at(turn.now() + secs(1))?));
    assert!(matches!(error, Err(ReplayError::Stuck { waiting: 1, first: 1, .. })), "{:?}", error.err());
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
fn a_failure_of_its_own_is_told_in_its_own_words() {
    let error = run(&pool(1, &[(3, 5, 1)]), Needs::POOL, |_| Err(PolicyError::Failed("no model".into())));
    assert_eq!(error.unwrap_err().to_string(), "policy `test` at 3 s: no model");
}

#[test]
fn a_wake_up_asks_for_a_decision_when_nothing_else_happens() {
    // Several for one instant are one; one for an instant with other events needs no decision of its own.
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
