//! What an agent may choose, and what becomes of it.

use batchlab::environment::{EnvironmentError, EnvironmentOptions, StepResult};
use batchlab::replay::Scenario;
use batchlab::traces::Time;

use super::{choice, eight, environment, first_valid, jobs, scene, starts, valid};

#[test]
fn a_head_that_does_not_fit_gets_a_reservation_and_candidates_are_those_of_easy() {
    let mut agent = environment(&scene(), eight());
    assert_eq!(valid(&agent), [1, 0]);
    agent.step(choice(&agent, 1)).unwrap();

    // At 1 s any job may be the head.
    assert_eq!(agent.now(), Some(Time::from_secs(1)));
    assert_eq!(valid(&agent), [2, 3, 4, 5, 0]);
    agent.step(choice(&agent, 2)).unwrap();

    // Job 2 fits at 100 s, with two extra processors.
    assert_eq!(agent.head().map(|(job, shadow)| (job.0 + 1, shadow)), Some((2, Time::from_secs(100))));
    assert_eq!(valid(&agent), [3, 4, 0]);
    agent.step(choice(&agent, 4)).unwrap();
    // Job 4 has two of the four free processors, so job 3 no longer fits: the replay goes on to 100 s.
    assert_eq!(agent.now(), Some(Time::from_secs(100)));
    assert_eq!(agent.head(), None);
    assert_eq!(valid(&agent), [2, 3, 5, 0]);

    // Another head is chosen now; job 2 waits for it.
    agent.step(choice(&agent, 5)).unwrap();
    assert_eq!(valid(&agent), [2, 3, 0]);
    first_valid(&mut agent);
    assert_eq!(starts(&agent), [0.0, 299.0, 100.0, 1.0, 100.0]);
}

#[test]
fn an_agent_that_goes_on_lets_jobs_wait() {
    let mut agent = environment(&scene(), eight());
    agent.step(choice(&agent, 1)).unwrap();
    agent.step(choice(&agent, 0)).unwrap();
    assert_eq!(agent.now(), Some(Time::from_secs(100)));
    // Nothing runs or comes any more, so going on is not valid.
    assert_eq!(valid(&agent), [2, 3, 4, 5]);
}

#[test]
fn without_backfilling_the_chosen_head_blocks_until_the_next_event() {
    let mut agent = environment(&scene(), EnvironmentOptions { backfill: false, ..eight() });
    agent.step(choice(&agent, 1)).unwrap();
    agent.step(choice(&agent, 2)).unwrap();
    assert_eq!(agent.now(), Some(Time::from_secs(100)));
    first_valid(&mut agent);
    assert_eq!(starts(&agent), [0.0, 100.0, 150.0, 150.0, 150.0]);
}

#[test]
fn a_committed_job_is_waited_for_and_jobs_that_end_before_it_start_behind_it() {
    let mut agent = environment(&scene(), EnvironmentOptions { commit: true, ..eight() });
    agent.step(choice(&agent, 1)).unwrap();
    agent.step(choice(&agent, 2)).unwrap();
    // Job 3 ends at 50 s, before 100 s; job 4 would use extra processors only, and has to wait.
    assert_eq!(agent.now(), Some(Time::from_secs(100)));
    assert_eq!(valid(&agent), [4, 5, 0]);
    first_valid(&mut agent);
    assert_eq!(starts(&agent), [0.0, 100.0, 1.0, 100.0, 150.0]);

    let mut agent = environment(&scene(), EnvironmentOptions { commit: true, backfill: false, ..eight() });
    agent.step(choice(&agent, 1)).unwrap();
    agent.step(choice(&agent, 2)).unwrap();
    assert_eq!(valid(&agent), [3, 4, 5, 0]);
}

#[test]
fn an_invalid_action_has_no_effect_but_a_penalty() {
    let mut agent = environment(&scene(), EnvironmentOptions { penalty: 0.25, ..eight() });
    for action in [1, 7, 9, usize::MAX] {
        let step = agent.step(action).unwrap();
        assert_eq!(step, StepResult { reward: -0.25, invalid: true, ..StepResult::default() });
    }
    assert_eq!(agent.now(), Some(Time::ZERO));
    first_valid(&mut agent);
    // After the end nothing happens.
    assert_eq!(agent.step(0).unwrap(), StepResult { terminated: true, ..StepResult::default() });
}

#[test]
fn after_some_invalid_actions_in_a_row_the_environment_goes_on_by_itself() {
    let mut agent = environment(&scene(), EnvironmentOptions { patience: 3, ..eight() });
    let mut instants = Vec::new();
    for _ in 0..1000 {
        if agent.step(usize::MAX).unwrap().terminated {
            break;
        }
        instants.push(agent.now().unwrap().secs());
    }
    // Three actions at 0 s let job 1 wait; with nothing to come, each three start the first job, or wait for an end.
    assert_eq!(instants[..6], [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    let starts = starts(&agent);
    assert_eq!(starts[0], 1.0);
    assert_eq!(starts.len(), 5);
}

#[test]
fn what_an_agent_cannot_decide_about_is_refused() {
    let refused = |scenario: &Scenario, options| {
        let error = batchlab::environment::Environment::new(scenario, options).err();
        error.expect("it is refused").to_string()
    };
    let scene = scene().scenario;
    assert_eq!(
        refused(&scene, EnvironmentOptions { window: 0, ..eight() }),
        "window=0 is not between 1 and 1048576"
    );
    assert_eq!(
        refused(&scene, EnvironmentOptions { length: Some(6), ..eight() }),
        "length=6 is not between 1 and the 5 jobs of the log"
    );
    assert!(refused(&scene, EnvironmentOptions { penalty: f64::NAN, ..eight() }).contains("penalty=NaN"));
    assert!(refused(&scene, EnvironmentOptions { patience: 0, ..eight() }).contains("patience=0"));
    let wide = jobs(4, &[(0, 1, 1, 5, 1)]).scenario;
    assert!(refused(&wide, eight()).contains("jobs that do not fit the machine"));
    let order = Scenario { order: "submit-first".parse().unwrap(), ..scene };
    assert!(matches!(
        batchlab::environment::Environment::new(&order, eight()),
        Err(EnvironmentError::Replay(_))
    ));
}
