//! Statistics of one run over time (batch means, warm-up, saturation) and of many runs (shaking, crossings).

use batchlab::stats::crossing::{self, Crossing};
use batchlab::stats::warmup::{self, CutReliability};
use batchlab::stats::{Method, NoInterval, batch, saturation, shaking};

use super::fixtures::{cases, close, ends, number, numbers};

#[test]
fn batch_means_are_those_of_scipy_and_fewer_where_the_series_depends() {
    let mut chosen = Vec::new();
    for case in cases("series") {
        let values = numbers(&case["values"]);
        for (lag, theirs) in numbers(&case["acf"]).into_iter().enumerate() {
            close(batch::autocorrelation(&values, lag).unwrap(), theirs, 1e-10);
        }
        let of = batch::means(&values, 0.95).unwrap();
        let small = number(&case["small_lag1"]);
        close(of.lag1, small + (1.0 + 3.0 * small) / 100.0, 1e-9);
        ends(&of.interval, &case["intervals"][of.batches.to_string()], 1e-11);
        assert_eq!(of.interval.method, Method::BatchMeans { batches: of.batches });
        assert_eq!(of.size, 1200 / of.batches);
        chosen.push((of.batches, of.warning.is_some()));
    }
    // First-order autoregressions of 1,200 values with φ = 0, 0.5, 0.9, 0.99.
    assert_eq!((chosen[0], chosen[3]), ((30, false), (6, true)), "{chosen:?}");
    assert!(chosen[2].0 < 30, "{chosen:?}");
}

#[test]
fn the_cut_of_mser_5_is_that_of_trying_all() {
    let verdicts = [CutReliability::Accepted, CutReliability::Accepted, CutReliability::PastHalf];
    for (case, verdict) in cases("mser5").iter().zip(verdicts) {
        let of = warmup::mser5(&numbers(&case["values"]));
        assert_eq!((of.cut as f64, of.verdict), (number(&case["cut"]), verdict));
    }
    assert_eq!(warmup::mser5(&[1.0; 49]).verdict, CutReliability::TooShort);
    assert_eq!(warmup::mser5(&[1.0; 50]), warmup::Warmup { cut: 0, verdict: CutReliability::Accepted });
}

/// A backlog that varies around a line of this slope.
fn backlog(slope: f64) -> Vec<(f64, f64)> {
    (0..400)
        .map(|at| (f64::from(at), 50.0 + slope * f64::from(at) + 20.0 * (f64::from(at) / 7.0).sin()))
        .collect()
}

#[test]
fn saturated_means_a_growing_backlog_and_remaining_work() {
    let verdict =
        |completed, slope| saturation::verdict(1000.0, completed, &backlog(slope), 1).unwrap().verdict;
    assert_eq!(verdict(995.0, 0.0), saturation::SaturationVerdict::Steady);
    assert_eq!(verdict(950.0, 0.5), saturation::SaturationVerdict::Saturated);
    assert_eq!(verdict(950.0, 0.0), saturation::SaturationVerdict::Unclear);
    assert_eq!(verdict(995.0, 0.5), saturation::SaturationVerdict::Unclear);
    let of = saturation::verdict(1000.0, 950.0, &backlog(0.5), 1).unwrap();
    assert_eq!(of.completed_share, 0.95);
    let slope = of.slope.unwrap();
    assert!(slope.contains(0.5) && slope.low > 0.4 && slope.high < 0.6, "{slope:?}");
    assert_eq!(slope.method, Method::BlockBootstrap);
    let empty: Vec<(f64, f64)> = (0..50).map(|at| (f64::from(at), 0.0)).collect();
    assert_eq!(
        saturation::verdict(10.0, 10.0, &empty, 1).unwrap().verdict,
        saturation::SaturationVerdict::Steady
    );
    let short = saturation::verdict(10.0, 9.0, &empty[..5], 1).unwrap();
    assert_eq!(short.slope, Err(NoInterval::TooFew { units: 5, needed: 30 }));
    assert_eq!(short.verdict, saturation::SaturationVerdict::Unclear);
    assert_eq!(saturation::verdict(0.0, 0.0, &empty, 1), Err(NoInterval::NotFinite));
}

#[test]
fn a_slope_is_independent_of_earlier_judgements() {
    let (long, short) = (backlog(0.5), &backlog(0.1)[..50]);
    let first = saturation::slope(&long, 1).unwrap();
    let others = [saturation::slope(short, 1), saturation::slope(&long, 2)].map(Result::unwrap);
    assert_eq!(saturation::slope(&long, 1).unwrap(), first);
    assert_ne!(others[1], first);
    assert_eq!(saturation::slope(short, 1).unwrap(), others[0]);
}

#[test]
fn shaking_counts_runs_in_which_the_order_turns_round() {
    let values = [vec![1.0, 2.0, 3.0, 2.0], vec![2.0, 1.0, 4.0, 2.0], vec![1.0, 2.0, 3.0, 2.0]];
    let of = shaking::summary(&values).unwrap();
    assert_eq!(of.runs, 4);
    assert_eq!((of.policies[0].mean, of.policies[0].min, of.policies[1].max), (2.0, 1.0, 4.0));
    close(of.policies[0].sd, (2.0_f64 / 3.0).sqrt(), 1e-14);
    let flips: Vec<_> = of.flips.iter().map(|flip| (flip.first, flip.second, flip.share)).collect();
    // The second is worse on average; better in one run, equal in one of four.
    assert_eq!(flips, [(0, 1, Some(0.375)), (0, 2, None), (1, 2, Some(0.375))]);
    assert_eq!(shaking::summary(&[vec![1.0, 2.0], vec![1.0]]), Err(NoInterval::Mismatch));
}

fn curves(loads: &[f64], units: u32) -> Vec<Vec<f64>> {
    let rate = |unit| 3.0 + 0.1 * f64::from(unit % 5);
    (0..units).map(|unit| loads.iter().map(|load| (rate(unit) * load).exp()).collect()).collect()
}

#[test]
fn a_crossing_lies_where_the_curve_reaches_the_bound() {
    let loads = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    let curves = curves(&loads, 10);
    let Ok(Crossing::Within(of)) = crossing::load(&loads, &curves, 10.0, 0.95, 1) else {
        panic!("it is within")
    };
    // The mean rate is 3.2: ln 10 / 3.2 = 0.72; rates are 3.0 to 3.4.
    assert!((of.estimate - 10.0_f64.ln() / 3.2).abs() < 2e-3, "{of:?}");
    assert!(of.low > 10.0_f64.ln() / 3.3 && of.high < 10.0_f64.ln() / 3.1 && of.low < of.high, "{of:?}");
    assert_eq!((of.method, of.units), (Method::Percentile, 10));
    assert_eq!(crossing::load(&loads, &curves, 4.0, 0.95, 1), Ok(Crossing::Below));
    assert_eq!(crossing::load(&loads, &curves, 40.0, 0.95, 1), Ok(Crossing::Above));
    let top = curves.iter().map(|curve| curve[5]).sum::<f64>() / 10.0;
    let Ok(Crossing::Open { low: Some(_), high: None, estimate, .. }) =
        crossing::load(&loads, &curves, top * 0.99, 0.95, 1)
    else {
        panic!("its upper end is open")
    };
    assert!(estimate > 0.99 && estimate < 1.0);
    let few = crossing::load(&loads, &curves[..5], 10.0, 0.95, 1);
    assert_eq!(few, Err(NoInterval::TooFew { units: 5, needed: 6 }));
    assert_eq!(crossing::load(&[1.0, 0.5], &[vec![1.0, 2.0]], 1.5, 0.95, 1), Err(NoInterval::Mismatch));
}
