//! Values that follow each other: waits of one queue, windows in a row, saturation.

use super::draws::{autoregression, exponential, steady_waits, waits};
use super::{CASES, LEVEL, Made, REPLAYED, Reported, percent, replayed, rows, unwarned};
use batchlab::stats::dependence::Dependence;
use batchlab::stats::saturation::SaturationVerdict;
use batchlab::stats::{Interval, batch, saturation, student, warmup};
use batchlab::traces::seed;
use rayon::prelude::*;

type Make = fn(&[f64], f64) -> Made;

/// How often intervals of windows in a row hold the mean over all windows of a log.
pub fn in_a_row() {
    println!("\n## Windows in a row\n");
    println!(
        "Weeks of a drawn log, each replayed by itself; the logarithm of the intensity of submissions carries over from week to week"
    );
    println!(
        "(first-order autoregression). Lag 1: autocorrelation of what the interval is about, over all weeks. Covered: share of"
    );
    println!(
        "all series of that length whose interval holds the mean of all weeks, in per cent, as if weeks were independent,"
    );
    println!(
        "and allowing for alike neighbours; the latter of one week in 8, too. Wider: by how much, on average.\n"
    );
    println!(
        "| carried over | interval of | lag 1 | weeks | independent | allowing | wider, % | one week in 8 |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|---:|");
    for carried in [0.0, 0.5, 0.8] {
        let weeks = replayed::weeks(carried, REPLAYED);
        let waits: Vec<f64> = weeks.iter().map(|[easy, _]| *easy).collect();
        let logs: Vec<f64> = weeks.iter().map(|[easy, sjf]| (sjf / easy).ln()).collect();
        for n in [6, 12, 24, 52] {
            for (what, values, make) in [
                ("mean wait", &waits, student::of_positive as Make),
                ("log ratio to EASY", &logs, student::interval as Make),
            ] {
                let plain = series(values, (n, 1), |row| make(row, LEVEL));
                let allow = |row: &[f64]| make(&Dependence::allow(Dependence::of(row), row), LEVEL);
                let (allowing, apart) = (series(values, (n, 1), allow), series(values, (n, 8), allow));
                println!(
                    "| {carried} | {what} | {:.2} | {n} | {} | {} | {:.0} | {} |",
                    batch::lag1(values).unwrap(),
                    percent(plain.0),
                    percent(allowing.0),
                    100.0 * (allowing.1 / plain.1 - 1.0),
                    percent(apart.0),
                );
            }
        }
    }
}

/// Returns the share of series of `n` values, so far apart, whose interval holds the mean of all values, and the mean width.
fn series(values: &[f64], (n, apart): (usize, usize), make: impl Fn(&[f64]) -> Made) -> (f64, f64) {
    let truth = values.iter().sum::<f64>() / values.len() as f64;
    let row = |from: usize| -> Vec<f64> { values[from..].iter().step_by(apart).take(n).copied().collect() };
    let intervals: Vec<Interval> =
        (0..=values.len() - n * apart).filter_map(|from| make(&row(from)).ok()).collect();
    let held = intervals.iter().filter(|of| of.contains(truth)).count() as f64;
    let width = intervals.iter().map(|of| 2.0 * of.half_width()).sum::<f64>();
    (held / intervals.len() as f64, width / intervals.len() as f64)
}

/// The mean of one series: batch means, compared with a t interval that treats the values as independent.
pub fn one_series() {
    const METHODS: [&str; 2] = ["batch means", "Student t over values"];
    for n in [1_000, 10_000] {
        for phi in [0.5, 0.9] {
            let situation = format!("first-order autoregression, φ = {phi}, {n} values");
            rows(&situation, 10.0, &METHODS, |stream, _| of_series(&autoregression(stream, phi, n)));
        }
    }
    for load in [0.5, 0.8, 0.9] {
        let truth = load / (1.0 - load);
        rows(&format!("M/M/1 in steady state, ρ = {load}, 10,000 waits"), truth, &METHODS, |stream, _| {
            of_series(&steady_waits(stream, load, 10_000))
        });
        rows(&format!("M/M/1 from empty, ρ = {load}, 10,000 waits"), truth, &METHODS, |stream, _| {
            of_series(&waits(stream, load, 10_000, 0.0))
        });
        let situation = format!("M/M/1 from empty, ρ = {load}, 10,000 waits, MSER-5");
        rows(&situation, truth, &METHODS, |stream, _| {
            let waits = waits(stream, load, 10_000, 0.0);
            let warmup = warmup::mser5(&waits);
            let kept = if warmup.verdict == warmup::CutReliability::Accepted { warmup.cut } else { 0 };
            let mut all = of_series(&waits[kept..]);
            all[0].warned |= warmup.verdict != warmup::CutReliability::Accepted;
            all
        });
    }
}

fn of_series(values: &[f64]) -> Vec<Reported> {
    let batches = match batch::means(values, LEVEL) {
        Ok(of) => Reported { interval: Ok(of.interval), warned: of.warning.is_some() },
        Err(why) => unwarned(Err(why)),
    };
    vec![batches, unwarned(student::interval(values, LEVEL))]
}

/// How often queues below and above their capacity are judged saturated.
pub fn saturated() {
    println!("\n## Saturation\n");
    println!(
        "M/M/1 from empty, 10,000 arrivals; backlog at every 20th arrival; share of {CASES} samples, in per cent.\n"
    );
    println!("| ρ | steady | unclear | saturated | interval of the slope above 0 |");
    println!("|---:|---:|---:|---:|---:|");
    for load in [0.5, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2] {
        let verdicts: Vec<(SaturationVerdict, bool)> =
            (0..CASES).into_par_iter().filter_map(|case| judged(load, case)).collect();
        let share = |is: &dyn Fn(&(SaturationVerdict, bool)) -> bool| {
            percent(verdicts.iter().filter(|of| is(of)).count() as f64 / CASES as f64)
        };
        println!(
            "| {load} | {} | {} | {} | {} |",
            share(&|of| of.0 == SaturationVerdict::Steady),
            share(&|of| of.0 == SaturationVerdict::Unclear),
            share(&|of| of.0 == SaturationVerdict::Saturated),
            share(&|of| of.1),
        );
    }
}

/// One queue, empty at first, up to its last arrival: the work that arrived and was done, and the backlog at
/// arrivals.
fn judged(load: f64, case: u64) -> Option<(SaturationVerdict, bool)> {
    let mut stream = seed::stream(case, "saturation");
    let (mut now, mut there, mut arrived) = (0.0, 0.0_f64, 0.0);
    let mut backlog = Vec::new();
    for arrival in 0..10_000 {
        let gap = exponential(&mut stream) / load;
        now += gap;
        there = (there - gap).max(0.0);
        if arrival % 20 == 0 {
            backlog.push((now, there));
        }
        let work = exponential(&mut stream);
        there += work;
        arrived += work;
    }
    let of = saturation::verdict(arrived, arrived - there, &backlog, case).ok()?;
    let rises = of.slope.is_ok_and(|slope| slope.low > 0.0);
    Some((of.verdict, rises))
}
