//! Simulates how often the verdict on an experiment claims a difference between policies that have none, and that have one.
//!
//! `cargo run --release --example verdicts > examples/verdicts.md`
//!
//! In each situation, 1,000 experiments are drawn; seeds are fixed, so the output is the same each time.
#![expect(clippy::print_stdout, reason = "an example prints")]

use batchlab::experiment::{Frame, FrameRow, Measure, PolicyFacts, UnitKind, WorkloadFacts};
use batchlab::metrics::Domain;
use batchlab::report::conclude;
use batchlab::study::Study;
use batchlab::table::{Better, Unit};
use batchlab::traces::seed;
use chacha20::ChaCha12Rng;
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

const EXPERIMENTS: u64 = 1_000;

/// Numbers of policies, the baseline among them.
const POLICIES: [usize; 3] = [2, 4, 8];

/// Numbers of units.
const UNITS: [u32; 3] = [7, 12, 28];

/// How units and policies vary.
struct Situation {
    name: &'static str,
    /// The standard deviations of the logarithms of what a unit has in common, and of what is each policy's own.
    deviations: (f64, f64),
    /// How many times as long jobs wait under a policy, in a unit.
    factor: fn(usize, u32) -> f64,
}

const ALIKE: [Situation; 3] = [
    Situation {
        name: "units differ by much, policies by little",
        deviations: (1.0, 0.1),
        factor: |_, _| 1.0,
    },
    Situation { name: "units and policies differ alike", deviations: (0.5, 0.5), factor: |_, _| 1.0 },
    Situation { name: "policies differ by much, and skewed", deviations: (0.0, 1.0), factor: |_, _| 1.0 },
];

const BETTER: [Situation; 2] = [
    Situation {
        name: "under one policy jobs wait half as long",
        deviations: (1.0, 0.3),
        factor: |policy, _| if policy == 1 { 0.5 } else { 1.0 },
    },
    Situation {
        name: "the same, but in one unit 50 times as long",
        deviations: (0.3, 0.1),
        factor: |policy, unit| match (policy, unit) {
            (1, 0) => 50.0,
            (1, _) => 0.5,
            _ => 1.0,
        },
    },
];

type Claims = fn(&str) -> bool;

/// What a verdict may claim, and what it says then.
const CLAIMS: [(&str, Claims); 4] = [
    ("a policy better or worse than the baseline", |text| {
        ["; shown to be", ": shown to be"].iter().any(|part| text.contains(part))
    }),
    ("the best better than the second", |text| {
        text.contains("than the second") && text.contains(" is shown (")
    }),
    ("the best in a typical unit better than the best", |text| text.contains(", shown).")),
    ("any of these", |text| CLAIMS[..3].iter().any(|(_, claims)| claims(text))),
];

fn main() {
    println!("# Claims of verdicts\n");
    println!(
        "Written by `cargo run --release --example verdicts > examples/verdicts.md` ([source](verdicts.rs)).\n"
    );
    println!(
        "Each row: {EXPERIMENTS} experiments of a baseline and other policies at one point, with windows of a log as units. Each"
    );
    println!("column: the share of the verdicts that make a claim.\n");
    table(
        "Policies that are alike",
        "Each claim is wrong; the verdict means to keep each below 5 %. Two standard errors of a share of 5 % are 1.4 %.",
        (&ALIKE, &POLICIES),
    );
    println!();
    table(
        "Policies of which one is better",
        "One policy is better in a typical unit: the shares are what the tests find. In the second situation it is worse by its mean.",
        (&BETTER, &[4]),
    );
}

fn table(heading: &str, about: &str, (situations, policies): (&[Situation], &[usize])) {
    println!("## {heading}\n\n{about}\n");
    let claims: Vec<&str> = CLAIMS.iter().map(|(claim, _)| *claim).collect();
    println!("| situation | policies | units | {}, % |", claims.join(", % | "));
    println!("|---|---:|---:|{}", "---:|".repeat(claims.len()));
    for situation in situations {
        for &policies in policies {
            for units in UNITS {
                row(situation, policies, units);
            }
        }
    }
}

fn row(situation: &Situation, policies: usize, units: u32) {
    let name = situation.name;
    let texts: Vec<String> = (0..EXPERIMENTS)
        .into_par_iter()
        .map(|number| {
            let stream = &mut seed::stream(number, &format!("{name} {policies} {units}"));
            text(&experiment(stream, situation, policies, units))
        })
        .collect();
    let share = |claims: Claims| {
        let claimed = texts.iter().filter(|text| claims(text)).count();
        format!("{:.1}", 100.0 * claimed as f64 / EXPERIMENTS as f64)
    };
    let shares: Vec<String> = CLAIMS.iter().map(|(_, claims)| share(*claims)).collect();
    println!("| {name} | {policies} | {units} | {} |", shares.join(" | "));
}

/// Returns what the verdict on an experiment says of its only point.
fn text(experiment: &Frame) -> String {
    let conclusion = conclude(&Study::new(experiment), &[]);
    let sentences = conclusion.details.iter().flat_map(|paragraph| paragraph.sentences.iter());
    sentences.map(String::as_str).collect::<Vec<_>>().join(" ")
}

fn experiment(stream: &mut ChaCha12Rng, situation: &Situation, policies: usize, units: u32) -> Frame {
    let (common, own) = situation.deviations;
    let standard = Normal::standard();
    let mut normal = |deviation: f64| deviation * standard.inverse_cdf(seed::unit(stream));
    let levels: Vec<f64> = (0..units).map(|_| normal(common)).collect();
    let mut rows = Vec::new();
    for policy in 0..policies {
        rows.extend((0..).zip(&levels).map(|(unit, level)| FrameRow {
            key: String::new(),
            workload: 0,
            point: Vec::new(),
            policy,
            unit: Some(unit),
            seed: 1,
            values: vec![Some(3_600.0 * (situation.factor)(policy, unit) * (level + normal(own)).exp())],
        }));
    }
    let policy = |number: usize| PolicyFacts { label: format!("P{number}"), spec: format!("p{number}") };
    let wait = Measure {
        key: "mean_wait".into(),
        metric: "mean_wait".into(),
        class: None,
        unit: Unit::Seconds,
        better: Better::Lower,
        domain: Domain::NotNegative,
        definition: "mean of start less submission".into(),
        is_diagnostic: false,
    };
    let log = WorkloadFacts { name: "log".into(), units: UnitKind::Windows, ..WorkloadFacts::default() };
    Frame {
        name: "drawn".into(),
        seed: 1,
        level: 0.95,
        baseline: Some(0),
        parameters: Vec::new(),
        workloads: vec![log],
        policies: (0..policies).map(policy).collect(),
        measures: vec![wait],
        absent: Vec::new(),
        rows,
    }
}
