use batchlab::stats::{
    Interval, batch, bonferroni, bootstrap, crossing, holm, isotonic, paired, permutation, quantile, student,
    wilcoxon,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn sample(units: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    vec(prop_oneof![8 => -1e3..1e3, 1 => Just(0.0), 1 => -1e-6..1e-6], units)
}

fn bca(values: &[f64], seed: u64) -> Result<Interval, batchlab::stats::NoInterval> {
    let mean = |chosen: &[usize]| chosen.iter().map(|&at| values[at]).sum::<f64>() / chosen.len() as f64;
    bootstrap::bca(values.len(), &mean, 0.9, 1000, seed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bca_follows_a_change_of_unit_and_repeats(values in sample(6..25), power in -8..8_i32, seed: u64) {
        // A power of two changes no rounding.
        let unit = 2.0_f64.powi(power);
        let scaled: Vec<f64> = values.iter().map(|value| value * unit).collect();
        let (of, of_scaled) = (bca(&values, seed), bca(&scaled, seed));
        prop_assert_eq!(&of, &bca(&values, seed));
        prop_assert_eq!(of.is_ok(), of_scaled.is_ok());
        if let (Ok(of), Ok(of_scaled)) = (of, of_scaled) {
            prop_assert_eq!([of.low * unit, of.high * unit], [of_scaled.low, of_scaled.high]);
            prop_assert!(of.low <= of.estimate && of.estimate <= of.high);
        }
    }

    #[test]
    fn a_wider_level_holds_a_narrower_one(values in sample(10..40)) {
        let [narrow, wide] = [0.8, 0.99].map(|level| student::interval(&values, level));
        if let (Ok(narrow), Ok(wide)) = (narrow, wide) {
            prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
        }
        let [narrow, wide] = [0.8, 0.95].map(|level| quantile::interval(&values, 0.5, level));
        if let (Ok(narrow), Ok(wide)) = (narrow, wide) {
            prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high && narrow.level <= wide.level);
            prop_assert!(narrow.level >= 0.8 && wide.level >= 0.95);
        }
    }

    #[test]
    fn holm_keeps_the_order_and_lowers_nothing(raw in vec(0.0..=1.0_f64, 0..30)) {
        let adjusted = holm::adjust(&raw);
        for (at, &p) in raw.iter().enumerate() {
            prop_assert!(adjusted[at] >= p && adjusted[at] <= 1.0);
            prop_assert!(adjusted[at] <= p * raw.len() as f64 || adjusted.iter().any(|&other| other == adjusted[at]));
            for (other, &q) in raw.iter().enumerate() {
                prop_assert!(p > q || adjusted[at] <= adjusted[other]);
            }
        }
    }

    #[test]
    fn tests_do_not_care_which_policy_comes_first(values in sample(6..30), seed: u64) {
        let turned: Vec<f64> = values.iter().map(|value| -value).collect();
        let zeros = vec![0.0; values.len()];
        let p = |test: Result<batchlab::stats::Test, _>| test.map(|test| test.p);
        prop_assert_eq!(p(wilcoxon::signed_rank(&values)), p(wilcoxon::signed_rank(&turned)));
        prop_assert_eq!(p(permutation::sign_flip(&values, seed)), p(permutation::sign_flip(&turned, seed)));
        prop_assert_eq!(p(paired::test(&values, &zeros)), p(paired::test(&zeros, &values)));
        for test in [wilcoxon::signed_rank(&values), permutation::sign_flip(&values, seed)].into_iter().flatten() {
            prop_assert!(test.p > 0.0 && test.p <= 1.0);
        }
    }

    #[test]
    fn the_paired_test_rejects_where_its_interval_leaves_out_0(a in sample(6..20), shift in -500.0..500.0_f64) {
        let b: Vec<f64> = a.iter().rev().map(|value| value + shift).collect();
        if let (Ok(test), Ok(interval)) = (paired::test(&a, &b), paired::difference(&a, &b, 0.95))
            && (test.p - 0.05).abs() > 1e-9
        {
            prop_assert_eq!(test.p < 0.05, !interval.contains(0.0));
        }
    }

    #[test]
    fn the_test_of_logarithms_rejects_where_its_interval_leaves_out_1(
        a in vec(1e-3..1e3_f64, 6..20), noise in vec(0.1..1.5_f64, 20), tests in 1..40_usize,
    ) {
        let b: Vec<f64> = a.iter().zip(&noise).map(|(value, noise)| value * noise).collect();
        let level = bonferroni::level(0.95, tests);
        let (test, interval) = (paired::geometric_test(&a, &b), paired::geometric_ratio(&a, &b, level));
        if let (Ok(test), Ok(interval)) = (test, interval) {
            let adjusted = bonferroni::adjust(&vec![test.p; tests])[0];
            prop_assert!((adjusted - 0.05).abs() < 1e-9 || (adjusted < 0.05) != interval.contains(1.0));
            // Turned round, the policies have the reciprocal ratio and the same p.
            let turned = paired::geometric_ratio(&b, &a, level).unwrap();
            prop_assert!((turned.low * interval.high - 1.0).abs() < 1e-9);
            prop_assert_eq!(paired::geometric_test(&b, &a).unwrap().p, test.p);
        }
    }

    #[test]
    fn fieller_holds_the_ratios_that_are_not_rejected(a in vec(1.0..100.0, 6..20), b in vec(1.0..100.0, 20)) {
        let b = &b[..a.len()];
        if let Ok(of) = paired::ratio(&a, b, 0.95) {
            for (ratio, within) in [(of.low - 1e-3, false), (of.low + 1e-3, true), (of.high - 1e-3, true), (of.high + 1e-3, false)] {
                let scaled: Vec<f64> = b.iter().map(|value| value * ratio).collect();
                let wide_enough = of.high - of.low > 4e-3;
                prop_assert!(!wide_enough || (paired::test(&a, &scaled).unwrap().p > 0.05) == within);
            }
        }
    }

    #[test]
    fn t_quantiles_are_where_the_probability_is(p in 0.501..0.9999_f64, df in 1.0..1e7_f64) {
        let t = student::quantile(p, df);
        prop_assert!((student::p_value(t, df) - 2.0 * (1.0 - p)).abs() < 1e-10);
        prop_assert_eq!(student::quantile(1.0 - p, df) < 0.0, t > 0.0);
    }

    #[test]
    fn isotonic_regression_increases_and_keeps_the_mean(pairs in vec((0.1..10.0, -1e3..1e3), 1..40)) {
        let (weights, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let fit = isotonic::increasing(&weights, &y).unwrap();
        prop_assert!(fit.windows(2).all(|pair| pair[0] <= pair[1]));
        let mean = |of: &[f64]| of.iter().zip(&weights).map(|(value, weight)| value * weight).sum::<f64>();
        prop_assert!((mean(&fit) - mean(&y)).abs() < 1e-6);
        prop_assert_eq!(isotonic::increasing(&weights, &fit).unwrap(), fit);
    }

    #[test]
    fn batches_are_6_to_30_and_hold_the_mean(series in sample(100..700)) {
        let of = batch::means(&series, 0.95).unwrap();
        prop_assert!((6..=30).contains(&of.batches) && of.interval.contains(of.interval.estimate));
        let mean = series.iter().sum::<f64>() / series.len() as f64;
        prop_assert!((of.interval.estimate - mean).abs() < 1e-9);
    }

    #[test]
    fn any_bits_give_an_answer(bits in vec(any::<u64>(), 0..130), seed: u64) {
        let values: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
        let finite = |of: &Interval| [of.estimate, of.low, of.high].iter().all(|number| number.is_finite());
        let outcomes = [
            student::interval(&values, 0.95),
            quantile::interval(&values, 0.5, 0.95),
            paired::ratio(&values, &values, 0.95),
            batch::means(&values, 0.95).map(|of| of.interval),
            bca(&values, seed),
        ];
        prop_assert!(outcomes.iter().flatten().all(finite));
        let curve = vec![values.clone()];
        prop_assert!(crossing::load(&values, &curve, 1.0, 0.95, seed).is_err() || !values.is_empty());
        prop_assert!(permutation::sign_flip(&values, seed).map_or(true, |test| test.p > 0.0));
    }
}
