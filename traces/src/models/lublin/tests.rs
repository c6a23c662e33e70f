//! The generator compared with its own distributions. Every statistical test has a level of 0.1 % for its
//! seed: a correct generator would fail for one seed in a thousand.

use chacha20::ChaCha12Rng;

use super::arrivals::{Arrivals, BUCKETS, FARTHEST};
use super::parameters::LublinClass;
use super::runs::{LONGEST, Runs};
use super::sizes::Sizes;
use super::*;
use crate::models::checks::{assert_counts, assert_follows, assert_jobs, lines};
use crate::models::draw::GammaLaw;
use crate::models::settings::ModelSettings;
use crate::{Field, Trace};

const CLASSES: [&str; 3] = ["batch", "interactive", "untyped"];

fn set(class: &str, procs: u32) -> LublinClass {
    LublinClass::of(
        class,
        &Request { jobs: 1, procs, seed: 1, settings: &ModelSettings::default(), log: None },
    )
}

fn random(class: &str) -> ChaCha12Rng {
    seed::stream(7, class)
}

fn generate(jobs: u32, procs: u32, seed: u64, settings: &[&str]) -> Trace {
    SPEC.generate(jobs, procs, seed, settings).unwrap()
}

/// The share of each size from 1 to `procs`, computed from the two-stage uniform law.
fn size_shares(set: &LublinClass, procs: usize) -> Vec<f64> {
    let below = |log2: f64| {
        let stage = |from: f64, to: f64| {
            if from == to {
                f64::from(u8::from(log2 > to))
            } else {
                ((log2 - from) / (to - from)).clamp(0.0, 1.0)
            }
        };
        set.uprob * stage(set.ulow, set.umed) + (1.0 - set.uprob) * stage(set.umed, set.uhi)
    };
    let mut shares = vec![0.0; procs + 1];
    shares[1] += set.serial;
    let rest = 1.0 - set.serial - set.pow2;
    for (size, share) in shares.iter_mut().enumerate().skip(1) {
        let low = if size == 1 { f64::NEG_INFINITY } else { (size as f64 - 0.5).log2() };
        *share += rest * (below((size as f64 + 0.5).log2()) - below(low));
    }
    let top = set.uhi.floor() as i32;
    for log2 in 0..=top {
        let high = if log2 == top { f64::INFINITY } else { f64::from(log2) + 0.5 };
        let low = if log2 == 0 { f64::NEG_INFINITY } else { f64::from(log2) - 0.5 };
        shares[1 << log2] += set.pow2 * (below(high) - below(low));
    }
    shares
}

#[test]
fn sizes_follow_the_two_stage_law_at_level_0_001() {
    for class in CLASSES {
        for procs in [128, 100, 8, 3, 1000] {
            let set = set(class, procs);
            let sizes = Sizes::new(class, &set, procs).unwrap();
            let mut random = random(class);
            let mut counts = vec![0; procs as usize + 1];
            let draws = 40_000;
            for _ in 0..draws {
                counts[sizes.draw(&mut random) as usize] += 1;
            }
            let shares = size_shares(&set, procs as usize);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{class} on {procs}: {shares:?}");
            let expected = shares.iter().map(|share| share * f64::from(draws));
            assert_counts(counts.into_iter().zip(expected), &format!("{class} on {procs}"));
        }
    }
}

#[test]
fn a_single_processor_has_serial_jobs_only() {
    for types in CLASSES {
        let trace = generate(200, 1, 1, &[&format!("types={types}")]);
        assert!(trace.column(Field::Requested).iter().all(|size| size.truncated() == 1));
    }
}

#[test]
fn run_times_follow_the_truncated_hyper_gamma_law_of_their_size_at_level_0_001() {
    for class in CLASSES {
        let set = set(class, 128);
        let runs = Runs::new(class, &set, 128).unwrap();
        let short = GammaLaw::new("", set.a1, set.b1).unwrap();
        let long = GammaLaw::new("", set.a2, set.b2).unwrap();
        for procs in [1, 16, 128] {
            let share = (set.pa * procs as f64 + set.pb).clamp(0.0, 1.0);
            let cdf = |log: f64| share * short.cdf(log) + (1.0 - share) * long.cdf(log);
            let mut random = random(class);
            let logs = (0..30_000).map(|_| runs.draw_log(procs, &mut random)).collect();
            let what = format!("{class} run times of {procs} processors");
            assert_follows(logs, |log| cdf(log) / cdf(LONGEST), &what);
        }
    }
}

#[test]
fn run_times_are_whole_seconds_up_to_the_limit() {
    let trace = generate(20_000, 128, 3, &["types=batch"]);
    let runs = trace.column(Field::Run);
    assert!(runs.iter().all(|run| !run.micro && (1..=162_754).contains(&run.value)));
    // About four in ten thousand batch jobs run for more than e^11.9 s.
    assert!(runs.iter().any(|run| run.value > 147_000));
    assert_eq!(trace.header.max_runtime, Some(162_754));
}

/// The points that the daily cycle yields up to a time: the integral of the weights.
fn points(weights: &[f64; BUCKETS], seconds: f64) -> f64 {
    let buckets = seconds / 1800.0;
    let whole = buckets.floor();
    let crossed = whole as usize;
    let day: f64 = weights.iter().sum();
    let part: f64 = weights[..crossed % BUCKETS].iter().sum();
    (crossed / BUCKETS) as f64 * day + part + (buckets - whole) * weights[crossed % BUCKETS]
}

#[test]
fn points_between_arrivals_follow_the_truncated_log_gamma_law_at_level_0_001() {
    for class in CLASSES {
        for load in [1.0, 2.5] {
            let set = set(class, 128);
            let mut arrivals = Arrivals::new(class, &set, load).unwrap();
            let gap = GammaLaw::new("", set.aarr * set.arar, set.barr).unwrap();
            let mut random = random(class);
            let mut last = 0.0;
            let gaps = (0..30_000)
                .map(|_| {
                    let time = arrivals.next(&mut random);
                    let now = points(arrivals.weights(), time);
                    let gap = (now - last) * 1800.0 * load;
                    last = now;
                    gap.ln()
                })
                .collect();
            assert_follows(gaps, |log| gap.cdf(log) / gap.cdf(FARTHEST), &format!("{class} arrivals"));
        }
    }
}

#[test]
fn arrivals_follow_the_daily_cycle_at_level_0_001() {
    for class in CLASSES {
        let mut arrivals = Arrivals::new(class, &set(class, 128), 1.0).unwrap();
        let mut random = random(class);
        let mut counts = [0; BUCKETS];
        // Arrivals days apart are nearly independent, as the test requires.
        let (taken, every) = (5000, 100);
        for arrival in 1..=taken * every {
            let time = arrivals.next(&mut random);
            if arrival % every == 0 {
                counts[(time / 1800.0) as usize % BUCKETS] += 1;
            }
        }
        let expected = arrivals.weights().map(|weight| weight / BUCKETS as f64 * f64::from(taken));
        assert_counts(counts.into_iter().zip(expected), &format!("{class} cycle"));
    }
}

#[test]
fn the_daily_cycle_starts_in_the_eleventh_half_hour_and_peaks_at_the_mode() {
    for class in CLASSES {
        let set = set(class, 128);
        let arrivals = Arrivals::new(class, &set, 1.0).unwrap();
        let weights = arrivals.weights();
        assert!((weights.iter().sum::<f64>() - 48.0).abs() < 1e-9);
        let by_weight = |&one: &usize, &other: &usize| weights[one].total_cmp(&weights[other]);
        let rush = (0..BUCKETS).max_by(by_weight).unwrap();
        // The law counts half hours from 1, the weights from 0.
        assert_eq!(rush, ((set.anum - 1.0) * set.bnum).round() as usize - 1, "{class}");
        let quiet = (0..BUCKETS).min_by(by_weight).unwrap();
        assert!(quiet == 10 || quiet == 57 % BUCKETS, "{class} is quiet in half hour {quiet}");
    }
}

#[test]
fn the_mean_time_between_arrivals_is_that_of_the_log_gamma_law_at_level_0_001() {
    for class in CLASSES {
        let set = set(class, 128);
        let gap = GammaLaw::new("", set.aarr * set.arar, set.barr).unwrap();
        // E[h] over the truncated law by the midpoint rule over its distribution function.
        let steps = 20_000;
        let moment = |power: i32| {
            let at = |step: i32| f64::from(step) * FARTHEST / f64::from(steps);
            (0..steps)
                .map(|step| {
                    let middle = f64::midpoint(at(step), at(step + 1));
                    (middle * f64::from(power)).exp() * (gap.cdf(at(step + 1)) - gap.cdf(at(step)))
                })
                .sum::<f64>()
                / gap.cdf(FARTHEST)
        };
        let (mean, square) = (moment(1), moment(2));
        let mut arrivals = Arrivals::new(class, &set, 1.0).unwrap();
        let mut random = random(class);
        let jobs = 200_000;
        let end = (0..jobs).map(|_| arrivals.next(&mut random)).last().unwrap();
        let bound = 3.29 * ((square - mean * mean) / f64::from(jobs)).sqrt();
        let seen = end / f64::from(jobs);
        // The clock can be ahead or behind by at most one day's cycle.
        let slack = 86_400.0 / f64::from(jobs);
        assert!((seen - mean).abs() < bound + slack, "{class}: {seen} s, {mean} s expected within {bound}");
    }
}

#[test]
fn the_first_jobs_of_each_parameter_set_stay_as_they_are() {
    let cases = [("both", 1), ("both", 2), ("batch", 1), ("interactive", 1), ("untyped", 1)];
    let jobs = |types, seed| generate(3, 128, seed, &[&format!("types={types}")]);
    assert_jobs(cases.map(|(types, seed)| (format!("{types} {seed}"), jobs(types, seed))), GOLDEN);
}

const GOLDEN: &str = "\
both 1
1 21 -1 7 32 -1 -1 32 -1 -1 1 -1 -1 -1 0 -1 -1 -1
2 44 -1 6 4 -1 -1 4 -1 -1 1 -1 -1 -1 0 -1 -1 -1
3 216 -1 393 2 -1 -1 2 -1 -1 1 -1 -1 -1 0 -1 -1 -1
both 2
1 55 -1 5 1 -1 -1 1 -1 -1 1 -1 -1 -1 0 -1 -1 -1
2 129 -1 14 2 -1 -1 2 -1 -1 1 -1 -1 -1 0 -1 -1 -1
3 166 -1 5 8 -1 -1 8 -1 -1 1 -1 -1 -1 0 -1 -1 -1
batch 1
1 1736 -1 25086 16 -1 -1 16 -1 -1 1 -1 -1 -1 1 -1 -1 -1
2 1769 -1 124 1 -1 -1 1 -1 -1 1 -1 -1 -1 1 -1 -1 -1
3 1839 -1 1113 1 -1 -1 1 -1 -1 1 -1 -1 -1 1 -1 -1 -1
interactive 1
1 21 -1 7 32 -1 -1 32 -1 -1 1 -1 -1 -1 0 -1 -1 -1
2 44 -1 6 4 -1 -1 4 -1 -1 1 -1 -1 -1 0 -1 -1 -1
3 216 -1 393 2 -1 -1 2 -1 -1 1 -1 -1 -1 0 -1 -1 -1
untyped 1
1 20 -1 6 1 -1 -1 1 -1 -1 1 -1 -1 -1 0 -1 -1 -1
2 95 -1 5 8 -1 -1 8 -1 -1 1 -1 -1 -1 0 -1 -1 -1
3 706 -1 12371 1 -1 -1 1 -1 -1 1 -1 -1 -1 0 -1 -1 -1
";

#[test]
fn the_same_seed_gives_the_same_jobs_and_another_seed_others() {
    let of = |seed| lines(&generate(300, 128, seed, &["estimates=phi:0.2", "users=9"]));
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

/// Jobs of a queue: submit, run, size and estimate.
fn queue(trace: &Trace, queue: i64) -> Vec<[i64; 4]> {
    let fields = [Field::Submit, Field::Run, Field::Requested, Field::RequestedTime];
    (0..trace.len())
        .filter(|&row| trace.get(row, Field::Queue).truncated() == queue)
        .map(|row| fields.map(|field| trace.get(row, field).truncated()))
        .collect()
}

#[test]
fn interactive_jobs_do_not_feel_a_change_of_the_batch_ones() {
    let phi = "estimates=phi:0.2";
    let plain = queue(&generate(1000, 128, 1, &[phi]), 0);
    let other = queue(&generate(1000, 128, 1, &[phi, "batch.serial=0.1", "batch.aarr=5", "batch.a1=3"]), 0);
    let alone = queue(&generate(1000, 128, 1, &[phi, "types=interactive"]), 0);
    let common = plain.len().min(other.len());
    assert!(common > 100);
    assert_eq!(plain[..common], other[..common]);
    assert_eq!(plain[..], alone[..plain.len()]);
}

#[test]
fn sizes_do_not_disturb_arrivals_nor_arrivals_run_times() {
    let plain = queue(&generate(500, 128, 1, &["types=untyped"]), 0);
    let sized = queue(&generate(500, 128, 1, &["types=untyped", "untyped.serial=0.1", "untyped.pa=0"]), 0);
    let dense = queue(&generate(500, 128, 1, &["types=untyped", "load=2"]), 0);
    assert!(plain.iter().zip(&sized).all(|(one, other)| one[0] == other[0]));
    assert!(plain.iter().zip(&dense).all(|(one, other)| one[1..] == other[1..] && one[0] >= other[0]));
}

#[test]
fn a_published_set_holds_on_its_machine_and_follows_the_rule_on_others() {
    let stages = |class, procs| {
        let set = set(class, procs);
        (set.ulow, set.umed, set.uhi)
    };
    assert_eq!(stages("batch", 128), (1.2, 5.0, 7.0));
    assert_eq!(stages("interactive", 128), (1.0, 3.0, 5.5));
    assert_eq!(stages("batch", 1024), (1.2, 7.5, 10.0));
    assert_eq!(stages("interactive", 1024), (1.0, 6.0, 8.5));
    // The program's own advice for a machine of eight.
    assert_eq!(stages("untyped", 8), (0.8, 1.5, 3.0));
}

#[test]
fn sizes_never_exceed_the_machine() {
    for procs in [2, 5, 45, 100, 1152] {
        let trace = generate(5000, procs, 1, &[]);
        let most = trace.column(Field::Requested).iter().map(crate::Number::truncated).max().unwrap();
        assert!(most <= i64::from(procs), "{most} of {procs}");
    }
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let error = |settings: &[&str]| SPEC.generate(50, 128, 1, settings).unwrap_err().to_string();
    assert_eq!(error(&["batch.uhi=8"]), "`batch.uhi` is 8: it must be from 0 to 7");
    assert_eq!(error(&["batch.umed=1"]), "`batch.ulow` is 1.2: it must be from 0 to 1");
    assert_eq!(error(&["untyped.uhi=6"]), "`untyped.uhi` has no effect with types=both");
    assert_eq!(
        error(&["types=batch", "interactive.a1=6"]),
        "`interactive.a1` has no effect with types=batch"
    );
    assert_eq!(
        error(&["types=untyped", "untyped.a1=900", "untyped.a2=900"]),
        "`untyped.a1` is 900: it must be so small that, with the scale 0.94, ln(run time) is often below 12"
    );
    assert!(error(&["batch.aarr=900"]).contains("ln(time between arrivals) is often below 13"));
    assert!(error(&["batch.anum=9000"]).contains("jobs arrive in every half hour of the day"));
}

#[test]
fn the_extremes_of_every_parameter_end_in_jobs_or_in_an_error() {
    for param in parameters::PARAMS.iter().filter(|param| param.name.contains('.')) {
        let crate::models::ModelParamKind::Number { least, most } = param.kind else { continue };
        for value in [least, most] {
            let class = param.name.split_once('.').unwrap().0;
            let settings = [format!("types={class}"), format!("{}={value}", param.name)];
            match SPEC.generate(20, 128, 1, &settings) {
                Ok(trace) => assert_eq!(trace.len(), 20),
                Err(error) => assert!(error.to_string().starts_with(&format!("`{class}.")), "{error}"),
            }
        }
    }
}
