//! Simulates how often intervals of a stated level contain the true value, by method and situation.
//!
//! `cargo run --release --example coverage > examples/coverage.md`
//!
//! In each situation, 2,000 samples are drawn from a distribution whose true value is known; seeds are fixed,
//! so the output is the same each time.
#![expect(clippy::print_stdout, reason = "an example prints")]

use batchlab::stats::crossing::{self, Crossing};
use batchlab::stats::saturation::Verdict;
use batchlab::stats::{
    Interval, MIN_UNITS, NoInterval, batch, bootstrap, geometric, paired, quantile, saturation, student,
    warmup, weeks,
};
use batchlab::traces::seed;
use rand_chacha::ChaCha12Rng;
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
        "Warned: share of intervals that came with a warning; covered, unwarned: of those that did not. Width: mean, as a"
    );
    println!("share of the truth.\n");
    println!("| situation | method | covered, % | ± | none, % | warned, % | covered, unwarned, % | width |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    replications();
    quantiles();
    ratios();
    crossings();
    one_series();
    saturated();
}

/// One interval with its warnings.
struct Reported {
    interval: Made,
    warned: bool,
}

fn unwarned(interval: Made) -> Reported {
    Reported { interval, warned: false }
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
            of_mean(&values, case)
        });
    }
    for n in UNITS {
        let situation = format!("{n} lognormal replications, σ = 1");
        rows(&situation, 0.5_f64.exp(), of_mean_by(n), |stream, case| {
            let values: Vec<f64> = (0..n).map(|_| normal(stream).exp()).collect();
            of_mean(&values, case)
        });
    }
    for load in [0.8, 0.9] {
        for n in [10, 20] {
            let situation = format!("{n} replications of M/M/1, ρ = {load}, 1,000 waits each");
            rows(&situation, load / (1.0 - load), &["Student t", "BCa bootstrap"], |stream, case| {
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

/// The methods of [`of_mean`]: a bootstrap of very few units is refused, and one of very many takes too long.
fn of_mean_by(units: usize) -> &'static [&'static str] {
    let methods = &["Student t", "BCa bootstrap"];
    if (MIN_UNITS..=BOOTSTRAPPED).contains(&units) { methods } else { &methods[..1] }
}

fn of_mean(values: &[f64], seed: u64) -> Vec<Reported> {
    let mean = |chosen: &[usize]| chosen.iter().map(|&at| values[at]).sum::<f64>() / chosen.len() as f64;
    let bca = || unwarned(bootstrap::bca(values.len(), &mean, LEVEL, 2_000, seed));
    let bootstrapped = (of_mean_by(values.len()).len() > 1).then(bca);
    [unwarned(student::interval(values, LEVEL))].into_iter().chain(bootstrapped).collect()
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
        const METHODS: [&str; 3] =
            ["Fieller", "BCa bootstrap", "BCa bootstrap where Fieller's has no bounds"];
        rows(&situation, 0.9, &METHODS, |stream, case| {
            let pair = |stream: &mut _| {
                let shared = normal(stream);
                let of = |own: f64| (0.8 * (0.9_f64.sqrt() * shared + 0.1_f64.sqrt() * own)).exp();
                (0.9 * of(normal(stream)), of(normal(stream)))
            };
            let (a, b): (Vec<f64>, Vec<f64>) = (0..n).map(|_| pair(stream)).unzip();
            let fieller = paired::ratio(&a, &b, LEVEL);
            let bca = paired::ratio_bca(&a, &b, LEVEL, case);
            let instead = if fieller.is_ok() { Err(NoInterval::Unbounded) } else { bca.clone() };
            [fieller, bca, instead].map(unwarned).into()
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
            vec![unwarned(weeks::bootstrap(&blocks, LEVEL, case))]
        });
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
            vec![unwarned(made)]
        });
    }
}

/// The mean of one series: batch means, compared with a t interval that treats the values as independent.
fn one_series() {
    const METHODS: [&str; 2] = ["batch means", "Student t over values"];
    for n in [1_000, 10_000] {
        for phi in [0.5, 0.9] {
            let situation = format!("first-order autoregression, φ = {phi}, {n} values");
            rows(&situation, 10.0, &METHODS, |stream, _| of_series(&autoregression(stream, phi, n)));
        }
    }
    for load in [0.5, 0.8, 0.9] {
        let truth = load / (1.0 - load);
        rows(&format!("M/M/1 in steady state, ρ = {load}, 10,000 waits"), truth, &METHODS, |stream, _| {
            of_series(&steady_waits(stream, load, 10_000))
        });
        rows(&format!("M/M/1 from empty, ρ = {load}, 10,000 waits"), truth, &METHODS, |stream, _| {
            of_series(&waits(stream, load, 10_000, 0.0))
        });
        let situation = format!("M/M/1 from empty, ρ = {load}, 10,000 waits, MSER-5");
        rows(&situation, truth, &METHODS, |stream, _| {
            let waits = waits(stream, load, 10_000, 0.0);
            let warmup = warmup::mser5(&waits);
            let kept = if warmup.verdict == warmup::Verdict::Accepted { warmup.cut } else { 0 };
            let mut all = of_series(&waits[kept..]);
            all[0].warned |= warmup.verdict != warmup::Verdict::Accepted;
            all
        });
    }
}

fn of_series(values: &[f64]) -> Vec<Reported> {
    let batches = match batch::means(values, LEVEL) {
        Ok(of) => Reported { interval: Ok(of.interval), warned: of.warning.is_some() },
        Err(why) => unwarned(Err(why)),
    };
    vec![batches, unwarned(student::interval(values, LEVEL))]
}

/// How often queues below and above their capacity are judged saturated.
fn saturated() {
    println!("\n## Saturation\n");
    println!(
        "M/M/1 from empty, 10,000 arrivals; backlog at every 20th arrival; share of {CASES} samples, in per cent.\n"
    );
    println!("| ρ | steady | unclear | saturated | interval of the slope above 0 |");
    println!("|---:|---:|---:|---:|---:|");
    for load in [0.5, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2] {
        let verdicts: Vec<(Verdict, bool)> =
            (0..CASES).into_par_iter().filter_map(|case| judged(load, case)).collect();
        let share = |is: &dyn Fn(&(Verdict, bool)) -> bool| {
            percent(verdicts.iter().filter(|of| is(of)).count() as f64 / CASES as f64)
        };
        println!(
            "| {load} | {} | {} | {} | {} |",
            share(&|of| of.0 == Verdict::Steady),
            share(&|of| of.0 == Verdict::Unclear),
            share(&|of| of.0 == Verdict::Saturated),
            share(&|of| of.1),
        );
    }
}

/// One queue, empty at first, up to its last arrival: the work that arrived and was done, and the backlog at
/// arrivals.
fn judged(load: f64, case: u64) -> Option<(Verdict, bool)> {
    let mut stream = seed::stream(case, "saturation");
    let (mut now, mut there, mut arrived) = (0.0, 0.0_f64, 0.0);
    let mut backlog = Vec::new();
    for arrival in 0..10_000 {
        let gap = exponential(&mut stream) / load;
        now += gap;
        there = (there - gap).max(0.0);
        if arrival % 20 == 0 {
            backlog.push((now, there));
        }
        let work = exponential(&mut stream);
        there += work;
        arrived += work;
    }
    let of = saturation::verdict(arrived, arrived - there, &backlog, case).ok()?;
    let rises = of.slope.is_ok_and(|slope| slope.low > 0.0);
    Some((of.verdict, rises))
}

fn exponential(stream: &mut ChaCha12Rng) -> f64 {
    -(-seed::unit(stream)).ln_1p()
}

/// A normal deviate by Box and Muller.
fn normal(stream: &mut ChaCha12Rng) -> f64 {
    let radius = (2.0 * exponential(stream)).sqrt();
    radius * (std::f64::consts::TAU * seed::unit(stream)).cos()
}

/// A stationary autoregression around 10.
fn autoregression(stream: &mut ChaCha12Rng, phi: f64, n: usize) -> Vec<f64> {
    let mut value = normal(stream) / (1.0 - phi * phi).sqrt();
    let step = |_| {
        value = phi * value + normal(stream);
        10.0 + value
    };
    (0..n).map(step).collect()
}

/// Waits in an M/M/1 queue with mean service 1, by Lindley's recurrence; the first job waits `wait`.
fn waits(stream: &mut ChaCha12Rng, load: f64, n: usize, mut wait: f64) -> Vec<f64> {
    let step = |_| {
        let waited = wait;
        wait = (wait + exponential(stream) - exponential(stream) / load).max(0.0);
        waited
    };
    (0..n).map(step).collect()
}

/// Waits of a stationary queue: the first is 0 with probability 1 − ρ, else exponential with rate 1 − ρ.
fn steady_waits(stream: &mut ChaCha12Rng, load: f64, n: usize) -> Vec<f64> {
    let first = if seed::unit(stream) < load { exponential(stream) / (1.0 - load) } else { 0.0 };
    waits(stream, load, n, first)
}
