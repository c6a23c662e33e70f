//! Samples without a valid result: an error gives the reason, and there is never a NaN.

use batchlab::stats::{
    Interval, NoInterval, batch, bootstrap, crossing, effect, geometric, holm, isotonic, paired, permutation,
    quantile, saturation, shaking, student, warmup, weeks, wilcoxon,
};

type Outcome = Result<Interval, NoInterval>;

fn intervals(values: &[f64], level: f64) -> Vec<(&'static str, Outcome)> {
    let mean = |chosen: &[usize]| chosen.iter().map(|&at| values[at] / chosen.len() as f64).sum::<f64>();
    let ones: Vec<f64> = (0..values.len()).map(|at| 1.0 + 1e-3 * (at * at) as f64).collect();
    let blocks: Vec<(f64, f64)> = values.iter().copied().zip(ones.iter().copied()).collect();
    vec![
        ("t", student::interval(values, level)),
        ("order statistics", quantile::interval(values, 0.5, level)),
        ("BCa", bootstrap::bca(values.len(), &mean, level, 1000, 1)),
        ("difference", paired::difference(values, &vec![0.0; values.len()], level)),
        ("Fieller", paired::ratio(values, &ones, level)),
        ("ratio", paired::ratio_bca(values, &ones, level, 1)),
        ("geometric", geometric::mean_ratio(values, level)),
        ("geometric of pairs", paired::geometric_ratio(values, &ones, level)),
        ("batch", batch::means(values, level).map(|of| of.interval)),
        ("weeks", weeks::bootstrap(&blocks, level, 1)),
    ]
}

/// Asserts that every interval is finite and ordered; returns the outcomes.
fn checked(values: &[f64], level: f64) -> Vec<(&'static str, Outcome)> {
    let all = intervals(values, level);
    for (name, outcome) in &all {
        if let Ok(of) = outcome {
            let numbers = [of.estimate, of.low, of.high, of.level];
            assert!(numbers.iter().all(|number| number.is_finite()), "{name}: {of:?}");
            assert!(of.low <= of.estimate && of.estimate <= of.high, "{name}: {of:?}");
        }
    }
    all
}

#[test]
fn nothing_and_one_value_are_too_few() {
    for values in [&[][..], &[3.0]] {
        for (name, outcome) in checked(values, 0.95) {
            assert!(matches!(outcome, Err(NoInterval::TooFew { .. })), "{name}: {outcome:?}");
        }
    }
}

#[test]
fn values_that_are_not_finite_are_refused() {
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut values: Vec<f64> = (1..=120).map(f64::from).collect();
        values[60] = odd;
        for (name, outcome) in checked(&values, 0.95) {
            assert_eq!(outcome, Err(NoInterval::NotFinite), "{name}");
        }
        assert_eq!(permutation::sign_flip(&values, 1), Err(NoInterval::NotFinite));
        assert_eq!(wilcoxon::signed_rank(&values), Err(NoInterval::NotFinite));
        assert_eq!(paired::test(&values, &values), Err(NoInterval::NotFinite));
        assert_eq!(isotonic::increasing(&[1.0, odd], &[1.0, 2.0]), Err(NoInterval::NotFinite));
        assert_eq!(shaking::summary(&[values.clone()]), Err(NoInterval::NotFinite));
        assert_eq!(saturation::verdict(1.0, odd, &[], 1), Err(NoInterval::NotFinite));
        assert_eq!(crossing::load(&[1.0, 2.0], &[vec![1.0, odd]], 1.5, 0.95, 1), Err(NoInterval::NotFinite));
        assert_eq!(warmup::mser5(&values).verdict, warmup::CutReliability::TooShort);
        assert_eq!((effect::standardised(&values), effect::superiority(&values, &values)), (None, None));
    }
}

#[test]
fn equal_values_have_no_spread() {
    for value in [0.1, 5.0, 1e308, 1e-300] {
        for (name, outcome) in checked(&[value; 150], 0.95) {
            // The denominators of the ratios vary.
            if !["Fieller", "ratio", "weeks", "geometric of pairs"].contains(&name) {
                assert_eq!(outcome, Err(NoInterval::NoSpread), "{name} of {value}");
            }
        }
        let same = [value; 8];
        assert_eq!(paired::test(&same, &same), Err(NoInterval::NoSpread));
        assert_eq!(paired::ratio(&same, &same, 0.95), Err(NoInterval::NoSpread));
        assert_eq!(permutation::sign_flip(&[0.0; 8], 1), Err(NoInterval::NoSpread));
        assert_eq!(wilcoxon::signed_rank(&[0.0; 8]), Err(NoInterval::NoSpread));
        assert_eq!(effect::standardised(&same), None);
    }
    // A policy against itself, and against twice itself.
    let values: Vec<f64> = (1..=9).map(|at| f64::from(at).sqrt()).collect();
    let twice: Vec<f64> = values.iter().map(|value| 2.0 * value).collect();
    assert_eq!(paired::ratio(&values, &values, 0.95), Err(NoInterval::NoSpread));
    assert_eq!(paired::ratio(&twice, &values, 0.95), Err(NoInterval::NoSpread));
    assert_eq!(paired::ratio_bca(&values, &values, 0.95, 1), Err(NoInterval::NoSpread));
    assert_eq!(paired::geometric_ratio(&twice, &values, 0.95), Err(NoInterval::NoSpread));
    assert_eq!(paired::geometric_test(&twice, &values), Err(NoInterval::NoSpread));
}

#[test]
fn what_is_not_above_0_has_no_logarithm() {
    for odd in [0.0, -1.0] {
        let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0, odd], [2.0, 3.0, 5.0, 6.0, 9.0, 1.0]);
        assert_eq!(paired::geometric_ratio(&a, &b, 0.95), Err(NoInterval::NotPositive));
        assert_eq!(paired::geometric_test(&b, &a), Err(NoInterval::NotPositive));
        assert!(paired::test(&a, &b).is_ok());
    }
}

#[test]
fn fewer_than_six_units_are_not_tested() {
    let five = [1.0, 2.0, 3.0, -1.0, 5.0];
    let few = NoInterval::TooFew { units: 5, needed: 6 };
    assert_eq!(paired::test(&five, &[0.0; 5]), Err(few));
    assert_eq!(permutation::sign_flip(&five, 1), Err(few));
    assert_eq!(wilcoxon::signed_rank(&five), Err(few));
    assert_eq!(wilcoxon::signed_rank(&[0.0, 1.0, 2.0, 3.0, -1.0, 5.0]), Err(few));
    assert_eq!(paired::ratio_test(&five, &[1.0; 5], 1), Err(few));
}

#[test]
fn huge_and_tiny_values_give_finite_intervals_or_none() {
    for scale in [1e-320, 1e-200, 1e200, 1.7e308] {
        let values: Vec<f64> = (0..150)
            .map(|at| scale * (0.5 + 0.5 * f64::from(at * 37 % 150) / 150.0) * [1.0, -1.0][at as usize % 2])
            .collect();
        checked(&values, 0.95);
        let positive: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        checked(&positive, 0.95);
    }
    let of = student::interval(&[1e300, 3e300], 0.95).unwrap();
    assert!((of.estimate / 2e300 - 1.0).abs() < 1e-14);
}

#[test]
fn a_level_lies_between_0_and_1() {
    let values: Vec<f64> = (1..=120).map(|at| f64::from(at).sqrt()).collect();
    for level in [0.0, 1.0, -1.0, 95.0] {
        for (name, outcome) in checked(&values, level) {
            assert_eq!(outcome, Err(NoInterval::Level(level)), "{name}");
        }
    }
    for (name, outcome) in checked(&values, f64::NAN) {
        assert!(matches!(outcome, Err(NoInterval::Level(_))), "{name}");
    }
    for (name, outcome) in checked(&values, 0.95) {
        assert!(outcome.is_ok(), "{name}: {outcome:?}");
    }
}

#[test]
fn samples_that_do_not_match_are_refused() {
    let (long, short) = ([1.0; 7], [1.0; 6]);
    assert_eq!(paired::difference(&long, &short, 0.95), Err(NoInterval::Mismatch));
    assert_eq!(paired::ratio(&long, &short, 0.95), Err(NoInterval::Mismatch));
    assert_eq!(paired::ratio_bca(&long, &short, 0.95, 1), Err(NoInterval::Mismatch));
    assert_eq!(isotonic::increasing(&long, &short), Err(NoInterval::Mismatch));
    assert_eq!(isotonic::increasing(&[0.0], &[1.0]), Err(NoInterval::Mismatch));
    assert_eq!(effect::superiority(&long, &short), None);
    assert!(holm::adjust(&[]).is_empty());
    assert_eq!(quantile::type7(&[], 0.5), None);
    assert_eq!(quantile::type7(&[1.0], 1.5), None);
    assert!(student::quantile(1.5, 3.0).is_nan() && student::quantile(0.5, 0.0).is_nan());
    assert!(student::quantile(1.0, 3.0).is_infinite() && student::p_value(f64::NAN, 3.0).is_nan());
}
