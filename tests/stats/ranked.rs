//! Ranks over blocks, compared with `SciPy` 1.17 and with published critical values.

use batchlab::stats::friedman::{alike, critical_difference, mean_ranks};
use batchlab::stats::{NoInterval, studentized_range};

use super::fixtures::close;

/// Quantiles of the studentized range with infinite degrees of freedom: count, then at 90, 95 and 99 % (`SciPy`'s
/// `studentized_range.ppf(p, count, inf)`; tables round them to 2.33, 2.77, 3.64 and so on).
const RANGES: [(usize, [f64; 3]); 6] = [
    (2, [2.326_174_307_353_347_6, 2.771_807_648_699_355, 3.642_772_735_436_894]),
    (3, [2.902_380_213_428_251_5, 3.314_493_155_398_122, 4.120_303_206_460_12]),
    (4, [3.240_446_220_927_359, 3.633_159_574_902_627_8, 4.402_800_861_448_699]),
    (6, [3.660_720_941_720_752, 4.030_092_053_180_576, 4.757_047_249_408_221]),
    (10, [4.129_346_398_236_873, 4.474_124_221_725_907, 5.156_634_960_089_622]),
    (20, [4.694_104_409_490_512, 5.011_688_794_118_442_5, 5.645_214_697_985_851_5]),
];

/// The values of four methods, of which more is better, on fourteen data sets.
const VALUES: [[f64; 4]; 14] = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.0, 1.0, 1.0, 1.0],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.975, 0.975],
    [0.957, 0.978, 0.946, 0.970],
];

#[test]
fn the_studentized_range_is_that_of_other_software_and_of_tables() {
    for (count, quantiles) in RANGES {
        for (p, wanted) in [0.9, 0.95, 0.99].into_iter().zip(quantiles) {
            close(studentized_range::quantile(p, count), wanted, 1e-9);
            close(studentized_range::cdf(wanted, count), p, 1e-9);
        }
    }
    // The range of two is √2 times the absolute value of one normal.
    close(studentized_range::quantile(0.95, 2), 2_f64.sqrt() * 1.959_963_984_540_054, 1e-10);
    assert_eq!(studentized_range::cdf(0.0, 3), 0.0);
    close(studentized_range::cdf(40.0, 3), 1.0, 1e-10);
    assert!(studentized_range::quantile(0.95, 1).is_nan() && studentized_range::quantile(1.0, 3).is_nan());
}

#[test]
fn mean_ranks_and_the_test_are_those_of_other_software() {
    let blocks: Vec<Vec<f64>> = VALUES.iter().map(|of| of.iter().map(|value| -value).collect()).collect();
    let of = mean_ranks(&blocks).unwrap();
    for (rank, wanted) in of.ranks.iter().zip([44.0, 28.0, 41.0, 27.0]) {
        close(*rank, wanted / 14.0, 1e-12);
    }
    // `friedmanchisquare`, and `f.sf` of its Iman and Davenport form.
    close(of.chi_squared, 10.952_380_952_380_956, 1e-12);
    close(of.f, 4.585_889_570_552_149, 1e-12);
    close(of.p, 0.007_628_838_730_725_745, 1e-9);
}

#[test]
fn critical_differences_are_those_of_published_tables() {
    // Demšar, JMLR 7 (2006), Table 5a: q / √2 at 5 % and at 10 %, for 2 to 10 classifiers.
    let five = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
    let ten = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920];
    for (count, (five, ten)) in (2..=10).zip(five.into_iter().zip(ten)) {
        for (level, wanted) in [(0.95, five), (0.9, ten)] {
            let of = critical_difference(count, 12, level).unwrap();
            let scale = ((count * (count + 1)) as f64 / 72.0).sqrt();
            assert!((of / scale - wanted).abs() < 0.001, "{count}, {level}: {}", of / scale);
        }
    }
    // Its example: four classifiers on fourteen data sets.
    assert!((critical_difference(4, 14, 0.95).unwrap() - 1.25).abs() < 0.005);
}

#[test]
fn groups_that_are_not_shown_to_differ_are_the_longest_runs() {
    assert_eq!(alike(&[1.0, 1.5, 2.4, 4.0], 1.0), [(0, 1), (1, 2)]);
    assert_eq!(alike(&[1.0, 1.5, 1.9, 4.0], 1.0), [(0, 2)]);
    assert!(alike(&[1.0, 2.0, 3.0], 1.0).is_empty(), "a difference as large as the critical one is shown");
}

#[test]
fn blocks_that_all_rank_alike_have_the_probability_of_one_order() {
    let blocks = vec![vec![1.0, 2.0, 3.0]; 3];
    let of = mean_ranks(&blocks).unwrap();
    assert_eq!((of.ranks, of.f, of.p), (vec![1.0, 2.0, 3.0], f64::INFINITY, 1.0 / 36.0));
    assert_eq!(mean_ranks(&blocks[..1]), Err(NoInterval::TooFew { units: 1, needed: 2 }));
    assert_eq!(mean_ranks(&[vec![1.0, 1.0], vec![2.0, 2.0]]), Err(NoInterval::NoSpread));
    assert_eq!(mean_ranks(&[vec![1.0, 2.0], vec![2.0]]), Err(NoInterval::Mismatch));
}
