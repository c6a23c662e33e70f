//! An agent that always takes the best valid job of an order gives the schedule of the order's policy.

use batchlab::environment::{Environment, EnvironmentOptions, VectorEnvironment};
use batchlab::parsers::{Input, Options as ReadOptions, read_trace};
use batchlab::policies::JobView;
use batchlab::policies::backfill::easy;
use batchlab::policies::spec::Params;
use batchlab::policies::support::order::{ORDER, Order};
use batchlab::traces::{Findings, Machine, Provenance, Reading, Time, Workload};

use crate::lab::{Play, play, windows};

/// The first jobs of the log of the repository, with the load raised so that they queue up.
fn harbour(jobs: usize, load: f64) -> Play {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/traces/data/harbour-128.swf.gz");
    let trace = read_trace(Input::open(path).unwrap(), &ReadOptions::default()).unwrap();
    let reading = Reading { load, ..Reading::default() };
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let machine = Machine::pool(128).unwrap();
    let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    Play { overrun: reading.overrun, ..Play::new(machine, workload.section(0..jobs)) }
}

/// The scores of a built-in order.
fn order(scene: &Play, name: &str) -> impl Fn(JobView<'_>, Time) -> f64 + use<> {
    let pairs = [("order".to_owned(), name.to_owned())];
    let params = Params::check("easy", easy::SPEC.params, &pairs).unwrap();
    let order =
        Order::from_params(&params, ORDER.name, &scene.scenario.setting(scene.overrun)).unwrap().unwrap();
    move |job, now| order.score(job, job.estimate(), now).unwrap()
}

/// The valid job with the lowest score, ties in the order of submission; without a valid job, the action that goes on to
/// the next decision.
fn best(environment: &Environment, score: &impl Fn(JobView<'_>, Time) -> f64) -> usize {
    let Some(now) = environment.now() else { return 0 };
    let jobs = environment.window().iter().zip(environment.mask()).enumerate();
    let valid = jobs.filter(|(_, (_, valid))| **valid);
    let scored = valid.map(|(at, (&job, _))| (score(environment.job(job).unwrap(), now), at));
    let best = scored.min_by(|a, b| a.partial_cmp(b).unwrap());
    best.map_or(environment.options().window, |(_, at)| at)
}

fn starts_like(scene: &Play, name: &str, backfill: bool) {
    let options = EnvironmentOptions {
        window: scene.scenario.workload.len(),
        backfill,
        ..EnvironmentOptions::default()
    };
    let mut environment = Environment::new(&scene.scenario, options).unwrap();
    let score = order(scene, name);
    while environment.outcome().is_none() {
        let step = environment.step(best(&environment, &score)).unwrap();
        assert!(!step.invalid);
    }
    let spec = format!("{}:order={name}", if backfill { "easy" } else { "fcfs" });
    let (whole, chosen) = (play(scene, &spec).0, environment.outcome().unwrap());
    assert!(whole.start == chosen.start && whole.end == chosen.end, "{spec}");
}

const ORDERS: [&str; 5] = ["fcfs", "sjf", "wfp3", "unicef", "f1"];

#[test]
fn heuristics_give_the_starts_of_easy_and_of_fcfs_on_harbour() {
    let scene = harbour(3000, 1.2);
    for name in ORDERS {
        starts_like(&scene, name, true);
        starts_like(&scene, name, false);
    }
}

#[test]
fn heuristics_give_the_starts_of_easy_and_of_fcfs_on_every_log() {
    for (_, scene) in windows(300, 1.5) {
        for name in ORDERS {
            starts_like(&scene, name, true);
            starts_like(&scene, name, false);
        }
    }
}

#[test]
fn environments_of_a_vector_give_what_each_gives_alone_on_any_number_of_threads() {
    let scene = harbour(1000, 1.2);
    let options = EnvironmentOptions { window: 16, length: Some(50), ..EnvironmentOptions::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let score = order(&scene, "sjf");
            let mut vector = VectorEnvironment::new(&scene.scenario, &options, 5).unwrap();
            vector.reset(Some(7)).unwrap();
            let mut seen = Vec::new();
            for _ in 0..300 {
                let actions: Vec<usize> =
                    vector.environments().iter().map(|each| best(each, &score)).collect();
                let steps = vector.step(&actions).unwrap().to_vec();
                seen.push((steps, vector.observations().to_vec(), vector.masks().to_vec()));
            }
            seen
        })
    };
    let score = order(&scene, "sjf");
    let one = run(1);
    assert!(one == run(3));
    assert!(one.iter().any(|(steps, ..)| steps.iter().any(|step| step.terminated)));

    for at in 0..5 {
        let mut alone = Environment::new(&scene.scenario, options.clone()).unwrap();
        alone.reset(Some(7 + at as u64)).unwrap();
        let (mut seen, size) = (vec![0.0; alone.shape().size()], alone.shape().size());
        for (steps, observations, _) in &one {
            if alone.outcome().is_some() {
                alone.reset(None).unwrap();
                assert_eq!(steps[at].reward, 0.0);
            } else {
                assert_eq!(alone.step(best(&alone, &score)).unwrap(), steps[at]);
            }
            alone.observe(&mut seen);
            assert!(seen == observations[at * size..(at + 1) * size]);
        }
    }
}
