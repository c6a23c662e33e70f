//! Estimates, contrasts and families compared with scipy.

use batchlab::experiment::{DesignPoint, Frame, FrameRow, UnitKind};
use batchlab::metrics::Domain;
use batchlab::stats::{Method, NoInterval};
use batchlab::study::{Across, ComparedNumber, ContrastResult, Family, Question, Ranking, Reason, Study};
use batchlab::table::{Style, writer};
use serde_json::Value;

use super::{expected, frame, made, notes_of};

fn design_point(workload: usize) -> DesignPoint {
    DesignPoint { workload, point: vec![1] }
}

fn close(value: f64, expected: &Value) {
    let expected = expected.as_f64().unwrap();
    assert!((value - expected).abs() <= 1e-9 * expected.abs(), "{value} is not {expected}");
}

fn questions() -> Vec<Question> {
    let pairs = [(0, 1), (0, 2), (1, 1), (1, 2)];
    pairs.map(|(workload, policy)| Question::of_policies(&design_point(workload), [policy, 0], 0)).to_vec()
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
    let by = |quantity| Family::of(&study, &questions(), quantity);
    let [difference, ratio, of_means] =
        [ComparedNumber::Difference, ComparedNumber::Ratio, ComparedNumber::RatioOfMeans].map(by);
    assert_eq!((difference.members, difference.level), (4, 0.9875));
    for (at, (by_difference, by_ratio)) in difference.answers.iter().zip(&ratio.answers).enumerate() {
        let expected = &expected["contrasts"][at];
        let of = by_difference.compared();
        let interval = of.interval.as_ref().unwrap();
        close(of.value.unwrap(), &expected["difference"]);
        close(interval.low, &expected["low"]);
        close(interval.high, &expected["high"]);
        close(of.effect.unwrap(), &expected["effect"]);
        close(by_difference.test.as_ref().unwrap().p, &expected["p_raw"]);
        close(by_difference.p.unwrap(), &expected["p"]);
        let of = by_ratio.compared();
        let interval = of.interval.as_ref().unwrap();
        close(of.value.unwrap(), &expected["ratio"]);
        close(interval.low, &expected["ratio_ends"][0]);
        close(interval.high, &expected["ratio_ends"][1]);
        close(of.effect.unwrap(), &expected["ratio_effect"]);
        close(of.signs.as_ref().unwrap().p, &expected["ratio_signs"]);
        close(by_ratio.test.as_ref().unwrap().p, &expected["ratio_p_raw"]);
        close(by_ratio.p.unwrap(), &expected["ratio_p"]);
        let of = of_means.answers[at].compared();
        let interval = of.interval.as_ref().unwrap();
        close(of.value.unwrap(), &expected["ratio_of_means"]);
        close(interval.low, &expected["ratio_of_means_ends"][0]);
        close(interval.high, &expected["ratio_of_means_ends"][1]);
        // Fieller's interval turned round is the paired t-test.
        assert_eq!(by_difference.p, of_means.answers[at].p);
        close(by_ratio.contrast.superiority.unwrap(), &expected["superiority"]);
    }
    for family in [difference, ratio, of_means] {
        let verdicts: Vec<ContrastResult> = family.answers.iter().map(|answer| answer.verdict).collect();
        let expected = [
            ContrastResult::Better,
            ContrastResult::NoDifferenceShown,
            ContrastResult::Better,
            ContrastResult::NoDifferenceShown,
        ];
        assert_eq!(verdicts, expected);
    }
}

#[test]
fn ratios_across_workloads_have_their_geometric_mean() {
    let (frame, expected) = (frame(), expected());
    let study = Study::new(&frame);
    for (quantity, key) in
        [(ComparedNumber::Ratio, "ratio"), (ComparedNumber::RatioOfMeans, "ratio_of_means")]
    {
        for policy in [1, 2] {
            let questions = [0, 1].map(|at| Question::of_policies(&design_point(at), [policy, 0], 0));
            let across = Across::of(&study, &questions, quantity);
            let expected = &expected["across"][key][policy - 1];
            close(across.mean.unwrap(), &expected["mean"]);
            let interval = across.interval.unwrap();
            close(interval.low, &expected["low"]);
            close(interval.high, &expected["high"]);
        }
    }
    let question = Question::of_policies(&design_point(0), [1, 0], 0);
    let one = Across::of(&study, &[question], ComparedNumber::RatioOfMeans);
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
    let contrast = study.contrast(&Question::of_policies(&design_point(0), [2, 0], 0), 0.95);
    assert_eq!((contrast.units, contrast.left_out), (7, 1));
    assert_eq!(study.estimate(&design_point(1), 2, 2).interval, Err(Reason::Undefined));
    assert_eq!(study.estimate(&design_point(1), 2, 2).value, None);
}

#[test]
fn fewer_than_six_units_are_not_tested() {
    let mut frame = frame();
    frame.rows.retain(|row| row.unit < Some(5));
    let study = Study::new(&frame);
    let family = Family::of(&study, &questions(), ComparedNumber::Difference);
    let reason = Reason::Statistics(NoInterval::TooFew { units: 5, needed: 6 });
    assert!(family.answers.iter().all(|answer| answer.p == Err(reason)));
    assert!(family.answers.iter().all(|answer| answer.verdict == ContrastResult::NoTest(reason)));
    assert!(family.answers[0].compared().interval.is_ok());
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
    let contrast = study.contrast(&Question::of_policies(&design_point(0), [2, 0], 0), 0.95);
    assert_eq!(contrast.difference.test.clone().unwrap_err(), Reason::Shaken);
    assert_eq!(contrast.ratio.interval.clone().unwrap_err(), Reason::Shaken);
    assert!(contrast.difference.value.is_some() && contrast.ratio.value.is_some());
    // The order turns round in the units in which $cons waits less: 2, 4 and 6.
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
    let contrast = study.contrast(&Question::of_policies(&design_point(0), [1, 0], 0), 0.95);
    assert_eq!(contrast.difference.value, Some(3151.35 - 3971.48));
    assert!((contrast.ratio.value.unwrap() - 3151.35 / 3971.48).abs() < 1e-12);
    assert_eq!(contrast.difference.test.clone().unwrap_err(), Reason::OneReplay);
}

#[test]
fn ranks_are_by_value_and_first_places_by_unit() {
    let frame = frame();
    let study = Study::new(&frame);
    let ranking = Ranking::of(&study, &design_point(1), &[0, 1, 2], 0).unwrap();
    assert_eq!(ranking.ranks, [Some(3), Some(1), Some(2)]);
    let first = ranking.first.unwrap();
    assert!((first.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // Within pairs, as in scipy, `sjf` waits less than EASY equally often: it is first whenever it is before EASY.
    close(first[1], &expected()["contrasts"][2]["superiority"]);
    let utilization = Ranking::of(&study, &design_point(1), &[0, 1, 2], 2).unwrap();
    assert_eq!(utilization.ranks, [Some(2), Some(1), None]);
    assert_eq!((utilization.first, utilization.units), (None, 0));
    let equal = Ranking::of(&study, &design_point(0), &[0, 2], 2).unwrap();
    assert_eq!((equal.ranks, equal.first), (vec![Some(1), Some(1)], Some(vec![0.5, 0.5])));
}

/// One window makes nearly all of the baseline's mean.
#[test]
fn a_ratio_of_means_without_bounds_has_no_interval_and_the_geometric_one_has() {
    let mut frame = frame();
    frame.workloads[0].units = UnitKind::Replications;
    for row in frame.rows.iter_mut().filter(|row| row.policy == 0 && row.unit > Some(1)) {
        row.values[0] = Some(0.01);
    }
    let contrast = Study::new(&frame).contrast(&Question::of_policies(&design_point(0), [1, 0], 0), 0.95);
    let unbounded = Err(Reason::Statistics(NoInterval::Unbounded));
    assert_eq!(contrast.ratio_of_means.interval, unbounded, "{contrast:?}");
    assert!(contrast.ratio_of_means.test.is_ok());
    assert_eq!(contrast.ratio.interval.as_ref().unwrap().method, Method::LogStudentT);
    assert!(contrast.has_two_answers() && contrast.greatest > Some(0.5));
}

/// Waits of seven windows under EASY, and under 36 copies of FCFS 10 to 25 times as long: a finding whatever the family.
#[test]
fn seventeen_times_in_every_window_is_shown_in_a_family_of_36() {
    let easy = [300.0, 9000.0, 700.0, 2500.0, 16000.0, 1200.0, 5000.0];
    let times = [10.7, 24.8, 14.0, 19.5, 17.0, 22.0, 13.1];
    let mut frame = frame();
    let row = |policy: usize, unit: usize| FrameRow {
        workload: 0,
        point: vec![1],
        policy,
        unit: Some(unit as u32),
        values: vec![Some(easy[unit] * if policy == 0 { 1.0 } else { times[unit] }), None, None],
        ..frame.rows[0].clone()
    };
    frame.rows =
        (0..=36).flat_map(|policy| (0..7).map(move |unit| (policy, unit))).map(|(a, b)| row(a, b)).collect();
    let study = Study::new(&frame);
    let ask = |policy| Question::of_policies(&design_point(0), [policy, 0], 0);
    let questions: Vec<Question> = (1..=36).map(ask).collect();
    let family = Family::of(&study, &questions, ComparedNumber::default());
    assert_eq!(family.members, 36);
    for answer in &family.answers {
        let of = answer.compared();
        assert_eq!(answer.verdict, ContrastResult::Worse);
        assert!(answer.p.unwrap() < 0.001 && of.interval.as_ref().unwrap().low > 7.0, "{answer:?}");
        // Each window on one side is all that signs can show: 2/2^7.
        assert_eq!(of.signs.as_ref().unwrap().p, 2.0 / 128.0);
    }
}

#[test]
fn a_unit_of_0_is_compared_by_differences() {
    let mut frame = frame();
    for row in frame.rows.iter_mut().filter(|row| row.policy == 1 && row.unit == Some(2)) {
        row.values[0] = Some(0.0);
    }
    let study = Study::new(&frame);
    let family = Family::of(&study, &questions(), ComparedNumber::default());
    let tested: Vec<ComparedNumber> = family.answers.iter().map(|answer| answer.quantity).collect();
    assert_eq!(
        tested,
        [
            ComparedNumber::Difference,
            ComparedNumber::Ratio,
            ComparedNumber::Difference,
            ComparedNumber::Ratio
        ]
    );
    let contrast = &family.answers[0].contrast;
    assert_eq!(contrast.ratio.value, None);
    assert_eq!(contrast.ratio.interval, Err(Reason::Statistics(NoInterval::NotPositive)));
    assert_eq!(family.answers[0].compared(), &contrast.difference);
    let spec = "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = [\"mean_wait\"]\ncells = [\"ratio\", \"interval\", \"p\"]";
    let table = made(spec, &frame);
    let expected = "ratio of means: a unit has a value that is not above 0, of which there is no geometric mean; the difference is \
                    tested";
    assert_eq!(table.footnotes, [expected]);
    assert!(
        !notes_of(&table).join("\n").contains("no logarithm"),
        "the sign says it: {:?}",
        notes_of(&table)
    );
}

/// All that a table prints of a contrast: p is below 0.05 exactly where the interval beside it excludes no difference.
#[test]
fn no_p_contradicts_the_interval_beside_it() {
    let mut seen = [0, 0];
    for seed in 0..60_u32 {
        let mut frame = frame();
        let mut state = u64::from(seed) + 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for row in &mut frame.rows {
            // From equal policies to clear differences, some units of 0, one far above the others.
            let own = 1.0 + f64::from(row.policy as u32) * f64::from(seed) / 60.0;
            let far = if row.unit == Some(0) && seed % 3 == 0 { 200.0 } else { 1.0 };
            let wait = 100.0 * own * far * (0.6 * next()).exp();
            row.values[0] = Some(if seed % 5 == 0 && row.unit == Some(4) { 0.0 } else { wait });
        }
        let study = Study::new(&frame);
        for quantity in [ComparedNumber::Ratio, ComparedNumber::RatioOfMeans, ComparedNumber::Difference] {
            for answer in Family::of(&study, &questions(), quantity).answers {
                let of = answer.compared();
                let none = if of.quantity == ComparedNumber::Difference { 0.0 } else { 1.0 };
                let (Ok(p), Ok(interval)) = (answer.p, &of.interval) else { continue };
                assert_eq!(p < 0.05, !interval.contains(none), "{answer:?}");
                assert_eq!(p < 0.05, answer.is_shown(), "{answer:?}");
                seen[usize::from(p < 0.05)] += 1;
            }
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
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
    let contrast = study.contrast(&Question::of_policies(&design_point(0), [1, 0], 0), 0.95);
    let difference = other.value.unwrap() - estimate.value.unwrap();
    assert!((contrast.difference.value.unwrap() - difference).abs() < 1e-9);
    // In a table they are two cells with two headings.
    let spec = "name = \"t\"\nworkloads = [\"KTH_SP2 & co\"]\nwhere = { load = 0.9 }\nmetrics = [\"mean_wait\"]\n\
                cells = [\"value\", \"interval\", \"whole\"]";
    let csv = (writer("csv").unwrap().write)(&made(spec, &frame), &Style::default());
    assert!(csv.lines().nth(1).unwrap().contains("8890.979459566672,100,"), "{csv}");
}

/// A wait is never below 0: the t interval over 3, 4 and 90 s would begin at -93 s.
#[test]
fn no_interval_reaches_beyond_what_can_be() {
    let mut frame = frame();
    frame.measures[0].domain = Domain::NotNegative;
    let waits = [3.0, 4.0, 90.0];
    frame.rows.retain(|row| row.unit < Some(3));
    for row in &mut frame.rows {
        row.values[0] = row.unit.map(|unit| waits[unit as usize] * (1.0 + row.policy as f64));
    }
    let low = |frame: &Frame, policy: usize| {
        let interval = Study::new(frame).estimate(&design_point(0), policy, 0).interval.clone().unwrap();
        (interval.low, interval.is_cut, interval.estimate)
    };
    assert_eq!(low(&frame, 0), (0.0, true, 97.0 / 3.0));
    let spec =
        "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = [\"mean_wait\"]\ncells = [\"value\", \"interval\"]";
    let notes = notes_of(&made(spec, &frame)).join("\n");
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
    assert!((below + 93.166_849).abs() < 1e-5 && !is_cut, "{below}");
    assert!(!notes_of(&made(spec, &frame)).join("\n").contains("end there"));
}
