//! The loop around a plug-in, with plug-ins that follow a script.

use std::sync::{Arc, Mutex};

use batchlab_traces::workload::PlainJob;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::*;
use crate::plugin::{About, Library, Plugin};
use crate::stage::{Setup, Stage};

/// The calls of a scripted plug-in, an entry per call: events, and the numbers of refused verbs.
type Heard = Arc<Mutex<Vec<(Vec<Event>, Vec<usize>)>>>;

/// A plug-in that gives the answers of its script, call by call, and then empty answers.
#[derive(Clone, Debug)]
struct Script {
    answers: Vec<Result<Vec<Verb>, Fault>>,
    heard: Heard,
    /// Repeats the last answer forever.
    again: bool,
}

impl Library for Script {
    fn begin(&self, _: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        Ok(Box::new(self.clone()))
    }
}

impl Conversation for Script {
    fn order(&mut self, _: &mut Vec<f64>, _: usize, _: &mut Vec<f64>) -> Result<(), Fault> {
        Err(Fault::GaveUp("it only decides".into()))
    }

    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault> {
        let refused = asked.refused.iter().map(|(index, _)| *index).collect();
        assert!(asked.random < 1 << 53);
        self.heard.lock().unwrap().push((asked.events.to_vec(), refused));
        let next = match self.answers.len() {
            0 => Ok(Vec::new()),
            1 if self.again => self.answers[0].clone(),
            _ => self.answers.remove(0),
        };
        *verbs = next?;
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        Err(Fault::GaveUp("it never ends well".into()))
    }
}

/// A stage with two jobs of three processors on a pool of four, both just submitted, and the policy of a script.
fn scene(description: &str, script: Script) -> (Stage, Box<dyn Policy>) {
    let job = PlainJob { user: 1, ..PlainJob::secs(0, 1, vec![3]) };
    let workload = Arc::new(Workload::from_jobs(&[job.clone(), job]));
    let machine = Arc::new(Machine::pool(4).unwrap());
    let setup = Setup { policy: "script".into(), ..Setup::default() };
    let mut stage = Stage::new(&machine, &workload, &setup);
    stage.cluster.submit(JobId(0));
    stage.cluster.submit(JobId(1));
    let about = About::parse(description).unwrap().remove(0);
    let mut params = Params::check("script", &[], &[]).unwrap();
    params.set_plugin(Plugin {
        about,
        which: 0,
        declared: Vec::new(),
        opened: true,
        library: Arc::new(script),
    });
    let policy = build(&params, &Setting::new(&machine)).unwrap();
    (stage, policy)
}

const PLAIN: &str = r#"{"name": "script", "kind": "policy"}"#;
const TOLD: &str = r#"{"name": "script", "kind": "policy", "told-of-refusals": true}"#;
const BOTH: [Event; 2] = [Event::Submitted(JobId(0)), Event::Submitted(JobId(1))];

fn script(answers: Vec<Result<Vec<Verb>, Fault>>) -> Script {
    Script { answers, heard: Heard::default(), again: false }
}

fn both() -> Vec<Verb> {
    vec![Verb::Start(JobId(0)), Verb::Start(JobId(1))]
}

#[test]
fn a_refusal_ends_the_replay_of_who_does_not_want_to_be_told() {
    let (mut stage, mut policy) = scene(PLAIN, script(vec![Ok(both())]));
    let error = policy.decide(&mut stage.turn(Time::ZERO, &BOTH)).unwrap_err();
    assert_eq!(error.to_string(), "cannot place job 2 at 0 s: it needs 3 procs on node 0, where 1 are free");
}

#[test]
fn who_wants_to_be_told_is_asked_again_and_events_are_told_once() {
    let plan = script(vec![Ok(both()), Ok(vec![Verb::Wake(Time::from_secs(5))])]);
    let heard = plan.heard.clone();
    let (mut stage, mut policy) = scene(TOLD, plan);
    policy.decide(&mut stage.turn(Time::ZERO, &BOTH)).unwrap();
    assert_eq!(*heard.lock().unwrap(), [(BOTH.to_vec(), vec![]), (vec![], vec![1])]);
    assert_eq!(stage.cluster.started(JobId(0)), Some(Time::ZERO));
}

#[test]
fn who_insists_is_stopped() {
    let insists = Script { again: true, ..script(vec![Ok(both())]) };
    let (mut stage, mut policy) = scene(TOLD, insists);
    let error = policy.decide(&mut stage.turn(Time::ZERO, &BOTH)).unwrap_err().to_string();
    assert!(error.contains("verbs of the plug-in were refused 1000 times in one decision"), "{error}");
}

#[test]
fn faults_end_the_replay_at_a_decision_and_at_the_end() {
    let (mut stage, mut policy) = scene(PLAIN, script(vec![Err(Fault::GaveUp("no more".into()))]));
    let error = policy.decide(&mut stage.turn(Time::ZERO, &BOTH)).unwrap_err();
    assert_eq!(error.to_string(), "the plug-in gave up: no more");
    assert!(policy.finish().unwrap_err().to_string().ends_with("it never ends well"));
}

#[test]
fn nothing_is_expected_of_or_promised_to_a_job_that_does_not_wait() {
    for verb in [
        Verb::Expect { job: JobId(7), duration: Time::SECOND },
        Verb::Promise { job: JobId(7), at: Time::SECOND },
        Verb::Start(JobId(7)),
        Verb::Kill(JobId(7)),
    ] {
        let (mut stage, mut policy) = scene(PLAIN, script(vec![Ok(vec![verb.clone()])]));
        let error = policy.decide(&mut stage.turn(Time::ZERO, &BOTH)).unwrap_err().to_string();
        assert!(error.starts_with("cannot ") && error.contains(" job 7 at 0 s: it "), "{verb:?}: {error}");
    }
}

#[test]
fn wake_ups_are_counted_and_there_is_a_most() {
    let wakes = |from: i64, count: usize| {
        let at = |index: usize| Verb::Wake(Time::from_ticks(from + index as i64));
        Ok((0..count).map(at).collect::<Vec<Verb>>())
    };
    // The maximum number of wake-ups, and some of the same instants again: each instant counts once.
    let (mut stage, mut policy) = scene(PLAIN, script(vec![wakes(1, MOST_WAKES), wakes(1, 7)]));
    policy.decide(&mut stage.turn(Time::ZERO, &BOTH)).unwrap();
    policy.decide(&mut stage.turn(Time::ZERO, &[])).unwrap();
    assert_eq!(stage.wakes.len(), MOST_WAKES);
    let (mut stage, mut policy) =
        scene(PLAIN, script(vec![wakes(1, MOST_WAKES), wakes(MOST_WAKES as i64, 2)]));
    policy.decide(&mut stage.turn(Time::ZERO, &BOTH)).unwrap();
    let error = policy.decide(&mut stage.turn(Time::ZERO, &[])).unwrap_err().to_string();
    assert_eq!(
        error,
        "the plug-in wants to be woken at more than 1048576 instants to come; ask for the next one only"
    );
}

/// A plug-in that starts the first job, one in each answer.
#[derive(Debug)]
struct OneByOne;

impl Library for OneByOne {
    fn begin(&self, _: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        Ok(Box::new(OneByOne))
    }
}

impl Conversation for OneByOne {
    fn order(&mut self, _: &mut Vec<f64>, _: usize, _: &mut Vec<f64>) -> Result<(), Fault> {
        Ok(())
    }

    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault> {
        *verbs = asked.turn.head().map(Verb::Start).into_iter().collect();
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn any_number_of_jobs_that_take_no_time_pass_in_one_decision() {
    let jobs = 2 * ROUNDS as u32;
    let job = PlainJob { user: 1, ..PlainJob::secs(0, 0, vec![1]) };
    let workload = Arc::new(Workload::from_jobs(&vec![job; jobs as usize]));
    let machine = Arc::new(Machine::pool(1).unwrap());
    let setup = Setup { policy: "one-by-one".into(), passing: true, ..Setup::default() };
    let mut stage = Stage::new(&machine, &workload, &setup);
    (0..jobs).for_each(|job| stage.cluster.submit(JobId(job)));
    let about = About::parse(PLAIN).unwrap().remove(0);
    let mut params = Params::check("one-by-one", &[], &[]).unwrap();
    params.set_plugin(Plugin {
        about,
        which: 0,
        declared: Vec::new(),
        opened: true,
        library: Arc::new(OneByOne),
    });
    let mut policy = build(&params, &Setting::new(&machine)).unwrap();
    policy.decide(&mut stage.turn(Time::ZERO, &[])).unwrap();
    assert_eq!(stage.cluster.started(JobId(jobs - 1)), Some(Time::ZERO));
}

#[test]
fn a_job_that_had_to_leave_is_told_in_the_words_of_the_plug_in() {
    let now = Time::from_secs(3);
    let happened = [
        Event::Displaced(JobId(0)),
        Event::Displaced(JobId(1)),
        Event::Capacity(now),
        Event::Killed(JobId(1)),
    ];
    let heard_by = |description: &str| {
        let plan = script(Vec::new());
        let heard = plan.heard.clone();
        let (mut stage, mut policy) = scene(description, plan);
        policy.decide(&mut stage.turn(now, &happened)).unwrap();
        heard.lock().unwrap()[0].0.clone()
    };
    let capacity = r#"{"name": "script", "kind": "policy", "needs": ["capacity"]}"#;
    let left = [Event::Capacity(now), Event::Killed(JobId(1))];
    let again = [Event::Killed(JobId(0)), Event::Submitted(JobId(0))];
    assert_eq!(heard_by(PLAIN), [&again[..], &left].concat());
    assert_eq!(heard_by(capacity), [&[Event::Displaced(JobId(0))][..], &left].concat());
}
