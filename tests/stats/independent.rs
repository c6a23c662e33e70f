//! Closed forms and exact tests compared with scipy, numpy and statsmodels.

use batchlab::stats::dependence::Dependence;
use batchlab::stats::{
    Method, NoInterval, TestKind, bonferroni, effect, geometric, holm, isotonic, paired, permutation,
    quantile, saturation, student, wilcoxon,
};

use super::fixtures::{cases, close, ends, fixtures, number, numbers};

#[test]
fn quantiles_and_p_values_of_t_are_those_of_scipy() {
    let all = fixtures("student");
    for case in all["quantiles"].as_array().unwrap() {
        let case = numbers(case);
        close(student::quantile(case[0], case[1]), case[2], 1e-9);
    }
    for case in all["p_values"].as_array().unwrap() {
        let case = numbers(case);
        close(student::p_value(case[0], case[1]), case[2], 1e-9);
    }
}

#[test]
fn t_intervals_are_those_of_scipy() {
    for case in cases("t_intervals") {
        let of = student::interval(&numbers(&case["values"]), number(&case["level"])).unwrap();
        close(of.estimate, number(&case["mean"]), 1e-12);
        ends(&of, &case["ends"], 1e-10);
    }
}

/// Certified by scipy 1.17.1: r = t.ppf((1 + level)/2, n - 1) · sem(x)/mean(x); mean · exp(-r) to mean · exp(r + r²/3).
#[test]
fn intervals_of_positive_means_are_those_of_scipy() {
    for (values, level, [mean, low, high]) in [
        (
            &[12.5, 310.0, 48.0, 7.25, 95.0, 1620.0][..],
            0.95,
            [348.791_666_666_666_7, 51.964_340_509_014_24, 7_837.631_433_915_016],
        ),
        (&[1.0, 1.5, 2.25, 10.0][..], 0.9, [3.6875, 0.953_230_273_991_202_3, 26.255_137_021_701_525]),
        (
            &[3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 11.0],
            0.99,
            [6.625, 4.024_296_060_896_453, 11.848_306_494_409_85],
        ),
    ] {
        let of = student::of_positive(values, level).unwrap();
        assert_eq!((of.method, of.units), (Method::LogOfMean, values.len()));
        close(of.estimate, mean, 1e-12);
        close(of.low, low, 1e-10);
        close(of.high, high, 1e-10);
    }
    // Of three values, and of a mean of 0, Student's t.
    for values in [&[1.0, 2.0, 9.0][..], &[-3.0, 1.0, 1.0, 1.0]] {
        assert_eq!(student::of_positive(values, 0.95), student::interval(values, 0.95));
    }
}

/// Certified by numpy and scipy: ρ = r₁ + (1 + 3 r₁)/n, at most (n - 2)/(n + 2); the t interval of n units is √((1 + ρ)/(1 - ρ))
/// times as wide.
#[test]
fn intervals_of_units_in_a_row_allow_for_alike_neighbours() {
    for (values, lag1, effective, ends) in [
        (
            &[3.0, 4.0, 6.0, 5.0, 8.0, 9.0, 7.0, 10.0, 6.0, 4.0][..],
            0.524_957_983_193_277_2,
            3.115_115_446_079_242_7,
            [3.252_404_243_220_858, 9.147_595_756_779_143],
        ),
        // A trend: never worth fewer than two units.
        (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..], 0.5, 2.0, [0.099_439_869_083_199_02, 6.900_560_130_916_801]),
    ] {
        let dependence = Dependence::of(values);
        let of = student::interval(&Dependence::allow(dependence, values), 0.95).unwrap();
        let dependence = dependence.unwrap();
        close(dependence.lag1, lag1, 1e-12);
        close(dependence.effective(), effective, 1e-12);
        close(of.low, ends[0], 1e-10);
        close(of.high, ends[1], 1e-10);
    }
    let alternating = [5.0, 1.0, 5.5, 1.5, 4.0, 2.0];
    assert_eq!((Dependence::of(&alternating), Dependence::of(&[2.0; 5])), (None, None));
    assert_eq!(Dependence::allow(None, &alternating), alternating);
}

#[test]
fn paired_tests_intervals_and_ratios_are_those_of_scipy() {
    for case in cases("paired") {
        let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
        let difference = paired::difference(&a, &b, 0.95).unwrap();
        close(difference.estimate, number(&case["difference"]), 1e-10);
        ends(&difference, &case["ends"], 1e-9);
        let test = paired::test(&a, &b).unwrap();
        close(test.statistic, number(&case["t"]), 1e-9);
        close(test.p, number(&case["p"]), 1e-9);
        let ratio = paired::ratio(&a, &b, 0.95);
        if case["fieller"].is_null() {
            assert_eq!(ratio, Err(NoInterval::Unbounded));
        } else {
            let ratio = ratio.unwrap();
            close(ratio.estimate, number(&case["ratio"]), 1e-12);
            ends(&ratio, &case["fieller"], 1e-9);
        }
    }
}

#[test]
fn geometric_ratios_their_tests_and_their_sign_flips_are_those_of_scipy() {
    for case in cases("paired") {
        let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
        let (ratio, test) = (paired::geometric_ratio(&a, &b, 0.95), paired::geometric_test(&a, &b));
        let expected = &case["geometric"];
        if expected.is_null() {
            assert_eq!((ratio, test), (Err(NoInterval::NotPositive), Err(NoInterval::NotPositive)));
            continue;
        }
        let (ratio, test) = (ratio.unwrap(), test.unwrap());
        close(ratio.estimate, number(&expected["ratio"]), 1e-12);
        ends(&ratio, &expected["ends"], 1e-10);
        assert_eq!((ratio.method, ratio.units), (Method::LogStudentT, a.len()));
        close(test.statistic, number(&expected["t"]), 1e-9);
        close(test.p, number(&expected["p"]), 1e-9);
        assert_eq!(test.kind, TestKind::LogPairedT);
        if !expected["signs"].is_null() {
            let signs = permutation::sign_flip(&paired::log_ratios(&a, &b).unwrap(), 1).unwrap();
            close(signs.p, number(&expected["signs"]), 1e-12);
        }
    }
}

#[test]
fn signed_ranks_are_those_of_scipy() {
    for case in cases("wilcoxon") {
        let of = wilcoxon::signed_rank(&numbers(&case["differences"])).unwrap();
        assert_eq!(of.statistic, number(&case["statistic"]), "{case}");
        close(of.p, number(&case["p"]), 1e-10);
        assert_eq!(of.exact, of.units <= 25);
        assert_eq!(of.units + of.dropped, case["differences"].as_array().unwrap().len());
    }
}

#[test]
fn sign_flips_are_those_of_scipy() {
    for case in cases("sign_flips") {
        let of = permutation::sign_flip(&numbers(&case["differences"]), 1).unwrap();
        close(of.statistic, number(&case["statistic"]), 1e-12);
        assert_eq!(of.p, number(&case["p"]), "{case}");
        assert!(of.exact);
    }
}

#[test]
fn drawn_sign_flips_come_near_the_exact_ones() {
    // 20 units are too many to enumerate; with that many, the t-test is close.
    let differences: Vec<f64> = (0..20).map(|at| f64::from(at * 7 % 11) - 3.5).collect();
    let drawn = permutation::sign_flip(&differences, 3).unwrap();
    let zeros = vec![0.0; 20];
    let t = paired::test(&differences, &zeros).unwrap();
    assert!(!drawn.exact && (drawn.p - t.p).abs() < 0.01, "{} {}", drawn.p, t.p);
    assert!(drawn.p >= 1.0 / 20_001.0);
}

#[test]
fn holm_is_that_of_statsmodels() {
    for case in cases("holm") {
        let ours = holm::adjust(&numbers(&case["raw"]));
        for (ours, theirs) in ours.iter().zip(numbers(&case["adjusted"])) {
            close(*ours, theirs, 1e-12);
        }
    }
    let with_none = holm::adjust(&[0.02, f64::NAN, 0.03]);
    assert_eq!((with_none[0], with_none[2]), (0.04, 0.04));
    assert!(with_none[1].is_nan());
}

#[test]
fn bonferroni_is_that_of_statsmodels() {
    for case in cases("holm") {
        let ours = bonferroni::adjust(&numbers(&case["raw"]));
        for (ours, theirs) in ours.iter().zip(numbers(&case["bonferroni"])) {
            close(*ours, theirs, 1e-12);
        }
    }
    let with_none = bonferroni::adjust(&[0.02, f64::NAN, 0.75]);
    assert_eq!((with_none[0], with_none[2]), (0.04, 1.0));
    assert!(with_none[1].is_nan());
    close(bonferroni::level(0.95, 5), 0.99, 1e-12);
    assert_eq!(bonferroni::level(0.95, 0), 0.95);
}

#[test]
fn quantiles_are_those_of_numpy() {
    let all = fixtures("quantiles");
    let mut values = numbers(&all["values"]);
    values.sort_by(f64::total_cmp);
    for case in all["quantiles"].as_array().unwrap() {
        let case = numbers(case);
        close(quantile::type7(&values, case[0]).unwrap(), case[1], 1e-12);
    }
}

#[test]
fn intervals_of_quantiles_have_the_exact_coverage_of_the_binomial() {
    for case in cases("order_statistics") {
        let n = case["n"].as_u64().unwrap() as u32;
        // Each value is its rank, in an order that is not sorted.
        let values: Vec<f64> = (0..n).rev().map(|rank| f64::from(rank + 1)).collect();
        let of = quantile::interval(&values, number(&case["p"]), number(&case["level"])).unwrap();
        assert_eq!(vec![of.low, of.high], numbers(&case["ranks"]), "{case}");
        close(of.level, number(&case["coverage"]), 1e-10);
    }
    let few = quantile::interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.5, 0.95);
    assert_eq!(few, Err(NoInterval::TooFew { units: 5, needed: 6 }));
    let tail: Vec<f64> = (0..100).map(f64::from).collect();
    assert_eq!(quantile::interval(&tail, 0.99, 0.95), Err(NoInterval::TooFew { units: 100, needed: 368 }));
}

#[test]
fn isotonic_regression_is_that_of_scipy() {
    for case in cases("isotonic") {
        let ours = isotonic::increasing(&numbers(&case["weights"]), &numbers(&case["y"])).unwrap();
        for (ours, theirs) in ours.iter().zip(numbers(&case["fit"])) {
            close(*ours, theirs, 1e-11);
        }
    }
}

#[test]
fn effects_are_those_of_numpy() {
    for case in cases("effects") {
        let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
        let standardised = effect::standardised(&paired::differences(&a, &b).unwrap()).unwrap();
        close(standardised, number(&case["standardised"]), 1e-10);
        close(effect::superiority(&a, &b).unwrap(), number(&case["superiority"]), 1e-14);
    }
    assert_eq!(effect::superiority(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 5.0]), Some(0.625));
}

#[test]
fn geometric_means_are_those_of_scipy() {
    let case = fixtures("geometric");
    let of = geometric::mean_ratio(&numbers(&case["ratios"]), 0.95).unwrap();
    close(of.estimate, number(&case["mean"]), 1e-12);
    ends(&of, &case["ends"], 1e-10);
}

#[test]
fn slopes_are_those_of_numpy() {
    let case = fixtures("slope");
    let points: Vec<(f64, f64)> = numbers(&case["times"]).into_iter().zip(numbers(&case["values"])).collect();
    let of = saturation::slope(&points, 1).unwrap();
    close(of.estimate, number(&case["slope"]), 1e-11);
    assert!(of.low > 0.2 && of.high < 0.4, "{of:?}");
}
