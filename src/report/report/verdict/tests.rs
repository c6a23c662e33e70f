use super::*;
use batchlab_engine::metrics::MeasureKey;
use batchlab_engine::table::Unit;
use batchlab_study::experiment::{Frame, FrameRow, Measure, Parameter, PolicyFacts, UnitKind, WorkloadFacts};

/// Values of a policy at a design point, unit by unit: of all jobs and of class wide.
type Values = fn(policy: usize, point: usize, unit: u32) -> (f64, f64);

fn measure(class: Option<&str>) -> Measure {
    let key = MeasureKey { metric: "mean_wait", class }.to_string();
    Measure {
        key,
        metric: "mean_wait".into(),
        class: class.map(String::from),
        unit: Unit::Seconds,
        better: Better::Lower,
        domain: batchlab_engine::metrics::Domain::Any,
        definition: "mean of start less submission".into(),
        is_diagnostic: false,
    }
}

fn frame(kind: UnitKind, policies: &[&str], points: usize, units: u32, values: Values) -> Frame {
    let mut rows = Vec::new();
    for (point, policy) in
        (0..points).flat_map(|point| (0..policies.len()).map(move |policy| (point, policy)))
    {
        rows.extend((0..units).map(|unit| {
            let (all, wide) = values(policy, point, unit);
            let values = vec![Some(all), Some(wide)];
            let unit = (kind != UnitKind::One).then_some(unit);
            FrameRow { key: String::new(), workload: 0, point: vec![point], policy, unit, seed: 1, values }
        }));
    }
    Frame {
        name: "handmade".into(),
        seed: 1,
        level: 0.95,
        baseline: (policies.len() > 1).then_some(0),
        parameters: vec![Parameter {
            name: "load".into(),
            values: (0..points).map(|point| format!("0.{}", point + 5)).collect(),
        }],
        workloads: vec![WorkloadFacts { name: "KTH".into(), units: kind, ..WorkloadFacts::default() }],
        policies: policies
            .iter()
            .map(|label| PolicyFacts { label: (*label).into(), spec: label.to_lowercase() })
            .collect(),
        measures: vec![measure(None), measure(Some("wide"))],
        absent: Vec::new(),
        rows,
    }
}

fn told(frame: &Frame) -> Conclusion {
    conclude(&Study::new(frame), &[])
}

/// Noise of a unit, common to all policies, plus a small term for each policy.
fn noise(policy: usize, unit: u32) -> f64 {
    f64::from(unit * 7 % 10) * 20.0 + f64::from((unit * 3 + policy as u32 * 5) % 7)
}

#[test]
fn the_best_is_told_with_its_change_its_interval_and_its_p() {
    let values: Values = |policy, _, unit| {
        let base = 1000.0 + noise(policy, unit);
        ([1.0, 0.5, 0.9][policy] * base, [1.0, 1.6, 1.0][policy] * base)
    };
    let conclusion = told(&frame(UnitKind::Replications, &["EASY", "CONS", "SJF"], 1, 20, values));
    let [only] = &conclusion.details[..] else { panic!("{conclusion:?}") };
    assert_eq!(only.about, "KTH, load 0.5");
    let [best, second, others, classes] = &only.sentences[..] else { panic!("{only:?}") };
    assert!(best.starts_with("CONS has the lowest mean wait: 54"), "{best}");
    assert!(best.contains(" % less than EASY, the baseline (49.9 % to 50.1 % less, "), "{best}");
    assert!(best.ends_with("less, p < 0.001; of means 50.0 % less): shown to be better."), "{best}");
    assert_eq!(second.as_str(), "That CONS is better than the second, SJF, is shown (p < 0.001).");
    assert!(others.starts_with("Against EASY: SJF ") && others.ends_with("shown to be better)."), "{others}");
    assert!(classes.contains("CONS against EASY by class of jobs: wide 60."), "{classes}");
    assert!(classes.contains("more (shown to be worse, p < 0.001)"), "{classes}");
}

#[test]
fn what_is_not_shown_is_not_called_equal() {
    let values: Values = |policy, _, unit| {
        let own = 1000.0 + f64::from((unit * 37 + policy as u32 * 53) % 101);
        (own, own)
    };
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "CONS"], 1, 12, values));
    let text = conclusion.details[0].sentences.join(" ");
    assert!(text.contains("no difference shown") || text.contains("not shown to be better"), "{text}");
    assert!(!text.contains("shown to be worse") && !text.contains("equal"), "{text}");
    assert!(conclusion.limits[0].starts_with("KTH: windows of one log each"), "{:?}", conclusion.limits);
}

#[test]
fn one_replay_is_told_to_show_nothing() {
    let values: Values = |policy, _, _| (100.0 + policy as f64, 50.0);
    let conclusion = told(&frame(UnitKind::One, &["EASY", "CONS"], 1, 1, values));
    let expected = [
        "EASY, the baseline, has the lowest mean wait: 100 s.",
        "Against EASY: CONS 1.0 % more.",
        "Nothing here was tested: there is one replay only; another input might reverse the order.",
        "For whom: CONS against EASY by class of jobs: wide the same.",
    ];
    assert_eq!(conclusion.details[0].sentences, expected);
    assert_eq!(conclusion.basis[1], "Compared with EASY, paired by unit; nothing is tested.");
    assert_eq!(conclusion.limits, ["KTH: one replay each: the uncertainty of the values is unknown."]);
}

#[test]
fn few_units_have_an_order_and_no_test() {
    let values: Values = |policy, _, unit| (100.0 + policy as f64 + f64::from(unit * unit), 50.0);
    let conclusion = told(&frame(UnitKind::Draws, &["EASY", "CONS"], 1, 4, values));
    let text = conclusion.details[0].sentences.join(" ");
    assert!(text.contains("Nothing here was tested: 4 units are too few"), "{text}");
    assert!(!text.contains("p ="), "{text}");
}

#[test]
fn a_policy_alone_has_its_value_only() {
    let values: Values = |_, _, unit| (100.0 + f64::from(unit), 50.0);
    let conclusion = told(&frame(UnitKind::Replications, &["EASY"], 1, 9, values));
    let [only] = &conclusion.details[0].sentences[..] else { panic!("{conclusion:?}") };
    assert!(only.starts_with("EASY has a mean wait of 104 s (95 % interval 101."), "{only}");
    assert_eq!(conclusion.basis.len(), 1);
}

#[test]
fn many_points_are_summed_up() {
    // Conservative is better at low load and worse at high load.
    let values: Values = |policy, point, unit| {
        let factor = if policy == 1 { 0.8 + 0.1 * point as f64 } else { 1.0 };
        let value = factor * (1000.0 + noise(policy, unit));
        (value, value)
    };
    let conclusion = told(&frame(UnitKind::Replications, &["EASY", "CONS"], 5, 12, values));
    let [only] = &conclusion.details[..] else { panic!("{conclusion:?}") };
    assert_eq!(only.about, "KTH, 5 points");
    assert!(only.sentences[0].starts_with("The lowest mean wait: "), "{only:?}");
    let against = &only.sentences[1];
    assert!(against.starts_with("CONS against EASY: better at "), "{against}");
    assert!(against.contains("(shown at 2)") && against.contains("less (load 0.5) to 20."), "{against}");
}

#[test]
fn a_metric_without_a_good_direction_calls_nobody_best() {
    let mut frame = frame(UnitKind::Replications, &["EASY", "CONS"], 1, 9, |_, _, _| (1.0, 1.0));
    frame.measures.iter_mut().for_each(|of| of.better = Better::Neither);
    let conclusion = told(&frame);
    assert!(
        conclusion.paragraphs.is_empty() && conclusion.limits[0].starts_with("No requested metric"),
        "{conclusion:?}"
    );
}

#[test]
fn a_baseline_of_nothing_is_told_in_differences() {
    let values: Values = |policy, _, unit| (policy as f64 * (10.0 + f64::from(unit)), 0.0);
    let conclusion = told(&frame(UnitKind::Replications, &["EASY", "CONS"], 1, 9, values));
    let text = conclusion.details[0].sentences.join(" ");
    assert!(text.contains("CONS 14 s more ("), "{text}");
    assert!(text.contains("shown to be worse"), "{text}");
}

/// One window makes the mean of the baseline, and FCFS takes twice as long in it and 17 times as long elsewhere.
#[test]
fn where_one_unit_makes_the_mean_both_answers_are_told() {
    let values: Values = |policy, _, unit| {
        let base = if unit == 0 { 1e6 } else { 1000.0 + noise(0, unit) };
        let times = if unit == 0 { 2.0 } else { 17.0 + 0.3 * f64::from(unit) };
        ([1.0, times][policy] * base, base)
    };
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "FCFS"], 1, 7, values));
    let text = conclusion.details[0].sentences.join(" ");
    assert!(text.contains("Against EASY: FCFS 13.18 times as much ("), "{text}");
    assert!(text.contains("; of means 110.5 % more; shown to be worse)."), "{text}");
    let two = "A typical unit and the means give different answers: FCFS 13.18 times as much in a typical unit and \
               110.5 % more of means, where one unit makes up to 99 % of a sum.";
    assert!(text.contains(two), "{text}");
}

#[test]
fn tests_at_one_workload_and_point_are_a_family() {
    let values: Values = |policy, _, unit| {
        let base = [1.0, 1.3, 1.4, 1.5][policy] * (1000.0 + noise(policy, unit));
        (base, base)
    };
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "A", "B", "C"], 4, 7, values));
    let basis = &conclusion.basis[1];
    assert!(basis.contains("at each point of the sweep hold together at 95 %"), "{basis}");
    assert!(basis.contains("adjusted by Bonferroni's method for its 3 comparisons"), "{basis}");
}

#[test]
fn signs_that_disagree_with_the_test_are_told() {
    // All six units are above 1, which signs show; one lies far from the others, so that t shows nothing.
    let values: Values = |policy, _, unit| {
        let times = [1.02, 1.03, 1.03, 1.02, 1.9, 1.03][unit as usize];
        ([1.0, times][policy] * (1000.0 + noise(0, unit)), 1.0)
    };
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "A"], 1, 6, values));
    let text = conclusion.details[0].sentences.join(" ");
    let doubt = "Exact sign flips, which assume less than the t-test, disagree about A (p = 0.031 for p = 0.";
    assert!(text.contains(doubt), "{text}");
}

#[test]
fn a_workload_has_few_sentences() {
    let values: Values = |policy, _, unit| {
        let base = 1000.0 + noise(policy, unit);
        ([1.0, 0.5, 0.9][policy] * base, base)
    };
    let conclusion = told(&frame(UnitKind::Replications, &["EASY", "CONS", "SJF"], 1, 20, values));
    let [only] = &conclusion.paragraphs[..] else { panic!("{conclusion:?}") };
    assert_eq!(only.about, "KTH");
    let [best, _, surely] = &only.sentences[..] else { panic!("{only:?}") };
    assert!(best.starts_with("CONS has the lowest mean wait, 54"), "{best}");
    let change = "less than EASY in a typical replication (95 % interval 49.9 % to 50.1 % less).";
    assert!(best.ends_with(change), "{best}");
    assert_eq!(
        surely.as_str(),
        "It is shown to be better than EASY (p < 0.001) and than the second, SJF (p < 0.001)."
    );
}

#[test]
fn a_sweep_is_summed_up_in_few_sentences() {
    // Conservative is better at low load and worse at high load.
    let values: Values = |policy, point, unit| {
        let factor = if policy == 1 { 0.8 + 0.1 * point as f64 } else { 1.0 };
        let value = factor * (1000.0 + noise(policy, unit));
        (value, value)
    };
    let told_of = |points| told(&frame(UnitKind::Replications, &["EASY", "CONS"], points, 12, values));
    for points in [2, 3, 5, 9] {
        let conclusion = told_of(points);
        let [only] = &conclusion.paragraphs[..] else { panic!("{conclusion:?}") };
        assert!(only.sentences.len() <= 5, "{only:?}");
        assert_eq!(conclusion.details.len(), if points > POINTS { 1 } else { points });
    }
    let two = &told_of(2).paragraphs[0].sentences;
    assert!(two[0].starts_with("CONS has the lowest mean wait at both points: 10."), "{two:?}");
    assert!(two[0].ends_with(" less than EASY in a typical replication."), "{two:?}");
    assert_eq!(two[2], "It is shown to be better than EASY at both points.");
    let five = &told_of(5).paragraphs[0].sentences;
    assert!(
        five[0].starts_with(
            "CONS has the lowest mean wait at 3 of 5 points (EASY at 2): 0.02 % to 20.0 % less than EASY"
        ),
        "{five:?}"
    );
    assert_eq!(five[2], "It is shown to be better than EASY at 2 of 5 points and to be worse at 2.");
}

#[test]
fn what_weakens_a_verdict_is_told_in_one_sentence() {
    // One window makes the mean of the baseline, and FCFS takes twice as long in it and 17 times as long elsewhere.
    let values: Values = |policy, _, unit| {
        let base = if unit == 0 { 1e6 } else { 1000.0 + noise(0, unit) };
        let times = if unit == 0 { 0.5 } else { 17.0 + 0.3 * f64::from(unit) };
        ([1.0, times][policy] * base, base)
    };
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "FCFS"], 1, 7, values));
    let [best, _, surely, weak] = &conclusion.paragraphs[0].sentences[..] else { panic!("{conclusion:?}") };
    // The mean is less, the geometric mean of the ratios is more.
    assert!(
        best.starts_with(
            "FCFS has the lowest mean wait, 88,340 s, but 10.81 times as much as EASY in a typical window ("
        ),
        "{best}"
    );
    assert!(surely.starts_with("In a typical window it is shown to be worse than EASY (p = 0.0"), "{surely}");
    assert!(
        weak.starts_with("What weakens this: the mean and a typical window disagree about FCFS; "),
        "{weak}"
    );
    assert!(weak.contains("95 % intervals of 7 windows like these held the true value in "), "{weak}");
}

#[test]
fn of_many_policies_some_are_named() {
    let names = |count: usize| words::some((0..count).map(|at| format!("P{at}")).collect());
    assert_eq!(names(3), "P0, P1 and P2");
    assert_eq!(names(5), "P0, P1, P2, P3 and P4");
    assert_eq!(names(9), "P0, P1, P2, P3 and 5 others");
}

#[test]
fn what_was_not_tested_is_told_so() {
    let values: Values = |policy, _, _| (100.0 + policy as f64, 50.0);
    let conclusion = told(&frame(UnitKind::One, &["EASY", "CONS"], 1, 1, values));
    let expected = [
        "EASY, the baseline, has the lowest mean wait, 100 s; the second, CONS, has 1.0 % more than EASY.",
        "At whose expense, against the second: by no other metric or class that was measured is it worse; nothing of this is tested.",
        "Nothing is tested: there is one replay only; another input might reverse the order.",
    ];
    assert_eq!(conclusion.paragraphs[0].sentences, expected);
}

/// The range is that of the points at which the policy is the best, not of one at which another leads.
#[test]
fn a_range_is_over_the_points_that_the_sentence_names() {
    let values: Values = |policy, point, unit| {
        let factor = [[1.0, 0.5, 0.8], [1.0, 0.6, 0.8], [1.0, 0.9, 0.8]][point][policy];
        (factor * (1000.0 + noise(0, unit)), 1.0)
    };
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "A", "B"], 3, 12, values));
    let first = &conclusion.paragraphs[0].sentences[0];
    assert_eq!(
        first,
        "A has the lowest mean wait at 2 of 3 points (B at 1): 40.0 % to 50.0 % less than EASY in a typical window."
    );
}

/// One window makes the mean, in which A is best; in all others it is B.
#[test]
fn the_best_of_means_and_the_best_of_a_typical_unit_are_both_told() {
    let values: Values = |policy, point, unit| {
        let base = if unit == 0 { 1e6 } else { 1000.0 + noise(0, unit) };
        let factors = if unit == 0 { [1.0, 0.8, 1.05] } else { [1.0, 0.95, 0.7] };
        (factors[policy] * base * (1.0 + point as f64), 1.0)
    };
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "A", "B"], 1, 12, values));
    let told_of = |sentences: &[String]| {
        let is_told = |of: &&String| {
            of.starts_with("In a typical window another policy is best: B, 22.7 % less than A (p ")
        };
        sentences.iter().filter(is_told).count()
    };
    assert_eq!(told_of(&conclusion.paragraphs[0].sentences), 1, "{conclusion:?}");
    assert_eq!(told_of(&conclusion.details[0].sentences), 1, "{conclusion:?}");
    // At several points it is counted.
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "A", "B"], 6, 12, values));
    let counted = "In a typical window another policy is best at all 6 points: B at 6.";
    for paragraph in [&conclusion.paragraphs[0], &conclusion.details[0]] {
        assert!(paragraph.sentences.iter().any(|of| of == counted), "{paragraph:?}");
    }
}

/// Any of the six pairs of four policies could have been the first two.
#[test]
fn what_is_chosen_after_looking_is_adjusted_for_all_pairs() {
    let values: Values = |policy, _, unit| {
        let own = f64::from((unit * 37 + policy as u32 * 53) % 101);
        ([1.0, 0.8, 0.78, 0.9][policy] * (1000.0 + own), 1.0)
    };
    let windows = frame(UnitKind::Windows, &["EASY", "A", "B", "C"], 1, 12, values);
    let conclusion = told(&windows);
    assert!(conclusion.basis[2].ends_with("for all 6 pairs of policies."), "{:?}", conclusion.basis);
    let study = Study::new(&windows);
    let question = Question::of_policies(&windows.design_points()[0], [2, 1], 0);
    let alone = Family::of(&study, std::slice::from_ref(&question), ComparedNumber::default());
    let chosen = Answer::chosen(&study, &[question], 6);
    let [alone, chosen] = [&alone.answers[0], &chosen[0]].map(|answer| answer.p.unwrap());
    assert!((chosen - (6.0 * alone).min(1.0)).abs() < 1e-15, "{alone} {chosen}");
    let second = format!("is shown ({}).", words::p(chosen));
    let not = format!("is not shown ({}).", words::p(chosen));
    let sentences = &conclusion.details[0].sentences;
    assert!(sentences.iter().any(|of| of.ends_with(&second) || of.ends_with(&not)), "{sentences:?}");
}

/// Requested and actual estimates of a log without requests are one result.
#[test]
fn points_with_the_same_results_count_once() {
    let values: Values = |policy, _, unit| ([1.0, 0.5][policy] * (1000.0 + noise(policy, unit)), 1.0);
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "A"], 2, 12, values));
    assert_eq!(conclusion.details.len(), 1);
    let first = &conclusion.paragraphs[0].sentences[0];
    assert!(first.starts_with("A has the lowest mean wait, ") && !first.contains("points"), "{first}");
}

#[test]
fn policies_that_share_the_best_value_everywhere_are_told_in_one_sentence() {
    let values: Values = |policy, point, unit| {
        ([1.0, 1.0, 2.0][policy] * (100.0 * (point as f64 + 1.0) + noise(0, unit)), 1.0)
    };
    let conclusion = told(&frame(UnitKind::Windows, &["EASY", "SJBF", "FCFS"], 3, 8, values));
    let [only] = &conclusion.paragraphs[..] else { panic!("{conclusion:?}") };
    assert_eq!(only.sentences[0], "EASY and SJBF share the lowest mean wait at all 3 points.", "{only:?}");
}

/// Wide jobs pay for the lead at each load; the sentence after the lead says so, at any number of points.
#[test]
fn who_pays_is_told_beside_who_wins() {
    let values: Values = |policy, point, unit| {
        let base = 1000.0 + noise(policy, unit);
        ([1.0, 0.6][policy] * base, [1.0, 1.5 + 0.2 * point as f64][policy] * base)
    };
    let paid = |points| {
        let conclusion = told(&frame(UnitKind::Replications, &["EASY", "A"], points, 12, values));
        conclusion.paragraphs[0].sentences[1].clone()
    };
    let one = paid(1);
    let begins = "At whose expense, against EASY: mean wait of class wide 50.0 % more (shown, p < 0.001).";
    assert_eq!(one, begins);
    assert_eq!(
        paid(6),
        "At whose expense, against EASY: mean wait of class wide 50.0 % to 149.9 % more at all 6 points (shown, p < 0.001); p is \
         adjusted for 7 looks at 95 %."
    );
}

/// Who pays for a lead is not known without classes, and the first screen says so, also where nothing else was measured.
#[test]
fn that_no_class_was_measured_is_told() {
    let values: Values = |policy, _, unit| ([1.0, 0.6][policy] * (1000.0 + noise(policy, unit)), 0.0);
    let mut frame = frame(UnitKind::Replications, &["EASY", "A"], 1, 12, values);
    frame.measures.truncate(1);
    frame.rows.iter_mut().for_each(|row| row.values.truncate(1));
    let conclusion = told(&frame);
    let expected = "No class of jobs was measured, so it is not known whether wide or long jobs pay: add classes to [measure].";
    assert_eq!(conclusion.paragraphs[0].sentences[1], expected);
}

/// Wide jobs gain, too: the first screen names them, and that nothing else was measured to be worse.
#[test]
fn who_gains_is_told_as_well() {
    let values: Values = |policy, point, unit| {
        let base = (1.0 + point as f64) * (1000.0 + noise(policy, unit));
        ([1.0, 0.6, 0.9][policy] * base, [1.0, 0.5, 0.4][policy] * base)
    };
    let conclusion = told(&frame(UnitKind::Replications, &["EASY", "A", "B"], 2, 12, values));
    let told = &conclusion.paragraphs[0].sentences[1];
    let expense = "At whose expense, against EASY: by no other metric or class that was measured is it shown to be worse; p is \
                   adjusted for 6 looks at 95 %.";
    assert!(
        told.ends_with(expense) && told.starts_with("For whom, against EASY: mean wait of class wide "),
        "{told}"
    );
    assert!(told.contains(" less at both points (shown, p < 0.001). At"), "{told}");
}

/// The baseline leads, and its wide jobs wait longer than under the second; of single replays nothing is tested.
#[test]
fn the_baseline_pays_as_well() {
    let values: Values = |policy, _, _| ([100.0, 120.0][policy], [80.0, 50.0][policy]);
    let conclusion = told(&frame(UnitKind::One, &["EASY", "A"], 1, 1, values));
    assert_eq!(
        conclusion.paragraphs[0].sentences[1],
        "At whose expense, against the second: mean wait of class wide 60.0 % more; nothing of this is tested."
    );
}
