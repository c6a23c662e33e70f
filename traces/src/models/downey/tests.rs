//! The generator compared with its own distributions and Downey's formulas.

use super::*;
use crate::models::checks::{assert_follows, assert_jobs, assert_mean, column};
use crate::models::{ModelSettings, Param};
use crate::{Field, Trace};
use parameters::LogUniform;
use speedup::SpeedupRule;

fn generate(jobs: u32, settings: &[&str]) -> Trace {
    SPEC.generate(jobs, 400, 1, settings).unwrap()
}

fn set(settings: &[&str]) -> DowneySettings {
    let params: Vec<&'static Param> = SPEC.parameters().collect();
    let settings = ModelSettings::parse(SPEC.name, &params, settings).unwrap();
    DowneySettings::new(&Request { jobs: 1, procs: 400, seed: 1, settings: &settings, log: None }).unwrap()
}

#[test]
fn speedup_is_one_on_one_processor_rises_and_stays_below_both_bounds() {
    for average in [1.0, 1.5, 7.0, 400.0] {
        for sigma in [0.0, 0.3, 1.0, 1.0001, 4.0] {
            let speedup = Speedup { average, sigma };
            assert!((speedup.on(1.0) - 1.0).abs() < 1e-12, "{speedup:?}");
            let mut before = 1.0;
            for step in 0..8000 {
                let n = 1.0 + f64::from(step) * 0.5;
                let now = speedup.on(n);
                assert!(
                    now >= before - 1e-9 && now <= n + 1e-9 && now <= average + 1e-9,
                    "{speedup:?} on {n}"
                );
                // No branch is steeper than the identity, whereas a jump between branches would be.
                assert!(now - before <= 0.5 + 1e-9, "{speedup:?} jumps at {n}");
                before = now;
            }
        }
    }
}

#[test]
fn speedup_has_downeys_values() {
    let on = |average, sigma, n| Speedup { average, sigma }.on(n);
    // No variance: linear, then flat.
    assert_eq!((on(16.0, 0.0, 10.0), on(16.0, 0.0, 40.0)), (10.0, 16.0));
    // sigma 1, by both formulas: 16 * 16 / (16 + 7.5) and 16 * 16 * 2 / (31 + 16).
    assert!((on(16.0, 1.0, 16.0) - 256.0 / 23.5).abs() < 1e-12);
    assert!((on(16.0, 1.0, 24.0) - 16.0 * 24.0 / (15.5 + 12.0)).abs() < 1e-12);
    assert!((on(16.0, 2.0, 16.0) - 16.0 * 16.0 * 3.0 / (2.0 * 31.0 + 16.0)).abs() < 1e-12);
    assert_eq!(on(16.0, 2.0, 46.0), 16.0);
}

#[test]
fn the_knee_has_the_greatest_speedup_times_efficiency() {
    for average in [1.0, 3.7, 64.0] {
        for sigma in [0.0, 0.2, 0.8, 1.0, 1.7, 30.0] {
            let speedup = Speedup { average, sigma };
            let power = |n: f64| speedup.on(n).powi(2) / n;
            let chosen = f64::from(SpeedupRule::Knee.processors(speedup, 100_000));
            let best = (1..20_000).map(f64::from).map(power).fold(0.0, f64::max);
            // The maximum is at a real number; the nearest whole number loses little.
            assert!(power(chosen) >= 0.97 * best, "{speedup:?}: {chosen}, {} of {best}", power(chosen));
        }
    }
}

#[test]
fn the_other_rules_give_what_they_say() {
    let speedup = Speedup { average: 6.6, sigma: 2.0 };
    let of = |text: &str, machine| SpeedupRule::parse(text).unwrap().processors(speedup, machine);
    assert_eq!((of("average", 400), of("average", 4), of("saturation", 400)), (7, 4, 18));
    assert_eq!((of("16", 400), of("16", 8)), (16, 8));
    assert_eq!((SpeedupRule::parse("0"), SpeedupRule::parse("some")), (None, None));
}

#[test]
fn work_and_parallelism_are_log_uniform_at_level_0_001() {
    // On one processor a job's run time is its work.
    let settings = ["allocate=1", "work-min=1000", "work-max=1e8"];
    let runs = column(&generate(30_000, &settings), Field::Run);
    let law = LogUniform { least: 1e3, most: 1e8 };
    assert_follows(runs, |run| law.cdf(run), "work");
    // Without variance a job gets A processors, rounded.
    let mut counts = vec![0; 401];
    for procs in column(&generate(30_000, &["sigma-max=0"]), Field::Requested) {
        counts[procs as usize] += 1;
    }
    let law = LogUniform { least: 1.0, most: 400.0 };
    let share = |procs: f64| law.cdf(procs + 0.5) - law.cdf(procs - 0.5);
    let pairs = (1..=400).map(|procs| (counts[procs], 30_000.0 * share(procs as f64)));
    crate::models::checks::assert_counts(pairs, "parallelism");
}

#[test]
fn the_mean_of_a_log_uniform_law_is_that_of_its_quantiles() {
    let law = LogUniform { least: 6.05, most: 133_252.0 };
    let steps = 200_000;
    let mean = (0..steps).map(|step| law.at((f64::from(step) + 0.5) / f64::from(steps))).sum::<f64>()
        / f64::from(steps);
    assert!((mean / law.mean() - 1.0).abs() < 1e-6, "{mean} {}", law.mean());
    assert_eq!(LogUniform { least: 3.0, most: 3.0 }.mean(), 3.0);
}

#[test]
fn the_mean_area_is_that_of_the_jobs_at_level_0_001() {
    for rule in ["average", "knee", "saturation", "32"] {
        let allocate = format!("allocate={rule}");
        let trace = generate(40_000, &[&allocate, "work-min=1e5", "work-max=1e7"]);
        let [runs, procs] = [Field::Run, Field::Requested].map(|field| column(&trace, field));
        let areas: Vec<f64> = runs.iter().zip(&procs).map(|(run, procs)| run * procs).collect();
        let n = areas.len() as f64;
        let mean = areas.iter().sum::<f64>() / n;
        let sd = (areas.iter().map(|area| (area - mean).powi(2)).sum::<f64>() / n).sqrt();
        assert_mean(&areas, set(&[&allocate, "work-min=1e5", "work-max=1e7"]).mean_area(), sd, rule);
    }
}

#[test]
fn arrivals_are_poisson_in_the_two_rates_at_level_0_001() {
    for settings in [&[][..], &["rates=one"], &["day-start=0", "day-share=0.9"], &["day-start=20"]] {
        let mut arrivals = PoissonArrivals::new(&set(settings), 700.0);
        let fresh = arrivals.clone();
        let mut random = seed::stream(1, "arrivals");
        let times: Vec<f64> = (0..30_000).map(|_| arrivals.next(&mut random)).collect();
        let marks: Vec<f64> = times.iter().map(|&time| fresh.expected(time)).collect();
        let gaps = marks.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_follows(gaps, |gap: f64| -(-gap).exp_m1(), &format!("{settings:?}"));
    }
}

#[test]
fn the_busy_half_of_the_day_has_its_share_at_level_0_001() {
    let trace = generate(40_000, &[]);
    let submits = column(&trace, Field::Submit);
    let busy = submits.iter().filter(|&&submit| (28_800.0..72_000.0).contains(&(submit % 86_400.0))).count();
    let days = (submits.last().unwrap() / 86_400.0).floor();
    assert!(days > 20.0, "{days}");
    let sd = (40_000.0f64 * 0.75 * 0.25).sqrt();
    // The last day is incomplete: it may lack either half.
    let slack = 40_000.0 / days;
    assert!((busy as f64 - 30_000.0).abs() < 3.29 * sd + slack, "{busy}");
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let error = |settings: &[&str]| SPEC.generate(5, 400, 1, settings).unwrap_err().to_string();
    assert_eq!(error(&["work-max=2"]), "`work-min` is 6.05: it must be at most work-max=2");
    assert_eq!(error(&["sigma-min=3"]), "`sigma-min` is 3: it must be at most sigma-max=2");
    assert!(error(&["allocate=0"]).contains("the value must be average, knee, saturation or a number"));
}

#[test]
fn the_first_jobs_stay_as_they_are() {
    let cases: [&[&str]; 2] = [&[], &["allocate=knee", "rates=one"]];
    assert_jobs(cases.map(|settings| (format!("{settings:?}"), generate(3, settings))), GOLDEN);
}

const GOLDEN: &str = r#"[]
1 142 -1 1 163 -1 -1 163 -1 -1 1 -1 -1 -1 1 -1 -1 -1
2 372 -1 1 291 -1 -1 291 -1 -1 1 -1 -1 -1 1 -1 -1 -1
3 373 -1 814 5 -1 -1 5 -1 -1 1 -1 -1 -1 1 -1 -1 -1
["allocate=knee", "rates=one"]
1 80 -1 1 163 -1 -1 163 -1 -1 1 -1 -1 -1 1 -1 -1 -1
2 210 -1 1 374 -1 -1 374 -1 -1 1 -1 -1 -1 1 -1 -1 -1
3 210 -1 814 5 -1 -1 5 -1 -1 1 -1 -1 -1 1 -1 -1 -1
"#;
