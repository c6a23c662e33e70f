//! Tests of replays that are driven from outside, decision by decision.

use batchlab::Registry;
use batchlab::policies::{Event, Needs, Policy, PolicyError, Turn};
use batchlab::replay::engine::{EventOrder, ReplayError, Scenario, Stepped};
use batchlab::traces::{JobId, Time};
use batchlab::when::replayed_until;

use super::script::{pool, secs, times};
use crate::lab::{Play, bare, play, policies, windows};

/// For callers who decide themselves: jobs that outlive their estimates may end at any moment.
struct Nobody;

impl Policy for Nobody {
    fn decide(&mut self, _: &mut Turn<'_>) -> Result<(), PolicyError> {
        Ok(())
    }
}

fn stepped(scene: &Play, spec: &str) -> batchlab::Outcome {
    let chosen = Registry::builtin().choose(spec).unwrap();
    let mut policy = chosen.build(&scene.scenario.setting(scene.overrun)).unwrap();
    let mut replay = Stepped::new(&scene.scenario, &chosen.canonical(), chosen.needs()).unwrap();
    while replay.advance(policy.as_mut()).unwrap().is_some() {
        replay.act(|turn| policy.decide(turn)).unwrap();
    }
    replay.finish(policy.as_mut()).unwrap()
}

#[test]
fn stepping_with_a_policy_gives_its_replay() {
    let further =
        ["easy:order=sjf", "easy:predictor=last2", "easy:order=wfp3,candidates=sjf", "fcfs:order=unicef"];
    let fit = |spec: &&batchlab::policies::spec::PolicySpec| !spec.needs.processors && !spec.needs.spread;
    let built_in = policies();
    let specs: Vec<String> =
        built_in.iter().filter(fit).map(bare).chain(further.map(str::to_owned)).collect();
    for (log, scene) in windows(300, 1.5) {
        for spec in &specs {
            let Ok(chosen) = Registry::builtin().choose(spec) else { continue };
            if chosen.needs().processors || chosen.build(&scene.scenario.setting(scene.overrun)).is_err() {
                continue;
            }
            let (whole, steps) = (play(&scene, spec).0, stepped(&scene, spec));
            assert_eq!((whole.start, whole.end), (steps.start, steps.end), "{spec} on {log}");
            assert_eq!(whole.decisions, steps.decisions, "{spec} on {log}");
            assert_eq!(whole.intervals, steps.intervals, "{spec} on {log}");
        }
    }
}

#[test]
fn a_replay_up_to_an_instant_has_the_starts_and_ends_up_to_it() {
    let mut compared = 0;
    let scenes = windows(120, 1.5);
    let logs = scenes.len();
    for (log, scene) in scenes {
        for spec in policies().iter().map(bare) {
            let Ok(chosen) = Registry::builtin().choose(&spec) else { continue };
            let build = || chosen.build(&scene.scenario.setting(scene.overrun));
            let Ok(mut policy) = build() else { continue };
            let name = chosen.canonical();
            let whole = scene.named(&name, chosen.needs(), policy.as_mut()).unwrap().0;
            let until = whole.start[whole.start.len() / 2];
            let known = |times: &[Time]| -> Vec<Option<Time>> {
                times.iter().map(|&time| Some(time).filter(|&time| time <= until)).collect()
            };
            let (spec_and_needs, tell) = ((name.as_str(), chosen.needs()), |_: usize| {});
            let mut policy = build().unwrap();
            let part = replayed_until(&scene.scenario, spec_and_needs, policy.as_mut(), (until, &tell));
            let Some(part) = part.unwrap() else { continue };
            assert_eq!(known(&whole.start), known(&part.start), "{spec} on {log}");
            assert_eq!(known(&whole.end), known(&part.end), "{spec} on {log}");
            compared += 1;
        }
    }
    assert!(logs == 0 || compared > 60, "{compared} replays of {logs} logs were compared");
}

#[test]
fn a_caller_looks_at_the_state_and_acts_as_often_as_it_likes_in_a_turn() {
    // Job 1 takes the machine; jobs 2 and 3 arrive together and start one by one, in one decision, when it ends.
    let scene = pool(4, &[(0, 10, 4), (5, 10, 2), (5, 20, 2)]);
    let mut replay = Stepped::new(&scene.scenario, "by hand", Needs::NONE).unwrap();
    let (a, b, c) = (JobId(0), JobId(1), JobId(2));

    assert_eq!(replay.advance(&mut Nobody).unwrap(), Some(secs(0)));
    let mut turn = replay.turn().unwrap();
    assert_eq!(turn.events(), [Event::Submitted(a)]);
    turn.start(a).unwrap();

    assert_eq!(replay.advance(&mut Nobody).unwrap(), Some(secs(5)));
    assert_eq!(replay.cluster().waiting().collect::<Vec<_>>(), [b, c]);
    assert_eq!(replay.turn().unwrap().free(0), [0]);

    assert_eq!(replay.advance(&mut Nobody).unwrap(), Some(secs(10)));
    replay.turn().unwrap().start(c).unwrap();
    assert_eq!(replay.turn().unwrap().free(0), [2]);
    assert_eq!(replay.turn().unwrap().events(), [Event::Finished(a)]);
    replay.turn().unwrap().start(b).unwrap();

    assert_eq!(replay.advance(&mut Nobody).unwrap(), Some(secs(20)));
    assert_eq!(replay.advance(&mut Nobody).unwrap(), Some(secs(30)));
    assert_eq!(replay.advance(&mut Nobody).unwrap(), None);
    assert!(replay.turn().is_none());
    let outcome = replay.finish(&mut Nobody).unwrap();
    assert_eq!(times(&outcome), [(0.0, 10.0), (10.0, 20.0), (10.0, 30.0)]);
    assert_eq!(outcome.decisions, 5);
}

#[test]
fn an_action_that_fails_names_the_caller_and_the_instant() {
    let scene = pool(4, &[(3, 10, 4)]);
    let mut replay = Stepped::new(&scene.scenario, "by hand", Needs::NONE).unwrap();
    replay.advance(&mut Nobody).unwrap();
    replay.turn().unwrap().start(JobId(0)).unwrap();
    let error = replay.act(|turn| Ok(turn.start(JobId(0)).map(|_| ())?)).unwrap_err();
    assert!(error.to_string().starts_with("policy `by hand` at 3 s: "), "{error}");
}

#[test]
fn jobs_that_never_start_make_the_end_an_error() {
    let scene = pool(4, &[(0, 10, 4)]);
    let mut replay = Stepped::new(&scene.scenario, "by hand", Needs::NONE).unwrap();
    while replay.advance(&mut Nobody).unwrap().is_some() {}
    assert!(matches!(replay.finish(&mut Nobody), Err(ReplayError::Stuck { waiting: 1, first: 1, .. })));
}

#[test]
fn another_event_order_cannot_be_stepped() {
    let scene = pool(4, &[(0, 10, 4)]).events("submit-first");
    let error = Stepped::new(&scene.scenario, "by hand", Needs::NONE).err().unwrap();
    assert!(error.to_string().contains("another event order than `batch`"), "{error}");
    let needs = Needs { processors: true, ..Needs::NONE };
    let scenario = Scenario { order: EventOrder::default(), ..scene.scenario };
    assert!(matches!(Stepped::new(&scenario, "by hand", needs), Err(ReplayError::Unsteppable { .. })));
}
