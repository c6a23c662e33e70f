use super::*;
use crate::models::checks::{assert_counts, column, lines};
use crate::models::find;
use crate::{Field, Trace};

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
fn without_calibration_the_offered_load_of_workload_0_is_0_55_within_sampling() {
    let trace = generate(60_000, &["load=0.55", "calibrate=none"]);
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
    assert_eq!(lines(&stated(3, 1, &[])), STATED);
}

fn stated(jobs: u32, seed: u64, settings: &[&str]) -> Trace {
    SPEC.generate(jobs, 320, seed, settings).unwrap()
}

/// Returns the share of the jobs above 32 nodes, and that of their work.
fn large(trace: &Trace) -> (f64, f64) {
    let [runs, sizes] = [Field::Run, Field::Requested].map(|field| column(trace, field));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        runs.iter().zip(&sizes).map(|(&run, &size)| of(run, size)).sum()
    };
    let big = |size: f64| f64::from(u8::from(size > 32.0));
    (
        sum(&|_, size| big(size)) / runs.len() as f64,
        sum(&|run, size| run * size * big(size)) / sum(&|run, size| run * size),
    )
}

#[test]
fn without_a_log_30_percent_of_the_jobs_are_above_32_nodes_and_do_more_than_80_percent_of_the_work() {
    for powers in ["powers=0", "powers=0.5", "powers=1"] {
        let trace = stated(60_000, 1, &[powers]);
        let (jobs, work) = large(&trace);
        assert!((jobs - 0.3).abs() < 0.01, "{powers}: {jobs}");
        assert!((0.81..0.87).contains(&work), "{powers}: {work}");
        let sizes = column(&trace, Field::Requested);
        assert!(sizes.iter().all(|size| (1.0..=256.0).contains(size)) && sizes.contains(&256.0));
    }
    // The mix of SDSC-SP2, whose share of large jobs is 7.6 %.
    let (jobs, work) = large(&stated(60_000, 1, &["large=0.076"]));
    assert!((jobs - 0.076).abs() < 0.005 && (0.4..0.6).contains(&work), "{jobs} {work}");
}

#[test]
fn without_a_log_sizes_are_powers_of_two_as_often_as_asked() {
    let share = |powers: &str| {
        let sizes = column(&stated(40_000, 2, &[powers]), Field::Requested);
        let powers = sizes.iter().filter(|&&size| (size as u64).is_power_of_two()).count();
        powers as f64 / sizes.len() as f64
    };
    assert_eq!(share("powers=1"), 1.0);
    // Of uniform sizes, those of the classes 1 and 2 are powers, half of 3-4, an eighth of 9-16 and so on:
    // .12 + .06 + .08/2 + .12/4 + .14/8 + .18/16 + .15/32 + .09/64 + .06/128.
    let uniform = 0.285_0;
    assert!((share("powers=0") - uniform).abs() < 0.01, "{}", share("powers=0"));
    assert!((share("powers=0.5") - (0.5 + uniform / 2.0)).abs() < 0.01, "{}", share("powers=0.5"));
}

#[test]
fn without_a_log_the_median_run_time_of_workload_5_is_680_s() {
    for settings in [
        &["workload=5"][..],
        &["workload=5", "large=0.076", "run-growth=1", "run-skew-large=small", "run-cv-large=small"],
    ] {
        let mut runs = column(&stated(60_000, 3, settings), Field::Run);
        runs.sort_by(f64::total_cmp);
        let below = runs.iter().filter(|&&run| run < 680.0).count() as f64;
        // The count below the median of n draws has the deviation sqrt(n) / 2.
        assert!((below - 30_000.0).abs() < 3.29 * 60_000.0f64.sqrt() / 2.0 + 60.0, "{settings:?}: {below}");
    }
}

#[test]
fn without_a_log_run_and_interarrival_times_of_a_class_have_the_stated_moments() {
    let log = stated(5, 1, &[]);
    let told: Vec<&String> =
        log.header.notes.iter().filter(|note| note.contains("processors: share")).collect();
    assert_eq!(told.len(), 9);
    assert!(told[6].starts_with("33-64 processors: share 0.150000; interarrival: order=1 p="), "{}", told[6]);
    // The classes of 17 to 32 and 33 to 64 nodes: deviation and skewness.
    let trace = stated(400_000, 1, &["gap-cv-large=2", "gap-skew-large=5"]);
    let sizes = column(&trace, Field::Requested);
    let class = |values: Vec<f64>, least: f64| -> Vec<f64> {
        values
            .into_iter()
            .zip(&sizes)
            .filter(|(_, size)| (least..=2.0 * least - 2.0).contains(*size))
            .map(|(value, _)| value)
            .collect()
    };
    let gaps = |least| {
        let submits = class(column(&trace, Field::Submit), least);
        submits.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
    };
    let runs = |least| class(column(&trace, Field::Run), least);
    for (sample, cv, skew) in
        [(runs(17.0), 2.5, 4.0), (gaps(17.0), 1.25, 2.5), (runs(33.0), 1.2, 2.2), (gaps(33.0), 2.0, 5.0)]
    {
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n;
        let central = |power| sample.iter().map(|value| (value - mean).powi(power)).sum::<f64>() / n;
        let deviation = central(2).sqrt();
        assert!((deviation / mean / cv - 1.0).abs() < 0.03, "cv {} of {n}", deviation / mean);
        assert!(
            (central(3) / deviation.powi(3) / skew - 1.0).abs() < 0.1,
            "skewness {}",
            central(3) / deviation.powi(3)
        );
    }
}

#[test]
fn the_jobs_drawn_have_the_load_exactly() {
    let load = |trace: &Trace| {
        let [runs, sizes, submits] =
            [Field::Run, Field::Requested, Field::Submit].map(|field| column(trace, field));
        let work: f64 = runs.iter().zip(&sizes).map(|(run, size)| run * size).sum();
        work / (submits[submits.len() - 1] - submits[0]) / 320.0
    };
    // Submit times are whole seconds.
    let is_load =
        |trace: &Trace, wanted: f64| assert!((load(trace) / wanted - 1.0).abs() < 1e-5, "{}", load(trace));
    for seed in 1..=3 {
        is_load(&stated(3000, seed, &[]), 0.5535);
    }
    is_load(&stated(3000, 1, &["load=0.7", "gap-cv=2", "gap-skew=5"]), 0.7);
    is_load(&generate(3000, &[]), 0.5535);
    // Workload 5 has 1.5 times the work in the same time, up to the rounding of run times.
    assert!((load(&stated(3000, 1, &["workload=5"])) / (1.5 * 0.5535) - 1.0).abs() < 1e-3);
    let drawn = load(&stated(3000, 1, &["calibrate=none"]));
    assert!((drawn / 0.5535 - 1.0).abs() > 0.01, "{drawn}");
}

#[test]
fn the_same_seed_gives_the_same_jobs_and_workloads_share_random_numbers() {
    assert_eq!(lines(&stated(300, 7, &[])), lines(&stated(300, 7, &[])));
    assert_ne!(lines(&stated(300, 7, &[])), lines(&stated(300, 8, &[])));
    let [first, last] = ["workload=0", "workload=8"].map(|workload| stated(300, 7, &[workload]));
    for field in [Field::Submit, Field::Requested] {
        assert_eq!(column(&first, field), column(&last, field));
    }
}

#[test]
fn parameters_of_the_other_source_are_refused() {
    let with_log =
        |settings: &[&str]| SPEC.generate_from(Some(&lublin()), 5, 320, 1, settings).unwrap_err().to_string();
    let without = |settings: &[&str]| SPEC.generate(5, 320, 1, settings).unwrap_err().to_string();
    assert_eq!(with_log(&["large=0.2"]), "`large` has no effect with a log");
    assert_eq!(
        without(&["gaps=wrapped"]),
        "`gaps` has no effect with the size mix of the paper: name a log (--log FILE)"
    );
    assert_eq!(without(&["load=log"]), "`load=log`: the value must be a number without a log (--log FILE)");
    assert_eq!(without(&["run-skew=1"]), "`run-skew` is 1: it must be larger than 2.100000 with run-cv=2.5");
    let error = SPEC.generate(5, 16, 1, &["large=1"]).unwrap_err().to_string();
    assert_eq!(error, "`large` is 1: it must be below 1 on a machine of 16 processors");
}

const GOLDEN: [&str; 3] = [
    "1 2 -1 6 2 -1 -1 2 9 -1 1 -1 -1 -1 1 -1 -1 -1",
    "2 4 -1 32 8 -1 -1 8 44 -1 1 -1 -1 -1 1 -1 -1 -1",
    "3 9 -1 62 16 -1 -1 16 62 -1 1 -1 -1 -1 1 -1 -1 -1",
];

const STATED: [&str; 3] = [
    "1 572 -1 8978 60 -1 -1 60 12272 -1 1 -1 -1 -1 1 -1 -1 -1",
    "2 2816 -1 146 16 -1 -1 16 199 -1 1 -1 -1 -1 1 -1 -1 -1",
    "3 3681 -1 598 16 -1 -1 16 598 -1 1 -1 -1 -1 1 -1 -1 -1",
];
