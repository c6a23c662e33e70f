//! The table of predictors on a real log in docs/POLICIES.md is what replays give.

use batchlab::Outcome;
use batchlab::policies::support::predictor::Predictor;
use batchlab::policies::{JobView, Registry, Setting};
use batchlab::traces::reading::{Estimate, Overrun};
use batchlab::traces::{Time, Workload};

use crate::lab::{Log, Play, mean, play};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/POLICIES.md");
const HEADING: &str =
    "| `predictor` | mean wait (s) | mean bsld | mean error of predictions (s) |\n|---|---:|---:|---:|\n";

#[test]
fn the_table_of_predictors_is_as_replayed() {
    let Some(scene) = Log::KTH_CLEANED.play(Estimate::Requested, Overrun::Raise) else { return };
    let page = std::fs::read_to_string(PAGE).unwrap();
    let table = page.split(HEADING).nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows.len() >= 6, "{} rows", rows.len());
    let names: Vec<&str> = rows.iter().map(|row| row.split('`').nth(1).unwrap()).collect();
    let measured: Vec<String> = names.iter().map(|name| row(&scene, name)).collect();
    assert_eq!(rows, measured, "the table is\n{}", measured.join("\n"));
}

fn row(scene: &Play, predictor: &str) -> String {
    let (outcome, _) = play(scene, &format!("easy:candidates=sjf,corrector=increment,predictor={predictor}"));
    let jobs = &scene.scenario.workload;
    let wait = |job| (outcome.start(job) - jobs.submit(job)).secs();
    let waits: Vec<f64> = jobs.jobs().map(wait).collect();
    let bslds: Vec<f64> = jobs
        .jobs()
        .map(|job| {
            let run = (outcome.end(job) - outcome.start(job)).secs();
            ((wait(job) + run) / run.max(10.0)).max(1.0)
        })
        .collect();
    let errors = errors(jobs, &outcome, scene, predictor);
    let whole = |value: f64| {
        let digits = format!("{value:.0}");
        if digits.len() > 3 {
            format!("{},{}", &digits[..digits.len() - 3], &digits[digits.len() - 3..])
        } else {
            digits
        }
    };
    format!("| `{predictor}` | {} | {:.2} | {} |", whole(mean(&waits)), mean(&bslds), whole(mean(&errors)))
}

/// The absolute error of each job's prediction at its submission; a job without a prediction is predicted to run as long
/// as requested.
fn errors(jobs: &Workload, outcome: &Outcome, scene: &Play, predictor: &str) -> Vec<f64> {
    let chosen = Registry::builtin().choose_predictor(predictor).unwrap();
    let setting = Setting::new(&scene.scenario.machine);
    let mut predictor = Predictor::from_params(chosen.params(), &setting).unwrap();
    let mut ended: Vec<_> = jobs.jobs().map(|job| (outcome.end(job), job)).collect();
    ended.sort_unstable();
    let mut ended = ended.into_iter().peekable();
    let mut error = |job| {
        let view = JobView::new(jobs, job);
        let run = |job| -> Time { outcome.end(job) - outcome.start(job) };
        let Some(predictor) = &mut predictor else { return (view.estimate() - run(job)).secs().abs() };
        while let Some((_, job)) = ended.next_if(|&(end, _)| end <= view.submit()) {
            predictor.learn(JobView::new(jobs, job), run(job));
        }
        let expected = predictor.predict(view).unwrap().unwrap_or(view.estimate());
        (expected - run(job)).secs().abs()
    };
    jobs.jobs().map(&mut error).collect()
}
