//! NIST's Statistical Reference Datasets: certified mean, standard deviation, autocorrelation at lag 1.

use batchlab::stats::{batch, student};

use super::fixtures::close;

/// Michelson's speeds of light of 1879, as thousandths above 299 (10⁶ m/s), in the order of the experiments.
const MICHELSO: [u16; 100] = [
    850, 740, 900, 1070, 930, 850, 950, 980, 980, 880, 1000, 980, 930, 650, 760, 810, 1000, 1000, 960,
    960, //
    960, 940, 960, 940, 880, 800, 850, 880, 900, 840, 830, 790, 810, 880, 880, 830, 800, 790, 760,
    800, //
    880, 880, 880, 860, 720, 720, 620, 860, 970, 950, 880, 910, 850, 870, 840, 840, 850, 840, 840,
    840, //
    890, 810, 810, 820, 800, 770, 760, 740, 750, 760, 910, 920, 890, 860, 880, 720, 840, 850, 850,
    780, //
    890, 840, 780, 810, 760, 810, 790, 810, 820, 850, 870, 870, 810, 740, 810, 940, 950, 800, 810, 870,
];

/// As NIST's `NumAcc2` to `NumAcc4`: the middle value, then a tenth below and above in turn, 1,001 in all.
fn alternating([middle, below, above]: [f64; 3]) -> Vec<f64> {
    let pairs = [below, above].into_iter().cycle().take(1000);
    std::iter::once(middle).chain(pairs).collect()
}

/// Asserts mean, standard deviation and autocorrelation; the first two are derived from the t interval.
#[track_caller]
fn certified(values: &[f64], mean: f64, sd: f64, lag1: f64, tolerance: f64) {
    let of = student::interval(values, 0.95).unwrap();
    let n = values.len() as f64;
    close(of.estimate, mean, 1e-15);
    close(of.half_width() / student::quantile(0.975, n - 1.0) * n.sqrt(), sd, tolerance);
    close(batch::autocorrelation(values, 1).unwrap(), lag1, tolerance);
}

#[test]
fn univariate_data_sets_of_nist() {
    let michelso: Vec<f64> =
        MICHELSO.iter().map(|&thousandths| 299.0 + f64::from(thousandths) / 1000.0).collect();
    certified(&michelso, 299.852_4, 0.079_010_547_819_051_8, 0.535_199_668_621_283, 1e-11);
    certified(&[10_000_001.0, 10_000_003.0, 10_000_002.0], 10_000_002.0, 1.0, -0.5, 1e-8);
    certified(&alternating([1.2, 1.1, 1.3]), 1.2, 0.1, -0.999, 1e-11);
    // The data are rounded at the ninth digit after the point in binary; so are the ends of the interval.
    certified(&alternating([1_000_000.2, 1_000_000.1, 1_000_000.3]), 1_000_000.2, 0.1, -0.999, 1e-7);
    certified(&alternating([10_000_000.2, 10_000_000.1, 10_000_000.3]), 10_000_000.2, 0.1, -0.999, 1e-6);
}
