use super::*;
use crate::field::Field;
use crate::models::checks::{assert_counts, column, lines};
use crate::models::find;
use crate::trace::Trace;

fn lublin() -> Trace {
    find("lublin").unwrap().generate::<&str>(3000, 128, 3, &[]).unwrap()
}

fn generate(jobs: u32, settings: &[&str]) -> Trace {
    SPEC.generate_from(Some(&lublin()), jobs, 320, 1, settings).unwrap()
}

#[test]
fn the_series_scales_run_times_and_nothing_else() {
    let first = generate(2000, &["estimates=none"]);
    for workload in 1..=8 {
        let trace = generate(2000, &["estimates=none", &format!("workload={workload}")]);
        for field in [Field::Submit, Field::Requested] {
            assert_eq!(column(&first, field), column(&trace, field));
        }
        let factor = 1.0 + 0.1 * f64::from(workload);
        for (short, long) in column(&first, Field::Run).into_iter().zip(column(&trace, Field::Run)) {
            // Both are rounded to whole seconds, at least one.
            assert!((long - factor * short).abs() <= 0.5 * factor + 0.5, "{short} {long}");
        }
    }
}

#[test]
fn the_offered_load_of_workload_0_is_0_55_within_sampling() {
    let trace = generate(60_000, &[]);
    let [runs, sizes, submits] =
        [Field::Run, Field::Requested, Field::Submit].map(|field| column(&trace, field));
    let works: Vec<f64> = runs.iter().zip(&sizes).map(|(run, size)| run * size).collect();
    let n = works.len() as f64;
    let mean = works.iter().sum::<f64>() / n;
    let squares = works.iter().map(|work| work * work).sum::<f64>() / n / (mean * mean);
    let gaps: Vec<f64> = submits.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let gap = gaps.iter().sum::<f64>() / n;
    let spread = gaps.iter().map(|one| one * one).sum::<f64>() / n / (gap * gap);
    let load = mean / gap / 320.0;
    // Level 0.1 %; the streams are renewal processes, so relative variances add up.
    let bound = 3.29 * ((squares + spread) / n).sqrt();
    assert!((load / 0.55 - 1.0).abs() < bound && bound < 0.15, "{load}, within {bound}");
}

#[test]
fn estimates_are_exact_for_a_share_phi_at_level_0_001() {
    for (settings, phi) in [(&[][..], 0.2), (&["phi=0.6"], 0.6), (&["estimates=phi:0.4"], 0.4)] {
        let trace = generate(20_000, settings);
        let [runs, requests] = [Field::Run, Field::RequestedTime].map(|field| column(&trace, field));
        let exact = runs.iter().zip(&requests).filter(|(run, request)| run == request).count() as u64;
        let expected = 20_000.0 * phi;
        assert_counts([(exact, expected), (20_000 - exact, 20_000.0 - expected)], "exact estimates");
        assert!(runs.iter().zip(&requests).all(|(run, request)| request >= run));
    }
    assert!(
        column(&generate(50, &["estimates=none"]), Field::RequestedTime).iter().all(|&time| time == -1.0)
    );
}

#[test]
fn phi_has_no_effect_beside_other_estimates() {
    let error = SPEC.generate_from(Some(&lublin()), 5, 320, 1, &["phi=0.3", "estimates=none"]).unwrap_err();
    assert_eq!(error.to_string(), "`phi` has no effect with estimates=none");
    generate(5, &["phi=0.3", "estimates=model", "estimate-cap=18h"]);
}

#[test]
fn the_first_jobs_stay_as_they_are() {
    assert_eq!(lines(&generate(3, &[])), GOLDEN);
}

const GOLDEN: [&str; 3] = [
    "1 44 -1 6 2 -1 -1 2 9 -1 1 -1 -1 -1 1 -1 -1 -1",
    "2 97 -1 32 8 -1 -1 8 44 -1 1 -1 -1 -1 1 -1 -1 -1",
    "3 198 -1 62 16 -1 -1 16 62 -1 1 -1 -1 -1 1 -1 -1 -1",
];
