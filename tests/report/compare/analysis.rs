//! Estimates, contrasts and families compared with scipy.

use batchlab::experiment::{DesignPoint, Frame, FrameRow, UnitKind};
use batchlab::metrics::Domain;
use batchlab::stats::{Method, NoInterval};
use batchlab::study::{Quantity, Question, Reason, Study, Verdict};
use batchlab::table::{Style, writer};
use serde_json::Value;

use super::{expected, frame, made};

fn design_point(workload: usize) -> DesignPoint {
    DesignPoint { workload, point: vec![1] }
}

fn close(value: f64, expected: &Value) {
    let expected = expected.as_f64().unwrap();
    assert!((value - expected).abs() <= 1e-9 * expected.abs(), "{value} is not {expected}");
}

fn questions() -> Vec<Question> {
    let pairs = [(0, 1), (0, 2), (1, 1), (1, 2)];
    pairs
        .map(|(workload, policy)| Question {
            design_point: design_point(workload),
            policy,
            baseline: 0,
            measure: 0,
        })
        .to_vec()
}

#[test]
fn means_and_intervals_are_those_of_scipy() {
    let (frame, expected) = (frame(), expected());
    let study = Study::new(&frame);
    for workload in 0..2 {
        for policy in 0..3 {
            let (estimate, expected) = (
                study.estimate(&design_point(workload), policy, 0),
                &expected["estimates"][workload][policy],
            );
            let interval = estimate.interval.as_ref().unwrap();
            close(estimate.value.unwrap(), &expected["value"]);
            close(interval.low, &expected["low"]);
            close(interval.high, &expected["high"]);
            close(estimate.sd.unwrap(), &expected["sd"]);
            assert_eq!((estimate.units, estimate.left_out, interval.method), (8, 0, Method::StudentT));
        }
    }
}

#[test]
fn differences_ratios_and_families_are_those_of_scipy() {
    let (frame, expected) = (frame(), expected());
    let study = Study::new(&frame);
    let [difference, ratio] =
        [Quantity::Difference, Quantity::Ratio].map(|quantity| study.family(&questions(), quantity));
    assert_eq!((difference.tests, difference.level), (4, 0.9875));
    for (at, (by_difference, by_ratio)) in difference.answers.iter().zip(&ratio.answers).enumerate() {
        let expected = &expected["contrasts"][at];
        let contrast = &by_difference.contrast;
        let interval = by_difference.interval(Quantity::Difference).unwrap();
        close(contrast.difference.unwrap(), &expected["difference"]);
        close(interval.low, &expected["low"]);
        close(interval.high, &expected["high"]);
        close(contrast.ratio.unwrap(), &expected["ratio"]);
        let interval = by_ratio.interval(Quantity::Ratio).unwrap();
        close(interval.low, &expected["ratio_ends"][0]);
        close(interval.high, &expected["ratio_ends"][1]);
        close(by_difference.test.as_ref().unwrap().p, &expected["p_raw"]);
        close(by_difference.p.unwrap(), &expected["p"]);
        // Fieller's interval, inverted, is the paired t-test.
        assert_eq!(by_difference.p, by_ratio.p);
        close(contrast.effect.unwrap(), &expected["effect"]);
        close(contrast.superiority.unwrap(), &expected["superiority"]);
    }
    let verdicts: Vec<Verdict> = difference.answers.iter().map(|answer| answer.verdict).collect();
    let expected = [Verdict::Better, Verdict::NoDifferenceShown, Verdict::Better, Verdict::NoDifferenceShown];
    assert_eq!(verdicts, expected);
}

#[test]
fn ratios_across_workloads_have_their_geometric_mean() {
    let (frame, expected) = (frame(), expected());
    let study = Study::new(&frame);
    for policy in [1, 2] {
        let across = study.across(&[design_point(0), design_point(1)], policy, 0, 0);
        let expected = &expected["across"][policy - 1];
        close(across.mean.unwrap(), &expected["mean"]);
        let interval = across.interval.unwrap();
        close(interval.low, &expected["low"]);
        close(interval.high, &expected["high"]);
    }
    let one = study.across(&[design_point(0)], 1, 0, 0);
    assert_eq!(one.mean.map(|mean| (mean * 1e6).round()), Some(783_231.0));
    assert_eq!(one.interval, Err(Reason::Statistics(NoInterval::TooFew { units: 1, needed: 2 })));
}

#[test]
fn units_without_a_value_are_left_out_and_counted() {
    let mut frame = frame();
    frame.rows.retain(|row| row.policy != 2 || row.unit != Some(5));
    let study = Study::new(&frame);
    let small = study.estimate(&design_point(0), 1, 1);
    assert_eq!((small.units, small.left_out), (7, 1));
    let contrast = study.contrast(&design_point(0), 2, 0, 0, 0.95);
    assert_eq!((contrast.units, contrast.left_out), (7, 1));
    assert_eq!(study.estimate(&design_point(1), 2, 2).interval, Err(Reason::Undefined));
    assert_eq!(study.estimate(&design_point(1), 2, 2).value, None);
}

#[test]
fn fewer_than_six_units_are_not_tested() {
    let mut frame = frame();
    frame.rows.retain(|row| row.unit < Some(5));
    let study = Study::new(&frame);
    let family = study.family(&questions(), Quantity::Difference);
    let reason = Reason::Statistics(NoInterval::TooFew { units: 5, needed: 6 });
    assert!(family.answers.iter().all(|answer| answer.p == Err(reason)));
    assert!(family.answers.iter().all(|answer| answer.verdict == Verdict::NoTest(reason)));
    assert!(family.answers[0].interval(Quantity::Difference).is_ok());
}

#[test]
fn shaken_input_has_a_spread_and_neither_interval_nor_test() {
    let mut frame = frame();
    frame.workloads[0].units = UnitKind::Shaken;
    let study = Study::new(&frame);
    let estimate = study.estimate(&design_point(0), 1, 0);
    assert_eq!(estimate.interval, Err(Reason::Shaken));
    assert_eq!(estimate.range, Some((1845.27, 8882.08)));
    assert!(estimate.sd.is_some());
    let contrast = study.contrast(&design_point(0), 2, 0, 0, 0.95);
    assert_eq!(contrast.difference_test.clone().unwrap_err(), Reason::Shaken);
    assert_eq!(contrast.ratio_interval.clone().unwrap_err(), Reason::Shaken);
    assert!(contrast.difference.is_some());
    // The order is reversed in the units in which $cons waits less: 2, 4 and 6.
    assert_eq!(contrast.flips, Some(0.375));
}

#[test]
fn one_replay_has_a_difference_and_nothing_more() {
    let mut frame = frame();
    frame.workloads[0].units = UnitKind::One;
    frame.rows.retain(|row| row.unit == Some(0));
    frame.rows.iter_mut().for_each(|row| row.unit = None);
    let study = Study::new(&frame);
    let estimate = study.estimate(&design_point(0), 1, 0);
    assert_eq!((estimate.value, estimate.units), (Some(3151.35), 0));
    assert_eq!(estimate.interval, Err(Reason::OneReplay));
    let contrast = study.contrast(&design_point(0), 1, 0, 0, 0.95);
    assert_eq!(contrast.difference, Some(3151.35 - 3971.48));
    assert_eq!(contrast.difference_test.clone().unwrap_err(), Reason::OneReplay);
}

#[test]
fn ranks_are_by_value_and_first_places_by_unit() {
    let frame = frame();
    let study = Study::new(&frame);
    let ranking = study.ranking(&design_point(1), &[0, 1, 2], 0).unwrap();
    assert_eq!(ranking.ranks, [Some(3), Some(1), Some(2)]);
    let first = ranking.first.unwrap();
    assert!((first.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // Within pairs, as in scipy, `sjf` waits less than EASY equally often: it is first whenever it is before
    // EASY.
    close(first[1], &expected()["contrasts"][2]["superiority"]);
    let utilization = study.ranking(&design_point(1), &[0, 1, 2], 2).unwrap();
    assert_eq!(utilization.ranks, [Some(2), Some(1), None]);
    assert_eq!((utilization.first, utilization.units), (None, 0));
    let equal = study.ranking(&design_point(0), &[0, 2], 2).unwrap();
    assert_eq!((equal.ranks, equal.first), (vec![Some(1), Some(1)], Some(vec![0.5, 0.5])));
}

#[test]
fn a_ratio_without_fieller_is_bootstrapped_the_same_in_any_order() {
    let mut frame = frame();
    // A baseline that is mostly 0: its mean is not clearly above 0.
    for row in frame.rows.iter_mut().filter(|row| row.policy == 0 && row.unit > Some(1)) {
        row.values[0] = Some(0.01);
    }
    let [first, second] = [Study::new(&frame), Study::new(&frame)];
    let _ = second.contrast(&design_point(1), 2, 0, 0, 0.99);
    let [a, b] = [&first, &second].map(|study| study.contrast(&design_point(0), 1, 0, 0, 0.95));
    assert_eq!(a, b);
    assert_eq!(a.ratio_interval.as_ref().unwrap().method, Method::Bca);
    assert_eq!(a.ratio_test.as_ref().unwrap().kind, batchlab::stats::TestKind::SignFlip);
}

/// A replay with a mean wait of 100 s, in eight blocks; in the last blocks, few jobs wait long.
#[test]
fn in_blocks_value_interval_and_comparison_are_about_the_mean_of_blocks() {
    let mut frame = frame();
    frame.workloads[0].units = UnitKind::Blocks;
    let whole = |policy: usize, wait: f64| FrameRow {
        key: String::new(),
        workload: 0,
        point: vec![1],
        policy,
        unit: None,
        seed: 0,
        values: vec![Some(wait), None, None],
    };
    frame.rows.extend([whole(0, 100.0), whole(1, 90.0), whole(2, 80.0)]);
    frame.rows.sort_by_key(|row| (row.workload, row.point.clone(), row.policy, row.unit));
    let study = Study::new(&frame);
    let estimate = study.estimate(&design_point(0), 0, 0);
    let interval = estimate.interval.as_ref().unwrap();
    close(estimate.value.unwrap(), &expected()["estimates"][0][0]["value"]);
    assert_eq!((estimate.whole, estimate.units, estimate.left_out), (Some(100.0), 8, 0));
    assert!(interval.contains(estimate.value.unwrap()));
    let other = study.estimate(&design_point(0), 1, 0);
    let contrast = study.contrast(&design_point(0), 1, 0, 0, 0.95);
    let difference = other.value.unwrap() - estimate.value.unwrap();
    assert!((contrast.difference.unwrap() - difference).abs() < 1e-9);
    // In a table, value and comparison are two cells with two headings.
    let spec = "name = \"t\"\nworkloads = [\"KTH_SP2 & co\"]\nwhere = { load = 0.9 }\nmetrics = [\"mean_wait\"]\n\
                cells = [\"value\", \"interval\", \"whole\"]";
    let csv = (writer("csv").unwrap().write)(&made(spec, &frame), &Style::default());
    assert!(csv.lines().nth(1).unwrap().contains("8890.979459566672,100,"), "{csv}");
}

/// A wait is never below 0: the t interval over 3, 4, 5, 3, 4, 5, 4 and 90 s would begin at -10.7 s.
#[test]
fn no_interval_reaches_beyond_what_can_be() {
    let mut frame = frame();
    frame.measures[0].domain = Domain::NotNegative;
    let waits = [3.0, 4.0, 5.0, 3.0, 4.0, 5.0, 4.0, 90.0];
    for row in &mut frame.rows {
        row.values[0] = row.unit.map(|unit| waits[unit as usize] * (1.0 + row.policy as f64));
    }
    let low = |frame: &Frame, policy: usize| {
        let interval = Study::new(frame).estimate(&design_point(0), policy, 0).interval.clone().unwrap();
        (interval.low, interval.is_cut, interval.estimate)
    };
    assert_eq!(low(&frame, 0), (0.0, true, 14.75));
    let spec =
        "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = [\"mean_wait\"]\ncells = [\"value\", \"interval\"]";
    let notes = made(spec, &frame).notes.join("\n");
    assert!(
        notes.contains(
            "intervals of mean wait that would reach beyond the values that are possible end there"
        )
    );
    // A slowdown is never below 1; values that may be negative are not cut.
    frame.measures[0].domain = Domain::FromOne;
    assert_eq!(low(&frame, 0).0, 1.0);
    frame.measures[0].domain = Domain::Any;
    let (below, is_cut, _) = low(&frame, 0);
    assert!((below + 10.677_562).abs() < 1e-5 && !is_cut, "{below}");
    assert!(!made(spec, &frame).notes.join("\n").contains("end there"));
}
