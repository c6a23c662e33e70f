//! The simulation of saturation: its record, and a few of its logs.

#[path = "../../examples/saturation/situations.rs"]
mod situations;

use rayon::prelude::*;
use situations::{KEPT_UP, OVERLOADED, Situation};

/// Returns the rows below a heading of the record: situation and load, logs in which a job waits, logs called saturated, in
/// per cent.
fn recorded(heading: &str) -> Vec<(String, f64, f64)> {
    let page = include_str!("../../examples/saturation.md");
    let (_, part) = page.split_once(heading).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[_, name, load, waits, saturated, _] = &cells[..] else { return None };
        Some((format!("{name} {load}"), waits.parse().ok()?, saturated.parse().ok()?))
    };
    part.split("\n## ").next().unwrap().lines().filter_map(row).collect()
}

fn name(situation: &Situation) -> String {
    format!("{} {}", situation.name, situation.load)
}

#[test]
fn the_record_has_few_false_alarms_and_few_misses() {
    let (kept_up, overloaded) = (recorded("## False alarms"), recorded("## Misses"));
    assert!(kept_up.iter().map(|row| row.0.clone()).eq(KEPT_UP.iter().map(name)));
    assert!(overloaded.iter().map(|row| row.0.clone()).eq(OVERLOADED.iter().map(name)));
    for (name, waits, saturated) in &kept_up {
        assert!(*saturated <= 7.0 && (*waits > 0.0 || *saturated == 0.0), "{name}: {saturated} %");
    }
    // Bursts come so seldom that some logs do not show that the next ones would not be worked off; while long jobs fill the
    // machine, nothing waits.
    for (name, _, saturated) in &overloaded {
        let least = if name.starts_with("bursts") { 50.0 } else { 80.0 };
        assert!(*saturated >= least, "{name}: {saturated} %");
    }
}

fn called(situation: &Situation) -> usize {
    (0..20_u64).into_par_iter().filter(|&number| situation.judged(number).0).count()
}

#[test]
fn the_first_logs_are_judged_as_recorded() {
    for situation in KEPT_UP {
        assert!(called(situation) <= 4, "{}", name(situation));
    }
    for situation in
        OVERLOADED.iter().filter(|situation| situation.load >= 1.3 && !name(situation).contains("bursts"))
    {
        assert!(called(situation) >= 14, "{}", name(situation));
    }
}

#[test]
fn where_no_job_waits_nothing_is_saturated() {
    for situation in KEPT_UP.iter().chain(OVERLOADED) {
        for number in 0..5 {
            let (is_saturated, waits) = situation.judged(number);
            assert!(waits || !is_saturated, "{}, log {number}", name(situation));
        }
    }
}
