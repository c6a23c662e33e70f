//! Results of independent software (`fixtures.py`, `fixtures.json`).

use serde_json::Value;

pub fn fixtures(part: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("fixtures.json")).unwrap();
    all[part].clone()
}

pub fn cases(part: &str) -> Vec<Value> {
    fixtures(part).as_array().unwrap().clone()
}

pub fn numbers(of: &Value) -> Vec<f64> {
    of.as_array().unwrap().iter().map(number).collect()
}

pub fn number(of: &Value) -> f64 {
    of.as_f64().unwrap()
}

/// Asserts that two numbers agree to a relative tolerance, near 0 to an absolute one.
#[track_caller]
pub fn close(ours: f64, theirs: f64, tolerance: f64) {
    let off = (ours - theirs).abs();
    assert!(off <= tolerance * theirs.abs().max(1e-3), "{ours} is not {theirs}: off by {off:e}");
}

#[track_caller]
pub fn ends(interval: &batchlab::stats::Interval, theirs: &Value, tolerance: f64) {
    let theirs = numbers(theirs);
    close(interval.low, theirs[0], tolerance);
    close(interval.high, theirs[1], tolerance);
}
