//! The generator compared with its own distributions.

use super::*;
use crate::models::checks::{assert_counts, assert_follows, assert_jobs, assert_mean, column};
use crate::{Field, Trace};

fn generate(jobs: u32, procs: u32, settings: &[&str]) -> Trace {
    SPEC.generate(jobs, procs, 1, settings).unwrap()
}

fn gaps(trace: &Trace) -> Vec<f64> {
    let submits = column(trace, Field::Submit);
    submits.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn uniform_sizes_are_uniform_at_level_0_001() {
    let mut counts = vec![0; 257];
    for size in column(&generate(40_000, 256, &[]), Field::Requested) {
        counts[size as usize] += 1;
    }
    assert_eq!(counts[0], 0);
    assert_counts(counts[1..].iter().map(|&count| (count, 40_000.0 / 256.0)), "sizes");
}

#[test]
fn real_sizes_have_the_ratios_of_table_2_at_level_0_001() {
    let mut counts = [0; 9];
    for size in column(&generate(10_027, 8, &["sizes=real"]), Field::Requested) {
        counts[size as usize] += 1;
    }
    let pairs = counts[1..].iter().zip(RATIOS).map(|(&count, ratio)| (count, ratio / 0.9999 * 10_027.0));
    assert_counts(pairs, "sizes");
}

#[test]
fn run_times_are_exponential_at_level_0_001() {
    let runs = column(&generate(30_000, 256, &[]), Field::Run);
    assert_mean(&runs, 10.0, 10.0, "run times");
    assert!(runs.iter().any(|run| run.fract() != 0.0));
    assert_follows(runs, |run| -(-run / 10.0).exp_m1(), "run times");
}

#[test]
fn cut_run_times_follow_the_truncated_law_at_level_0_001() {
    let redrawn = column(&generate(30_000, 256, &["run-cut=20"]), Field::Run);
    let kept = -(-2.0f64).exp_m1();
    assert_follows(redrawn, |run| -(-run / 10.0).exp_m1() / kept, "redrawn run times");
    let clamped = column(&generate(30_000, 256, &["run-cut=20", "cut=clamp"]), Field::Run);
    let at_cut = clamped.iter().filter(|&&run| run == 20.0).count() as u64;
    assert_counts(
        [(at_cut, 30_000.0 * (1.0 - kept)), (30_000 - at_cut, 30_000.0 * kept)],
        "clamped run times",
    );
    assert!(clamped.iter().all(|&run| run <= 20.0));
}

/// Table 3 of the paper comes out with 2 s that all jobs have: section 4.1 says that the 10 s include loading a program.
#[test]
fn a_part_of_the_run_times_may_be_the_same_for_all_at_level_0_001() {
    let runs = column(&generate(30_000, 256, &["run-offset=2"]), Field::Run);
    assert!(runs.iter().all(|&run| run >= 2.0));
    assert_mean(&runs, 10.0, 8.0, "run times");
    assert_follows(runs, |run| -(-(run - 2.0) / 8.0).exp_m1(), "run times");
    let trace = generate(30_000, 256, &["run-offset=2", "load=0.8"]);
    assert_mean(&gaps(&trace), 128.5 * 10.0 / (0.8 * 256.0), 128.5 * 10.0 / (0.8 * 256.0), "gaps");
    let cut = column(&generate(10_000, 256, &["run-offset=2", "run-cut=12", "cut=clamp"]), Field::Run);
    assert_eq!(cut.into_iter().fold(0.0, f64::max), 12.0);
}

#[test]
fn gamma_run_times_have_the_shape_at_level_0_001() {
    let runs = column(&generate(30_000, 256, &["runs=gamma", "run-shape=1.5625"]), Field::Run);
    // Deviation 10 / sqrt(1.5625) = 8, as with run-offset=2.
    assert_mean(&runs, 10.0, 8.0, "run times");
    let law = GammaLaw::new("", 1.5625, 6.4).unwrap();
    assert_follows(runs, |run| law.cdf(run), "run times");
    let error = |settings: &[&str]| SPEC.generate(5, 256, 1, settings).unwrap_err().to_string();
    assert_eq!(error(&["run-shape=3"]), "`run-shape` has no effect with runs=exponential");
    assert_eq!(error(&["runs=gamma", "run-cut=47"]), "`run-cut` has no effect with runs=gamma");
    assert_eq!(error(&["run-offset=10"]), "`run-offset` is 10: it must be below mean-run, 10 s");
}

#[test]
fn arrivals_are_poisson_at_the_rate_of_the_load_at_level_0_001() {
    for (procs, settings, gap) in [
        (256, &["load=0.8"][..], 128.5 * 10.0 / (0.8 * 256.0)),
        (8, &["sizes=real", "mean-run=100"][..], 4.626_062_606 * 100.0 / (0.5 * 8.0)),
    ] {
        let trace = generate(30_000, procs, settings);
        assert_mean(&gaps(&trace), gap, gap, "gaps");
        assert_follows(gaps(&trace), |seconds| -(-seconds / gap).exp_m1(), "gaps");
    }
}

/// Work that arrives in a second, in processors, over those of the machine.
#[test]
fn a_cut_keeps_the_load_unless_the_arrival_rate_is_that_of_the_uncut_run_times() {
    // Means of exponential run times of mean 10 s: 9.568 s if redrawn above 47 s, 8.647 s if cut to 20 s.
    let kept = -(-4.7f64).exp_m1();
    for (settings, load) in [
        (&["run-cut=47"][..], 0.5),
        (&["run-cut=47", "arrivals=mean-run"][..], 0.5 * (1.0 - 4.7 * (1.0 - kept) / kept)),
        (&["run-cut=20", "cut=clamp"][..], 0.5),
        (&["run-cut=20", "cut=clamp", "arrivals=mean-run"][..], 0.5 * -(-2.0f64).exp_m1()),
    ] {
        let trace = generate(60_000, 256, settings);
        let runs = column(&trace, Field::Run);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // 60,000 jobs: sizes, run times and gaps each have a standard error below .5 %.
        let offered = 128.5 * mean(&runs) / mean(&gaps(&trace)) / 256.0;
        assert!((offered / load - 1.0).abs() < 0.02, "{settings:?}: {offered}, {load} expected");
    }
    assert!((0.5 * (1.0 - 4.7 * (1.0 - kept) / kept) - 0.478).abs() < 0.001);
}

#[test]
fn the_cenju_3_case_has_constant_run_times_and_the_load_of_their_mean() {
    let settings = ["runs=constant", "mean-run=32", "load=0.9"];
    let trace = generate(500, 8, &settings);
    assert!(column(&trace, Field::Run).iter().all(|&run| run == 32.0));
    // Sizes uniform on 1 to 8: mean 4.5.
    let gap = 4.5 * 32.0 / (0.9 * 8.0);
    let long = generate(30_000, 8, &settings);
    assert_mean(&gaps(&long), gap, gap, "gaps");
    // The run times are not drawn: sizes and arrivals are those of exponential run times.
    let exponential = generate(500, 8, &settings[1..]);
    for field in [Field::Submit, Field::Requested] {
        assert_eq!(column(&trace, field), column(&exponential, field));
    }
    let error = SPEC.generate(5, 8, 1, &["runs=constant", "run-cut=47"]).unwrap_err().to_string();
    assert_eq!(error, "`run-cut` has no effect with runs=constant");
}

#[test]
fn a_change_of_the_load_leaves_sizes_and_run_times_alone() {
    let [one, other] = ["load=0.5", "load=1"].map(|load| generate(200, 256, &[load]));
    for field in [Field::Run, Field::Requested] {
        assert_eq!(column(&one, field), column(&other, field));
    }
    let ratio = column(&one, Field::Submit)[199] / column(&other, Field::Submit)[199];
    assert!((ratio - 2.0).abs() < 1e-6, "{ratio}");
}

#[test]
fn the_machine_of_table_2_has_eight_processors() {
    let error = |procs, settings: &[&str]| SPEC.generate(5, procs, 1, settings).unwrap_err().to_string();
    assert_eq!(
        error(256, &["sizes=real"]),
        "`procs` is 256: it must be 8, the machine of table 2, with sizes=real"
    );
    assert!(error(2_000_000, &[]).contains("at most 1000000"));
    assert!(error(256, &["run-cut=1s", "mean-run=1e6"]).starts_with("`run-cut` is 1: it must be so long"));
}

#[test]
fn the_first_jobs_stay_as_they_are() {
    let cases: [(u32, &[&str]); 2] = [(256, &[]), (8, &["sizes=real"])];
    assert_jobs(cases.map(|(procs, set)| (format!("{procs} {set:?}"), generate(3, procs, set))), GOLDEN);
}

const GOLDEN: &str = r#"256 []
1 5.592502 -1 7.940852 48 -1 -1 48 -1 -1 1 -1 -1 -1 1 -1 -1 -1
2 9.604847 -1 13.668914 59 -1 -1 59 -1 -1 1 -1 -1 -1 1 -1 -1 -1
3 19.234081 -1 9.212367 29 -1 -1 29 -1 -1 1 -1 -1 -1 1 -1 -1 -1
8 ["sizes=real"]
1 6.44265 -1 7.940852 2 -1 -1 2 -1 -1 1 -1 -1 -1 1 -1 -1 -1
2 11.064933 -1 13.668914 2 -1 -1 2 -1 -1 1 -1 -1 -1 1 -1 -1 -1
3 22.157962 -1 9.212367 1 -1 -1 1 -1 -1 1 -1 -1 -1 1 -1 -1 -1
"#;
