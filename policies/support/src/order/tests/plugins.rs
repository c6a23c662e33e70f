//! Orders of plug-ins: the requests they get, how often, and the use of their answers.

use std::sync::{Arc, Mutex};

use batchlab_traces::workload::PlainJob;
use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::books::Books;
use crate::event::Event;
use crate::external::{About, Asked, Begin, Conversation, Fault, Library, ParamValue, Plugin, Verb};
use crate::order::ORDER;
use crate::params::{BOOKED, params};
use crate::policy::PolicyError;
use crate::registry::of_plugin;
use crate::spec::{BuildError, ParamSpec, Params, Setting};
use crate::stage::{Setup, Stage};

const DECLARED: &[ParamSpec] = params![&[ORDER], BOOKED];

/// The requests to a plug-in: its columns each time, and its end.
type Log = Arc<Mutex<Vec<Vec<f64>>>>;

/// A plug-in whose scores are the first column times its parameter `k`, until it fails.
#[derive(Clone, Debug, Default)]
struct Times {
    asked: Log,
    /// The number of requests that it answers before it fails.
    answers: Option<usize>,
    /// The number of scores that it omits.
    lacks: usize,
}

impl Library for Times {
    fn begin(&self, begin: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        let factor = match begin.params {
            [("k", ParamValue::Number(factor))] => *factor,
            _ => f64::NAN,
        };
        Ok(Box::new(Talk { plugin: self.clone(), factor }))
    }
}

struct Talk {
    plugin: Times,
    factor: f64,
}

impl Conversation for Talk {
    fn order(&mut self, columns: &mut Vec<f64>, rows: usize, scores: &mut Vec<f64>) -> Result<(), Fault> {
        let mut asked = self.plugin.asked.lock().unwrap();
        asked.push(columns.clone());
        if self.plugin.answers.is_some_and(|answers| asked.len() > answers) {
            return Err(Fault::GaveUp("no more".into()));
        }
        scores.clear();
        scores.extend(columns[..rows - self.plugin.lacks].iter().map(|value| value * self.factor));
        Ok(())
    }

    fn decide(&mut self, _: &Asked<'_, '_>, _: &mut Vec<Verb>) -> Result<(), Fault> {
        Err(Fault::GaveUp("it only ranks".into()))
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.plugin.asked.lock().unwrap().push(Vec::new());
        Ok(())
    }
}

/// The parameters of a policy whose queue order is a plug-in with these columns.
fn ordered_by(library: &Times, columns: &str, changes: bool, k: &str) -> Params {
    let text = format!(
        r#"{{"name": "times", "kind": "order", "columns": {columns}, "changes": {changes},
            "params": [{{"name": "k", "kind": "number", "default": "1", "least": -9}}]}}"#
    );
    let about = About::parse(&text).unwrap().remove(0);
    let declared = about.params().unwrap();
    let plugin = Plugin { about, which: 0, declared, opened: true, library: Arc::new(library.clone()) };
    let chosen = of_plugin("wasm:times.wasm", plugin, &[], &[("k".into(), k.into())]).unwrap();
    let mut params = Params::check("ordered", DECLARED, &[]).unwrap();
    params.set_policy("order", chosen);
    params
}

/// Three jobs of a pool of four processors, with estimates 30, 10 and 20, submitted at 0, 0 and 5.
fn stage() -> (Arc<Machine>, Stage) {
    let job = |submit, estimate, procs| PlainJob { user: 1, ..PlainJob::secs(submit, estimate, vec![procs]) };
    let workload = Arc::new(Workload::from_jobs(&[job(0, 30, 4), job(0, 10, 2), job(5, 20, 1)]));
    let machine = Arc::new(Machine::pool(4).unwrap());
    let setup = Setup { policy: "easy".into(), ..Setup::default() };
    let stage = Stage::new(&machine, &workload, &setup);
    (machine, stage)
}

/// Settles the books at an instant at which jobs arrive; returns the queue.
fn settle(books: &mut Books<1>, stage: &mut Stage, now: i64, jobs: &[u32]) -> Result<Vec<u32>, PolicyError> {
    for &job in jobs {
        stage.cluster.submit(JobId(job));
    }
    let events: Vec<Event> = jobs.iter().map(|&job| Event::Submitted(JobId(job))).collect();
    books.settle(&mut stage.turn(Time::from_secs(now), &events))?;
    Ok(books.queue.jobs().into_iter().map(|job| job.0).collect())
}

fn asked(library: &Times) -> Vec<Vec<f64>> {
    library.asked.lock().unwrap().clone()
}

#[test]
fn scores_that_stay_are_asked_for_once_and_all_newcomers_together() {
    let library = Times::default();
    let (machine, mut stage) = stage();
    let mut books =
        Books::new(&ordered_by(&library, r#"["estimate", "procs"]"#, false, "1"), &Setting::new(&machine))
            .unwrap();
    assert_eq!(settle(&mut books, &mut stage, 0, &[0, 1]), Ok(vec![1, 0]));
    assert_eq!(settle(&mut books, &mut stage, 5, &[2]), Ok(vec![1, 2, 0]));
    assert_eq!(settle(&mut books, &mut stage, 6, &[]), Ok(vec![1, 2, 0]));
    let mut turn = stage.turn(Time::from_secs(7), &[]);
    books.start_heads(&mut turn).unwrap();
    assert_eq!(books.queue.head(), Some(JobId(0)), "a started job has left the queue");
    books.finish().unwrap();
    assert_eq!(asked(&library), [vec![30.0, 10.0, 4.0, 2.0], vec![20.0, 1.0], vec![]]);
}

#[test]
fn changing_scores_are_requested_at_each_decision_with_waiting_jobs() {
    let library = Times::default();
    let (machine, mut stage) = stage();
    let params = ordered_by(&library, r#"["wait/estimate"]"#, true, "-1");
    assert_eq!(params.text("order"), "(wasm:times.wasm,k=-1)");
    let mut books = Books::new(&params, &Setting::new(&machine)).unwrap();
    assert_eq!(settle(&mut books, &mut stage, 0, &[]), Ok(vec![]));
    assert_eq!(settle(&mut books, &mut stage, 0, &[0, 1]), Ok(vec![0, 1]));
    assert_eq!(settle(&mut books, &mut stage, 5, &[2]), Ok(vec![1, 0, 2]));
    let sorted = |mut columns: Vec<f64>| {
        columns.sort_by(f64::total_cmp);
        columns
    };
    let columns: Vec<Vec<f64>> = asked(&library).into_iter().map(sorted).collect();
    assert_eq!(columns, [vec![0.0, 0.0], vec![0.0, 5.0 / 30.0, 5.0 / 10.0]]);
}

#[test]
fn jobs_without_a_score_of_value_are_served_last() {
    let library = Times::default();
    let (machine, mut stage) = stage();
    let params = ordered_by(&library, r#"["if(estimate > 25, -sqrt(0-1), estimate)"]"#, false, "-1");
    let mut books = Books::new(&params, &Setting::new(&machine)).unwrap();
    assert_eq!(settle(&mut books, &mut stage, 5, &[0, 1, 2]), Ok(vec![2, 1, 0]));
}

#[test]
fn a_plug_in_that_fails_ends_the_replay() {
    let failing = Times { answers: Some(1), ..Times::default() };
    let short = Times { lacks: 1, ..Times::default() };
    let (machine, mut stage) = stage();
    let mut settled = |library: &Times| {
        let mut books =
            Books::new(&ordered_by(library, r#"["estimate"]"#, false, "1"), &Setting::new(&machine)).unwrap();
        settle(&mut books, &mut stage, 0, &[0]).and_then(|_| settle(&mut books, &mut stage, 0, &[1]))
    };
    assert_eq!(settled(&failing), Err(PolicyError::Fault(Fault::GaveUp("no more".into()))));
    let error = settled(&short).unwrap_err().to_string();
    assert_eq!(error, "the plug-in's answer to `order` cannot be used: 0 scores for 1 jobs");
}

#[test]
fn columns_speak_of_what_is_known_of_a_waiting_job() {
    let (machine, _) = stage();
    let params = ordered_by(&Times::default(), r#"["procs", "run"]"#, false, "1");
    let error = Books::<1>::new(&params, &Setting::new(&machine)).map(|_| ()).unwrap_err();
    let BuildError::Unfit(text) = error else { panic!("{error}") };
    assert_eq!(
        text,
        "`order=wasm:times.wasm` looks at `run`: `run` cannot be used here: a policy cannot see what happens after \
         its decision; it knows `estimate`"
    );
}
