//! Simulates how often intervals of a stated level contain the true value, by method and situation.
//!
//! `cargo run --release --example coverage > examples/coverage.md`
//!
//! In each situation, 2,000 samples are drawn from a distribution whose true value is known; seeds are fixed,
//! so the output is the same each time.
#![expect(clippy::print_stdout, reason = "an example prints")]
#![expect(clippy::unwrap_used, reason = "an example may fail loudly")]

#[path = "coverage/draws.rs"]
mod draws;
#[path = "coverage/found.rs"]
mod found;
#[path = "coverage/replayed.rs"]
mod replayed;
#[path = "coverage/series.rs"]
mod series;

use batchlab::stats::crossing::{self, Crossing};
use batchlab::stats::{
    Interval, MIN_UNITS, NoInterval, bootstrap, caution, geometric, paired, quantile, student, weeks,
};
use batchlab::traces::seed;
use chacha20::ChaCha12Rng;
use draws::{Pairs, lognormal_pair, normal, pareto, slower, steady_waits, tailed, truths};
use rayon::prelude::*;

const CASES: u64 = 2_000;
const LEVEL: f64 = 0.95;
/// A method with fewer intervals than this has no row: the share of so few intervals is too uncertain.
const FEWEST_INTERVALS: usize = 100;

/// Numbers of units for which means are simulated, from the smallest that gives an interval to those of
/// experiments.
const UNITS: [usize; 17] = [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000];
/// The most units for which a bootstrap of means is simulated: for more units it equals Student's t.
const BOOTSTRAPPED: usize = 1_000;
/// Numbers of units of experiments.
const SOME: [usize; 6] = [5, 6, 8, 12, 20, 50];

type Made = Result<Interval, NoInterval>;

fn main() {
    println!("# Coverage of 95 % intervals\n");
    println!(
        "Written by `cargo run --release --example coverage > examples/coverage.md` ([source](coverage.rs)).\n"
    );
    println!(
        "Each row: {CASES} samples of the situation, of which the truth is known. Covered: share of the intervals made that"
    );
    println!(
        "hold the truth; ± is two standard errors of that share (Monte Carlo). None: share of samples of which no interval is made."
    );
    println!(
        "Warned: share of intervals that came with a warning or a caution; covered, unwarned: of those that did not. Width: mean, as a"
    );
    println!("share of the truth.\n");
    println!("| situation | method | covered, % | ± | none, % | warned, % | covered, unwarned, % | width |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    replications();
    of_replays();
    quantiles();
    ratios();
    unlike();
    crossings();
    series::one_series();
    found::errors();
    found::families();
    series::in_a_row();
    series::saturated();
}

/// One interval with its warnings.
struct Reported {
    interval: Made,
    warned: bool,
}

fn unwarned(interval: Made) -> Reported {
    Reported { interval, warned: false }
}

/// An interval of a metric that may have a tail, warned if the program prints a caution.
fn cautioned(interval: Made) -> Reported {
    reported(interval, true)
}

fn reported(interval: Made, may_have_tail: bool) -> Reported {
    let warned =
        interval.as_ref().is_ok_and(|of| caution::find(of.method, of.units, may_have_tail).is_some());
    Reported { interval, warned }
}

/// Draws samples of a situation and prints a row for each method.
fn rows(
    situation: &str,
    truth: f64,
    methods: &[&str],
    sample: impl Fn(&mut ChaCha12Rng, u64) -> Vec<Reported> + Sync,
) {
    let drawn: Vec<Vec<Reported>> =
        (0..CASES).into_par_iter().map(|case| sample(&mut seed::stream(case, situation), case)).collect();
    for (at, method) in methods.iter().enumerate() {
        let intervals: Vec<(&Interval, bool)> = drawn
            .iter()
            .filter_map(|sample| Some((sample[at].interval.as_ref().ok()?, sample[at].warned)))
            .collect();
        if intervals.len() < FEWEST_INTERVALS {
            continue;
        }
        let covered =
            |of: &[&Interval]| of.iter().filter(|of| of.contains(truth)).count() as f64 / of.len() as f64;
        let all: Vec<&Interval> = intervals.iter().map(|of| of.0).collect();
        let quiet: Vec<&Interval> = intervals.iter().filter(|of| !of.1).map(|of| of.0).collect();
        let share = covered(&all);
        let error = 2.0 * (share * (1.0 - share) / all.len() as f64).sqrt();
        let none = 1.0 - all.len() as f64 / CASES as f64;
        let warned = 1.0 - quiet.len() as f64 / all.len() as f64;
        let width = all.iter().map(|of| 2.0 * of.half_width()).sum::<f64>() / all.len() as f64 / truth;
        let unwarned = if quiet.is_empty() { "–".to_owned() } else { percent(covered(&quiet)) };
        println!(
            "| {situation} | {method} | {} | {} | {} | {} | {unwarned} | {width:.3} |",
            percent(share),
            percent(error),
            percent(none),
            percent(warned),
        );
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Means over independent replications: of normal values, of lognormal values, and of means of M/M/1 queues.
fn replications() {
    for n in UNITS {
        rows(&format!("{n} normal replications"), 10.0, of_mean_by(n), |stream, case| {
            let values: Vec<f64> = (0..n).map(|_| 10.0 + normal(stream)).collect();
            let all = of_mean(&values, case).into_iter();
            all.map(|of| reported(of.interval, false)).collect()
        });
    }
    for n in UNITS {
        let situation = format!("{n} lognormal replications, σ = 1");
        rows(&situation, 0.5_f64.exp(), of_mean_by(n), |stream, case| {
            let values: Vec<f64> = (0..n).map(|_| normal(stream).exp()).collect();
            of_mean(&values, case)
        });
    }
    for n in SOME {
        rows(&format!("{n} replications of Pareto values, 2.5"), 2.5 / 1.5, of_mean_by(n), |stream, case| {
            let values: Vec<f64> = (0..n).map(|_| pareto(stream, 2.5)).collect();
            of_mean(&values, case)
        });
    }
    for load in [0.8, 0.9] {
        for n in [10, 20] {
            let situation = format!("{n} replications of M/M/1, ρ = {load}, 1,000 waits each");
            rows(&situation, load / (1.0 - load), of_mean_by(n), |stream, case| {
                let mean = |stream: &mut _| steady_waits(stream, load, 1_000).iter().sum::<f64>() / 1_000.0;
                let values: Vec<f64> = (0..n).map(|_| mean(stream)).collect();
                of_mean(&values, case)
            });
        }
    }
    rows("10 ratios across traces, lognormal, σ = 0.5", 0.8, &["Student t on logarithms"], |stream, _| {
        let ratios: Vec<f64> = (0..10).map(|_| 0.8 * (0.5 * normal(stream)).exp()).collect();
        vec![unwarned(geometric::mean_ratio(&ratios, LEVEL))]
    });
}

/// Student's t for the logarithm of the mean, by which tables have values that are never negative.
const OF_POSITIVE: &str = "Student t on the logarithm of the mean";

/// The methods of [`of_mean`]: a bootstrap of very few units is refused, and one of very many takes too long.
fn of_mean_by(units: usize) -> &'static [&'static str] {
    let methods = &["Student t", OF_POSITIVE, "BCa bootstrap"];
    match units {
        MIN_UNITS..=BOOTSTRAPPED => methods,
        0..4 => &methods[..1],
        _ => &methods[..2],
    }
}

fn of_mean(values: &[f64], seed: u64) -> Vec<Reported> {
    let mean = |chosen: &[usize]| chosen.iter().map(|&at| values[at]).sum::<f64>() / chosen.len() as f64;
    let make = |method: &&str| match *method {
        "Student t" => student::interval(values, LEVEL),
        OF_POSITIVE => student::of_positive(values, LEVEL),
        _ => bootstrap::bca(values.len(), &mean, LEVEL, 2_000, seed),
    };
    of_mean_by(values.len()).iter().map(make).map(cautioned).collect()
}

/// Two policies of which weeks are replayed.
const REPLAYED: [&str; 2] = ["easy", "easy:candidates=sjf"];

/// Means and ratios of replayed weeks that are drawn at random.
fn of_replays() {
    let weeks = replayed::weeks(0.0, REPLAYED);
    let mean = |at: usize| weeks.iter().map(|waits| waits[at]).sum::<f64>() / weeks.len() as f64;
    let logs = weeks.iter().map(|[easy, sjf]| (sjf / easy).ln()).sum::<f64>() / weeks.len() as f64;
    let draw = |stream: &mut ChaCha12Rng| weeks[(seed::unit(stream) * weeks.len() as f64) as usize];
    for n in SOME {
        rows(&format!("{n} replayed weeks, mean wait"), mean(0), of_mean_by(n), |stream, case| {
            let values: Vec<f64> = (0..n).map(|_| draw(stream)[0]).collect();
            of_mean(&values, case)
        });
        let situation = format!("{n} replayed weeks, mean wait against EASY");
        let pairs = |stream: &mut ChaCha12Rng| -> (Vec<f64>, Vec<f64>) {
            (0..n).map(|_| draw(stream)).map(|[easy, sjf]| (sjf, easy)).unzip()
        };
        rows(&situation, logs.exp(), &["Student t on logarithms"], |stream, _| {
            let (a, b) = pairs(stream);
            vec![cautioned(paired::geometric_ratio(&a, &b, LEVEL))]
        });
        rows(&situation, mean(1) / mean(0), &["Fieller"], |stream, _| {
            let (a, b) = pairs(stream);
            vec![cautioned(paired::ratio(&a, &b, LEVEL))]
        });
    }
}

/// Quantiles of lognormal values.
fn quantiles() {
    for (n, p) in [(20, 0.5), (100, 0.9)] {
        // The quantile of the standard normal: 0, and 1.2816 for 0.9.
        let truth = if p == 0.5 { 1.0 } else { 1.281_551_565_544_6_f64.exp() };
        let situation = format!("{p} quantile of {n} lognormal values, σ = 1");
        rows(&situation, truth, &["order statistics", "BCa bootstrap"], |stream, case| {
            let values: Vec<f64> = (0..n).map(|_| normal(stream).exp()).collect();
            let of = |chosen: &[usize]| {
                let mut drawn: Vec<f64> = chosen.iter().map(|&at| values[at]).collect();
                drawn.sort_unstable_by(f64::total_cmp);
                quantile::type7(&drawn, p).unwrap_or(f64::NAN)
            };
            let bca = bootstrap::bca(n, &of, LEVEL, 2_000, case);
            vec![unwarned(quantile::interval(&values, p, LEVEL)), unwarned(bca)]
        });
    }
}

/// Ratios of means over pairs that share random numbers, and ratios of sums over weeks.
fn ratios() {
    for n in [6, 8, 10, 15, 20, 30, 50, 100, 200] {
        let situation = format!("ratio of {n} pairs of lognormals, σ = 0.8, correlation of logarithms 0.9");
        const METHODS: [&str; 4] = [
            "Student t on logarithms",
            "Fieller",
            "BCa bootstrap",
            "BCa bootstrap where Fieller's has no bounds",
        ];
        rows(&situation, 0.9, &METHODS, |stream, case| {
            let pair = |stream: &mut _| {
                let (a, b) = lognormal_pair(stream);
                (0.9 * a, b)
            };
            let (a, b): (Vec<f64>, Vec<f64>) = (0..n).map(|_| pair(stream)).unzip();
            let geometric = paired::geometric_ratio(&a, &b, LEVEL);
            let fieller = paired::ratio(&a, &b, LEVEL);
            let bca = paired::ratio_bca(&a, &b, LEVEL, case);
            let instead = if fieller.is_ok() { Err(NoInterval::Unbounded) } else { bca.clone() };
            [geometric, fieller, bca, instead].map(cautioned).into()
        });
    }
    for n in [6, 10, 15, 26, 52, 104, 208] {
        let situation = format!("mean over {n} weeks of lognormal means, σ = 0.8, and job counts, σ = 0.4");
        rows(&situation, 0.32_f64.exp(), &["block bootstrap"], |stream, case| {
            let week = |stream: &mut _| {
                let jobs = 1_000.0 * (0.4 * normal(stream)).exp();
                (jobs * (0.8 * normal(stream)).exp(), jobs)
            };
            let blocks: Vec<(f64, f64)> = (0..n).map(|_| week(stream)).collect();
            vec![cautioned(weeks::bootstrap(&blocks, LEVEL, case))]
        });
    }
}

/// Two policies that differ in more than a factor: the geometric mean of the ratios and the ratio of means have each
/// their own truth.
fn unlike() {
    for n in [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100] {
        for (words, law) in [
            ("only the baseline's values with a heavy tail (Pareto, 2)", tailed as Pairs),
            ("queues, the policy 5 % slower, some saturated", slower as Pairs),
        ] {
            let (typical, means) = truths(words, law);
            let situation = format!("{n} pairs, {words}");
            let sample =
                |stream: &mut ChaCha12Rng| -> (Vec<f64>, Vec<f64>) { (0..n).map(|_| law(stream)).unzip() };
            rows(&situation, typical, &["Student t on logarithms"], |stream, _| {
                let (a, b) = sample(stream);
                vec![cautioned(paired::geometric_ratio(&a, &b, LEVEL))]
            });
            rows(&situation, means, &["Fieller"], |stream, _| {
                let (a, b) = sample(stream);
                vec![cautioned(paired::ratio(&a, &b, LEVEL))]
            });
        }
    }
}

/// The load at which curves reach a bound; the logarithm of the mean curve is linear.
fn crossings() {
    const LOADS: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];
    for n in [6, 8, 10, 15, 20, 30, 50, 100] {
        let situation = format!(
            "crossing of {n} curves, lognormal around exp(5 load), σ = 0.6 shared by loads and 0.3 own"
        );
        rows(&situation, 0.7, &["percentile bootstrap"], |stream, case| {
            let curve = |stream: &mut _| {
                let shared = 0.6 * normal(stream);
                LOADS.map(|load| (5.0 * load + shared + 0.3 * normal(stream) - 0.225).exp()).to_vec()
            };
            let curves: Vec<Vec<f64>> = (0..n).map(|_| curve(stream)).collect();
            let made = match crossing::load(&LOADS, &curves, 3.5_f64.exp(), LEVEL, case) {
                Ok(Crossing::Within(interval)) => Ok(interval),
                Ok(_) => Err(NoInterval::Unbounded),
                Err(why) => Err(why),
            };
            vec![cautioned(made)]
        });
    }
}
