//! Bootstraps compared with scipy: exactly over all resamples, within Monte-Carlo error over drawn ones.

use batchlab::stats::{Method, bootstrap, paired, quantile, weeks};
use serde_json::Value;

use super::fixtures::{close, ends, fixtures, numbers};

fn statistic(case: &Value) -> impl Fn(&[usize]) -> f64 {
    let samples: Vec<Vec<f64>> = case["values"].as_array().unwrap().iter().map(numbers).collect();
    let what = case["what"].as_str().unwrap().to_owned();
    move |chosen: &[usize]| {
        let of = |sample: usize| chosen.iter().map(|&unit| samples[sample][unit]).collect::<Vec<f64>>();
        let mut first = of(0);
        match what.as_str() {
            "mean" => first.iter().sum::<f64>() / first.len() as f64,
            "median" => {
                first.sort_by(f64::total_cmp);
                quantile::type7(&first, 0.5).unwrap()
            }
            "ratio" => first.iter().sum::<f64>() / of(1).iter().sum::<f64>(),
            other => panic!("no statistic {other}"),
        }
    }
}

fn units(case: &Value) -> usize {
    case["values"][0].as_array().unwrap().len()
}

#[test]
fn over_all_resamples_bca_is_that_of_scipy() {
    for case in fixtures("bca")["exact"].as_array().unwrap() {
        let all = units(case).pow(units(case) as u32);
        let of = bootstrap::bca(units(case), &statistic(case), 0.95, all, 1).unwrap();
        ends(&of, &case["ends"], 1e-8);
        assert_eq!(of, bootstrap::bca(units(case), &statistic(case), 0.95, all, 2).unwrap());
    }
}

#[test]
fn over_many_drawn_resamples_bca_comes_near_that_of_scipy() {
    for case in fixtures("bca")["drawn"].as_array().unwrap() {
        let of = bootstrap::bca(units(case), &statistic(case), 0.95, 200_000, 1).unwrap();
        // Interval ends from this many resamples have a standard error of about 0.2 % of the width.
        let width = of.high - of.low;
        for (ours, theirs) in [of.low, of.high].into_iter().zip(numbers(&case["ends"])) {
            assert!((ours - theirs).abs() < 0.012 * width, "{} {ours} {theirs}", case["what"]);
        }
    }
}

#[test]
fn the_test_agrees_with_the_interval_about_where_it_ends() {
    for case in fixtures("bca")["drawn"].as_array().unwrap() {
        let of = bootstrap::bca(units(case), &statistic(case), 0.95, 20_000, 1).unwrap();
        for end in [of.low, of.high] {
            let test = bootstrap::bca_test(units(case), &statistic(case), end, 20_000, 1).unwrap();
            assert!((test.p - 0.05).abs() < 0.001, "{}", test.p);
        }
        let far = bootstrap::bca_test(units(case), &statistic(case), 1e9, 20_000, 1).unwrap();
        close(far.p, 2.0 / 20_001.0, 1e-12);
    }
}

#[test]
fn a_ratio_of_weeks_is_a_ratio_of_pairs() {
    let case = fixtures("bca")["exact"][2].clone();
    let (sums, counts) = (numbers(&case["values"][0]), numbers(&case["values"][1]));
    let blocks: Vec<(f64, f64)> = sums.iter().copied().zip(counts.iter().copied()).collect();
    let of_weeks = weeks::bootstrap(&blocks, 0.95, 5).unwrap();
    let of_pairs = paired::ratio_bca(&sums, &counts, 0.95, 5).unwrap();
    assert_eq!(of_weeks.method, Method::BlockBootstrap);
    assert_eq!((of_weeks.low, of_weeks.high), (of_pairs.low, of_pairs.high));
    let width = of_weeks.high - of_weeks.low;
    for (ours, theirs) in [of_weeks.low, of_weeks.high].into_iter().zip(numbers(&case["ends"])) {
        assert!((ours - theirs).abs() < 0.1 * width, "{ours} {theirs}");
    }
}
