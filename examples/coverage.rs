//! Simulates how often intervals of a stated level contain the true value, by method and situation.
//!
//! `cargo run --release --example coverage > examples/coverage.md`
//!
//! In each situation, 2,000 samples are drawn from a distribution whose true value is known; seeds are fixed,
//! so the output is the same each time.
#![expect(clippy::print_stdout, reason = "an example prints")]
#![expect(clippy::unwrap_used, reason = "an example may fail loudly")]

#[path = "coverage/replayed.rs"]
mod replayed;

use batchlab::stats::crossing::{self, Crossing};
use batchlab::stats::dependence::Dependence;
use batchlab::stats::saturation::SaturationVerdict;
use batchlab::stats::{
    Interval, MIN_UNITS, NoInterval, batch, bonferroni, bootstrap, caution, geometric, holm, paired,
    permutation, quantile, saturation, student, warmup, weeks,
};
use batchlab::traces::seed;
use chacha20::ChaCha12Rng;
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
type Make = fn(&[f64], f64) -> Made;

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
    one_series();
    errors();
    families();
    in_a_row();
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

/// How often intervals of windows in a row hold the mean over all windows of a log.
fn in_a_row() {
    println!("\n## Windows in a row\n");
    println!(
        "Weeks of a drawn log, each replayed by itself; the logarithm of the intensity of submissions carries over from week to week"
    );
    println!(
        "(first-order autoregression). Lag 1: autocorrelation of what the interval is about, over all weeks. Covered: share of"
    );
    println!(
        "all series of so many weeks in a row whose interval holds the mean of all weeks, in per cent, as if weeks were independent,"
    );
    println!(
        "and allowing for alike neighbours; the latter of one week in 8, too. Wider: by how much, on average.\n"
    );
    println!(
        "| carried over | interval of | lag 1 | weeks | independent | allowing | wider, % | one week in 8 |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|---:|");
    for carried in [0.0, 0.5, 0.8] {
        let weeks = replayed::weeks(carried, REPLAYED);
        let waits: Vec<f64> = weeks.iter().map(|[easy, _]| *easy).collect();
        let logs: Vec<f64> = weeks.iter().map(|[easy, sjf]| (sjf / easy).ln()).collect();
        for n in [6, 12, 24, 52] {
            for (what, values, make) in [
                ("mean wait", &waits, student::of_positive as Make),
                ("log ratio to EASY", &logs, student::interval as Make),
            ] {
                let plain = series(values, (n, 1), |row| make(row, LEVEL));
                let allow = |row: &[f64]| make(&Dependence::allow(Dependence::of(row), row), LEVEL);
                let (allowing, apart) = (series(values, (n, 1), allow), series(values, (n, 8), allow));
                println!(
                    "| {carried} | {what} | {:.2} | {n} | {} | {} | {:.0} | {} |",
                    batch::lag1(values).unwrap(),
                    percent(plain.0),
                    percent(allowing.0),
                    100.0 * (allowing.1 / plain.1 - 1.0),
                    percent(apart.0),
                );
            }
        }
    }
}

/// Returns the share of series of `n` values, so far apart, whose interval holds the mean of all values, and the mean width.
fn series(values: &[f64], (n, apart): (usize, usize), make: impl Fn(&[f64]) -> Made) -> (f64, f64) {
    let truth = values.iter().sum::<f64>() / values.len() as f64;
    let row = |from: usize| -> Vec<f64> { values[from..].iter().step_by(apart).take(n).copied().collect() };
    let intervals: Vec<Interval> =
        (0..=values.len() - n * apart).filter_map(|from| make(&row(from)).ok()).collect();
    let held = intervals.iter().filter(|of| of.contains(truth)).count() as f64;
    let width = intervals.iter().map(|of| 2.0 * of.half_width()).sum::<f64>();
    (held / intervals.len() as f64, width / intervals.len() as f64)
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

/// A pair of values, of a policy and of the baseline in one unit.
type Pairs = fn(&mut ChaCha12Rng) -> (f64, f64);

/// Returns the geometric mean of the ratios and the ratio of means of a law, of 400,000 pairs.
fn truths(words: &str, law: Pairs) -> (f64, f64) {
    if words.contains("Pareto") {
        // E ln v = 1/2 and E v = 2.
        return (0.5 * (-0.5_f64).exp(), 0.25);
    }
    let parts: Vec<[f64; 3]> = (0..400)
        .into_par_iter()
        .map(|part| {
            let mut stream = seed::stream(part, "truth");
            (0..1_000)
                .map(|_| law(&mut stream))
                .fold([0.0; 3], |[logs, a, b], pair| [logs + (pair.0 / pair.1).ln(), a + pair.0, b + pair.1])
        })
        .collect();
    let [logs, a, b] = parts.iter().fold([0.0; 3], |[x, y, z], of| [x + of[0], y + of[1], z + of[2]]);
    ((logs / 400_000.0).exp(), a / b)
}

/// Lognormals, σ = 0.8, correlation of logarithms 0.9; none is better.
fn lognormal_pair(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let shared = normal(stream);
    let of = |own: f64| (0.8 * (0.9_f64.sqrt() * shared + 0.1_f64.sqrt() * own)).exp();
    (of(normal(stream)), of(normal(stream)))
}

/// A Pareto deviate of at least 1.
fn pareto(stream: &mut ChaCha12Rng, shape: f64) -> f64 {
    (exponential(stream) / shape).exp()
}

/// The policy halves the lognormal values and cuts the tail that only the baseline's have.
fn tailed(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let shared = (0.8 * normal(stream)).exp();
    (0.5 * shared, shared * pareto(stream, 2.0))
}

/// Values with heavy tails, shared (shape 1.5) and of their own (shape 3); none is better.
fn heavy_pair(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let shared = pareto(stream, 1.5);
    (shared * pareto(stream, 3.0), shared * pareto(stream, 3.0))
}

/// Jobs in a window of a queue.
const WINDOW: usize = 300;

/// Mean waits of a window under a policy that serves 5 % slower and under the baseline, with the same arrivals and the
/// same jobs; the window's load is from 0.7 to 1.1.
fn slower(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let load = 0.7 + 0.4 * seed::unit(stream);
    let (mut slow, mut fast, mut sums) = (0.0_f64, 0.0_f64, (0.0, 0.0));
    for _ in 0..WINDOW {
        let (gap, work) = (exponential(stream) / load, exponential(stream));
        slow = (slow + 1.05 * work - gap).max(0.0);
        fast = (fast + work - gap).max(0.0);
        sums = (sums.0 + slow, sums.1 + fast);
    }
    sums
}

/// Mean waits of two queues with the same load, from 0.7 to 1.1, and jobs of their own; none is better.
fn queue_pair(stream: &mut ChaCha12Rng) -> (f64, f64) {
    let load = 0.7 + 0.4 * seed::unit(stream);
    let mut mean = || waits(stream, load, WINDOW, 0.0).iter().sum::<f64>() / WINDOW as f64;
    (mean(), mean())
}

/// Returns a test at a level: the p-value, and whether its interval excludes no difference.
type Judge = fn(&[f64], &[f64], f64, u64) -> Option<(f64, Option<bool>)>;

const JUDGES: [(&str, Judge); 4] = [
    ("t-test and interval on logarithms", |a, b, level, _| {
        let interval = paired::geometric_ratio(a, b, level).ok()?;
        Some((paired::geometric_test(a, b).ok()?.p, Some(!interval.contains(1.0))))
    }),
    ("sign flips of logarithms", |a, b, _, case| {
        Some((permutation::sign_flip(&paired::log_ratios(a, b).ok()?, case).ok()?.p, None))
    }),
    ("t-test and interval of the difference", |a, b, level, _| {
        let interval = paired::difference(a, b, level).ok()?;
        Some((paired::test(a, b).ok()?.p, Some(!interval.contains(0.0))))
    }),
    ("t-test with Fieller's interval, else sign flips with BCa's", |a, b, level, case| {
        if let Ok(interval) = paired::ratio(a, b, level) {
            return Some((paired::test(a, b).ok()?.p, Some(!interval.contains(1.0))));
        }
        let test = permutation::sign_flip(&paired::differences(a, b).ok()?, case).ok()?;
        let interval = bootstrap::bca(a.len(), &ratio_of_means(a, b), level, 2_000, case).ok();
        Some((test.p, interval.map(|of| !of.contains(1.0))))
    }),
];

fn ratio_of_means(a: &[f64], b: &[f64]) -> impl Fn(&[usize]) -> f64 {
    move |chosen| {
        let sum = |of: &[f64]| chosen.iter().map(|&unit| of[unit]).sum::<f64>();
        sum(a) / sum(b)
    }
}

/// How often two policies are found to differ, by each way to compare them.
fn errors() {
    println!("\n## Two policies: what is found\n");
    println!(
        "{CASES} samples of pairs of a law under which neither policy is better, and of the same with the policy's values"
    );
    println!(
        "multiplied: share of samples in which p is below 0.05, in per cent; ± is two standard errors of the first. In 36:"
    );
    println!(
        "p below 0.05/36, as in a family of 36 tests. Contradicted: p and the interval of the same level do not agree, in"
    );
    println!("per cent of all three columns' samples.\n");
    println!("| law | units | method | no difference | ± | 30 % less | 17 times, in 36 | contradicted |");
    println!("|---|---:|---|---:|---:|---:|---:|---:|");
    let laws: [(&str, Pairs); 3] = [
        ("lognormals, σ = 0.8, correlation of logarithms 0.9", lognormal_pair),
        ("heavy tails (Pareto, 1.5 shared and 3 own)", heavy_pair),
        ("queues of 300 jobs at loads from 0.7 to 1.1, some saturated", queue_pair),
    ];
    for (words, law) in laws {
        for n in [7, 10, 20] {
            for (method, judge) in JUDGES {
                let mut contradicted = 0;
                let mut found = |factor: f64, tests: usize| {
                    let alpha = (1.0 - LEVEL) / tests as f64;
                    let judged: Vec<(bool, bool)> = (0..CASES)
                        .into_par_iter()
                        .map(|case| {
                            let mut stream = seed::stream(case, words);
                            let (a, b): (Vec<f64>, Vec<f64>) =
                                (0..n).map(|_| law(&mut stream)).map(|(a, b)| (a * factor, b)).unzip();
                            let judged = judge(&a, &b, bonferroni::level(LEVEL, tests), case);
                            judged.map_or((false, false), |(p, excludes)| {
                                (p < alpha, excludes.is_some_and(|excludes| excludes != (p < alpha)))
                            })
                        })
                        .collect();
                    contradicted += judged.iter().filter(|of| of.1).count();
                    judged.iter().filter(|of| of.0).count() as f64 / CASES as f64
                };
                let [none, less, more] = [found(1.0, 1), found(0.7, 1), found(17.0, 36)];
                let error = 2.0 * (none * (1.0 - none) / CASES as f64).sqrt();
                let contradicted = contradicted as f64 / (3 * CASES) as f64;
                println!(
                    "| {words} | {n} | {method} | {} | {} | {} | {} | {} |",
                    percent(none),
                    percent(error),
                    percent(less),
                    percent(more),
                    percent(contradicted),
                );
            }
        }
    }
}

/// Families of comparisons with one baseline: Bonferroni's p-values and Holm's, beside Bonferroni's intervals.
fn families() {
    println!("\n## Families\n");
    println!(
        "{CASES} families of policies against one baseline, by t on logarithms. Each policy's values are lognormal, σ = 0.8,"
    );
    println!(
        "correlation of logarithms 0.9; half of the policies are no better, the others 20 % and 40 % lower by turns. Any"
    );
    println!(
        "false: families with a finding although no policy differs. Found: share of the differences. Held: families all of whose"
    );
    println!(
        "intervals hold the truth. Contradicted: findings whose interval at Bonferroni's level does not exclude 1. All in"
    );
    println!("per cent.\n");
    println!("| units | policies | method | any false | found | held | contradicted |");
    println!("|---:|---:|---|---:|---:|---:|---:|");
    for (n, policies) in [(7, 4), (7, 36), (20, 4), (20, 36)] {
        let situation = format!("{n} units, {policies} policies");
        let drawn: Vec<[[f64; 4]; 2]> = (0..CASES)
            .into_par_iter()
            .map(|case| family(&mut seed::stream(case, &situation), n, policies))
            .collect();
        for (at, method) in ["Bonferroni", "Holm"].into_iter().enumerate() {
            let mean =
                |of: usize| percent(drawn.iter().map(|family| family[at][of]).sum::<f64>() / CASES as f64);
            println!(
                "| {n} | {policies} | {method} | {} | {} | {} | {} |",
                mean(0),
                mean(1),
                mean(2),
                mean(3)
            );
        }
    }
}

/// Of one family, by Bonferroni's method and by Holm's: whether anything false is found, the share of differences found,
/// whether all intervals hold the truth, the share of findings that the interval contradicts.
fn family(stream: &mut ChaCha12Rng, n: usize, policies: usize) -> [[f64; 4]; 2] {
    let shared: Vec<f64> = (0..n).map(|_| normal(stream)).collect();
    let mut values = |factor: f64| -> Vec<f64> {
        let mut of = |shared: &f64| 0.8 * (0.9_f64.sqrt() * shared + 0.1_f64.sqrt() * normal(stream));
        shared.iter().map(|shared| factor * of(shared).exp()).collect()
    };
    let baseline = values(1.0);
    let truths: Vec<f64> = (0..policies).map(|at| [1.0, 0.8, 1.0, 0.6][at % 4]).collect();
    let level = bonferroni::level(LEVEL, policies);
    let (mut raw, mut intervals) = (Vec::new(), Vec::new());
    for &truth in &truths {
        let values = values(truth);
        raw.extend(paired::geometric_test(&values, &baseline).map(|test| test.p));
        intervals.extend(paired::geometric_ratio(&values, &baseline, level));
    }
    let held = truths.iter().zip(&intervals).all(|(truth, interval)| interval.contains(*truth));
    [bonferroni::adjust(&raw), holm::adjust(&raw)].map(|adjusted| {
        let found: Vec<bool> = adjusted.iter().map(|&p| p < 1.0 - LEVEL).collect();
        let count = |is: &dyn Fn(usize) -> bool| (0..policies).filter(|&at| is(at)).count() as f64;
        let false_ones = count(&|at| found[at] && truths[at] == 1.0);
        let contradicted = count(&|at| found[at] && intervals[at].contains(1.0));
        let true_ones = count(&|at| found[at] && truths[at] != 1.0) / count(&|at| truths[at] != 1.0);
        let all = (false_ones + true_ones * count(&|at| truths[at] != 1.0)).max(1.0);
        [f64::from(u8::from(false_ones > 0.0)), true_ones, f64::from(u8::from(held)), contradicted / all]
    })
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
            let kept = if warmup.verdict == warmup::CutReliability::Accepted { warmup.cut } else { 0 };
            let mut all = of_series(&waits[kept..]);
            all[0].warned |= warmup.verdict != warmup::CutReliability::Accepted;
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
        let verdicts: Vec<(SaturationVerdict, bool)> =
            (0..CASES).into_par_iter().filter_map(|case| judged(load, case)).collect();
        let share = |is: &dyn Fn(&(SaturationVerdict, bool)) -> bool| {
            percent(verdicts.iter().filter(|of| is(of)).count() as f64 / CASES as f64)
        };
        println!(
            "| {load} | {} | {} | {} | {} |",
            share(&|of| of.0 == SaturationVerdict::Steady),
            share(&|of| of.0 == SaturationVerdict::Unclear),
            share(&|of| of.0 == SaturationVerdict::Saturated),
            share(&|of| of.1),
        );
    }
}

/// One queue, empty at first, up to its last arrival: the work that arrived and was done, and the backlog at
/// arrivals.
fn judged(load: f64, case: u64) -> Option<(SaturationVerdict, bool)> {
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
