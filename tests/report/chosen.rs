//! What is chosen after looking: how often a verdict shows a best policy among policies that do not differ.
//!
//! Each situation is drawn 1,000 times: units with a size of their own, which all policies share, and policies whose values
//! differ by noise only. A verdict that says "shown to be better" of the best or of the best in a typical unit is wrong.

use batchlab::experiment::{Frame, FrameRow, Measure, PolicyFacts, UnitKind, WorkloadFacts};
use batchlab::metrics::Domain;
use batchlab::report::conclude;
use batchlab::study::{Answer, Question, Study, pairs};
use batchlab::table::{Better, Unit};
use batchlab_traces::seed;

const DRAWS: usize = 1_000;
/// The share of false findings that is allowed.
const MOST: f64 = 0.05;

/// A situation without a true difference among its first policies.
struct Situation {
    words: &'static str,
    policies: usize,
    units: u32,
    /// The noise of a policy in a unit, on the logarithm of its value.
    noise: fn(policy: usize, normal: f64) -> f64,
}

const SITUATIONS: [Situation; 4] = [
    Situation { words: "6 policies, 16 units, equal noise", policies: 6, units: 16, noise: |_, z| 0.3 * z },
    Situation {
        words: "6 policies, 16 units, noise that differs tenfold",
        policies: 6,
        units: 16,
        noise: |policy, z| [0.05, 0.1, 0.2, 0.3, 0.4, 0.5][policy] * z,
    },
    Situation { words: "12 policies, 20 units, equal noise", policies: 12, units: 20, noise: |_, z| 0.5 * z },
    Situation {
        words: "6 policies, 16 units, two that lead alike",
        policies: 6,
        units: 16,
        noise: |policy, z| 0.3 * z + if policy < 2 || policy == 5 { 0.0 } else { 2.0 },
    },
];

/// Returns results without a true difference; the last policy is the baseline.
fn frame(situation: &Situation, draw: usize) -> Frame {
    let mut stream = seed::stream(draw as u64, situation.words);
    let mut normal = || {
        let (one, other) = (1.0 - seed::unit(&mut stream), seed::unit(&mut stream));
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
    };
    let sizes: Vec<f64> = (0..situation.units).map(|_| normal()).collect();
    let mut rows = Vec::new();
    for policy in 0..situation.policies {
        for (unit, size) in sizes.iter().enumerate() {
            let value = 1000.0 * (size + (situation.noise)(policy, normal())).exp();
            rows.push(FrameRow {
                key: String::new(),
                workload: 0,
                point: Vec::new(),
                policy,
                unit: Some(unit as u32),
                seed: 1,
                values: vec![Some(value)],
            });
        }
    }
    let policy = |at: usize| PolicyFacts { label: format!("P{at}"), spec: "easy".into() };
    Frame {
        name: "chance".into(),
        seed: 1,
        level: 0.95,
        baseline: Some(situation.policies - 1),
        workloads: vec![WorkloadFacts {
            name: "KTH".into(),
            units: UnitKind::Windows,
            ..WorkloadFacts::default()
        }],
        policies: (0..situation.policies).map(policy).collect(),
        measures: vec![Measure {
            key: "mean_wait".into(),
            metric: "mean_wait".into(),
            class: None,
            unit: Unit::Seconds,
            better: Better::Lower,
            domain: Domain::Any,
            definition: "what mean_wait is".into(),
            is_diagnostic: false,
        }],
        rows,
        ..Frame::default()
    }
}

/// Whether a verdict shows a difference that was chosen after looking.
fn is_shown(frame: &Frame) -> bool {
    let conclusion = conclude(&Study::new(frame), &[]);
    let sentences = conclusion.paragraphs.iter().chain(&conclusion.details).flat_map(|of| &of.sentences);
    let is_false = |of: &String| {
        of.contains("and than the second")
            || of.contains("It is shown to be better than the second")
            || of.contains("is better than the second") && of.contains("is shown (")
            || of.contains("another policy is best") && of.contains(", shown)")
    };
    sentences.into_iter().any(is_false)
}

/// Whether the first two differ at 5 %, their pair being one of all that could have been chosen.
fn first_two(frame: &Frame) -> bool {
    let study = Study::new(frame);
    let design_point = &frame.design_points()[0];
    let value = |policy: usize| study.estimate(design_point, policy, 0).value.unwrap();
    let mut order: Vec<usize> = (0..frame.policies.len()).collect();
    order.sort_by(|&one, &other| value(one).total_cmp(&value(other)));
    let question = Question::of_policies(design_point, [order[0], order[1]], 0);
    Answer::chosen(&study, &[question], pairs(frame.policies.len()))[0].is_shown()
}

#[test]
fn a_best_policy_is_shown_by_chance_in_at_most_5_of_100_verdicts() {
    for situation in &SITUATIONS {
        let share = |is_met: &dyn Fn(&Frame) -> bool| {
            let met = (0..DRAWS).filter(|&draw| is_met(&frame(situation, draw))).count();
            met as f64 / DRAWS as f64
        };
        let shown = share(&is_shown);
        let of_all = share(&first_two);
        assert!(shown <= MOST && of_all <= MOST, "{}: {shown}, {of_all}", situation.words);
    }
}

/// A policy that takes half as long in each unit is found; the baseline is the worst, and so never the second.
#[test]
fn a_true_difference_is_still_shown() {
    let situation = Situation {
        words: "one leads",
        policies: 6,
        units: 16,
        noise: |policy, z| 0.2 * z + [0.0, 0.0, -0.7, 0.0, 0.0, 0.7][policy],
    };
    let shown = (0..200).filter(|&draw| is_shown(&frame(&situation, draw))).count();
    eprintln!("shown in {shown} of 200 draws");
    assert!(shown >= 190, "{shown}");
}
