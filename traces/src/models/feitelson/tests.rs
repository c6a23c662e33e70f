//! The generators compared with their own distributions.

use super::repeats::{RepeatedJob, Repeats};
use super::runs::Runs;
use super::sizes::HarmonicSizes;
use super::*;
use crate::models::checks::{assert_counts, assert_follows, assert_jobs, assert_mean, column};
use crate::models::settings::ModelSettings;
use crate::{Field, Time, Trace};

const MODELS: [ModelSpec; 2] = [SPEC_96, SPEC_97];

fn asked<T>(model: &ModelSpec, procs: u32, settings: &[&str], of: impl FnOnce(&Request<'_>) -> T) -> T {
    let params: Vec<&'static Param> = model.parameters().collect();
    let settings = ModelSettings::parse(model.name, &params, settings).unwrap();
    of(&Request { jobs: 1, procs, seed: 5, settings: &settings, log: None })
}

fn runs_of(model: &ModelSpec) -> fn(&Request<'_>) -> Result<Runs, ModelError> {
    if model.name == "feitelson96" { Runs::three_stages } else { Runs::two_stages }
}

fn generate(model: &ModelSpec, jobs: u32, settings: &[&str]) -> Trace {
    model.generate(jobs, 128, 1, settings).unwrap()
}

#[test]
fn sizes_follow_the_favoured_harmonic_law_at_level_0_001() {
    for procs in [128, 100, 7] {
        let sizes = asked(&SPEC_96, procs, &[], |request| HarmonicSizes::new(request).unwrap());
        let mut random = seed::stream(3, "sizes");
        let (draws, mut counts) = (40_000, vec![0; procs as usize + 1]);
        for _ in 0..draws {
            counts[sizes.draw(&mut random) as usize] += 1;
        }
        let pairs = sizes.shares().map(|(size, share)| (counts[size as usize], share * f64::from(draws)));
        assert_counts(pairs, &format!("sizes of {procs}"));
    }
}

#[test]
fn without_favours_sizes_are_harmonic() {
    let flat = ["small=1", "pow2=1", "square=1", "even=1"];
    let sizes = asked(&SPEC_96, 64, &flat, |request| HarmonicSizes::new(request).unwrap());
    let shares: Vec<f64> = sizes.shares().map(|(_, share)| share).collect();
    for (at, share) in shares.iter().enumerate() {
        let expected = shares[0] * ((at + 1) as f64).powf(-1.5);
        assert!((share - expected).abs() < 1e-12, "size {}: {share}, {expected} expected", at + 1);
    }
    let favoured: Vec<f64> = asked(&SPEC_96, 64, &[], |request| {
        HarmonicSizes::new(request).unwrap().shares().map(|(_, share)| share).collect()
    });
    let ratio = |size: usize| favoured[size - 1] / shares[size - 1] / (favoured[10] / shares[10]);
    let ratios = [1, 2, 3, 9, 11, 16, 25, 10].map(ratio);
    let expected = [1.5, 7.5, 1.5, 2.25, 1.0, 5.0, 1.5, 1.25];
    assert!(ratios.iter().zip(expected).all(|(ratio, want)| (ratio - want).abs() < 1e-9), "{ratios:?}");
}

#[test]
fn run_times_follow_the_hyperexponential_law_of_their_size_at_level_0_001() {
    for model in &MODELS {
        let runs = asked(model, 128, &[], |request| runs_of(model)(request).unwrap());
        for procs in [1, 16, 128] {
            let mut random = seed::stream(3, "runs");
            let sample: Vec<f64> = (0..30_000).map(|_| runs.draw(procs, &mut random)).collect();
            let what = format!("{} run times of {procs} processors", model.name);
            let mean = runs.mean(procs);
            let square: f64 =
                (0..3).map(|stage| runs.shares(procs)[stage] * 2.0 * runs.stage_mean(stage).powi(2)).sum();
            assert_mean(&sample, mean, (square - mean * mean).sqrt(), &what);
            assert_follows(sample, |seconds| runs.cdf(procs, seconds), &what);
            assert!(square / (mean * mean) > 2.0, "{what} vary more than exponentially");
        }
        assert!(runs.mean(128) > 1.2 * runs.mean(1), "large jobs run longer");
    }
}

#[test]
fn the_probability_of_1997_falls_from_95_to_75_percent() {
    let runs = asked(&SPEC_97, 100, &[], |request| Runs::two_stages(request).unwrap());
    let short = |procs| runs.shares(procs)[0];
    assert!((short(100) - 0.75).abs() < 1e-12 && (short(50) - 0.85).abs() < 1e-12);
    assert!((runs.mean(100) - 900.0 * (0.75 + 0.25 * 7.0)).abs() < 1e-9);
}

/// Returns how often each number occurs, by number.
fn occurrences(executables: &[f64]) -> Vec<u64> {
    let most = executables.iter().copied().fold(0.0, f64::max) as usize;
    let mut times = vec![0; most + 1];
    for &executable in executables {
        times[executable as usize] += 1;
    }
    times.split_off(1)
}

#[test]
fn repetitions_are_harmonic_of_order_2_5_at_level_0_001() {
    let trace = generate(&SPEC_96, 60_000, &["repeats=apart"]);
    let mut times = occurrences(&column(&trace, Field::Executable));
    times.pop(); // Cut off by the end.
    let sum: f64 = (1..=1000).map(|times| f64::from(times).powf(-2.5)).sum();
    let jobs = times.len() as f64;
    let pairs = (1..=1000u32).map(|number| {
        let seen = times.iter().filter(|&&times| times == u64::from(number)).count() as u64;
        (seen, f64::from(number).powf(-2.5) / sum * jobs)
    });
    assert_counts(pairs, "repetitions");
}

#[test]
fn first_submissions_are_poisson_at_level_0_001() {
    for mode in ["chain", "at-once", "off"] {
        asked(&SPEC_96, 128, &[&format!("repeats={mode}")], |request| {
            let mut repeats = Repeats::new(request, 5e5);
            let executions: f64 = if mode == "off" { 1.0 } else { repeats.mean_executions() };
            let mean = executions * 5e5 / 0.7 / 128.0;
            let jobs = repeats.jobs(60_000, || RepeatedJob { procs: 1, run: Time::from_secs(100) });
            let firsts: Vec<f64> =
                jobs.iter().filter(|job| job.preceding == 0).map(|job| job.submit.secs()).collect();
            let gaps: Vec<f64> = firsts
                .windows(2)
                .map(|pair| pair[1] - pair[0])
                .filter(|&gap| mode != "at-once" || gap > 0.0)
                .collect();
            // Rounding to seconds shifts each end by less than one second, with means of thousands.
            assert_follows(gaps, |gap| -(-gap / mean).exp_m1(), mode);
        });
    }
}

#[test]
fn a_chain_waits_for_the_end_and_thinks() {
    let trace = generate(&SPEC_97, 5000, &["think=600"]);
    let mut thoughts = Vec::new();
    for row in 0..trace.len() {
        let get = |field| trace.get(row, field).truncated();
        let before = get(Field::Preceding);
        if before < 0 {
            assert_eq!(get(Field::Think), -1);
            continue;
        }
        let of = |field| trace.get(before as usize - 1, field).truncated();
        assert_eq!(get(Field::Submit), of(Field::Submit) + of(Field::Run) + get(Field::Think));
        for field in [Field::Run, Field::Requested, Field::Executable] {
            assert_eq!(get(field), of(field));
        }
        thoughts.push(get(Field::Think) as f64);
    }
    assert!(thoughts.len() > 1000, "{}", thoughts.len());
    assert_mean(&thoughts, 600.0, 600.0, "think times at level 0.001");
}

#[test]
fn the_ways_of_repeating_differ_in_submissions_only_as_they_say() {
    let of = |mode: &str| generate(&SPEC_96, 3000, &[&format!("repeats={mode}")]);
    let off = of("off");
    assert!(column(&off, Field::Executable).iter().all(|&number| number == -1.0));
    let apart = of("apart");
    let numbers = column(&apart, Field::Executable);
    assert!(numbers.is_sorted() && numbers.windows(2).any(|pair| pair[0] == pair[1]));
    let at_once = of("at-once");
    let [submits, numbers] = [Field::Submit, Field::Executable].map(|field| column(&at_once, field));
    let repeated: Vec<usize> = (1..numbers.len()).filter(|&at| numbers[at] == numbers[at - 1]).collect();
    assert!(repeated.len() > 500 && repeated.iter().all(|&at| submits[at] == submits[at - 1]));
    for trace in [off, apart, at_once, of("chain")] {
        assert!(column(&trace, Field::Submit).is_sorted());
    }
}

#[test]
fn the_offered_load_is_the_one_asked_for_at_level_0_001() {
    for model in &MODELS {
        for mode in ["at-once", "apart"] {
            // Few repetitions: the law of order 2.5 has no variance, and thus no bound on its sample mean.
            let settings = [&format!("repeats={mode}"), "load=0.6", "most-repeats=5"];
            let trace = generate(model, 200_000, &settings);
            let [runs, sizes, submits, numbers] =
                [Field::Run, Field::Requested, Field::Submit, Field::Executable]
                    .map(|field| column(&trace, field));
            let mut works = vec![0.0; *numbers.last().unwrap() as usize];
            for (at, number) in numbers.iter().enumerate() {
                works[*number as usize - 1] += runs[at] * sizes[at];
            }
            let n = works.len() as f64;
            let mean = works.iter().sum::<f64>() / n;
            let squares = works.iter().map(|work| work * work).sum::<f64>() / n / (mean * mean);
            let load = mean * n / 128.0 / submits.last().unwrap();
            // Relative variances of work and of arrivals add up; arrivals have that of a Poisson process.
            let bound = 3.29 * (squares / n).sqrt();
            assert!((load / 0.6 - 1.0).abs() < bound, "{} {mode}: {load}, {bound} off", model.name);
            assert!(bound < 0.2, "a test that would pass anything: {bound}");
        }
    }
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let error = |model: &ModelSpec, procs, settings: &[&str]| {
        model.generate(5, procs, 1, settings).unwrap_err().to_string()
    };
    assert!(error(&SPEC_96, 9, &["p3=0.5"]).starts_with("`p3` is 0.5: it must be at most 0.4"));
    assert_eq!(error(&SPEC_97, 9, &["p=0.1"]), "`slope` is 0.2: it must be at most p=0.1");
    assert!(error(&SPEC_96, 2_000_000, &[]).contains("at most 1000000 for this model"));
    assert!(error(&SPEC_96, 1, &["small=0"]).starts_with("`small` is 0: "));
}

#[test]
fn the_first_jobs_stay_as_they_are() {
    let cases: [(ModelSpec, &[&str]); 3] = [(SPEC_96, &[]), (SPEC_96, &["repeats=at-once"]), (SPEC_97, &[])];
    let jobs =
        |(model, set): (ModelSpec, &[&str])| (format!("{} {set:?}", model.name), generate(&model, 3, set));
    assert_jobs(cases.map(jobs), GOLDEN);
}

const GOLDEN: &str = r#"feitelson96 []
1 264 -1 9 2 -1 -1 2 -1 -1 1 -1 -1 1 1 -1 -1 -1
2 276 -1 64 4 -1 -1 4 -1 -1 1 -1 -1 2 1 -1 -1 -1
3 585 -1 663 83 -1 -1 83 -1 -1 1 -1 -1 3 1 -1 -1 -1
feitelson96 ["repeats=at-once"]
1 264 -1 9 2 -1 -1 2 -1 -1 1 -1 -1 1 1 -1 -1 -1
2 276 -1 64 4 -1 -1 4 -1 -1 1 -1 -1 2 1 -1 -1 -1
3 585 -1 663 83 -1 -1 83 -1 -1 1 -1 -1 3 1 -1 -1 -1
feitelson97 []
1 147 -1 140 2 -1 -1 2 -1 -1 1 -1 -1 1 1 -1 -1 -1
2 153 -1 959 4 -1 -1 4 -1 -1 1 -1 -1 2 1 -1 -1 -1
3 325 -1 498 83 -1 -1 83 -1 -1 1 -1 -1 3 1 -1 -1 -1
"#;
