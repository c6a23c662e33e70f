//! Matching of moments, pooling of ranges, and the generator compared with the laws it was fitted with.

use proptest::prelude::*;

use super::*;
use crate::models::checks::{assert_counts, assert_follows, assert_jobs, assert_mean, column};
use crate::models::find;
use crate::trace::{Trace, trace_of};
use crate::{Field, Header, seed};

fn relative(asked: [f64; 3], law: HyperErlang) -> f64 {
    let apart = asked.iter().zip(law.moments()).map(|(asked, achieved)| (achieved / asked - 1.0).abs());
    apart.fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 5000, ..ProptestConfig::default() })]

    /// Mean, CV² and m₁m₃/m₂² may be any values above 0, 0 and 1.
    #[test]
    fn any_three_feasible_moments_are_matched(
        mean in -6.0f64..7.0, cv2 in -4.0f64..4.0, excess in -4.0f64..4.0,
    ) {
        let (mean, cv2, ratio) = (10f64.powf(mean), 10f64.powf(cv2), 1.0 + 10f64.powf(excess));
        let m2 = mean * mean * (1.0 + cv2);
        let asked = [mean, m2, ratio * m2 * m2 / mean];
        let law = HyperErlang::matching(asked, 1_000_000).unwrap();
        prop_assert!(relative(asked, law) < 1e-6, "{law} misses by {}", relative(asked, law));
        prop_assert!(law.p > 0.0 && law.p < 1.0 && law.lambda1 > 0.0 && law.lambda1 <= law.lambda2);
        if law.order > 1 {
            prop_assert_eq!(HyperErlang::matching(asked, law.order - 1), None, "a lower order would do");
        }
    }

    #[test]
    fn a_law_is_found_again_by_its_moments(
        order in 1u32..30, p in 0.01f64..0.99, slow in -5.0f64..1.0, ratio in 1.5f64..1000.0,
    ) {
        let lambda1 = 10f64.powf(slow);
        let law = HyperErlang { order, p, lambda1, lambda2: lambda1 * ratio };
        let found = HyperErlang::matching(law.moments(), order).unwrap();
        prop_assert!(found.order <= order);
        prop_assert!(relative(law.moments(), found) < 1e-6);
        if found.order == order {
            prop_assert!((found.p / p - 1.0).abs() < 1e-6 && (found.lambda1 / lambda1 - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn moments_that_no_order_has_are_refused() {
    for moments in [
        [1.0, 1.0, 1.0],  // All values equal.
        [1.0, 0.5, 1.0],  // Less than no variance.
        [1.0, 4.0, 15.9], // Below Cauchy and Schwarz's bound.
        [1.0, 2.0, 4.0],  // At it: a share of zeros and one other value.
        [0.0, 1.0, 1.0],
        [f64::NAN, 1.0, 1.0],
        [1.0, f64::INFINITY, f64::INFINITY],
    ] {
        assert_eq!(HyperErlang::matching(moments, 1_000_000), None, "{moments:?}");
    }
    // An exponential law is on the boundary of order 1, so the next order is used.
    assert_eq!(HyperErlang::matching([1.0, 2.0, 6.0], 1), None);
    assert_eq!(HyperErlang::matching([1.0, 2.0, 6.0], 9).unwrap().order, 2);
}

#[test]
fn a_hyperexponential_law_has_its_textbook_moments() {
    let law = HyperErlang { order: 1, p: 0.3, lambda1: 0.1, lambda2: 2.0 };
    let [m1, m2, m3] = law.moments();
    assert!((m1 - 3.35).abs() < 1e-12 && (m2 - 60.35).abs() < 1e-12 && (m3 - 1800.525).abs() < 1e-9);
    // Erlang of order 3 and rate 2: mean 3/2, variance 3/4, third moment 3 * 4 * 5 / 8.
    let erlang = HyperErlang { order: 3, p: 0.5, lambda1: 2.0, lambda2: 2.0 };
    assert_eq!(erlang.moments(), [1.5, 3.0, 7.5]);
}

#[test]
fn variates_follow_the_law_at_level_0_001() {
    for order in [1, 2, 7, 400] {
        let law = HyperErlang { order, p: 0.2, lambda1: 0.01, lambda2: 0.5 };
        let mut random = seed::stream(1, "erlang");
        let sample: Vec<f64> = (0..30_000).map(|_| law.draw(&mut random)).collect();
        let [mean, square, _] = law.moments();
        assert_mean(&sample, mean, (square - mean * mean).sqrt(), &format!("order {order}"));
        assert_follows(sample, |x| law.cdf(x), &format!("order {order}"));
    }
}

/// A log of jobs: submit, run, size.
fn log(jobs: impl IntoIterator<Item = (i64, i64, i64)>) -> Trace {
    let rows = jobs.into_iter().map(|(submit, run, size)| [submit, run, size]);
    trace_of(Header::default(), [Field::Submit, Field::Run, Field::Requested], rows)
}

fn lublin(jobs: u32) -> Trace {
    find("lublin").unwrap().generate::<&str>(jobs, 128, 3, &[]).unwrap()
}

#[test]
fn every_model_that_needs_no_log_is_fitted_to_one_in_a_million() {
    for model in crate::models::MODELS.iter().filter(|model| model.fitted == Fitted::Never) {
        let trace = model.generate::<&str>(5000, model.procs, 1, &[]).unwrap();
        for options in [
            FitOptions::default(),
            FitOptions { ranges: Ranges::Width(5), gaps: Gaps::Wrapped, ..FitOptions::default() },
        ] {
            let fit = fit(&trace, &options).unwrap();
            assert!(fit.classes.len() > 2, "{}", model.name);
            assert_eq!(fit.classes.iter().map(|class| class.jobs).sum::<u64>(), 5000, "{}", model.name);
            for class in &fit.classes {
                let error = class.interarrival.error().max(class.service.error());
                assert!(error < 1e-6, "{} {}-{}: {error}", model.name, class.least, class.most);
            }
        }
    }
}

#[test]
fn ranges_end_at_powers_of_two_or_multiples_of_a_width() {
    let of = |ranges: Ranges| [1, 2, 3, 4, 5, 8, 9, 128, 129].map(|size| ranges.of(size));
    let powers = [(1, 1), (2, 2), (3, 4), (3, 4), (5, 8), (5, 8), (9, 16), (65, 128), (129, 256)];
    assert_eq!(of(Ranges::Powers), powers);
    let fives = [(1, 5), (1, 5), (1, 5), (1, 5), (1, 5), (6, 10), (6, 10), (126, 130), (126, 130)];
    assert_eq!(of(Ranges::Width(5)), fives);
}

/// Jobs of one size, submitted at these seconds, with the squares of 1, 2, 3, ... as run times.
fn at(submits: &[i64], size: i64) -> Vec<(i64, i64, i64)> {
    submits.iter().zip(1..).map(|(&submit, number)| (submit, number * number, size)).collect()
}

#[test]
fn a_poor_range_is_pooled_with_its_smaller_neighbour_and_the_smallest_with_its_larger_one() {
    let rich = [0, 10, 70, 75, 200, 1000];
    let poor = [5, 15];
    let jobs =
        [at(&poor, 1), at(&rich, 2), at(&rich, 4), at(&poor, 8), at(&poor, 16), at(&rich, 32)].concat();
    let fit = fit(&log(jobs), &FitOptions::default()).unwrap();
    let classes: Vec<_> = fit.classes.iter().map(|class| (class.least, class.most, class.jobs)).collect();
    assert_eq!(classes, [(1, 2, 8), (3, 16, 10), (17, 32, 6)]);
    assert_eq!(fit.classes[0].pooled, [(1, 1), (2, 2)]);
    assert_eq!(fit.classes[1].pooled, [(3, 4), (5, 8), (9, 16)]);
    assert!(fit.classes[2].pooled.is_empty());
    assert_eq!(fit.classes[1].sizes, [(4, 6), (8, 2), (16, 2)]);
    let notes = fit.notes();
    assert!(notes.iter().all(|note| note.starts_with(FIT_NOTE)));
    assert!(notes[0].contains("1-2 processors: pooled from 1, 2, some too poor alone"), "{}", notes[0]);
}

#[test]
fn gaps_are_those_of_the_range_and_may_wrap_round_the_log() {
    let times = [0, 10, 70, 75, 200, 1000];
    let other = [100, 180, 190, 230, 301, 400];
    let jobs = log([at(&times, 1), at(&other, 2)].concat());
    let moments = |gaps| {
        let fit = fit(&jobs, &FitOptions { gaps, ..FitOptions::default() }).unwrap();
        let two = &fit.classes[1].interarrival;
        (two.values, two.asked[0])
    };
    assert_eq!(moments(Gaps::Inner), (5, 60.0));
    // From 400 to the end at 1000, and from the start to 100.
    assert_eq!(moments(Gaps::Wrapped), (6, 1000.0 / 6.0));
}

#[test]
fn rows_that_are_no_jobs_are_left_out_and_too_little_is_an_error() {
    let mut jobs = at(&[0, 10, 70, 75, 200, 1000], 1);
    jobs.extend([(-1, 5, 1), (5, -1, 1), (6, 5, 0)]);
    let fit_of = |jobs| fit(&log(jobs), &FitOptions::default());
    let found = fit_of(jobs).unwrap();
    assert_eq!((found.left_out, found.classes[0].jobs), (3, 6));
    assert!(found.notes().last().unwrap().ends_with("3 of its rows are not whole jobs"));
    for jobs in [vec![], at(&[1, 2, 3, 4], 1), at(&[5; 9], 1)] {
        let error = fit_of(jobs).unwrap_err().to_string();
        assert!(error.starts_with("nothing can be fitted to the log: its "), "{error}");
    }
}

#[test]
fn the_jobs_follow_the_fitted_laws_at_level_0_001() {
    let source = lublin(4000);
    let trace = SPEC.generate_from::<&str>(Some(&source), 40_000, 128, 1, &[]).unwrap();
    let fit = fit(&source, &FitOptions::default()).unwrap();
    let [submits, runs, sizes] =
        [Field::Submit, Field::Run, Field::Requested].map(|field| column(&trace, field));
    for class in fit.classes.iter().filter(|class| class.jobs > 200) {
        let within = |at: &usize| (class.least..=class.most).contains(&(sizes[*at] as i64));
        let own: Vec<usize> = (0..sizes.len()).filter(within).collect();
        let what = format!("{}-{} processors", class.least, class.most);
        // Times are written in whole seconds, within a second of the times drawn.
        let between = |law: HyperErlang| {
            move |sample: Vec<f64>, slack: f64| {
                let counts = |low: f64, high: f64| {
                    sample.iter().filter(|&&value| low <= value && value < high).count() as u64
                };
                let edges: Vec<f64> = (4..24).map(|power| f64::from(power).exp2().floor() - slack).collect();
                let n = sample.len() as f64;
                let pairs = edges
                    .windows(2)
                    .map(|pair| (counts(pair[0], pair[1]), n * (law.cdf(pair[1]) - law.cdf(pair[0]))));
                pairs.collect::<Vec<_>>()
            }
        };
        let own_runs = own.iter().map(|&at| runs[at]).collect();
        assert_counts(between(class.service.law)(own_runs, 0.5), &format!("{what}, run times"));
        let own_sizes: Vec<i64> = own.iter().map(|&at| sizes[at] as i64).collect();
        let pairs = class.sizes.iter().map(|&(size, jobs)| {
            let seen = own_sizes.iter().filter(|&&own| own == size).count() as u64;
            (seen, jobs as f64 / class.jobs as f64 * own.len() as f64)
        });
        if class.sizes.len() > 2 {
            assert_counts(pairs, &format!("{what}, sizes"));
        }
        let gaps: Vec<f64> = own.windows(2).map(|pair| submits[pair[1]] - submits[pair[0]]).collect();
        let [mean, square, _] = class.interarrival.achieved;
        assert_mean(&gaps, mean, (square - mean * mean).sqrt(), &format!("{what}, interarrival"));
    }
}

#[test]
fn interarrival_times_follow_the_fitted_law_at_level_0_001() {
    let source = lublin(4000);
    let fit = fit(&source, &FitOptions::default()).unwrap();
    let settings = crate::models::settings::ModelSettings::default();
    let request = Request { jobs: 1, procs: 128, seed: 1, settings: &settings, log: Some(&source) };
    let one = Fit { classes: vec![fit.classes[0].clone()], left_out: 0 };
    let change = LoadScaling { load: None, run: 1.0, top: false };
    // At a tiny load interarrival times are so long that rounding to seconds is negligible.
    let slow = LoadScaling { load: Some(1e-6), ..change };
    let mut generator = Generator::new(&one, &request, slow).unwrap();
    let submits: Vec<f64> = generator.jobs(30_000).iter().map(|job| job.submit.secs()).collect();
    let class = &one.classes[0];
    let load = class.service.law.mean() / class.interarrival.law.mean() / 128.0;
    let gaps = submits.windows(2).map(|pair| (pair[1] - pair[0]) * 1e-6 / load).collect();
    assert_follows(gaps, |gap| class.interarrival.law.cdf(gap), "interarrival");
}

#[test]
fn the_load_is_reached_by_arrivals_alone() {
    let source = lublin(3000);
    let of = |load: &str| SPEC.generate_from(Some(&source), 2000, 128, 1, &[load]).unwrap();
    let [log, one, two] = ["load=log", "load=0.4", "load=0.8"].map(of);
    for field in [Field::Run, Field::Requested] {
        assert_eq!(column(&one, field), column(&two, field));
        assert_eq!(column(&one, field), column(&log, field));
    }
    let end = |trace: &Trace| *column(trace, Field::Submit).last().unwrap();
    assert!((end(&one) / end(&two) - 2.0).abs() < 1e-4);
}

#[test]
fn sizes_are_those_of_the_log_or_the_ends_of_their_ranges() {
    let source = lublin(3000);
    let of = |settings: &[&str]| SPEC.generate_from(Some(&source), 2000, 200, 1, settings).unwrap();
    let seen = column(&source, Field::Requested);
    assert!(column(&of(&[]), Field::Requested).iter().all(|size| seen.contains(size)));
    let top = column(&of(&["sizes=top"]), Field::Requested);
    assert!(top.iter().all(|&size| (size as u32).is_power_of_two()));
    let fives = column(&of(&["sizes=top", "ranges=5", "gaps=wrapped"]), Field::Requested);
    assert!(fives.iter().all(|&size| size % 5.0 == 0.0));
}

#[test]
fn the_size_of_the_log_is_the_default_and_a_smaller_machine_is_refused() {
    let source = lublin(300);
    assert_eq!(SPEC.default_size(Some(&source)), (300, 128));
    let error = SPEC.generate_from::<&str>(Some(&source), 5, 64, 1, &[]).unwrap_err().to_string();
    assert!(error.starts_with("`procs` is 64: it must be at least "), "{error}");
    let plain = log(at(&[0, 10, 70, 75, 200, 1000], 6));
    assert_eq!(SPEC.default_size(Some(&plain)), (6, 6));
}

#[test]
fn the_header_names_the_log_and_tells_the_fit() {
    let trace = SPEC.generate_from::<&str>(Some(&lublin(3000)), 5, 128, 1, &[]).unwrap();
    let notes = &trace.header.notes;
    assert_eq!(notes[0], "made by batchlab generate jann97 -o - --jobs 5 --procs 128 --seed 1 --log lublin");
    let fits = notes.iter().filter(|note| note.starts_with(FIT_NOTE));
    assert!(fits.clone().count() >= 14, "{notes:?}");
    let words = ["n=", " order=", " p=", " lambda1=", " lambda2=", "; moments asked ", ", achieved "];
    assert!(fits.clone().filter(|note| words.iter().all(|word| note.contains(word))).count() >= 14);
}

#[test]
fn the_first_jobs_stay_as_they_are() {
    let source = lublin(3000);
    let jobs = |settings: &[&str]| SPEC.generate_from(Some(&source), 3, 128, 1, settings).unwrap();
    let cases: [&[&str]; 2] = [&[], &["ranges=5", "load=0.7"]];
    assert_jobs(cases.map(|settings| (format!("{settings:?}"), jobs(settings))), GOLDEN);
}

const GOLDEN: &str = r#"[]
1 150 -1 6 2 -1 -1 2 -1 -1 1 -1 -1 -1 1 -1 -1 -1
2 329 -1 32 8 -1 -1 8 -1 -1 1 -1 -1 -1 1 -1 -1 -1
3 672 -1 62 16 -1 -1 16 -1 -1 1 -1 -1 -1 1 -1 -1 -1
["ranges=5", "load=0.7"]
1 57 -1 31 4 -1 -1 4 -1 -1 1 -1 -1 -1 1 -1 -1 -1
2 88 -1 31 16 -1 -1 16 -1 -1 1 -1 -1 -1 1 -1 -1 -1
3 119 -1 78 16 -1 -1 16 -1 -1 1 -1 -1 -1 1 -1 -1 -1
"#;
