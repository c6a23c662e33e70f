//! What tests of two policies find, alone and in families.

use super::draws::{Pairs, heavy_pair, lognormal_pair, normal, queue_pair};
use super::{CASES, LEVEL, percent};
use batchlab::stats::{bonferroni, bootstrap, holm, paired, permutation};
use batchlab::traces::seed;
use chacha20::ChaCha12Rng;
use rayon::prelude::*;

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
pub fn errors() {
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
pub fn families() {
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
